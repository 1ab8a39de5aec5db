//! `proxy`: an OpenAI-compatible server that remembers, in front of one that does not.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use memory_core::{Code, Error, Result};
use memory_files::{Files, Spot};
use memory_models::Chat;
use memory_serve::{Access, Level, Log, Proxy, Upstream, run_proxy};

use crate::chat::Outspoken;
use crate::commands::serve;
use crate::commands::token::{token, token_if_possible};
use crate::config::{Config, Share};
use crate::shell::{Shell, Status};
use crate::{chat, house, places};

const PORT: u16 = 8100;
const KEY_BYTES: u64 = 64 << 10;

/// Run an OpenAI-compatible proxy that remembers
///
/// Point a client at http://127.0.0.1:8100/v1. The proxy adds relevant memories to each request, stores the
/// conversation as Markdown below --memory-path, and forwards everything else unchanged. It accepts your own
/// processes; other users and machines must send the token in ~/.memory/.mcp-token as their API key.
///
/// Example: memory proxy --openai-base-url http://127.0.0.1:11434/v1
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Directory of the conversations (default: conversations.path, ./memory_db)
    #[arg(long, value_name = "DIR")]
    memory_path: Option<PathBuf>,
    /// URL of the upstream, such as http://127.0.0.1:11434/v1 (default: OPENAI_BASE_URL, conversations.openai_base_url)
    #[arg(long, value_name = "URL")]
    openai_base_url: Option<String>,
    /// API key for clients that send none (default: OPENAI_API_KEY). Visible in the process list; prefer the
    /// variable or --openai-api-key-file
    #[arg(long, value_name = "KEY", hide_default_value = true)]
    openai_api_key: Option<String>,
    /// File that contains the API key
    #[arg(long, value_name = "FILE", conflicts_with = "openai_api_key")]
    openai_api_key_file: Option<PathBuf>,
    /// Model that extracts facts and writes summaries (default: llm.model, or the model of the client's request)
    #[arg(long, value_name = "NAME")]
    model: Option<String>,
    /// Extract facts and summaries by rules, without a model
    #[arg(long)]
    no_llm: bool,
    /// Address to listen at
    #[arg(long, value_name = "ADDR", default_value = "127.0.0.1", value_parser = host)]
    host: IpAddr,
    /// Port to listen at
    #[arg(long, default_value_t = PORT)]
    port: u16,
    /// Additional host name that clients may use, besides localhost
    #[arg(long, value_name = "NAME")]
    allow_host: Vec<String>,
    /// Log level: error, warn, info or debug
    #[arg(long, visible_alias = "log", value_name = "LEVEL", default_value = "info", value_parser = level)]
    log_level: Level,
    #[command(flatten)]
    retrieval: Retrieval,
    #[command(flatten)]
    keeping: Keeping,
}

/// What is recalled for a request.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "What is recalled")]
struct Retrieval {
    /// Maximum number of memories per request (default: conversations.default_top_k, 5)
    #[arg(long, value_name = "N")]
    default_top_k: Option<u64>,
    /// Weight of relevance against diversity, 0 to 1 (default: conversations.mmr_lambda, 0.7)
    #[arg(long, value_name = "0–1")]
    mmr_lambda: Option<Share>,
    /// Weight of recency against relevance, 0 to 1 (default: conversations.recency_weight, 0.2)
    #[arg(long, value_name = "0–1")]
    recency_weight: Option<Share>,
    /// Minimum relevance, 0 to 1 (default: conversations.score_threshold, 0.35)
    #[arg(long, value_name = "0–1")]
    score_threshold: Option<Share>,
    /// Endpoint for embeddings (default: embedding.base_url; none is required)
    #[arg(long, value_name = "URL")]
    embedding_base_url: Option<String>,
    /// Embedding model, installed or of the endpoint (default: embedding.model)
    #[arg(long, value_name = "NAME")]
    embedding_model: Option<String>,
}

/// What is kept, and how.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "What is kept")]
struct Keeping {
    /// Maximum number of facts and turns per conversation (default: conversations.max_entries, 500)
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    max_entries: Option<u64>,
    /// Summarize conversations (default: conversations.enable_summarization, true)
    #[arg(long, overrides_with = "no_summarization")]
    summarization: bool,
    /// Do not summarize conversations
    #[arg(long)]
    no_summarization: bool,
    /// Commit every change to a Git repository in the directory (default: conversations.enable_git_versioning,
    /// false)
    #[arg(long, overrides_with = "no_git_versioning")]
    git_versioning: bool,
    /// Do not commit changes to Git to Git
    #[arg(long)]
    no_git_versioning: bool,
}

pub(crate) fn run(args: Args, shell: &Shell) -> Result<Status> {
    let log = serve::log(args.log_level, shell);
    let address = SocketAddr::from((args.host, args.port));
    let upstream = upstream(&args, shell)?;
    if upstream.is_at(address) {
        return Err(Error::new(
            Code::InvalidArgument,
            format!("The upstream {} is this proxy", upstream.base()),
        )
        .hint("OPENAI_BASE_URL may name it for clients: pass --openai-base-url with the address of the server behind it"));
    }
    if upstream.exposes_key() {
        let base = upstream.base();
        log.warn(&format!("The API key is sent to {base} without encryption"));
    }
    let config = configured(&args, shell);
    let mut ground = shell.ground().clone();
    ground.accept_named(&config);
    let chat =
        (!args.no_llm).then(|| outspoken(chat::chosen_beside(&upstream, &ground, &config), &log));
    let store = places::conversations(&ground.environment, &config).ok_or_else(no_place)?;
    // Whoever starts a proxy hears now that nothing could be kept, and not in the log of a chat.
    let files = ground.conversation_files();
    files
        .ensure_folder(&store)
        .and_then(|_| files.list(&store))
        .map_err(Error::from)?;
    let default_top_k = usize::try_from(config.conversations.default_top_k).unwrap_or(usize::MAX);
    if config.conversations.enable_git_versioning {
        prepare_git(&store, &files, shell, &log);
    }
    let house = house::furnish_with(ground, config, chat)?;
    shell.show_all_warnings();
    house.stay();
    let hosts = args.allow_host;
    let memory_store = store.path().display().to_string();
    let access = if address.ip().is_loopback() {
        Access::new(token_if_possible(shell, &log))
    } else {
        Access::new(Some(token(shell, &log)?)).only_with_token()
    };
    let proxy = Proxy {
        registry: house.registry,
        upstream,
        hosts,
        access,
        memory_store,
        default_top_k,
        log,
    };
    run_proxy(proxy, address)?;
    Ok(Status::DONE)
}

/// Makes the repository, or tells at the start that there will be no history.
fn prepare_git(root: &Spot, files: &Files, shell: &Shell, log: &Log) {
    let now = shell.ground().environment.clock.now();
    if let Err(error) = memory_conversations::prepare_git(files, root, now) {
        let hint = error
            .hint
            .map(|hint| format!(". {hint}"))
            .unwrap_or_default();
        log.warn(&format!("Git versioning is off: {}{hint}", error.message));
    }
}

/// Lets the log tell when rules have to do what the model should.
fn outspoken(chat: Arc<dyn Chat>, log: &Log) -> Arc<dyn Chat> {
    let log = log.clone();
    Arc::new(Outspoken::new(chat, move |problem: &str| {
        log.warn(&format!(
            "The model failed; rules extract facts and summaries instead: {problem}"
        ));
    }))
}

fn upstream(args: &Args, shell: &Shell) -> Result<Upstream> {
    let ground = shell.ground();
    let base = args
        .openai_base_url
        .as_deref()
        .or_else(|| chat::base_url(ground, shell.config()));
    let base = base.ok_or_else(chat::no_upstream)?;
    let in_file = args
        .openai_api_key_file
        .as_deref()
        .map(|path| key_in_file(path, shell))
        .transpose()?;
    let in_variable = ground
        .environment
        .openai_api_key
        .as_ref()
        .map(|key| key.reveal());
    let key = args
        .openai_api_key
        .as_deref()
        .or(in_file.as_deref())
        .or(in_variable);
    Upstream::new(base, key)
}

fn key_in_file(path: &Path, shell: &Shell) -> Result<String> {
    let ground = shell.ground();
    let at = Spot::anchor(ground.environment.absolute(path));
    let seen = ground.files.read(&at, KEY_BYTES)?;
    let text = seen
        .and_then(|seen| String::from_utf8(seen.bytes).ok())
        .unwrap_or_default();
    match text.trim() {
        "" => Err(Error::new(
            Code::NotFound,
            format!("{} does not contain a key", at.path().display()),
        )),
        key => Ok(key.to_owned()),
    }
}

/// Returns the configuration as the flags have it.
fn configured(args: &Args, shell: &Shell) -> Config {
    let mut config = shell.config().clone();
    let set = &mut config.conversations;
    let (retrieval, keeping) = (&args.retrieval, &args.keeping);
    if let Some(path) = &args.memory_path {
        set.path = Some(shell.ground().environment.absolute(path));
    }
    set.default_top_k = retrieval.default_top_k.unwrap_or(set.default_top_k);
    set.mmr_lambda = retrieval.mmr_lambda.unwrap_or(set.mmr_lambda);
    set.recency_weight = retrieval.recency_weight.unwrap_or(set.recency_weight);
    set.score_threshold = retrieval.score_threshold.or(set.score_threshold);
    config.embedding.base_url = retrieval
        .embedding_base_url
        .clone()
        .or(config.embedding.base_url.take());
    if let Some(model) = &retrieval.embedding_model {
        config.embedding.model = model_named(model, config.embedding.base_url.is_some());
    }
    config.llm.model = args.model.clone().or(config.llm.model.take());
    let set = &mut config.conversations;
    set.max_entries = keeping.max_entries.unwrap_or(set.max_entries);
    set.enable_summarization = switched(
        keeping.summarization,
        keeping.no_summarization,
        set.enable_summarization,
    );
    set.enable_git_versioning = switched(
        keeping.git_versioning,
        keeping.no_git_versioning,
        set.enable_git_versioning,
    );
    config
}

/// A model's name as the configuration has it: one behind an endpoint is told by its first part.
fn model_named(name: &str, has_endpoint: bool) -> String {
    if has_endpoint {
        format!("openai:{name}")
    } else {
        name.to_owned()
    }
}

fn switched(on: bool, off: bool, otherwise: bool) -> bool {
    on || (otherwise && !off)
}

fn no_place() -> Error {
    Error::new(
        Code::InvalidArgument,
        "The directory of the conversations is not known",
    )
    .hint("Pass --memory-path DIR")
}

fn host(text: &str) -> std::result::Result<IpAddr, String> {
    match text {
        "localhost" => Ok(Ipv4Addr::LOCALHOST.into()),
        _ => text
            .parse()
            .map_err(|_| "not an address like 127.0.0.1".to_owned()),
    }
}

/// Reads a level in the spelling of other programs too.
fn level(text: &str) -> std::result::Result<Level, String> {
    match text.to_lowercase().as_str() {
        "warning" => Ok(Level::Warn),
        "critical" => Ok(Level::Error),
        name => name.parse(),
    }
}
