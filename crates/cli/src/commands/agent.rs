//! `agent`: the tools for agents that can run a command: a batch of calls in, their results out.

use std::io::IsTerminal;

use memory_core::{Code, Context, Error, Offer, Result, Session};
use serde::{Deserialize, Serialize};
use serde_json::value::{RawValue, to_raw_value};
use serde_json::{Value, json};

use crate::shell::{Shell, Status};

/// Toolsets that are served when nobody says.
const TOOLSETS: [&str; 2] = ["notes", "recall"];
/// Largest batch that is read.
const MOST_BYTES: u64 = 64 << 20;
/// Most characters of a context.
const CONTEXT_CHARS: usize = 8_000;

/// Run a batch of tool calls from standard input
///
/// Each call is {"name": …, "params": {…}} or a JSON-RPC request; a batch is an array of calls. A call that
/// fails returns its error and does not affect the others. --prompt TEXT prints relevant memories and does not
/// read standard input; --prompt - reads the prompt, or {"prompt": …, "calls": […]}, from standard input.
///
/// Examples:
///   memory agent --list-tools
///   echo '[{"name":"memory_write","params":{"content":"hello"}}]' | memory agent
///   memory agent --prompt "user preferences"
///   echo '{"prompt":"user preferences about UI"}' | memory agent --prompt -
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Args {
    /// Show the tools with the schemas of their parameters
    #[arg(long)]
    list_tools: bool,
    /// Print memories that are relevant to a prompt; - reads it from standard input
    #[arg(long, value_name = "TEXT")]
    prompt: Option<String>,
    /// Toolsets to serve, or all (default: notes and recall)
    #[arg(long, value_delimiter = ',', value_name = "SET,…")]
    tools: Vec<String>,
}

pub(crate) fn run(args: Args, shell: &Shell) -> Result<Status> {
    let registry = shell.registry();
    let sets = memory_serve::chosen_toolsets(registry, &args.tools, &TOOLSETS);
    let sets: Vec<&str> = sets.iter().map(String::as_str).collect();
    let mut session = Session::open(registry, &sets, shell.ground().environment.ids.uuid())?;
    if args.list_tools {
        let tools: Vec<Value> = session.tools().iter().map(described).collect();
        return shell.show(&json!({ "tools": tools }));
    }
    match args.prompt.as_deref() {
        None => answer_batch(&session, shell),
        Some("-") => {
            let asked = Asked::read(&shell.read_input(MOST_BYTES)?)?;
            answer_prompt(&mut session, &asked.prompt, &asked.calls, shell)
        }
        Some(prompt) => answer_prompt(&mut session, prompt, &[], shell),
    }
}

/// What stands on standard input beside `--prompt -`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, expecting = "an object with a prompt")]
struct Asked {
    prompt: String,
    #[serde(default)]
    calls: Vec<Box<RawValue>>,
}

impl Asked {
    /// Reads an object, or a prompt in plain text.
    fn read(input: &str) -> Result<Self> {
        let input = without_mark(input).trim();
        let hint = r#"Send the prompt as text, or as {"prompt": "user preferences", "calls": []}"#;
        if input.is_empty() {
            return Err(
                Error::new(Code::InvalidArgument, "Standard input contains no prompt").hint(hint),
            );
        }
        if !input.starts_with('{') {
            return Ok(Asked {
                prompt: input.to_owned(),
                calls: vec![],
            });
        }
        serde_json::from_str(input).map_err(|error| {
            Error::new(
                Code::InvalidJson,
                format!("The input is not a prompt in JSON: {error}"),
            )
            .hint(hint)
        })
    }
}

/// One call of a batch, in our form or in that of JSON-RPC.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, expecting = "an object with the name of a tool")]
struct Asking {
    #[serde(default, rename = "jsonrpc")]
    _version: Option<Value>,
    #[serde(default)]
    id: Option<Value>,
    #[serde(alias = "method")]
    name: String,
    #[serde(default, alias = "arguments")]
    params: Option<Box<RawValue>>,
}

impl Asking {
    fn read(call: &str) -> Result<Self> {
        // A list would be read as the fields in their order.
        let call = if call.trim_start().starts_with('[') {
            "null"
        } else {
            call
        };
        let asking: Asking = parse(call)?;
        match (asking.name.as_str(), &asking.params) {
            // The tool that is meant stands inside.
            ("tools/call", Some(params)) => Ok(Asking {
                id: asking.id,
                ..Asking::read(params.get())?
            }),
            _ => Ok(asking),
        }
    }
}

/// The answer to one call.
#[derive(Debug, Serialize)]
struct Answer {
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    result: Option<Box<RawValue>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<Value>,
}

fn described(offer: &Offer<'_>) -> Value {
    let spec = offer.tool.spec;
    json!({ "name": offer.name, "description": spec.description, "parameters": offer.tool.schema() })
}

fn answer_batch(session: &Session<'_>, shell: &Shell) -> Result<Status> {
    if std::io::stdin().is_terminal() {
        return Err(
            Error::new(Code::InvalidArgument, "Standard input contains no calls")
                .hint("Send them as JSON, or pass --list-tools or --prompt TEXT"),
        );
    }
    let answers = call_all(session, &calls(&shell.read_input(MOST_BYTES)?)?);
    shell.show(&answers)?;
    Ok(status_of(&answers))
}

fn answer_prompt(
    session: &mut Session<'_>,
    prompt: &str,
    calls: &[Box<RawValue>],
    shell: &Shell,
) -> Result<Status> {
    let Context { pieces } = session.inject_context(prompt)?.clone();
    let text = session
        .context()
        .fenced(&shell.ground().environment.ids, CONTEXT_CHARS);
    let answers = call_all(session, calls);
    let mut reply =
        json!({ "prompt": prompt, "context": text.unwrap_or_default(), "memories": pieces });
    if !calls.is_empty() {
        reply["results"] = serde_json::to_value(&answers).unwrap_or_default();
    }
    shell.show(&reply)?;
    Ok(status_of(&answers))
}

/// Takes the input apart: an array of calls, or one or more calls one after the other.
fn calls(input: &str) -> Result<Vec<Box<RawValue>>> {
    let input = without_mark(input);
    if input.trim_start().starts_with('[') {
        return parse(input);
    }
    let values = serde_json::Deserializer::from_str(input).into_iter::<Box<RawValue>>();
    values.map(|value| value.map_err(not_json)).collect()
}

fn call_all(session: &Session<'_>, calls: &[Box<RawValue>]) -> Vec<Answer> {
    calls.iter().map(|call| answer(session, call)).collect()
}

fn answer(session: &Session<'_>, call: &RawValue) -> Answer {
    let failed = |id, name, error: Error| Answer {
        id,
        name,
        result: None,
        error: error.to_value().get("error").cloned(),
    };
    let asking = match Asking::read(call.get()) {
        Ok(asking) => asking,
        Err(error) => return failed(None, None, error),
    };
    let nothing = || to_raw_value(&json!({}));
    let params = asking
        .params
        .map_or_else(|| nothing().map_err(not_json), Ok);
    match params.and_then(|params| session.call(&asking.name, &params)) {
        Ok(result) => Answer {
            id: asking.id,
            name: Some(asking.name),
            result: Some(result),
            error: None,
        },
        Err(error) => failed(asking.id, Some(asking.name), error),
    }
}

fn status_of(answers: &[Answer]) -> Status {
    let has_failed = answers.iter().any(|answer| answer.error.is_some());
    if has_failed { Status(1) } else { Status::DONE }
}

/// Some programs begin what they write with a byte order mark.
fn without_mark(input: &str) -> &str {
    input.strip_prefix('\u{feff}').unwrap_or(input)
}

fn parse<T: serde::de::DeserializeOwned>(text: &str) -> Result<T> {
    serde_json::from_str(text).map_err(not_json)
}

fn not_json(error: serde_json::Error) -> Error {
    let whole = error.to_string();
    Error::new(
        Code::InvalidJson,
        format!("The input is not a call in JSON: {whole}"),
    )
    .hint(r#"A call is {"name": "memory_search", "params": {"query": "dark mode"}}"#)
}
