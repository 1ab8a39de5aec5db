//! `export`: writes notes as JSON, one a line.

use std::path::PathBuf;

use memory_core::Result;
use memory_notes::tools::export::{Params, Reply};

use super::filters::FilterArgs;
use super::{ask, count};
use crate::shell::{Shell, Status};

/// Export notes as JSON Lines
///
/// Includes archived notes.
///
/// Examples:
///   memory export --output memories.jsonl
///   memory export --category lessons --scope agent:claude
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Args {
    #[command(flatten)]
    filters: FilterArgs,
    /// Write to this file instead of standard output
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

pub(crate) fn run(args: Args, shell: &Shell) -> Result<Status> {
    let reply: Reply = ask(
        shell,
        "export",
        &Params {
            filter: args.filters.into(),
        },
    )?;
    match &args.output {
        None => shell.print(&reply.lines)?,
        Some(path) => {
            shell.files().replace_named(path, reply.lines.as_bytes())?;
            shell.tell(&format!(
                "Exported {} to {}",
                count(reply.count, "note"),
                path.display()
            ));
            Status::DONE
        }
    };
    reply
        .flaws
        .iter()
        .for_each(|flaw| shell.warn(&format!("{}: {}", flaw.place, flaw.problem)));
    Ok(if reply.flaws.is_empty() {
        Status::DONE
    } else {
        Status(1)
    })
}
