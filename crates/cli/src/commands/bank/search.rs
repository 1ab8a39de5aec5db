//! `bank search`: finds entries by a regular expression.

use memory_banks::tools::search::{Params, Reply};
use memory_core::Result;

use super::{ListFormat, ScopesArg, ask, warn_of};
use crate::render::table::table;
use crate::shell::{Shell, Status};

/// Search keys, or keys and values, by a regular expression
///
/// Examples:
///   memory-cli search "context"
///   memory-cli search --value "refactor.*main"
///   memory-cli search "config" --scope user --format table
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Args {
    /// Regular expression
    pattern: String,
    /// Scope to search (default: all)
    #[arg(long)]
    scope: Option<ScopesArg>,
    /// Search in values, not just keys
    #[arg(long)]
    value: bool,
    /// Ignore case
    #[arg(short, long)]
    ignore_case: bool,
    /// Output format
    #[arg(long, default_value = "json")]
    format: ListFormat,
}

pub(crate) fn run(args: Args, shell: &Shell) -> Result<Status> {
    let params = Params {
        pattern: args.pattern,
        search_values: args.value.then_some(true),
        scope: args.scope.map(Into::into),
        ignore_case: args.ignore_case,
    };
    let reply: Reply = ask(shell, "memory_search", &params)?;
    if args.format == ListFormat::Json {
        return shell.show(&reply);
    }
    let rows: Vec<Vec<String>> = reply
        .hits
        .iter()
        .map(|hit| {
            let excerpt = hit.excerpt.clone().unwrap_or_default();
            vec![
                hit.bank.clone(),
                hit.key.clone(),
                hit.scope.to_string(),
                excerpt,
            ]
        })
        .collect();
    warn_of(shell, &reply.flaws);
    shell.print_long(&table(&["BANK", "KEY", "SCOPE", "MATCH"], &rows))
}
