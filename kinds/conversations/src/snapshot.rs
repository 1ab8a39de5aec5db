//! `memory_index.json`: which files there are and what each hashes to. Derived; may be deleted.
//!
//! It is true after every change of ours, and after every look at conversations that others have
//! changed; in a process that stays, as soon as calls pause. A file whose stamp is the one it was hashed
//! with is not read again.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use memory_files::{Spot, Stamp};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::filing::source_name;
use crate::kept::Rooms;
use crate::store::Store;
use crate::{ConversationError, Shelf, limits};

const FILE: &str = "memory_index.json";

#[derive(Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Snapshot {
    files: BTreeMap<String, Hashed>,
}

/// A file as it was hashed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct Hashed {
    /// SHA-256 of its bytes.
    hash: String,
    size: u64,
    /// When it was changed, in nanoseconds since 1970, and which file it was.
    modified: i128,
    inode: u64,
}

impl Last {
    fn new(stamp: Stamp, snapshot: Snapshot) -> Self {
        let may_change = |hashed: &Hashed| !hashed.stamp().is_settled_at(stamp.modified);
        let unsettled = snapshot
            .files
            .iter()
            .filter(|(_, hashed)| may_change(hashed));
        let unsettled = unsettled.map(|(name, _)| name.clone()).collect();
        Last {
            stamp,
            snapshot,
            unsettled,
        }
    }
}

impl Hashed {
    fn stamp(&self) -> Stamp {
        Stamp {
            inode: self.inode,
            size: self.size,
            modified: self.modified,
        }
    }

    fn is_of(&self, stamp: Stamp, written: i128) -> bool {
        self.stamp() == stamp && stamp.is_settled_at(written)
    }
}

/// What this process knows of the snapshot since it last made it true.
#[derive(Debug, Default)]
pub(crate) struct LastHashed(Mutex<Option<Last>>);

#[derive(Debug)]
struct Last {
    /// The stamp that the snapshot's file had then.
    stamp: Stamp,
    snapshot: Snapshot,
    /// The files that were changed so shortly before that they may have changed again with the same stamp.
    unsettled: Vec<String>,
}

impl Store {
    /// Makes the snapshot tell what is so; says whether it did not.
    pub(crate) fn refresh_snapshot(&self) -> Result<bool, ConversationError> {
        let at = self.root.join(FILE);
        let mut known = self.hashed.0.lock().unwrap_or_else(PoisonError::into_inner);
        let stamp = self.files.stamp(&at)?;
        // Forgotten unless all goes well.
        let last = known.take().filter(|last| Some(last.stamp) == stamp);
        let news = self.kept(Rooms::take_news).flatten();
        let (snapshot, is_new) = match (last, news) {
            (Some(last), Some(news)) => self.catch_up(last, news)?,
            (last, _) => self.hash_anew(last, &at, stamp)?,
        };
        if is_new {
            let text = serde_json::to_vec_pretty(&snapshot).unwrap_or_default();
            self.files.replace_derived(&at, &text)?;
        }
        *known = self
            .files
            .stamp(&at)?
            .map(|stamp| Last::new(stamp, snapshot));
        Ok(is_new)
    }

    /// Hashes the files that something has happened to; returns the snapshot, and whether it is another.
    fn catch_up(
        &self,
        last: Last,
        news: Vec<String>,
    ) -> Result<(Snapshot, bool), ConversationError> {
        let Last {
            stamp,
            mut snapshot,
            unsettled,
        } = last;
        let mut names: Vec<String> = unsettled.into_iter().chain(news).collect();
        names.sort();
        names.dedup();
        let mut is_new = false;
        for name in names {
            let now = self.kept(|rooms| rooms.stamp(&name)).flatten();
            let known = snapshot.files.get(&name);
            if now.is_some_and(|now| known.is_some_and(|known| known.is_of(now, stamp.modified))) {
                continue;
            }
            let hashed = if now.is_some() {
                self.hash(&name)?
            } else {
                None
            };
            is_new |= known != hashed.as_ref();
            match hashed {
                Some(hashed) => drop(snapshot.files.insert(name, hashed)),
                None => drop(snapshot.files.remove(&name)),
            }
        }
        Ok((snapshot, is_new))
    }

    /// Looks at all files; returns the snapshot, and whether it is another.
    fn hash_anew(
        &self,
        last: Option<Last>,
        at: &Spot,
        stamp: Option<Stamp>,
    ) -> Result<(Snapshot, bool), ConversationError> {
        let old = match last {
            Some(last) => Some(last.snapshot),
            None => self.read_snapshot(at)?,
        };
        let written = stamp.map_or(i128::MIN, |stamp| stamp.modified);
        let new = self.hash_all(old.as_ref().unwrap_or(&Snapshot::default()), written)?;
        let is_new = match &old {
            Some(old) => *old != new,
            None => !new.files.is_empty(),
        };
        Ok((new, is_new))
    }

    fn read_snapshot(&self, at: &Spot) -> Result<Option<Snapshot>, ConversationError> {
        let seen = self.files.read(at, limits::DERIVED_BYTES)?;
        Ok(seen.and_then(|seen| serde_json::from_slice(&seen.bytes).ok()))
    }

    fn hash_all(&self, old: &Snapshot, written: i128) -> Result<Snapshot, ConversationError> {
        let mut new = Snapshot::default();
        for folder in self.folders()? {
            for shelf in Shelf::ALL {
                for sighting in self.sightings(&folder, shelf)? {
                    let file = sighting.name.to_string_lossy();
                    let name = source_name(&folder, shelf, &file);
                    let known = old
                        .files
                        .get(&name)
                        .filter(|known| known.is_of(sighting.stamp, written));
                    let hashed = match known {
                        Some(known) => Some(known.clone()),
                        None => self.hash(&name)?,
                    };
                    new.files.extend(hashed.map(|hashed| (name, hashed)));
                }
            }
        }
        Ok(new)
    }

    /// Hashes one file; none when it is gone, or is no file that can be an entry.
    fn hash(&self, name: &str) -> Result<Option<Hashed>, ConversationError> {
        let seen = match self.files.read(&self.root.join(name), limits::FILE_BYTES) {
            Ok(Some(seen)) => seen,
            Err(error) if error.is_io() => return Err(error.into()),
            Ok(None) | Err(_) => return Ok(None),
        };
        let hash = Sha256::digest(&seen.bytes)
            .iter()
            .map(|byte| format!("{byte:02x}"))
            .collect();
        let Stamp {
            size,
            modified,
            inode,
        } = seen.stamp;
        Ok(Some(Hashed {
            hash,
            size,
            modified,
            inode,
        }))
    }
}
