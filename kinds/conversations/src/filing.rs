//! How the files of entries are called, and what one of them says.

use std::ffi::OsStr;
use std::sync::OnceLock;

use memory_core::{Timestamp, parse_instant};
use memory_files::Seen;
use xxhash_rust::xxh3::xxh3_64;

use crate::entry::Entry;
use crate::format::{self, Hints};
use crate::reconcile::{Fact, Gist};
use crate::store::ENTRIES;
use crate::{ConversationId, Shelf};

/// Where an entry's file is within its conversation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Place {
    pub(crate) shelf: Shelf,
    pub(crate) file: String,
}

impl Place {
    /// Returns its path below the conversation's folder.
    pub(crate) fn path(&self) -> String {
        format!("{}/{}", self.shelf.path(), self.file)
    }
}

/// An entry as it was read.
#[derive(Debug, Clone)]
pub(crate) struct Filed {
    pub(crate) place: Place,
    pub(crate) entry: Entry,
    pub(crate) bytes: Vec<u8>,
    gist: OnceLock<Gist>,
}

impl Filed {
    /// Returns the fact that it tells, with its gist, which is found once.
    pub(crate) fn fact(&self) -> Fact<'_> {
        let text = &self.entry.content;
        Fact {
            text,
            gist: self.gist.get_or_init(|| Gist::of(text)),
        }
    }
}

/// Returns the path of an entry's file below the root.
pub(crate) fn source_name(folder: &str, shelf: Shelf, file: &str) -> String {
    [ENTRIES, folder, shelf.path(), file].join("/")
}

/// Takes the path of an entry's file apart: its folder and its place.
pub(crate) fn parse_source(source: &str) -> Option<(&str, Place)> {
    let (folder, path) = source
        .strip_prefix(ENTRIES)?
        .strip_prefix('/')?
        .split_once('/')?;
    let (shelf, file) = path.rsplit_once('/')?;
    let shelf = Shelf::ALL.into_iter().find(|known| known.path() == shelf)?;
    Some((
        folder,
        Place {
            shelf,
            file: file.to_owned(),
        },
    ))
}

/// Hidden files are drafts, or not ours.
pub(crate) fn is_entry(name: &OsStr) -> bool {
    name.to_str()
        .is_some_and(|name| !name.starts_with('.') && name.len() > 3 && name.ends_with(".md"))
}

pub(crate) fn read_entry(
    folder: &str,
    shelf: Shelf,
    file: &str,
    seen: Seen,
) -> Result<Filed, String> {
    let text = std::str::from_utf8(&seen.bytes).map_err(|_| "it is not UTF-8".to_owned())?;
    let stem = file.strip_suffix(".md").unwrap_or(file);
    let modified = i64::try_from(seen.stamp.modified / 1_000_000_000).unwrap_or_default();
    let modified = Timestamp::from_second(modified).unwrap_or(Timestamp::UNIX_EPOCH);
    let hints = Hints {
        id: id_of_name(folder, shelf, stem),
        shelf,
        conversation: ConversationId::of_folder(folder),
        created_at: time_of_name(stem).unwrap_or(modified),
    };
    let mut entry = format::parse(text, &hints)?;
    // Where a file is tells what it is: a hand may have copied it, head and all, from elsewhere.
    entry.role = shelf.role();
    if let Some(conversation) = hints.conversation {
        entry.conversation = conversation;
    }
    let place = Place {
        shelf,
        file: file.to_owned(),
    };
    Ok(Filed {
        place,
        entry,
        bytes: seen.bytes,
        gist: OnceLock::new(),
    })
}

/// Returns the name of a new entry's file (section 2.1); names sort as their times do.
pub(crate) fn file_name(at: Timestamp, id: &str) -> String {
    format!("{}__{id}.md", at.strftime("%Y-%m-%dT%H-%M-%S%.3fZ"))
}

/// Returns the time that a file's name begins with.
pub(crate) fn time_of_name(name: &str) -> Option<Timestamp> {
    let (day, clock) = name.split("__").next()?.split_once('T')?;
    parse_instant(&format!("{day}T{}", clock.replace('-', ":")))
}

/// Says whether a name begins as the times of names do: those sort as the times that they tell.
pub(crate) fn has_shape_of_time(name: &str) -> bool {
    let bytes = name.as_bytes();
    let is = |at: usize, byte: u8| bytes.get(at) == Some(&byte);
    is(4, b'-') && is(7, b'-') && is(10, b'T') && bytes[0].is_ascii_digit()
}

/// A file that tells no id has the one in its name, if we gave it that name.
fn id_of_name(folder: &str, shelf: Shelf, stem: &str) -> String {
    match stem.split_once("__") {
        Some((time, id)) if time_of_name(time).is_some() && !id.is_empty() => id.to_owned(),
        _ => format!(
            "{:016x}",
            xxh3_64(source_name(folder, shelf, stem).as_bytes())
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_tell_time_and_id_and_sort_as_their_times_do() {
        let at = |text: &str| parse_instant(text).unwrap();
        let (one, two) = (at("2026-05-07T10:00:00Z"), at("2026-05-07T10:00:00.001Z"));
        assert_eq!(file_name(one, "x"), "2026-05-07T10-00-00.000Z__x.md");
        assert!(file_name(one, "z") < file_name(two, "a"));
        assert_eq!(time_of_name(&file_name(two, "a")), Some(two));
        assert_eq!(
            id_of_name("default", Shelf::Facts, "2026-05-07T10-00-00.000Z__x"),
            "x"
        );
        assert_ne!(
            id_of_name("a", Shelf::Facts, "my note"),
            id_of_name("b", Shelf::Facts, "my note")
        );
    }

    #[test]
    fn a_source_is_found_by_its_name() {
        let name = source_name("a%2Fb", Shelf::User, "x.md");
        assert_eq!(name, "entries/a%2Fb/turns/user/x.md");
        let (folder, place) = parse_source(&name).unwrap();
        assert_eq!(
            (folder, place.shelf, place.file.as_str()),
            ("a%2Fb", Shelf::User, "x.md")
        );
        assert_eq!(parse_source("entries/a/deleted/facts/x.md"), None);
    }
}
