//! The clients that are here, and whether what they start is there.

use std::path::Path;

use memory_files::Spot;

use super::Patient;
use super::check::Check;
use crate::clients::{Client, HookStanding, Program, ServerStanding, Standing, look};
use crate::commands::connect;

pub(super) fn check(patient: &Patient<'_>) -> Vec<Check> {
    let Ok(program) = connect::program(patient.shell) else { return vec![] };
    let clients = Client::ALL.into_iter();
    let standings = clients.filter_map(|client| standing(client, &program, patient));
    let checks: Vec<Check> = standings.map(|standing| told(&standing, patient)).collect();
    match checks.is_empty() {
        true => vec![Check::ok("clients", "None that we know was found here")],
        false => checks,
    }
}

fn standing(client: Client, program: &Program, patient: &Patient<'_>) -> Option<Standing> {
    let places = connect::places(client, patient.shell).filter(|places| places.is_found)?;
    Some(look(client, &places, program, &patient.house.ground.files))
}

fn told(standing: &Standing, patient: &Patient<'_>) -> Check {
    let title = standing.client.title();
    let connect = format!("'memory connect {}'", standing.client.name());
    let file = standing.file.display();
    match &standing.server {
        ServerStanding::Absent => Check::ok(title, format!("Not connected; {connect} would do it")),
        ServerStanding::Current => current(standing, &connect),
        ServerStanding::Other(words) if is_gone(words, patient) => {
            Check::bad(title, format!("Starts {words}, which is not there"), format!("{connect} mends it"))
        }
        ServerStanding::Other(words) => Check::warn(
            title,
            format!("Connected to another installation: {words}"),
            format!("{connect} connects it to this one"),
        ),
        ServerStanding::Foreign(what) => {
            Check::ok(title, format!("Not connected; another server has the name 'memory': {what}"))
        }
        ServerStanding::Unreadable(problem) => {
            Check::warn(title, format!("{file} can't be read: {problem}"), "Mend it with an editor")
        }
    }
}

fn current(standing: &Standing, connect: &str) -> Check {
    let title = standing.client.title();
    match standing.hooks {
        HookStanding::Present => Check::ok(title, "Connected, with hooks"),
        HookStanding::None => Check::ok(title, "Connected"),
        HookStanding::Absent => Check::ok(title, "Connected, without hooks"),
        HookStanding::Partly => {
            Check::warn(title, "Connected, but a hook is missing", format!("{connect} adds it"))
        }
    }
}

/// Says whether the program that a registered command begins with is not there any more.
fn is_gone(words: &str, patient: &Patient<'_>) -> bool {
    let program = Path::new(words.split(" mcp").next().unwrap_or(words));
    let is_there = patient.house.ground.files.stamp(&Spot::anchor(program));
    program.is_absolute() && matches!(is_there, Ok(None))
}
