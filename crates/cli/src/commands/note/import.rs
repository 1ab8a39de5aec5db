//! `import`: takes back what export has written.

use std::path::PathBuf;

use memory_core::Result;
use memory_notes::limits;
use memory_notes::tools::import::{Params, Reply};

use super::{answer, ask, warn_of};
use crate::shell::{Shell, Status};

/// Take back what export has written
///
/// A note with the same id is replaced, which 'memory undo' takes back; content that is there
/// under another id is not kept twice.
///
/// Examples:
///   memory import --input memories.jsonl
///   ssh laptop memory export | memory import
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Args {
    /// Read from this file instead of standard input
    #[arg(short, long, value_name = "FILE")]
    input: Option<PathBuf>,
    /// Show what would happen
    #[arg(long)]
    dry_run: bool,
}

pub(crate) fn run(args: Args, shell: &Shell) -> Result<Status> {
    let lines = shell.text_from(args.input.as_deref(), limits::IMPORT_BYTES)?;
    let reply: Reply = ask(shell, "import", &Params { lines, dry_run: args.dry_run })?;
    warn_of(shell, &reply.flaws);
    let status = answer(shell, &reply, |reply| {
        let verb = if reply.dry_run { "Would be imported" } else { "Imported" };
        format!(
            "{verb}: {} new, {} replaced, {} unchanged, {} duplicate\n",
            reply.created, reply.replaced, reply.unchanged, reply.duplicates
        )
    })?;
    Ok(if reply.flaws.is_empty() { status } else { Status(1) })
}
