//! `conversation show`: what one conversation holds.

use memory_conversations::tools::show::{Params, Reply, Shown};
use memory_core::{Result, printable_lines};

use super::{PlaceArgs, answer, ask, short, warn_of};
use crate::render::time::when;
use crate::shell::{Shell, Status};

/// Show the summary, facts and turns of a conversation
///
/// Example: memory conversation show default
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The conversation
    conversation: String,
    #[command(flatten)]
    place: PlaceArgs,
}

pub(crate) fn run(args: Args, shell: &Shell) -> Result<Status> {
    let params = Params {
        conversation: args.conversation,
    };
    let reply: Reply = ask(shell, &args.place, "conversation_show", &params)?;
    warn_of(shell, &reply.flaws);
    answer(shell, &reply, |reply| {
        let summary: Vec<Shown> = reply.summary.iter().cloned().collect();
        let parts = [
            ("Summary", &summary),
            ("Facts", &reply.facts),
            ("Turns", &reply.turns),
        ];
        let shown = parts.iter().filter(|(_, entries)| !entries.is_empty());
        shown
            .map(|(title, entries)| part(title, entries, shell))
            .collect::<Vec<_>>()
            .join("\n")
    })
}

fn part(title: &str, entries: &[Shown], shell: &Shell) -> String {
    let mut lines = format!("\u{1b}[1m{title}\u{1b}[0m\n");
    for entry in entries {
        let who = if entry.role == "user" || entry.role == "assistant" {
            format!("{}: ", entry.role)
        } else {
            String::new()
        };
        let text = printable_lines(&entry.content).replace('\n', "\n    ");
        // A summary has no id that anyone would type.
        let id = if entry.role == "summary" {
            String::new()
        } else {
            format!("{}  ", short(&entry.id))
        };
        lines.push_str(&format!(
            "{id}{}  {who}{text}\n",
            when(&entry.created_at, &shell.zone())
        ));
    }
    lines
}
