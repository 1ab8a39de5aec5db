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

use crate::store::{Store, source_name};
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

impl Hashed {
    fn is_of(&self, stamp: Stamp, written: i128) -> bool {
        let same = (self.size, self.modified, self.inode) == (stamp.size, stamp.modified, stamp.inode);
        same && stamp.is_settled_at(written)
    }
}

/// The snapshot that this process has written last, and the stamp that its file had then.
#[derive(Debug, Default)]
pub(crate) struct LastHashed(Mutex<Option<(Stamp, Snapshot)>>);

impl Store {
    /// Makes the snapshot tell what is so; says whether it did not.
    pub(crate) fn refresh_snapshot(&self) -> Result<bool, ConversationError> {
        let at = self.root.join(FILE);
        let mut last = self.hashed.0.lock().unwrap_or_else(PoisonError::into_inner);
        let stamp = self.files.stamp(&at)?;
        let old = match last.take().filter(|(known, _)| Some(*known) == stamp) {
            Some((_, snapshot)) => Some(snapshot),
            None => self.read_snapshot(&at)?,
        };
        let written = stamp.map_or(i128::MIN, |stamp| stamp.modified);
        let new = self.hash_all(old.as_ref().unwrap_or(&Snapshot::default()), written)?;
        let is_same = match &old {
            Some(old) => *old == new,
            None => new.files.is_empty(),
        };
        if !is_same {
            let text = serde_json::to_vec_pretty(&new).unwrap_or_default();
            self.files.replace_derived(&at, &text)?;
        }
        *last = self.files.stamp(&at)?.map(|stamp| (stamp, new));
        Ok(!is_same)
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
                    let known = old.files.get(&name).filter(|known| known.is_of(sighting.stamp, written));
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

    /// Hashes one file; none when it is gone or can't be read: whoever reads it is told why.
    fn hash(&self, name: &str) -> Result<Option<Hashed>, ConversationError> {
        let Ok(Some(seen)) = self.files.read(&self.root.join(name), limits::FILE_BYTES) else {
            return Ok(None);
        };
        let hash = Sha256::digest(&seen.bytes).iter().map(|byte| format!("{byte:02x}")).collect();
        let Stamp { size, modified, inode } = seen.stamp;
        Ok(Some(Hashed { hash, size, modified, inode }))
    }
}
