//! `journal repair`: looks for damage, and mends it.

use memory_core::{Flaw, Result};
use memory_journal::Health;
use memory_journal::tools::repair::{Params, Reply};

use super::{answer, ask, count};
use crate::shell::{Shell, Status};

/// Check the files of the journal and repair them
///
/// A damaged file is kept as NAME.corrupt-TIME. Exits with 1 if damage remains.
///
/// Example: memory journal repair --check-only
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Check without changing anything
    #[arg(long)]
    check_only: bool,
}

pub(crate) fn run(args: Args, shell: &Shell) -> Result<Status> {
    let reply: Reply = ask(
        shell,
        "repair",
        &Params {
            check_only: args.check_only,
        },
    )?;
    answer(shell, &reply, lines)?;
    Ok(Status(u8::from(!reply.healthy)))
}

fn lines(reply: &Reply) -> String {
    let mut shown = String::new();
    for file in &reply.files {
        let word = match file.status {
            Health::Ok => "ok",
            Health::Damaged => "damaged",
            Health::Repaired => "repaired",
            Health::Unreadable => "unreadable",
        };
        shown.push_str(&format!(
            "{word:<10}  {}: {}\n",
            file.file,
            count(file.records, "record")
        ));
        shown.extend(file.flaws.iter().map(flaw_line));
        if let Some(original) = &file.original {
            shown.push_str(&format!("            original kept as {original}\n"));
        }
    }
    shown
}

fn flaw_line(flaw: &Flaw) -> String {
    format!(
        "            {}: {}\n",
        flaw.place,
        memory_core::printable(&flaw.problem)
    )
}
