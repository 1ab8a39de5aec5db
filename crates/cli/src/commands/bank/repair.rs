//! `bank repair`: looks for damaged banks and mends them.

use memory_banks::tools::repair::{Params, Reply};
use memory_core::Result;

use super::{ScopesArg, ask};
use crate::shell::{Shell, Status};

/// Check banks and mend the damaged ones
///
/// A damaged file is kept beside its bank as NAME.json.corrupt-TIME, and every entry that can be
/// read is put into the mended bank. Ends with 1 if damage is left.
///
/// Examples:
///   memory-cli repair --check-only
///   memory-cli repair session
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Args {
    /// Bank to repair; all of them when left out
    bank: Option<String>,
    /// Only look; change nothing
    #[arg(long)]
    check_only: bool,
    /// Which scopes to look at (default: all)
    #[arg(long)]
    scope: Option<ScopesArg>,
}

pub(crate) fn run(args: Args, shell: &Shell) -> Result<Status> {
    let params = Params { bank: args.bank, scope: args.scope.map(Into::into), check_only: args.check_only };
    let reply: Reply = ask(shell, "repair", &params)?;
    let status = shell.show(&reply)?;
    Ok(if reply.healthy { status } else { Status(1) })
}
