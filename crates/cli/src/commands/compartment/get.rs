//! `compartment get`: shows entries of a compartment, and counts that they were asked for.

use memory_compartments::Entry;
use memory_compartments::tools::get::{Params, Reply};
use memory_core::{Result, instant, printable, printable_lines};

use super::filters::FilterArgs;
use super::{answer, ask};
use crate::render::time::when;
use crate::shell::{Shell, Status};

/// Show entries of a compartment
///
/// Examples:
///   memory compartment get session
///   memory compartment get plan --tags parser,lexer --json
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Args {
    #[command(flatten)]
    pub(super) filters: FilterArgs,
}

pub(crate) fn run(args: Args, shell: &Shell) -> Result<Status> {
    let FilterArgs {
        compartment,
        id,
        category,
        tags,
        place,
    } = args.filters;
    let params = Params {
        compartment,
        id,
        category,
        tags,
        run: place.run,
    };
    let reply: Reply = ask(shell, "get_memory", &params)?;
    answer(shell, &reply, &reply.flaws, |reply| {
        if reply.entries.is_empty() {
            "No entries match\n".to_owned()
        } else {
            reply
                .entries
                .iter()
                .map(|entry| shown(entry, shell))
                .collect::<Vec<_>>()
                .join("\n")
        }
    })
}

/// Lays an entry out: what is said of it on one line, what it says below.
fn shown(entry: &Entry, shell: &Shell) -> String {
    let mut head = vec![
        printable(&entry.id),
        when(&instant(entry.created_at), &shell.zone()),
    ];
    head.push(format!("priority {}", entry.priority));
    head.extend(entry.category.iter().map(|category| printable(category)));
    head.extend(entry.tags.iter().map(|tag| format!("#{}", printable(tag))));
    head.extend(
        entry
            .metadata
            .iter()
            .map(|(name, value)| format!("{}={}", printable(name), printable(value))),
    );
    let content: String = printable_lines(&entry.content)
        .lines()
        .map(|line| format!("  {line}\n"))
        .collect();
    format!("{}\n{content}", head.join("  "))
}
