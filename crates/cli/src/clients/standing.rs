//! How a client stands to us: whether it is here, has our server, and runs our hooks.

use std::path::{Path, PathBuf};

use memory_core::{Code, Error, Result};
use memory_files::Files;

use super::server::{Entry, Ours};
use super::{Client, Places, Program, hooks, server};
use crate::splice::Refusal;

/// Largest file of a client that is read: Claude Code's grows with every project.
const MOST_BYTES: u64 = 64 << 20;

/// What a client's files say about us.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Standing {
    pub(crate) client: Client,
    pub(crate) is_found: bool,
    pub(crate) file: PathBuf,
    pub(crate) server: ServerStanding,
    pub(crate) hooks: HookStanding,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum ServerStanding {
    Absent,
    /// Ours, started just as we would register it now.
    Current,
    /// Ours, but the user has switched it off.
    Off,
    /// Ours and this very program, but started in another way.
    Differs(Vec<String>),
    /// Ours, but another installation of it.
    Other(Vec<String>),
    /// Ours, but what it starts is not there any more.
    Gone(Vec<String>),
    /// Somebody else's server has our name.
    Foreign(String),
    Unreadable(String),
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum HookStanding {
    /// The client has no hooks that we serve.
    None,
    Absent,
    Partly,
    Present,
    /// One of them runs another installation: its line.
    Other(String),
    /// One of them runs what is not there any more: its line.
    Gone(String),
    Unreadable(String),
}

/// Looks at a client's files. What can't be read is told, and is no failure.
pub(crate) fn look(client: Client, places: &Places, program: &Program, files: &Files) -> Standing {
    let looks = places
        .server_files()
        .map(|file| (file, server_standing(client, file, program, files)));
    let mut looks: Vec<_> = looks.collect();
    let says_something = |(_, standing): &(_, ServerStanding)| *standing != ServerStanding::Absent;
    let telling = looks.iter().position(says_something).unwrap_or(0);
    let (file, server) = looks.swap_remove(telling);
    Standing {
        client,
        is_found: places.is_found,
        file: file.clone(),
        server,
        hooks: hook_standing(client, places, program, files),
    }
}

fn server_standing(
    client: Client,
    file: &Path,
    program: &Program,
    files: &Files,
) -> ServerStanding {
    let text = match read(files, file) {
        Ok(text) => text.unwrap_or_default(),
        Err(error) => return ServerStanding::Unreadable(error.message),
    };
    match server::find(client, &text, program) {
        Ok(Entry::None) => ServerStanding::Absent,
        Ok(Entry::Ours(ours)) => our_standing(ours, program),
        Ok(Entry::Foreign(what)) => ServerStanding::Foreign(what),
        Err(refusal) => ServerStanding::Unreadable(refusal.to_string()),
    }
}

fn our_standing(ours: Ours, program: &Program) -> ServerStanding {
    match ours.words {
        _ if ours.is_off => ServerStanding::Off,
        words if program.is_served_by(&words) => ServerStanding::Current,
        words if program.is_begun_by(&words) => ServerStanding::Differs(words),
        words if program.is_gone(&words) => ServerStanding::Gone(words),
        words => ServerStanding::Other(words),
    }
}

fn hook_standing(
    client: Client,
    places: &Places,
    program: &Program,
    files: &Files,
) -> HookStanding {
    let events = hooks::events(client);
    let path = match &places.hooks {
        Some(path) if !events.is_empty() => path,
        _ => return HookStanding::None,
    };
    let text = match read(files, path) {
        Ok(text) => text.unwrap_or_default(),
        Err(error) => return HookStanding::Unreadable(error.message),
    };
    let found: Result<Vec<_>, Refusal> = events
        .iter()
        .map(|event| hooks::find(&text, event, program))
        .collect();
    match found {
        Ok(found) => our_hooks(&found, program),
        Err(refusal) => HookStanding::Unreadable(format!("{}: {refusal}", path.display())),
    }
}

/// Says how the hooks of each event stand.
fn our_hooks(found: &[Vec<hooks::Found>], program: &Program) -> HookStanding {
    let all = || found.iter().flatten();
    let gone = all().find(|found| program.is_gone(&found.words));
    let other = all().find(|found| !program.is_begun_by(&found.words));
    match (
        gone,
        other,
        found.iter().filter(|found| !found.is_empty()).count(),
    ) {
        (Some(gone), ..) => HookStanding::Gone(gone.line.clone()),
        (_, Some(other), _) => HookStanding::Other(other.line.clone()),
        (.., 0) => HookStanding::Absent,
        (.., n) if n == found.len() => HookStanding::Present,
        _ => HookStanding::Partly,
    }
}

/// Reads a client's file; none when it is not there.
pub(super) fn read(files: &Files, path: &Path) -> Result<Option<String>> {
    let Some(bytes) = files.read_linked(path, MOST_BYTES)? else {
        return Ok(None);
    };
    let text = String::from_utf8(bytes);
    text.map(Some).map_err(|_| {
        Error::new(
            Code::InvalidArgument,
            format!("{} is not UTF-8", path.display()),
        )
    })
}

/// Says why a client's file is left as it is.
pub(super) fn refused(client: Client, path: &Path, refusal: &Refusal) -> Error {
    let sentence = format!(
        "{} of {} was not changed: {refusal}",
        path.display(),
        client.title()
    );
    Error::new(Code::InvalidArgument, sentence)
        .hint("Fix it with an editor, or let the client recreate it, then try again")
        .with("file", path.display().to_string())
}
