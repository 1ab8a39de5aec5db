//! `bank list`: the banks, or the keys of one.

use memory_banks::tools::list::{Banks, KeyLine, Keys, Params};
use memory_core::{Json, Result};

use super::{ListFormat, ScopesArg, ask, warn_of};
use crate::render::table::{table, time};
use crate::shell::{Shell, Status};

/// List the banks, or the keys of one
///
/// Examples:
///   memory-cli list --format table
///   memory-cli list session --verbose
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Args {
    /// Bank whose keys to list (default: list the banks)
    bank: Option<String>,
    /// Scopes to list (default: all)
    #[arg(long)]
    scope: Option<ScopesArg>,
    /// Include metadata: times and sizes
    #[arg(short, long)]
    verbose: bool,
    /// Output format
    #[arg(long, default_value = "json")]
    format: ListFormat,
}

pub(crate) fn run(args: Args, shell: &Shell) -> Result<Status> {
    let of_keys = args.bank.is_some();
    let is_table = args.format == ListFormat::Table;
    // A table of keys shows what only the verbose reply knows.
    let verbose = args.verbose || (of_keys && is_table);
    let params = Params {
        bank: args.bank,
        scope: args.scope.map(Into::into),
        verbose,
    };
    match (is_table, of_keys) {
        (false, _) => shell.show(&ask::<Json>(shell, "memory_list", &params)?),
        (true, false) => show_banks(&ask(shell, "memory_list", &params)?, args.verbose, shell),
        (true, true) => show_keys(&ask(shell, "memory_list", &params)?, args.verbose, shell),
    }
}

fn show_banks(found: &Banks, verbose: bool, shell: &Shell) -> Result<Status> {
    let mut names = vec!["BANK", "KEYS", "UPDATED", "SCOPE"];
    if verbose {
        names.extend(["SIZE", "CREATED"]);
    }
    let rows: Vec<Vec<String>> = found
        .banks
        .iter()
        .map(|bank| {
            let mut row = vec![
                bank.name.clone(),
                bank.key_count.to_string(),
                time(&bank.updated_at),
                bank.scope.to_string(),
            ];
            row.extend(verbose.then(|| bank.size_bytes.to_string()));
            row.extend(bank.created_at.as_deref().map(time));
            row
        })
        .collect();
    warn_of(shell, &found.flaws);
    shell.print_long(&table(&names, &rows))
}

fn show_keys(found: &Keys, verbose: bool, shell: &Shell) -> Result<Status> {
    let mut names = vec!["KEY", "UPDATED", "SCOPE"];
    if verbose {
        names.extend(["SIZE", "CREATED", "EXPIRES"]);
    }
    let details = found.keys.iter().filter_map(|line| match line {
        KeyLine::Verbose(details) => Some(details),
        KeyLine::Plain(_) => None,
    });
    let rows: Vec<Vec<String>> = details
        .map(|key| {
            let mut row = vec![
                key.key.clone(),
                time(&key.times.updated_at),
                key.scope.to_string(),
            ];
            if verbose {
                let expires = key
                    .times
                    .expires_at
                    .as_deref()
                    .map_or("never".to_owned(), time);
                row.extend([
                    key.size_bytes.to_string(),
                    time(&key.times.created_at),
                    expires,
                ]);
            }
            row
        })
        .collect();
    warn_of(shell, &found.flaws);
    shell.print_long(&table(&names, &rows))
}
