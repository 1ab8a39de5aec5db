//! What still has to be done after a turn, kept until it is done: one small file a turn.
//!
//! The file is durable before its turn is, and goes with the change that finishes the work. So a crash
//! at any point loses nothing and doubles nothing.

use memory_core::Timestamp;
use serde::{Deserialize, Serialize};

use crate::store::{Store, file_name};
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
        let mut pending = Vec::new();
        for sighting in self.files.scan(&at)? {
            let is_ours = sighting.name.to_str().is_some_and(|name| !name.starts_with('.'));
            let seen = match is_ours {
                true => self.files.read(&at.join(&sighting.name), limits::FILE_BYTES)?,
                false => None,
            };
            // Written whole or not at all; what can't be read was put there by someone else.
            pending.extend(seen.and_then(|seen| serde_json::from_slice(&seen.bytes).ok()));
        }
        Ok(pending)
    }

    /// Returns the folders of conversations in which turns wait.
    pub(crate) fn waiting(&self) -> Result<Vec<String>, ConversationError> {
        let mut folders = self.folders()?;
        let mut waiting = Vec::new();
        for folder in folders.drain(..) {
            self.settle(&folder);
            if !self.files.scan(&self.room(&folder).join(FOLDER))?.is_empty() {
                waiting.push(folder);
            }
        }
        Ok(waiting)
    }
}
