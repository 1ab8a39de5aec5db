//! `bank query`: asks a jq filter, and ends as jq does: 3 if it does not compile, 5 if it fails.

use std::io::IsTerminal;

use memory_banks::tools::query::{Params, Reply};
use memory_core::{Code, Error, Json, Result};

use super::{ScopeArg, ask};
use crate::shell::{Shell, Status};

/// Query an entry, or a whole bank, with a jq filter
///
/// With a key, the filter receives its value; without one, the bank's whole document.
///
/// Examples:
///   memory-cli query session context '.topic' --raw
///   memory-cli query session '.entries | keys'
///   memory-cli query tasks items '.items[] | select(.done == false)' -c
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Args {
    /// Bank to query
    bank: String,
    /// Key inside the bank, or the filter to query the whole bank
    #[arg(value_name = "KEY|FILTER")]
    key_or_filter: String,
    /// jq filter for the key's value
    filter: Option<String>,
    /// Storage scope (default: auto-detect)
    #[arg(long)]
    scope: Option<ScopeArg>,
    /// Print strings without their quotes (like jq -r)
    #[arg(short, long)]
    raw: bool,
    /// Print each result on one line (like jq -c)
    #[arg(short, long)]
    compact: bool,
}

const DOES_NOT_COMPILE: Status = Status(3);
const FAILED: Status = Status(5);

pub(crate) fn run(args: Args, shell: &Shell) -> Result<Status> {
    let (key, filter) = match args.filter {
        Some(filter) => (Some(args.key_or_filter), filter),
        None => (None, args.key_or_filter),
    };
    let params = Params {
        bank: args.bank,
        key,
        filter,
        scope: args.scope.map(Into::into),
    };
    let show = |results: &[Json]| {
        let lines: String = results
            .iter()
            .map(|json| line(json, args.raw, args.compact))
            .collect();
        shell.print(&lines)
    };
    match ask::<Reply>(shell, "memory_query", &params) {
        Ok(reply) => show(&reply.results),
        Err(mut error) if error.code == Code::InvalidFilter => {
            show(&outputs(&error))?;
            error.context.remove("outputs");
            let compiles = error
                .context
                .get("stage")
                .is_none_or(|stage| stage != "compile");
            shell.fail(&error);
            Ok(if compiles { FAILED } else { DOES_NOT_COMPILE })
        }
        Err(error) => Err(error),
    }
}

/// What the filter had yielded before it failed.
fn outputs(error: &Error) -> Vec<Json> {
    let texts = error
        .context
        .get("outputs")
        .and_then(|outputs| outputs.as_array());
    let texts = texts.into_iter().flatten().filter_map(|text| text.as_str());
    texts.filter_map(|text| Json::parse(text).ok()).collect()
}

fn line(json: &Json, is_raw: bool, is_compact: bool) -> String {
    let text = match (is_raw, is_compact) {
        (true, _) if json.as_str().starts_with('"') => raw(json),
        (_, true) => json.line(),
        _ => json.pretty(),
    };
    format!("{text}\n")
}

/// Returns a string without its quotes, and any other value as it is.
///
/// On a terminal, control characters stay escaped; line breaks and tabs do what they do.
pub(crate) fn raw(json: &Json) -> String {
    let Ok(text) = json.read::<String>() else {
        return json.pretty();
    };
    if !std::io::stdout().is_terminal() {
        text
    } else {
        text.split_inclusive(['\n', '\t'])
            .map(escaped_but_for_its_end)
            .collect()
    }
}

fn escaped_but_for_its_end(piece: &str) -> String {
    let body = piece.trim_end_matches(['\n', '\t']);
    format!("{}{}", memory_core::printable(body), &piece[body.len()..])
}
