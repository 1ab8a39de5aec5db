//! `bank repair`: looks for damaged banks and mends them.

use memory_banks::tools::repair::{Params, Reply};
use memory_core::Result;

use super::{ScopesArg, ask};
use crate::shell::{Shell, Status};

/// Check banks and repair the damaged ones
///
/// A damaged file is kept as NAME.json.corrupt-TIME next to the bank, and every readable entry is
/// recovered. Exits with 1 if damage remains.
///
/// Examples:
///   memory-cli repair --check-only
///   memory-cli repair session
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Args {
    /// Bank to repair (default: all banks)
    bank: Option<String>,
    /// Check without changing anything
    #[arg(long)]
    check_only: bool,
    /// Scopes to check (default: all)
    #[arg(long)]
    scope: Option<ScopesArg>,
}

pub(crate) fn run(args: Args, shell: &Shell) -> Result<Status> {
    let params = Params {
        bank: args.bank,
        scope: args.scope.map(Into::into),
        check_only: args.check_only,
    };
    let reply: Reply = ask(shell, "repair", &params)?;
    let status = shell.show(&reply)?;
    Ok(if reply.healthy { status } else { Status(1) })
}
