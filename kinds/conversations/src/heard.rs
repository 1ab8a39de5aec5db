//! What was said, written down in one go before it is put on its shelf.
//!
//! A client waits for its turns to be durable, and each file of its own would take a sync for itself and one
//! for its folder. So turns are first one line at the end of a list, which takes a single sync. Then their
//! files are put in place, for everyone to see, and the client is answered. Whoever changes the conversation
//! next, at the latest the work that follows a turn, makes the files durable and takes them off the list: after a
//! power cut it still has what the files may have lost.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use memory_core::Timestamp;
use memory_files::{Held, Spot, Stamp};
use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::{xxh3_64, xxh3_64_with_seed};

use crate::pending::{self, Pending};
use crate::store::Store;
use crate::{ConversationError, limits};

/// Beside the files of what waits.
const LIST: &str = "heard.jsonl";
/// The list begins with an empty line, which stays: a file that was empty would have to be synced as a new one.
const EMPTY: u64 = 1;

/// Turns that were taken together.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Heard {
    /// Their files: paths below the conversation's folder, and what they say.
    pub(crate) turns: Vec<(String, String)>,
    /// What has to be done after them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) pending: Option<Pending>,
    /// The run of the system in which they were written. In another one their files may have any content: after a
    /// power cut some file systems show what was in the same blocks before.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) boot: Option<String>,
}

impl Heard {
    /// Returns the line of the list: a checksum in hexadecimal digits, then the JSON.
    fn line(&self, place: Place<'_>) -> String {
        let json = serde_json::to_string(self).unwrap_or_default();
        format!("{:016x} {json}", place.checksum(json.as_bytes()))
    }

    /// Reads a line. One that cannot be read was never finished, and no one was told that it was. Lines of older
    /// versions have neither a checksum nor the run of the system.
    fn read(line: &[u8], place: Place<'_>) -> Option<Self> {
        if line.starts_with(b"{") {
            return serde_json::from_slice(line)
                .ok()
                .filter(|heard: &Heard| heard.boot.is_none());
        }
        let (sum, json) = line.split_at_checked(17)?;
        let sum =
            u64::from_str_radix(std::str::from_utf8(sum).ok()?.strip_suffix(' ')?, 16).ok()?;
        if sum == place.checksum(json) {
            serde_json::from_slice(json).ok()
        } else {
            None
        }
    }
}

/// Where a line stands: in the list of which conversation, after how many bytes.
#[derive(Clone, Copy)]
struct Place<'a> {
    folder: &'a str,
    offset: u64,
}

impl Place<'_> {
    /// Returns the xxh3 of a text for this place: a line that a power cut brought here from another place is not believed.
    fn checksum(self, json: &[u8]) -> u64 {
        let seed = xxh3_64(format!("{} {}", self.offset, self.folder).as_bytes());
        xxh3_64_with_seed(json, seed)
    }
}

/// The list as it was found or left: which file it is, and how long.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct List {
    inode: u64,
    size: u64,
}

/// The lists as this process left them, with everything on them in its place.
#[derive(Debug, Default)]
pub(crate) struct InPlace(Mutex<HashMap<String, List>>);

impl InPlace {
    fn note(&self, folder: &str, list: Option<List>) {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        match list {
            Some(list) => drop(known.insert(folder.to_owned(), list)),
            None => drop(known.remove(folder)),
        }
    }

    fn has(&self, folder: &str, list: List) -> bool {
        self.0
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .get(folder)
            == Some(&list)
    }
}

impl Store {
    fn list_at(&self, folder: &str) -> Spot {
        self.room(folder).join(pending::FOLDER).join(LIST)
    }

    fn list(&self, folder: &str) -> Result<List, ConversationError> {
        let stamp = self.files.stamp(&self.list_at(folder))?;
        Ok(stamp
            .map(|stamp| List {
                inode: stamp.inode,
                size: stamp.size,
            })
            .unwrap_or_default())
    }

    /// Says whether turns on the list may not be in their places: someone may have died before that.
    pub(crate) fn has_unplaced(&self, folder: &str) -> Result<bool, ConversationError> {
        let list = self.list(folder)?;
        Ok(list.size > EMPTY && !self.in_place.has(folder, list))
    }

    /// Returns what is on the list, the oldest first.
    pub(crate) fn heard(&self, folder: &str) -> Result<Vec<Heard>, ConversationError> {
        // Most of the time there is nothing on it.
        if self.list(folder)?.size <= EMPTY {
            return Ok(vec![]);
        }
        let seen = self
            .files
            .read(&self.list_at(folder), limits::DERIVED_BYTES)?;
        let Some(seen) = seen else { return Ok(vec![]) };
        let mut offset = 0;
        let lines = seen.bytes.split(|byte| *byte == b'\n').filter_map(|line| {
            let place = Place { folder, offset };
            offset += line.len() as u64 + 1;
            Heard::read(line, place)
        });
        Ok(lines.collect())
    }

    /// Keeps turns durably and puts their files in place. Their folders and the list's must be there, and
    /// what is on the list in its place.
    pub(crate) fn hear(
        &self,
        _: &Held<'_>,
        folder: &str,
        heard: &Heard,
    ) -> Result<(), ConversationError> {
        let list = self.list(folder)?;
        let begin = if list.size == 0 { "\n" } else { "" };
        let place = Place {
            folder,
            offset: list.size + begin.len() as u64,
        };
        let line = format!("{begin}{}\n", heard.line(place));
        self.in_place.note(folder, None);
        self.files.append(&self.list_at(folder), line.as_bytes())?;
        let room = self.room(folder);
        let put = |(path, text): &(String, String)| {
            self.files
                .replace_derived(&room.join(path), text.as_bytes())
        };
        // They are safe from here on. What can't be put in place now is put there by whoever comes next.
        if heard.turns.iter().try_for_each(put).is_ok() {
            let is_new = list.inode == 0;
            let now = if is_new {
                self.list(folder).ok()
            } else {
                Some(List {
                    size: list.size + line.len() as u64,
                    ..list
                })
            };
            self.in_place.note(folder, now);
        }
        Ok(())
    }

    /// Makes the files of what is on the list durable, and takes it off. What has to be done after it has a file
    /// then, but for one turn for which all of it is done.
    pub(crate) fn shelve(
        &self,
        _: &Held<'_>,
        folder: &str,
        done: Option<&Pending>,
    ) -> Result<(), ConversationError> {
        // A line that was never finished goes, too: nothing may be added to it.
        if self.list(folder)?.size <= EMPTY {
            return Ok(());
        }
        let heard = self.heard(folder)?;
        let room = self.room(folder);
        let mut folders: Vec<Spot> = Vec::new();
        let boot = self.files.boot_id();
        for heard in &heard {
            let was_restarted = heard.boot.is_none() || heard.boot != boot;
            for (path, text) in &heard.turns {
                let at = room.join(path);
                self.settle_turn(&at, text, was_restarted)?;
                folders.extend(at.parent().filter(|above| !folders.contains(above)));
            }
        }
        folders
            .iter()
            .try_for_each(|above| self.files.sync_folder(above))?;
        let is_left = |pending: &&Pending| done.is_none_or(|done| done.turn != pending.turn);
        for pending in heard
            .iter()
            .filter_map(|heard| heard.pending.as_ref())
            .filter(is_left)
        {
            self.files
                .replace(&room.join(pending.path()), &pending.render())?;
        }
        self.in_place.note(folder, None);
        Ok(self.files.cut(&self.list_at(folder), EMPTY)?)
    }

    /// Makes a turn's file durable: as it stands, if only a hand can have changed it, else as it was heard.
    ///
    /// After a restart, another content may be a hand's as well as that of a block that was never written. The turn is
    /// what was heard then, and the other content is kept beside it.
    fn settle_turn(
        &self,
        at: &Spot,
        text: &str,
        was_restarted: bool,
    ) -> Result<(), ConversationError> {
        let seen = self.files.read(at, limits::FILE_BYTES)?;
        let other = seen.as_ref().filter(|seen| seen.bytes != text.as_bytes());
        let is_torn = other.is_some_and(|seen| is_torn(&seen.bytes, text.as_bytes()));
        let is_doubtful = was_restarted && other.is_some() && !is_torn;
        if is_doubtful && let Some(seen) = other {
            let aside = self.files.name_corrupt(at, time_of(seen.stamp))?;
            self.files.replace(&aside, &seen.bytes)?;
        }
        if seen.is_none() || is_torn || is_doubtful {
            at.parent()
                .map_or(Ok(()), |folder| self.files.ensure_folder(&folder))?;
            return Ok(self.files.replace(at, text.as_bytes())?);
        }
        // What could not be synced once can't be relied on: it is written anew the next time.
        Ok(self
            .files
            .sync(at)
            .inspect_err(|_| drop(self.files.remove_derived(at)))?)
    }
}

fn time_of(stamp: Stamp) -> Timestamp {
    let seconds = i64::try_from(stamp.modified / 1_000_000_000).unwrap_or_default();
    Timestamp::from_second(seconds).unwrap_or(Timestamp::UNIX_EPOCH)
}

/// Says whether a power cut can have made this of a text. What a hand has made of it stays.
fn is_torn(bytes: &[u8], text: &[u8]) -> bool {
    bytes.len() != text.len() && text.starts_with(bytes) || bytes.contains(&0) && !text.contains(&0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_believed_only_where_it_was_written() {
        let heard = Heard {
            turns: vec![],
            pending: None,
            boot: Some("1".into()),
        };
        let place = Place {
            folder: "a",
            offset: 1,
        };
        let line = heard.line(place);
        assert!(Heard::read(line.as_bytes(), place).is_some());
        assert!(Heard::read(line.as_bytes(), Place { offset: 2, ..place }).is_none());
        assert!(
            Heard::read(
                line.as_bytes(),
                Place {
                    folder: "b",
                    ..place
                }
            )
            .is_none()
        );
        assert!(
            Heard::read(br#"{"turns":[]}"#, place).is_some(),
            "a line of an older version"
        );
        assert!(Heard::read(&line.as_bytes()[17..], place).is_none());
    }

    #[test]
    fn what_a_power_cut_leaves_is_told_from_what_a_hand_writes() {
        let text = b"---\nid: x\n---\n\nhello\n";
        for torn in [&b""[..], b"---\nid", &[0; 21]] {
            assert!(is_torn(torn, text), "{torn:?}");
        }
        for whole in [
            &text[..],
            b"---\nid: x\n---\n\nhello, world\n",
            b"something else",
        ] {
            assert!(!is_torn(whole, text), "{whole:?}");
        }
    }
}
