//! `bank gc`: removes what has expired, or what is older than asked.

use memory_banks::tools::gc::{Params, Reply};
use memory_core::{Result, Span};

use super::{ScopesArg, ask};
use crate::shell::{Shell, Status};

/// Remove expired entries
///
/// 'memory undo' restores what was removed.
///
/// Examples:
///   memory-cli gc --dry-run
///   memory-cli gc --older-than 30d
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Args {
    /// Also remove entries that were not updated for this long: 30d, 12h, 2h30m
    #[arg(long, value_name = "SPAN")]
    older_than: Option<Span>,
    /// Show what would be removed, without removing it
    #[arg(long)]
    dry_run: bool,
    /// Scopes to clean (default: all)
    #[arg(long)]
    scope: Option<ScopesArg>,
}

pub(crate) fn run(args: Args, shell: &Shell) -> Result<Status> {
    let params = Params {
        scope: args.scope.map(Into::into),
        older_than: args.older_than,
        dry_run: args.dry_run,
    };
    let reply: Reply = ask(shell, "gc", &params)?;
    shell.show(&reply)
}
