//! `memory journal …`: one file a command.

mod add;
mod archive;
mod backups;
mod delete;
mod get;
mod query;
mod repair;
mod restore_backup;
mod stats;
mod update;

use clap::Subcommand;
use memory_core::{Code, Error, Json, Result, printable, printable_lines};
use memory_journal::{Importance, JournalError, Status as TaskStatus, Type};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::people::{answer, count, short, warn_of};
use crate::render::time::when;
use crate::shell::{Shell, Status};

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    Add(add::Args),
    Get(get::Args),
    Query(query::Args),
    Update(update::Args),
    Delete(delete::Args),
    Archive(archive::Args),
    Stats(stats::Args),
    Repair(repair::Args),
    Backups(backups::Args),
    RestoreBackup(restore_backup::Args),
}

pub(crate) fn run(command: Command, shell: &Shell) -> Result<Status> {
    match command {
        Command::Add(args) => add::run(args, shell),
        Command::Get(args) => get::run(args, shell),
        Command::Query(args) => query::run(args, shell),
        Command::Update(args) => update::run(args, shell),
        Command::Delete(args) => delete::run(args, shell),
        Command::Archive(args) => archive::run(args, shell),
        Command::Stats(args) => stats::run(args, shell),
        Command::Repair(args) => repair::run(args, shell),
        Command::Backups(args) => backups::run(args, shell),
        Command::RestoreBackup(args) => restore_backup::run(args, shell),
    }
}

/// How a task stands, as `add` and `update` take it.
#[derive(Debug, clap::Args)]
struct TaskArgs {
    /// Status of a task: completed, in-progress or blocked
    #[arg(long, value_parser = word(TaskStatus::parse))]
    status: Option<TaskStatus>,
    /// Outcome of a completed task
    #[arg(long, value_name = "TEXT")]
    outcome: Option<String>,
    /// What blocks the task; can be repeated
    #[arg(long = "blocker", value_name = "TEXT")]
    blockers: Vec<String>,
}

impl TaskArgs {
    fn blockers(&self) -> Option<Vec<String>> {
        (!self.blockers.is_empty()).then(|| self.blockers.clone())
    }
}

/// Reads one of the journal's words, and names them all when it is none.
fn word<T>(
    parse: fn(&str) -> std::result::Result<T, JournalError>,
) -> impl Fn(&str) -> std::result::Result<T, String> + Clone {
    move |text| parse(text).map_err(|error| error.to_string())
}

/// A record, as far as people are shown it.
#[derive(Debug, Deserialize)]
struct Shown {
    id: String,
    #[serde(rename = "type")]
    kind: Type,
    content: String,
    category: Option<String>,
    created_at: String,
    updated_at: String,
    access_count: u64,
    tags: Vec<String>,
    importance: Importance,
    archived: bool,
    task_metadata: Option<TaskShown>,
    #[serde(default)]
    warnings: Vec<String>,
}

#[derive(Debug, Deserialize)]
struct TaskShown {
    status: TaskStatus,
    completed_at: Option<String>,
    outcome: Option<String>,
    #[serde(default)]
    blockers: Vec<String>,
}

impl Shown {
    fn of(record: &Json) -> Result<Self> {
        let unreadable =
            |error| Error::new(Code::IoError, "The record cannot be shown").because(error);
        serde_json::from_str(record.as_str()).map_err(unreadable)
    }

    /// `core, fact, high`, and what else is said of it in a word.
    fn standing(&self) -> String {
        let mut words = vec![self.kind.to_string()];
        words.extend(self.category.iter().map(|category| printable(category)));
        words.extend(
            self.task_metadata
                .iter()
                .map(|task| task.status.to_string()),
        );
        words.push(format!("{} importance", self.importance));
        words.extend(self.archived.then(|| "archived".to_owned()));
        words.join(", ")
    }

    fn whole(&self, shell: &Shell) -> String {
        let zone = shell.zone();
        let mut lines = vec![self.id.clone()];
        let accesses = count(
            usize::try_from(self.access_count).unwrap_or(usize::MAX),
            "time",
        );
        let created = when(&self.created_at, &zone);
        lines.push(format!(
            "{}, created {created}, accessed {accesses}",
            self.standing()
        ));
        if self.updated_at != self.created_at {
            lines.push(format!("updated {}", when(&self.updated_at, &zone)));
        }
        if !self.tags.is_empty() {
            lines.push(format!("tagged {}", printable(&self.tags.join(", "))));
        }
        if let Some(task) = &self.task_metadata {
            lines.extend(
                task.completed_at
                    .iter()
                    .map(|at| format!("completed {}", when(at, &zone))),
            );
            lines.extend(
                task.outcome
                    .iter()
                    .map(|outcome| format!("outcome: {}", printable(outcome))),
            );
            lines.extend(
                task.blockers
                    .iter()
                    .map(|blocker| format!("blocked by {}", printable(blocker))),
            );
        }
        format!(
            "{}\n\n{}\n",
            lines.join("\n"),
            printable_lines(&self.content)
        )
    }
}

fn ask<R: DeserializeOwned>(shell: &Shell, tool: &str, params: &impl Serialize) -> Result<R> {
    if !shell
        .registry()
        .kinds()
        .any(|kind| kind.name() == "journal")
    {
        return Err(Error::new(
            Code::InvalidArgument,
            "The directory of the journal is not known",
        )
        .hint("Set HOME, MEMORY_DIR or the setting journal.path"));
    }
    shell.ask("journal", tool, params)
}
