//! Storage: where a store keeps its files, and the one way to change them.
//!
//! - A change is a value, a [`ChangeSet`]. It is planned without a lock and committed in one step by [`update`].
//! - A commit happens completely or not at all, and is durable before it returns, whenever the process is killed or the
//!   power is cut.
//! - Each commit is recorded in the history of its store: the [`Record`] completes an interrupted commit, and has the
//!   texts for undo.
//!
//! [`LocalStorage`] keeps a store in a folder of this machine.

mod change_set;
mod error;
mod local;
mod path;
mod record;

use std::time::Duration;

pub use change_set::{ChangeSet, Committed, Durable, FileVersion, Object, Op};
pub use error::StorageError;
pub use local::{Counts, ExpiryOf, HISTORY, LocalStorage, Machine};
pub use path::StorePath;
pub use record::{EntryChange, Record, StoredRecord, TextVersion};

/// How long a change waits for another process by default.
pub const PATIENCE: Duration = Duration::from_secs(15);
/// How often a change is planned without the lock, before it is planned with it.
const ATTEMPTS: usize = 3;

/// Reading is the same inside and outside of a transaction. Readers take no lock.
pub trait Read {
    /// Reads a file whole; `None` if it does not exist. A file of more than `limit` bytes is an error.
    fn read(&self, path: &StorePath, limit: u64) -> Result<Option<Object>, StorageError>;

    /// Returns the state of a file; `None` if it does not exist.
    fn stat(&self, path: &StorePath) -> Result<Option<FileVersion>, StorageError>;
}

/// A store.
pub trait Storage: Read + Send + Sync {
    /// Waits until this is the only writer of the store, and completes an interrupted commit.
    fn begin(&self, wait: Duration) -> Result<Box<dyn Transaction + '_>, StorageError>;

    /// Replaces a file that can be derived from others. Nothing is synced, and a failure does not matter.
    fn publish(&self, path: &StorePath, bytes: &[u8]);

    /// Returns the records of the history that begin with the oldest, those of other machines last.
    fn records(&self) -> Result<Vec<StoredRecord>, StorageError>;
}

/// The only writer of a store.
pub trait Transaction: Read {
    /// Commits a change. Fails with [`StorageError::Conflict`] if a file is not in the expected state; then nothing has
    /// changed.
    fn commit(self: Box<Self>, set: ChangeSet) -> Result<Committed, StorageError>;
}

/// Changes a store: plans without a lock and commits what was planned.
///
/// `plan` runs again if another process has changed an expected file, at last while no other process can.
pub fn update<T, E>(
    storage: &dyn Storage,
    wait: Duration,
    mut plan: impl FnMut(&dyn Read) -> Result<(T, ChangeSet), E>,
) -> Result<Updated<T>, E>
where
    E: From<StorageError>,
{
    for _ in 0..ATTEMPTS {
        let (answer, set) = plan(&AsRead(storage))?;
        if set.is_empty() {
            return Ok(Updated {
                answer,
                committed: None,
            });
        }
        match storage.begin(wait)?.commit(set) {
            Ok(committed) => {
                return Ok(Updated {
                    answer,
                    committed: Some(committed),
                });
            }
            Err(StorageError::Conflict { .. }) => {}
            Err(error) => return Err(error.into()),
        }
    }
    let transaction = storage.begin(wait)?;
    let (answer, set) = plan(&*transaction)?;
    let committed = if set.is_empty() {
        None
    } else {
        Some(transaction.commit(set)?)
    };
    Ok(Updated { answer, committed })
}

/// What [`update`] has done.
#[derive(Debug)]
pub struct Updated<T> {
    pub answer: T,
    /// `None` if there was nothing to change.
    pub committed: Option<Committed>,
}

struct AsRead<'a>(&'a dyn Storage);

impl Read for AsRead<'_> {
    fn read(&self, path: &StorePath, limit: u64) -> Result<Option<Object>, StorageError> {
        self.0.read(path, limit)
    }

    fn stat(&self, path: &StorePath) -> Result<Option<FileVersion>, StorageError> {
        self.0.stat(path)
    }
}
