//! `notify`: tells of reminders that are due.

use memory_core::{Result, printable};
use memory_notes::tools::notify::{Due, Params, Reply};

use super::{ask, short};
use crate::notifier::Notifier;
use crate::render::table::table;
use crate::render::time::when;
use crate::shell::{Shell, Speech, Status};

/// Show due reminders
///
/// Shows them as desktop notifications if possible, and in pending.md until they are acknowledged.
///
/// Examples:
///   memory notify
///   memory notify --ack 7f8d9e00
///   memory notify --ack --all
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Args {
    /// Acknowledge a reminder, which removes it from pending.md
    #[arg(long, value_name = "ID", num_args = 0..=1, default_missing_value = "")]
    ack: Option<String>,
    /// With --ack: acknowledge all reminders reminders
    #[arg(long, requires = "ack")]
    all: bool,
    /// Show what would change, without changing anything
    #[arg(long)]
    dry_run: bool,
}

pub(crate) fn run(args: Args, shell: &Shell) -> Result<Status> {
    let id = args.ack.clone().filter(|id| !id.is_empty());
    if args.ack.is_some() && id.is_none() && !args.all {
        return Err(memory_core::Error::new(
            memory_core::Code::InvalidArgument,
            "No reminder was named",
        )
        .hint("Pass --ack ID, or --ack --all"));
    }
    let params = Params {
        ack: id,
        ack_all: args.all,
        dry_run: args.dry_run,
    };
    let reply: Reply = ask(shell, "notify", &params)?;
    if !reply.dry_run {
        push(&reply.fired, shell);
    }
    match shell.speech {
        Speech::Json => shell.show(&reply),
        Speech::People => shell.print(&told(&reply, args.ack.is_some(), shell)),
    }
}

/// A push that fails is told; the reminder stands in pending.md all the same.
fn push(fired: &[Due], shell: &Shell) {
    let notifier = Notifier::choose(&shell.config().notification, &shell.ground().environment);
    for due in fired {
        if let Err(problem) = notifier.push("Reminder", &due.text) {
            shell.warn(&format!("The notification could not be shown: {problem}"));
        }
    }
}

fn told(reply: &Reply, acknowledging: bool, shell: &Shell) -> String {
    if acknowledging {
        let lines = reply.acknowledged.iter();
        let lines: String = lines
            .map(|due| {
                format!(
                    "Acknowledged {} '{}'\n",
                    short(&due.id),
                    printable(&due.text)
                )
            })
            .collect();
        return if lines.is_empty() {
            "Nothing is pending\n".to_owned()
        } else {
            lines
        };
    }
    if reply.pending.is_empty() {
        return "Nothing is due\n".to_owned();
    }
    let is_new = |due: &Due| reply.fired.iter().any(|fired| fired.id == due.id);
    let rows: Vec<Vec<String>> = reply
        .pending
        .iter()
        .map(|due| {
            let state = if is_new(due) { "now" } else { "told before" };
            vec![
                short(&due.id).to_owned(),
                when(&due.due_at, &shell.zone()),
                state.into(),
                due.text.clone(),
            ]
        })
        .collect();
    table(&["ID", "DUE", "", "REMINDER"], &rows)
}
