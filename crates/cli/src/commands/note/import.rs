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
/// A note with the same id is replaced if the imported one is newer. If the existing note is newer, or was
/// deleted later, the note is a conflict: it is listed and left unchanged unless --theirs or --mine is given.
/// Content that exists under another id is not stored twice. Deletions before the last 'memory trash empty'
/// are not known. 'memory undo' reverts an import.
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
    /// The same as FILE
    #[arg(short, long, value_name = "FILE")]
    input: Option<PathBuf>,
    /// In conflicts, take the imported note
    #[arg(long, conflicts_with = "mine")]
    theirs: bool,
    /// In conflicts, keep the existing note
    #[arg(long)]
    mine: bool,
    /// Import notes even if they look like they contain credentials
    #[arg(long)]
    allow_secret: bool,
    /// Show what would change, without changing anything
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
    let reply: Reply = ask(
        shell,
        "import",
        &Params {
            lines,
            dry_run,
            allow_secret,
            prefer,
        },
    )?;
    warn_of(shell, &reply.flaws);
    let status = answer(shell, &reply, |reply| {
        let verb = if reply.dry_run {
            "Would be imported"
        } else {
            "Imported"
        };
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
        .map(|conflict| {
            vec![
                short(&conflict.id).to_owned(),
                conflict.title.clone(),
                conflict.why.clone(),
            ]
        })
        .collect();
    format!(
        "{} left unchanged; --theirs takes the imported notes, --mine keeps the existing ones\n{}",
        count(conflicts.len(), "conflict"),
        table(&["ID", "NOTE", "WHY"], &rows)
    )
}
