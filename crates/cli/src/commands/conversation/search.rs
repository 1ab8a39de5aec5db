//! `conversation search`: finds what was said and what follows from it.

use memory_conversations::tools::search::{Found, Numbers, Params, Reply, Tuned};
use memory_core::{Explain, Result, printable};

use super::{PlaceArgs, answer, ask, short, warn_of};
use crate::config::Share;
use crate::render::text::{excerpt, mark};
use crate::render::time::when;
use crate::shell::{Shell, Status};

/// Search turns, facts and summaries, most relevant first
///
/// With -c, searches that conversation and 'global'; otherwise all conversations.
///
/// Examples:
///   memory conversation search "where do I live"
///   memory conversation search dog -c work -k 3 --explain
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Args {
    /// Words or a question
    #[arg(required = true)]
    query: Vec<String>,
    /// Only this conversation and 'global'
    #[arg(
        short,
        long,
        visible_alias = "conversation-id",
        value_name = "CONVERSATION"
    )]
    conversation: Option<String>,
    /// Maximum number of results (default: conversations.default_top_k, 5)
    #[arg(short = 'k', long, value_name = "N")]
    top_k: Option<usize>,
    /// Weight of recency against relevance, 0 to 1 (default: conversations.recency_weight, 0.2)
    #[arg(long, value_name = "0–1")]
    recency_weight: Option<Share>,
    /// Minimum relevance, 0 to 1 (default: conversations.score_threshold, 0.35)
    #[arg(long, value_name = "0–1")]
    score_threshold: Option<Share>,
    /// Weight of relevance against diversity, 0 to 1 (default: conversations.mmr_lambda, 0.7)
    #[arg(long, value_name = "0–1")]
    mmr_lambda: Option<Share>,
    /// Show the parameters and the components of each score
    #[arg(long)]
    explain: bool,
    #[command(flatten)]
    place: PlaceArgs,
}

pub(crate) fn run(args: Args, shell: &Shell) -> Result<Status> {
    let query = args.query.join(" ");
    let tuned = Tuned {
        top_k: args.top_k,
        recency_weight: args.recency_weight.map(Share::get),
        score_threshold: args.score_threshold.map(Share::get),
        mmr_lambda: args.mmr_lambda.map(Share::get),
    };
    let params = Params {
        query: query.clone(),
        conversation: args.conversation,
        tuned,
        explain: args.explain,
    };
    let reply: Reply = ask(shell, &args.place, "conversation_search", &params)?;
    warn_of(shell, &reply.flaws);
    answer(shell, &reply, |reply| {
        let found = if reply.hits.is_empty() {
            format!("No relevant memory was found for '{}'\n", printable(&query))
        } else {
            reply
                .hits
                .iter()
                .map(|hit| lines(hit, &query, shell))
                .collect::<Vec<_>>()
                .join("\n")
        };
        let asked = reply
            .numbers
            .as_ref()
            .map(|numbers| format!("\n{}\n", asked(numbers)));
        format!("{found}{}", asked.unwrap_or_default())
    })
}

/// The numbers that the search went by, in the order of its stages.
fn asked(numbers: &Numbers) -> String {
    let scopes: Vec<String> = numbers
        .scopes
        .iter()
        .map(|scope| printable(scope))
        .collect();
    let from = match scopes.as_slice() {
        [] => "from all conversations".to_owned(),
        [one] => format!("from {one}"),
        several => format!("from each of {}", several.join(" and ")),
    };
    let threshold = match numbers.score_threshold {
        Some(threshold) => format!("{threshold:.2}"),
        None => "none (no cross-encoder; the relative threshold applies)".to_owned(),
    };
    format!(
        "{} memories; {} candidates {from}; model {}; score_threshold {threshold}; recency_weight {:.2}; mmr_lambda {:.2}; top_k {}",
        numbers.searched,
        numbers.candidates,
        if numbers.models.is_empty() {
            "none".to_owned()
        } else {
            numbers.models.join(", ")
        },
        numbers.recency_weight,
        numbers.mmr_lambda,
        numbers.top_k,
    )
}

fn lines(hit: &Found, query: &str, shell: &Shell) -> String {
    let when = when(&hit.created_at, &shell.zone());
    let text = mark(&printable(&excerpt(&hit.text, query)), query);
    let conversation = printable(&hit.conversation_id);
    let head = format!(
        "\u{1b}[1m{}\u{1b}[0m  {}  {conversation}  {when}  {:.3}",
        short(&hit.id),
        hit.role,
        hit.score
    );
    let explained = hit
        .explain
        .as_ref()
        .map(|explain| format!("  {}\n", explained(explain)));
    format!("{head}\n  {text}\n{}", explained.unwrap_or_default())
}

/// The stages by their names, in their order.
fn explained(explain: &Explain) -> String {
    let stages = [
        ("lexical", Some(explain.lexical)),
        ("dense", explain.dense),
        ("rerank", explain.rerank),
        ("relevance", Some(explain.relevance)),
        ("recency", Some(explain.recency)),
        ("final", Some(explain.total)),
        ("mmr", explain.mmr),
    ];
    let shown = stages
        .iter()
        .filter_map(|(name, value)| Some(format!("{name} {:.3}", (*value)?)));
    shown.collect::<Vec<_>>().join(", ")
}
