//! A file seen as memory: nothing is read before it is looked at.
//!
//! The one place with `unsafe` code. What makes it sound is a promise of the whole house: a file
//! that is mapped was put in its place whole, by a rename, and no one writes into it or cuts it
//! after that; the next version is another file. A reader of its bytes still checks what they say.

use std::fs::File;
use std::io;
use std::ops::Deref;

use memmap2::Mmap;

use crate::Stamp;

/// The bytes of a file, and the stamp that it had when it was opened.
///
/// They stay as they are when the file is replaced or removed.
#[derive(Debug)]
pub struct Mapping {
    /// None for a file without bytes, which can't be mapped.
    bytes: Option<Mmap>,
    stamp: Stamp,
}

impl Mapping {
    #[allow(unsafe_code)]
    pub(crate) fn of(file: &File, stamp: Stamp) -> io::Result<Self> {
        let bytes = match stamp.size {
            0 => None,
            // SAFETY: files that are mapped are replaced by renames and never written in place,
            // so the bytes do not change below us (see the head of this file).
            _ => Some(unsafe { Mmap::map(file) }?),
        };
        Ok(Mapping { bytes, stamp })
    }

    /// Returns the stamp that the file had when it was opened.
    pub fn stamp(&self) -> Stamp {
        self.stamp
    }
}

impl Deref for Mapping {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        self.bytes.as_deref().unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use memory_core::Ids;

    use crate::{Files, RealDisk, Spot};

    #[test]
    fn a_mapping_keeps_the_bytes_of_the_file_that_was_opened() {
        let dir = tempfile::tempdir().unwrap();
        let files = Files::new(Arc::new(RealDisk), Ids::random());
        let at = Spot::anchor(dir.path()).join("table");
        assert!(files.map(&at).unwrap().is_none());
        files.replace_derived(&at, b"old").unwrap();
        let old = files.map(&at).unwrap().unwrap();
        files.replace_derived(&at, b"newer").unwrap();
        assert_eq!((&*old, old.stamp().size), (b"old".as_slice(), 3));
        assert_eq!(&*files.map(&at).unwrap().unwrap(), b"newer");
    }

    #[test]
    fn a_file_without_bytes_is_there_and_empty() {
        let dir = tempfile::tempdir().unwrap();
        let files = Files::new(Arc::new(RealDisk), Ids::random());
        let at = Spot::anchor(dir.path()).join("empty");
        files.replace_derived(&at, b"").unwrap();
        assert!(files.map(&at).unwrap().unwrap().is_empty());
    }
}
