//! A change of a store as a value, and the files that it depends on.

use memory_files::Stamp;

use crate::{Record, StorePath};

/// A change, planned without a lock and committed in one step.
#[derive(Debug, Default, PartialEq)]
pub struct ChangeSet {
    /// The files that the plan depends on, in the state in which it has read them. `None`: the file does not exist.
    pub expect: Vec<(StorePath, Option<FileVersion>)>,
    pub ops: Vec<Op>,
    /// What the history says of it. `None` only for a change of one file that holds no entries.
    pub record: Option<Record>,
    pub durable: Durable,
}

/// A change of one file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Op {
    /// Creates or replaces a file.
    Put(StorePath, Vec<u8>),
    /// Adds bytes to the end of a file, which is created if it does not exist.
    Append(StorePath, Vec<u8>),
    Remove(StorePath),
}

/// What is durable when a commit returns.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Durable {
    /// The files.
    #[default]
    Files,
    /// The record, from which the files are restored after a power cut. Each file must be one entry of the record.
    Log,
}

/// The state of a file, by which a change since is noticed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileVersion {
    pub(crate) stamp: Stamp,
    /// The hash of the contents of a file that is so young that it may change again with the same times.
    pub(crate) contents: Option<u64>,
}

impl FileVersion {
    /// Returns the version of a file that was read.
    pub(crate) fn of(stamp: Stamp, bytes: &[u8]) -> Self {
        FileVersion {
            contents: stamp.is_fresh().then(|| hash(bytes)),
            stamp,
        }
    }

    /// Returns the inode, the size and the times of the file.
    pub fn stamp(&self) -> Stamp {
        self.stamp
    }
}

/// A file as it was read.
#[derive(Debug, Clone)]
pub struct Object {
    pub bytes: Vec<u8>,
    pub version: FileVersion,
}

/// What a commit has done.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Committed {
    /// The id of the step in the history; `None` if nothing is recorded.
    pub step: Option<String>,
    /// The state of each file that was put, in the order of the operations.
    pub written: Vec<Stamp>,
}

impl ChangeSet {
    /// Returns a change of one file that was read, or not found, before.
    pub fn put(
        path: StorePath,
        before: Option<&Object>,
        bytes: impl Into<Vec<u8>>,
        record: Option<Record>,
    ) -> Self {
        ChangeSet {
            expect: vec![(path.clone(), before.map(|object| object.version.clone()))],
            ops: vec![Op::Put(path, bytes.into())],
            record,
            durable: Durable::Files,
        }
    }

    /// Returns whether nothing changes.
    pub fn is_empty(&self) -> bool {
        self.ops.is_empty() && self.record.is_none()
    }
}

impl Op {
    pub fn path(&self) -> &StorePath {
        match self {
            Op::Put(path, _) | Op::Append(path, _) | Op::Remove(path) => path,
        }
    }
}

/// Returns a hash of the inode, the size and the time of a file.
pub(crate) fn state_hash(stamp: &Stamp) -> u64 {
    let mut bytes = [0; 32];
    bytes[..8].copy_from_slice(&stamp.inode.to_le_bytes());
    bytes[8..16].copy_from_slice(&stamp.size.to_le_bytes());
    bytes[16..].copy_from_slice(&stamp.modified.to_le_bytes());
    hash(&bytes)
}

pub(crate) fn hash(bytes: &[u8]) -> u64 {
    xxhash_rust::xxh3::xxh3_64(bytes)
}
