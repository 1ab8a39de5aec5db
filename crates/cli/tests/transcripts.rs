//! What a user types and sees: each file below `transcripts/` is a session in an empty home.
//!
//! A line that starts with `%` is a comment. A line that starts with `$ ` is given to a shell; what follows is what it prints, stdout and
//! stderr together, then `[exit N]` if that is not 0. `UPDATE=1 cargo test --test transcripts`
//! writes the files anew; read the difference before you keep it.

#![allow(clippy::disallowed_methods)] // a test looks behind the door's back

mod session;

use std::fmt::Write as _;
use std::path::PathBuf;

use session::{Session, assert_same};

/// Runs the commands of a transcript; returns it as it reads now.
fn replay(transcript: &str) -> String {
    let session = Session::of_separate_commands();
    let mut now = String::new();
    for line in transcript.lines() {
        if line.starts_with('%') {
            let _ = writeln!(now, "{line}");
        } else if let Some(command) = line.strip_prefix("$ ") {
            let _ = write!(now, "$ {command}\n{}", session.run(command));
        }
    }
    now
}

#[track_caller]
fn check(name: &str) {
    let path =
        PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(format!("tests/transcripts/{name}.txt"));
    let kept = std::fs::read_to_string(&path).expect("the transcript is there");
    let now = replay(&kept);
    if std::env::var_os("UPDATE").is_some() {
        std::fs::write(path, now).expect("the transcript is written");
    } else {
        assert_same(name, &kept, &now);
    }
}

#[test]
fn the_commands_of_the_specification() {
    check("specification");
}

#[test]
fn scopes_are_found_from_any_folder() {
    check("scopes");
}

#[test]
fn the_demo_shows_the_main_commands() {
    check("demo");
}

#[test]
fn what_maintenance_removes_is_archived() {
    check("archive");
}

#[test]
fn mistakes_are_told() {
    check("mistakes");
}

#[test]
fn hostile_input_does_no_harm() {
    check("hostile");
}

#[test]
fn the_memory_program_and_its_undo() {
    check("memory");
}

#[test]
fn the_configuration_is_shown_changed_and_mended() {
    check("config");
}

#[test]
fn notes_are_kept_and_found() {
    check("notes");
}

#[test]
fn agents_call_tools_in_batches() {
    check("agent");
}

#[test]
fn the_daemon_and_the_protocol_server_answer_their_callers() {
    check("serve");
}

#[test]
fn clients_are_connected_and_let_go() {
    check("connect");
}

#[test]
fn agents_are_told_what_is_relevant() {
    check("hook");
}

#[test]
fn one_question_is_asked_of_everything() {
    check("recall");
}

#[test]
fn compartments_hold_runs_sessions_and_plans() {
    check("compartment");
}

#[test]
fn the_doctor_finds_and_mends() {
    check("doctor");
}

#[test]
fn the_journal_is_kept_found_and_mended() {
    check("journal");
}

#[test]
fn conversations_are_kept_shown_and_forgotten() {
    check("conversations");
}
