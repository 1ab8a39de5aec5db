//! What `connect` tells: the changes before they are made, and what became of them.

use std::fmt::Write as _;
use std::path::PathBuf;
use std::time::Duration;

use memory_core::{Error, Result, printable};
use serde_json::{Value, json};

use super::Args;
use crate::clients::round_trip::Answer;
use crate::clients::{Client, Draft};
use crate::shell::{Shell, Speech, Status};

/// What became of one client.
pub(super) struct Outcome {
    pub(super) client: Client,
    pub(super) drafts: Vec<Draft>,
    /// The files that were written, each with the backup of what was there.
    pub(super) backups: Vec<(PathBuf, Option<PathBuf>)>,
    /// What the user still has to know.
    pub(super) remarks: Vec<String>,
    pub(super) problem: Option<Error>,
}

impl Outcome {
    /// Says whether hooks were written.
    pub(super) fn changed_hooks(&self) -> bool {
        let was_written = |draft: &&Draft| self.backups.iter().any(|(path, _)| *path == draft.path);
        let mut changes = self
            .drafts
            .iter()
            .filter(was_written)
            .flat_map(|draft| &draft.changes);
        changes.any(|change| change.place.starts_with("hooks."))
    }
}

/// What the server said when it was tried.
pub(super) struct Verdict {
    pub(super) answer: Result<Answer, String>,
    pub(super) took: Duration,
}

/// Shows every change before it is made: only our own entries, never what stands beside them.
pub(super) fn plans(outcomes: &[Outcome]) -> String {
    let mut shown = String::new();
    for outcome in outcomes {
        let title = outcome.client.title();
        if outcome.drafts.is_empty() && outcome.problem.is_none() {
            let _ = writeln!(shown, "{title}: nothing to change");
        }
        for draft in &outcome.drafts {
            let end = if draft.is_removal {
                ", which is removed because it is now empty"
            } else {
                ""
            };
            let _ = writeln!(shown, "{title}: {}{end}", draft.path.display());
            for change in &draft.changes {
                let _ = writeln!(
                    shown,
                    "  {} {}  {}",
                    change.sign,
                    change.place,
                    printable(&change.value)
                );
            }
        }
    }
    shown
}

/// Tells what has happened; something that did not work is a failure.
pub(super) fn show(
    outcomes: &[Outcome],
    verdict: Option<&Verdict>,
    args: &Args,
    shell: &Shell,
) -> Result<Status> {
    match shell.speech {
        Speech::Json => shell.show(&as_json(outcomes, verdict, args))?,
        Speech::People => tell(outcomes, verdict, shell)?,
    };
    let problem = outcomes.iter().find_map(|outcome| outcome.problem.as_ref());
    let is_mute = verdict.is_some_and(|verdict| verdict.answer.is_err());
    Ok(match problem {
        Some(error) => Status(error.code.exit_status()),
        None => Status(u8::from(is_mute)),
    })
}

fn tell(outcomes: &[Outcome], verdict: Option<&Verdict>, shell: &Shell) -> Result<Status> {
    let mut text = String::new();
    for outcome in outcomes {
        for ((path, backup), draft) in outcome.backups.iter().zip(&outcome.drafts) {
            let action = if draft.is_removal {
                "Removed"
            } else {
                "Changed"
            };
            let _ = match backup {
                Some(backup) => writeln!(
                    text,
                    "{action} {} (before: {})",
                    path.display(),
                    backup.display()
                ),
                None => writeln!(text, "Made {}", path.display()),
            };
        }
    }
    if let Some(Ok(answer)) = verdict.map(|verdict| &verdict.answer) {
        let (name, version) = (printable(&answer.name), printable(&answer.version));
        let _ = writeln!(text, "Test run: {name} {version}; tools: {}", answer.tools);
    }
    for remark in outcomes.iter().flat_map(|outcome| &outcome.remarks) {
        let _ = writeln!(text, "{remark}");
    }
    shell.print(&text)?;
    for error in outcomes
        .iter()
        .filter_map(|outcome| outcome.problem.as_ref())
    {
        let _ = shell.fail(error);
    }
    if let Some(Err(problem)) = verdict.map(|verdict| &verdict.answer) {
        shell.warn(&format!(
            "The server is registered, but its test run {problem}"
        ));
    }
    Ok(Status::DONE)
}

fn as_json(outcomes: &[Outcome], verdict: Option<&Verdict>, args: &Args) -> Value {
    let clients: Vec<Value> = outcomes
        .iter()
        .map(|outcome| client_json(outcome, args))
        .collect();
    let mut reply = json!({ "clients": clients, "dry_run": args.dry_run });
    if let Some(verdict) = verdict {
        reply["server"] = match &verdict.answer {
            Ok(Answer {
                name,
                version,
                tools,
            }) => json!({
                "name": name, "version": version, "tools": tools,
                "milliseconds": u64::try_from(verdict.took.as_millis()).unwrap_or(u64::MAX),
            }),
            Err(problem) => json!({ "problem": problem }),
        };
    }
    reply
}

fn client_json(outcome: &Outcome, args: &Args) -> Value {
    let files = outcome.drafts.iter().map(|draft| {
        let changes: Vec<String> = draft
            .changes
            .iter()
            .map(|c| format!("{} {} {}", c.sign, c.place, c.value))
            .collect();
        let backup = outcome.backups.iter().find(|(path, _)| *path == draft.path);
        let backup = backup
            .and_then(|(_, backup)| backup.as_ref())
            .map(|path| path.display().to_string());
        json!({
            "path": draft.path.display().to_string(),
            "changes": changes,
            "removed": draft.is_removal,
            "backup": backup,
        })
    });
    let status = match (
        &outcome.problem,
        outcome.drafts.is_empty(),
        args.dry_run,
        args.remove,
    ) {
        (Some(_), ..) => "failed",
        (None, true, ..) => "unchanged",
        (None, false, true, _) => "planned",
        (None, false, false, true) => "removed",
        (None, false, false, false) => "registered",
    };
    let mut client = json!({ "client": outcome.client.name(), "status": status, "files": files.collect::<Vec<_>>() });
    if !outcome.remarks.is_empty() {
        client["remarks"] = outcome.remarks.clone().into();
    }
    if let Some(error) = &outcome.problem {
        client["error"] = error.to_value()["error"].clone();
    }
    client
}
