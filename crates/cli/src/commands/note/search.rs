//! `search`: finds notes by words, the most relevant first.

use memory_core::{Result, printable};
use memory_notes::NoteView;
use memory_notes::tools::list::{Listed, Reply};
use memory_notes::tools::search::Params;

use super::filters::FilterArgs;
use super::list::{archived, total};
use super::{ask, short, warn_of};
use crate::render::text::{excerpt, mark};
use crate::render::time::when;
use crate::shell::{Shell, Speech, Status};

/// Search notes by words, most relevant first
///
/// Ignores case. Several words match notes that contain most of them; Chinese words match inside
/// sentences.
///
/// Examples:
///   memory search "dark mode"
///   memory search deploy --tags ops --from 2026-01-01
///   memory search 深色模式
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Args {
    /// Words to search for
    #[arg(required = true)]
    query: Vec<String>,
    #[command(flatten)]
    filters: FilterArgs,
    /// Maximum number of results (default: 50)
    #[arg(short = 'n', long)]
    limit: Option<usize>,
}

pub(crate) fn run(args: Args, shell: &Shell) -> Result<Status> {
    let query = args.query.join(" ");
    let params = Params {
        query: query.clone(),
        filter: args.filters.into(),
        limit: args.limit,
    };
    let reply: Reply = ask(shell, "memory_search", &params)?;
    if shell.speech == Speech::Json {
        return shell.show(&reply);
    }
    warn_of(shell, &reply.flaws);
    if reply.memories.is_empty() {
        let archived = match reply.archived {
            Some(some) if some > 0 => format!("; {}", archived(some)),
            _ => "\n".to_owned(),
        };
        return shell.print(&format!(
            "No note contains '{}'{archived}",
            printable(&query)
        ));
    }
    let hits = reply.memories.iter().filter_map(|listed| match listed {
        Listed::Whole(note) => Some(hit(note, &query, shell)),
        Listed::Line(_) => None,
    });
    let shown: String = hits.collect();
    shell.print_long(&format!(
        "{shown}{}\n",
        total(reply.memories.len(), reply.total)
    ))
}

fn hit(note: &NoteView, query: &str, shell: &Shell) -> String {
    let tags: String = note
        .tags
        .iter()
        .map(|tag| format!("  #{}", printable(tag)))
        .collect();
    let when = when(&note.created_at, &shell.zone());
    let text = mark(&printable(&excerpt(&note.text(), query)), query);
    format!(
        "\u{1b}[1m{}\u{1b}[0m  {}  {when}{tags}\n  {text}\n\n",
        short(&note.id),
        note.category
    )
}
