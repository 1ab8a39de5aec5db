//! What still has to be done after a turn, kept until it is done: one small file a turn.
//!
//! What waits is written down with its turn (`heard.rs`), has a file when the turn has one, and goes with the
//! change that finishes the work. So a crash at any point loses nothing and doubles nothing.

use memory_core::Timestamp;
use serde::{Deserialize, Serialize};

use crate::filing::file_name;
use crate::store::Store;
use crate::{ConversationError, limits};

/// Below a conversation's folder.
pub(crate) const FOLDER: &str = ".pending";
/// Taken by whoever is at the pending turns of a conversation.
pub(crate) const CLAIM: &str = ".drain.lock";

/// A turn that waits.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Pending {
    /// The user's turn.
    pub(crate) turn: String,
    pub(crate) said_at: Timestamp,
    pub(crate) stage: Stage,
}

/// What comes next for it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Stage {
    /// Facts are extracted and reconciled.
    Facts,
    /// They are summarised.
    Summary,
}

impl Pending {
    /// Returns the name of its file: in the order in which turns were taken.
    pub(crate) fn file(&self) -> String {
        file_name(self.said_at, &self.turn).replace(".md", ".json")
    }

    pub(crate) fn path(&self) -> String {
        format!("{FOLDER}/{}", self.file())
    }

    pub(crate) fn render(&self) -> Vec<u8> {
        serde_json::to_vec(self).unwrap_or_default()
    }
}

impl Store {
    /// Returns the turns of a conversation that wait, the oldest first.
    pub(crate) fn pending(&self, folder: &str) -> Result<Vec<Pending>, ConversationError> {
        let at = self.room(folder).join(FOLDER);
        let mut pending: Vec<Pending> = Vec::new();
        for name in self.pending_files(folder)? {
            let seen = self.files.read(&at.join(&name), limits::FILE_BYTES)?;
            // Written whole or not at all; what can't be read was put there by someone else.
            pending.extend(seen.and_then(|seen| serde_json::from_slice(&seen.bytes).ok()));
        }
        for heard in self
            .heard(folder)?
            .into_iter()
            .filter_map(|heard| heard.pending)
        {
            if pending.iter().all(|known| known.turn != heard.turn) {
                pending.push(heard);
            }
        }
        pending.sort_by_key(Pending::file);
        Ok(pending)
    }

    fn pending_files(&self, folder: &str) -> Result<Vec<String>, ConversationError> {
        let items = self.files.list(&self.room(folder).join(FOLDER))?;
        let names = items
            .into_iter()
            .filter_map(|item| item.name.into_string().ok());
        Ok(names
            .filter(|name| !name.starts_with('.') && name.ends_with(".json"))
            .collect())
    }

    /// Says whether any turn of a conversation waits.
    pub(crate) fn is_waiting(&self, folder: &str) -> Result<bool, ConversationError> {
        Ok(!self.pending_files(folder)?.is_empty() || !self.heard(folder)?.is_empty())
    }

    /// Returns the folders of conversations in which turns wait.
    pub(crate) fn waiting(&self) -> Result<Vec<String>, ConversationError> {
        let mut waiting = Vec::new();
        for folder in self.folders()? {
            if self.is_waiting(&folder)? {
                waiting.push(folder);
            }
        }
        Ok(waiting)
    }
}
