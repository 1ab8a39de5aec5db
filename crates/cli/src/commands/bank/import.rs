//! `bank import`: brings exported banks back.

use std::path::PathBuf;

use memory_banks::limits;
use memory_banks::tools::import::{Params, Reply};
use memory_core::Result;

use super::{ScopeArg, ask, json_argument};
use crate::shell::{Shell, Status};

/// Import banks from the output of export
///
/// Imported keys replace existing ones; other keys are kept unless --replace is given.
///
/// Examples:
///   memory-cli import session < session-backup.json
///   memory-cli import < all-memories.json
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Args {
    /// Bank to import into; optional for an export of all banks
    bank: Option<String>,
    /// Storage scope (default: as exported, else as for write)
    #[arg(long)]
    scope: Option<ScopeArg>,
    /// Remove keys that the export does not have
    #[arg(long)]
    replace: bool,
    /// Show what would change, without changing anything
    #[arg(long)]
    dry_run: bool,
    /// Import values even if they look like credentials
    #[arg(long)]
    allow_secret: bool,
    /// Read from this file instead of standard input
    #[arg(short, long, value_name = "FILE")]
    input: Option<PathBuf>,
}

pub(crate) fn run(args: Args, shell: &Shell) -> Result<Status> {
    let text = shell.text_from(args.input.as_deref(), limits::IMPORT_BYTES)?;
    let params = Params {
        bank: args.bank,
        document: json_argument("The import", &text)?,
        scope: args.scope.map(Into::into),
        replace: args.replace,
        dry_run: args.dry_run,
        allow_secret: args.allow_secret,
    };
    let reply: Reply = ask(shell, "import", &params)?;
    shell.show(&reply)
}
