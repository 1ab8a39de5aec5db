//! `trash`: what was removed, and emptying it.

use memory_core::{Code, Error, Result};
use memory_notes::tools::trash::{Params, Reply};

use super::{answer, ask, count, short, warn_of};
use crate::render::table::table;
use crate::render::text::cut;
use crate::render::time::when;
use crate::shell::{Shell, Status};

/// List removed notes, or empty the trash
///
/// Removed notes stay until the trash is emptied. Emptying the trash also removes the undo steps of
/// notes.
///
/// Examples:
///   memory trash
///   memory trash empty
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Args {
    /// What to do
    #[arg(default_value = "list")]
    action: Action,
    /// Do not ask for confirmation
    #[arg(long)]
    confirm: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Action {
    List,
    Empty,
}

pub(crate) fn run(args: Args, shell: &Shell) -> Result<Status> {
    let empty = args.action == Action::Empty;
    if empty && !args.confirm {
        match shell.confirm("Permanently remove everything in the trash?") {
            Some(true) => {}
            Some(false) => return Ok(Status(1)),
            None => {
                return Err(Error::new(
                    Code::ConfirmationRequired,
                    "Emptying the trash requires confirmation",
                )
                .hint("Add --confirm"));
            }
        }
    }
    let reply: Reply = ask(shell, "trash", &Params { empty })?;
    warn_of(shell, &reply.flaws);
    answer(shell, &reply, |reply| {
        if empty {
            format!("Emptied the trash of {}\n", count(reply.emptied, "step"))
        } else {
            list(reply, shell)
        }
    })
}

fn list(reply: &Reply, shell: &Shell) -> String {
    if reply.removed.is_empty() {
        return "The trash is empty\n".to_owned();
    }
    let rows: Vec<Vec<String>> = reply
        .removed
        .iter()
        .map(|note| {
            let title = cut(&note.title, 48);
            vec![
                short(&note.id).to_owned(),
                when(&note.at, &shell.zone()),
                title,
                note.by.clone(),
            ]
        })
        .collect();
    table(&["ID", "REMOVED", "NOTE", "BY"], &rows)
}
