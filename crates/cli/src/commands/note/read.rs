//! `read`: shows one note.

use memory_core::{Result, printable, printable_lines};
use memory_notes::NoteView;
use memory_notes::tools::read::Params;

use super::{answer, ask, count, short};
use crate::render::time::when;
use crate::shell::{Shell, Status};

/// Show a note
///
/// Example: memory read 7f8d9e00
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The note's id, or its first characters (at least 4)
    id: String,
}

pub(crate) fn run(args: Args, shell: &Shell) -> Result<Status> {
    let note: NoteView = ask(shell, "memory_read", &Params { id: args.id })?;
    answer(shell, &note, |note| {
        let lines: Vec<String> = head(note, shell)
            .iter()
            .map(|line| format!("{}\n", printable(line)))
            .collect();
        format!("{}\n{}\n", lines.concat(), printable_lines(&note.content))
    })
}

/// What is known of the note, on the lines above its content.
fn head(note: &NoteView, shell: &Shell) -> Vec<String> {
    let zone = shell.zone();
    let mut lines = vec![note.id.clone()];
    let mut facts = vec![note.category.to_string(), note.scope.clone()];
    facts.extend((!note.source.is_empty()).then(|| format!("from {}", note.source)));
    facts.push(format!("created {}", when(&note.created_at, &zone)));
    if note.updated_at != note.created_at {
        facts.push(format!("updated {}", when(&note.updated_at, &zone)));
    }
    facts.extend(
        note.expires_at
            .as_ref()
            .map(|at| format!("expires {}", when(at, &zone))),
    );
    facts.extend(
        note.due_at
            .as_ref()
            .map(|at| format!("due {}", when(at, &zone))),
    );
    facts.push(format!(
        "used {}",
        count(
            usize::try_from(note.access_count).unwrap_or(usize::MAX),
            "time"
        )
    ));
    lines.push(facts.join(", "));
    if note.archived {
        lines.push("archived; it could not be restored".to_owned());
    }
    lines.extend(note.title.as_ref().map(|title| format!("titled {title}")));
    if !note.aliases.is_empty() {
        lines.push(format!("aliases {}", note.aliases.join(", ")));
    }
    if !note.tags.is_empty() {
        lines.push(format!("tagged {}", note.tags.join(", ")));
    }
    if !note.links.is_empty() {
        let links: Vec<&str> = note.links.iter().map(|id| short(id)).collect();
        lines.push(format!("linked with {}", links.join(", ")));
    }
    lines.extend(
        note.source_path
            .as_ref()
            .map(|path| format!("ingested from {path}")),
    );
    lines
}
