//! How a client stands to us: whether it is here, has our server, and runs our hooks.

use std::path::{Path, PathBuf};

use memory_core::{Code, Error, Result};
use memory_files::Files;

use super::server::Entry;
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
    /// Ours, but it starts another program or in another way.
    Other(String),
    /// Somebody else's server has our name.
    Foreign(String),
    Unreadable(String),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum HookStanding {
    /// The client has no hooks that we serve.
    None,
    Absent,
    Partly,
    Present,
}

/// Looks at a client's files. What can't be read is told, and is no failure.
pub(crate) fn look(client: Client, places: &Places, program: &Program, files: &Files) -> Standing {
    Standing {
        client,
        is_found: places.is_found,
        file: places.server.clone(),
        server: server_standing(client, places, program, files),
        hooks: hook_standing(client, places, files),
    }
}

fn server_standing(client: Client, places: &Places, program: &Program, files: &Files) -> ServerStanding {
    let text = match read(files, &places.server) {
        Ok(text) => text.unwrap_or_default(),
        Err(error) => return ServerStanding::Unreadable(error.message),
    };
    match server::find(client, &text) {
        Ok(Entry::None) => ServerStanding::Absent,
        Ok(Entry::Ours(words)) if starts(&words, program) => ServerStanding::Current,
        Ok(Entry::Ours(words)) => ServerStanding::Other(words.join(" ")),
        Ok(Entry::Foreign(what)) => ServerStanding::Foreign(what),
        Err(refusal) => ServerStanding::Unreadable(refusal.to_string()),
    }
}

/// Says whether words start this program as a server; what the user added to them does no harm.
fn starts(words: &[String], program: &Program) -> bool {
    let wanted = program.server_arguments();
    words.first().is_some_and(|first| first == program.path())
        && words.get(1..).is_some_and(|rest| rest.starts_with(&wanted))
}

fn hook_standing(client: Client, places: &Places, files: &Files) -> HookStanding {
    let events = hooks::events(client);
    let Some(path) = places.hooks.as_ref().filter(|_| !events.is_empty()) else { return HookStanding::None };
    let text = read(files, path).ok().flatten().unwrap_or_default();
    let is_there = |event: &&&str| hooks::find(&text, event).is_ok_and(|found| found.is_some());
    match events.iter().filter(is_there).count() {
        0 => HookStanding::Absent,
        n if n == events.len() => HookStanding::Present,
        _ => HookStanding::Partly,
    }
}

/// Reads a client's file; none when it is not there.
pub(super) fn read(files: &Files, path: &Path) -> Result<Option<String>> {
    let Some(bytes) = files.read_named(path, MOST_BYTES)? else { return Ok(None) };
    let text = String::from_utf8(bytes);
    text.map(Some).map_err(|_| Error::new(Code::InvalidArgument, format!("{} is not UTF-8", path.display())))
}

/// Says why a client's file is left as it is.
pub(super) fn refused(client: Client, path: &Path, refusal: &Refusal) -> Error {
    let sentence = format!("{} of {} was not changed: {refusal}", path.display(), client.title());
    Error::new(Code::InvalidArgument, sentence)
        .hint("Mend it with an editor, or let the client write it anew, and try again")
        .with("file", path.display().to_string())
}
