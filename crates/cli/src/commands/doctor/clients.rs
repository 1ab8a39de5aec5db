//! The clients that are here, and whether what they start is there.

use super::Patient;
use super::check::Check;
use crate::clients::{Client, HookStanding, Program, ServerStanding, Standing, look};
use crate::commands::connect;

pub(super) fn check(patient: &Patient<'_>) -> Vec<Check> {
    let Ok(program) = connect::program(patient.shell) else {
        return vec![];
    };
    let clients = Client::ALL.into_iter();
    let standings = clients.filter_map(|client| standing(client, &program, patient));
    let checks: Vec<Check> = standings.map(|standing| told(&standing)).collect();
    if checks.is_empty() {
        vec![Check::ok("clients", "No supported client was found")]
    } else {
        checks
    }
}

fn standing(client: Client, program: &Program, patient: &Patient<'_>) -> Option<Standing> {
    let places = connect::places(client, patient.shell).filter(|places| places.is_found)?;
    Some(look(client, &places, program, &patient.house.ground.files))
}

fn told(standing: &Standing) -> Check {
    let title = standing.client.title();
    let connect = format!("'memory connect {}'", standing.client.name());
    let file = standing.file.display();
    match &standing.server {
        ServerStanding::Absent => Check::ok(title, format!("Not connected; {connect} connects it")),
        ServerStanding::Current => current(standing, "Connected", &connect),
        ServerStanding::Off => Check::ok(title, format!("Connected, but disabled in {file}")),
        ServerStanding::Gone(words) => gone(title, &words.join(" "), &connect),
        ServerStanding::Differs(words) => current(
            standing,
            &format!("Connected as {}", words.join(" ")),
            &connect,
        ),
        ServerStanding::Other(words) => Check::warn(
            title,
            format!("Connected to another installation: {}", words.join(" ")),
            format!("{connect} connects it to this one"),
        ),
        ServerStanding::Foreign(what) => Check::ok(
            title,
            format!("Not connected; another server is named 'memory': {what}"),
        ),
        ServerStanding::Unreadable(problem) => Check::warn(
            title,
            format!("{file} cannot be read: {problem}"),
            "Fix it with an editor",
        ),
    }
}

/// Tells of a client that starts this program; the hooks may still be another's.
fn current(standing: &Standing, connected: &str, connect: &str) -> Check {
    let title = standing.client.title();
    match &standing.hooks {
        HookStanding::Present => Check::ok(title, format!("{connected}, with hooks")),
        HookStanding::None => Check::ok(title, connected),
        HookStanding::Absent => Check::ok(title, format!("{connected}, without hooks")),
        HookStanding::Partly => Check::warn(
            title,
            format!("{connected}, but a hook is missing"),
            format!("{connect} adds it"),
        ),
        HookStanding::Other(line) => Check::warn(
            title,
            format!("{connected}, but a hook runs another installation: {line}"),
            format!("{connect} connects it to this one"),
        ),
        HookStanding::Gone(line) => gone(title, line, connect),
        HookStanding::Unreadable(problem) => Check::warn(
            title,
            format!("{connected}, but its hooks cannot be read: {problem}"),
            "Fix the file with an editor",
        ),
    }
}

fn gone(title: &str, line: &str, connect: &str) -> Check {
    Check::bad(
        title,
        format!("Starts {line}, which does not exist"),
        format!("{connect} fixes it"),
    )
}
