//! How each client stands, when none is named.

use memory_core::Result;
use serde_json::{Value, json};

use super::places;
use crate::clients::{Client, HookStanding, Program, ServerStanding, Standing, look};
use crate::render::table::table;
use crate::shell::{Shell, Speech, Status};

pub(super) fn show(program: &Program, shell: &Shell) -> Result<Status> {
    let clients = Client::ALL.into_iter();
    let standings = clients.filter_map(|client| {
        Some(look(
            client,
            &places(client, shell)?,
            program,
            shell.files(),
        ))
    });
    let standings: Vec<Standing> = standings.collect();
    if shell.speech == Speech::Json {
        return shell
            .show(&json!({ "clients": standings.iter().map(as_json).collect::<Vec<_>>() }));
    }
    let rows: Vec<Vec<String>> = standings.iter().map(row).collect();
    let advice = if standings.iter().any(|standing| standing.is_found) {
        "\n'memory connect NAME' registers this memory with one client, 'memory connect --all' with all of them\n"
    } else {
        "\nNone of these clients was found\n"
    };
    shell.print(&format!(
        "{}{advice}",
        table(&["CLIENT", "SERVER", "HOOKS", "FILE"], &rows)
    ))
}

fn row(standing: &Standing) -> Vec<String> {
    let server = match &standing.server {
        _ if !standing.is_found => "not found here".to_owned(),
        ServerStanding::Absent => "not registered".to_owned(),
        ServerStanding::Current => "registered".to_owned(),
        ServerStanding::Off => "registered, but disabled".to_owned(),
        ServerStanding::Differs(words) | ServerStanding::Other(words) => {
            format!("registered as {}", words.join(" "))
        }
        ServerStanding::Gone(words) => {
            format!("registered as {}, which does not exist", words.join(" "))
        }
        ServerStanding::Foreign(what) => format!("another server uses the name: {what}"),
        ServerStanding::Unreadable(problem) => format!("cannot be read: {problem}"),
    };
    let hooks = match &standing.hooks {
        _ if !standing.is_found => "",
        HookStanding::None => "-",
        HookStanding::Absent => "no",
        HookStanding::Partly => "partly",
        HookStanding::Present => "yes",
        HookStanding::Other(_) => "another's",
        HookStanding::Gone(_) => "not there",
        HookStanding::Unreadable(_) => "cannot be read",
    };
    vec![
        standing.client.name().to_owned(),
        server,
        hooks.to_owned(),
        standing.file.display().to_string(),
    ]
}

fn as_json(standing: &Standing) -> Value {
    let (server, detail) = match &standing.server {
        ServerStanding::Absent => ("absent", None),
        ServerStanding::Current => ("registered", None),
        ServerStanding::Off => ("off", None),
        ServerStanding::Differs(words) | ServerStanding::Other(words) => {
            ("differs", Some(words.join(" ")))
        }
        ServerStanding::Gone(words) => ("gone", Some(words.join(" "))),
        ServerStanding::Foreign(what) => ("foreign", Some(what.clone())),
        ServerStanding::Unreadable(problem) => ("unreadable", Some(problem.clone())),
    };
    let hooks = match &standing.hooks {
        HookStanding::None => Value::Null,
        HookStanding::Absent => "absent".into(),
        HookStanding::Partly => "partly".into(),
        HookStanding::Present => "registered".into(),
        HookStanding::Other(_) => "differs".into(),
        HookStanding::Gone(_) => "gone".into(),
        HookStanding::Unreadable(_) => "unreadable".into(),
    };
    json!({
        "client": standing.client.name(),
        "found": standing.is_found,
        "server": server,
        "detail": detail,
        "hooks": hooks,
        "file": standing.file.display().to_string(),
    })
}
