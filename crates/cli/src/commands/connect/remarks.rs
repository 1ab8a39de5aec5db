//! What a user still has to know after a client was connected.

use std::path::Path;

use super::report::Outcome;
use super::target::places;
use crate::clients::{Client, Program, ServerStanding, look};
use crate::shell::Shell;

/// Returns what is left for the user to do or to know, as sentences.
pub(super) fn of(outcome: &Outcome, program: &Program, shell: &Shell) -> Vec<String> {
    let client = outcome.client;
    let title = client.title();
    let is_project = shell.ground().flags.project.is_some();
    let was_changed = !outcome.backups.is_empty();
    let mut remarks = Vec::new();
    if client == Client::Codex && outcome.changed_hooks() {
        remarks.push(
            "Codex runs a new hook only after you trust it: start codex and type /hooks".to_owned(),
        );
    }
    if client == Client::ClaudeCode && is_project && was_changed {
        remarks.push(
            "Claude Code starts a project's server only after you approve it: start claude in the project"
                .to_owned(),
        );
    }
    if is_project && was_changed && Path::new(program.path()).is_absolute() {
        remarks.push(format!(
            "{title}: other people in the project may not have {}; if 'memory' is on your PATH, only its name is written",
            program.path()
        ));
    }
    remarks.extend(switched_off(client, program, shell));
    remarks
}

fn switched_off(client: Client, program: &Program, shell: &Shell) -> Option<String> {
    let standing = look(client, &places(client, shell)?, program, shell.files());
    let is_off = standing.server == ServerStanding::Off;
    is_off.then(|| {
        format!(
            "{} has the server disabled in {}",
            client.title(),
            standing.file.display()
        )
    })
}
