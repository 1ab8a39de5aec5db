//! `import`: imports notes that `export` has written.

use std::path::PathBuf;

use memory_core::Result;
use memory_notes::limits;
use memory_notes::tools::import::{Conflict, Params, Prefer, Reply};

use super::{answer, ask, count, short, warn_of};
use crate::render::table::table;
use crate::shell::{Shell, Status};

/// Import notes from JSON Lines
///
/// A note with the same id is replaced if the imported one changed later. A note that is newer here, or that was
/// deleted here later, is a conflict: it is listed and left alone, unless --theirs or --mine decides. Content that is
/// here under another id is not stored twice. What was deleted here before 'memory trash empty' is not known to be
/// deleted any more. 'memory undo' reverts an import.
///
/// Examples:
///   memory import memories.jsonl
///   ssh laptop memory export | memory import
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Args {
    /// Read from this file instead of standard input
    #[arg(value_name = "FILE", conflicts_with = "input")]
    file: Option<PathBuf>,
    /// The same
    #[arg(short, long, value_name = "FILE")]
    input: Option<PathBuf>,
    /// Where both have a note, take the imported one
    #[arg(long, conflicts_with = "mine")]
    theirs: bool,
    /// Where both have a note, keep the one that is here
    #[arg(long)]
    mine: bool,
    /// Import notes even if they look like they hold a credential
    #[arg(long)]
    allow_secret: bool,
    /// Show what would happen
    #[arg(long)]
    dry_run: bool,
}

pub(crate) fn run(args: Args, shell: &Shell) -> Result<Status> {
    let lines = shell.text_from(args.file.or(args.input).as_deref(), limits::IMPORT_BYTES)?;
    let prefer = match (args.theirs, args.mine) {
        (true, _) => Prefer::Theirs,
        (_, true) => Prefer::Mine,
        _ => Prefer::Newer,
    };
    let (dry_run, allow_secret) = (args.dry_run, args.allow_secret);
    let reply: Reply = ask(shell, "import", &Params { lines, dry_run, allow_secret, prefer })?;
    warn_of(shell, &reply.flaws);
    let status = answer(shell, &reply, |reply| {
        let verb = if reply.dry_run { "Would be imported" } else { "Imported" };
        format!(
            "{verb}: {} new, {} replaced, {} unchanged, {} duplicate\n",
            reply.created, reply.replaced, reply.unchanged, reply.duplicates
        ) + &conflicts(&reply.conflicts)
    })?;
    Ok(match (reply.flaws.is_empty(), reply.conflicts.is_empty()) {
        (false, _) => Status(1),
        (true, false) => Status(CONFLICT),
        (true, true) => status,
    })
}

/// The exit status of a conflict that the caller has to decide.
const CONFLICT: u8 = 4;

/// Lists the notes that were left alone.
fn conflicts(conflicts: &[Conflict]) -> String {
    if conflicts.is_empty() {
        return String::new();
    }
    let rows: Vec<Vec<String>> = conflicts
        .iter()
        .map(|conflict| vec![short(&conflict.id).to_owned(), conflict.title.clone(), conflict.why.clone()])
        .collect();
    format!(
        "{} left alone; --theirs imports them, --mine keeps what is here\n{}",
        count(conflicts.len(), "conflict"),
        table(&["ID", "NOTE", "WHY"], &rows)
    )
}
