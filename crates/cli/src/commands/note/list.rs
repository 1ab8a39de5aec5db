//! `list`: the notes that there are, newest first.

use memory_core::Result;
use memory_notes::LineView;
use memory_notes::tools::list::{Listed, Params, Reply};

use super::filters::FilterArgs;
use super::{ask, count, short, warn_of};
use crate::render::table::table;
use crate::render::text::cut;
use crate::render::time::when;
use crate::shell::{Shell, Speech, Status};

/// List notes, newest first
///
/// Examples:
///   memory list
///   memory list --category knowledge --tags rust --limit 10
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Args {
    #[command(flatten)]
    filters: FilterArgs,
    /// Maximum number of notes
    #[arg(short = 'n', long)]
    limit: Option<usize>,
    /// List archived notes instead: those that maintenance has removed from their categories
    #[arg(long)]
    archived: bool,
}

pub(crate) fn run(args: Args, shell: &Shell) -> Result<Status> {
    let brief = shell.speech == Speech::People;
    let params = Params {
        filter: args.filters.into(),
        limit: args.limit,
        archived: args.archived,
        brief,
    };
    let is_unfiltered = params.filter.is_empty();
    let reply: Reply = ask(shell, "memory_list", &params)?;
    if !brief {
        return shell.show(&reply);
    }
    warn_of(shell, &reply.flaws);
    let archived_count = reply.archived.unwrap_or_default();
    let lines = reply.memories.iter().filter_map(|listed| match listed {
        Listed::Line(line) => Some(line),
        Listed::Whole(_) => None,
    });
    let lines: Vec<&LineView> = lines.collect();
    if lines.is_empty() {
        return shell.print(&match (reply.total, is_unfiltered) {
            (0, _) if !reply.flaws.is_empty() => "No note can be read\n".to_owned(),
            (0, true) if args.archived => "There are no archived notes\n".to_owned(),
            (0, true) if archived_count > 0 => {
                format!("There are no current notes; {}", archived(archived_count))
            }
            (0, true) => "There are no notes yet; 'memory write' adds the first\n".to_owned(),
            (0, false) if archived_count > 0 && !args.archived => {
                format!("No notes match; {}", archived(archived_count))
            }
            (0, false) => "No notes match\n".to_owned(),
            (some, _) => format!("{}; --limit shows none of them\n", count(some, "note")),
        });
    }
    let left_out = match reply.total - lines.len() {
        0 => String::new(),
        more => format!("and {more} more\n"),
    };
    let archived = match archived_count {
        some if some > 0 && is_unfiltered && !args.archived => archived(some),
        _ => String::new(),
    };
    shell.print_long(&format!(
        "{}{left_out}{archived}",
        note_table(&lines, shell)
    ))
}

/// Says how many notes are archived and what can be done with them.
pub(super) fn archived(archived: usize) -> String {
    let notes = count(archived, "note");
    format!("{notes} archived; 'memory list --archived' and 'memory recall' show them\n")
}

/// Lays notes out, one a line.
pub(super) fn note_table(lines: &[&LineView], shell: &Shell) -> String {
    let zone = shell.zone();
    let mut rows: Vec<Vec<String>> = lines
        .iter()
        .map(|line| {
            let tags: Vec<String> = line.tags.iter().map(|tag| format!("#{tag}")).collect();
            let time = line
                .due_at
                .as_ref()
                .map_or(when(&line.created_at, &zone), |due| {
                    format!("due {}", when(due, &zone))
                });
            let title = cut(&line.title, 72);
            vec![
                short(&line.id).to_owned(),
                line.category.to_string(),
                time,
                title,
                tags.join(" "),
            ]
        })
        .collect();
    let mut names = vec!["ID", "CATEGORY", "WHEN", "NOTE", "TAGS"];
    if lines.iter().all(|line| line.tags.is_empty()) {
        names.pop();
        rows.iter_mut().for_each(|row| drop(row.pop()));
    }
    table(&names, &rows)
}

/// Tells how many there are, for the end of a list.
pub(super) fn total(shown: usize, total: usize) -> String {
    if shown == total {
        count(total, "note")
    } else {
        format!("{shown} of {}; --limit shows more", count(total, "note"))
    }
}
