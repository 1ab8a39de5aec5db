//! A file seen as memory: nothing is read before it is looked at.
//!
//! A file that is mapped was put in its place whole, by a rename, and no part of this program writes
//! into it or cuts it after that; the next version is another file. Other programs may (a
//! synchroniser that writes in place, a disk of a network): what they take away reads as zeros, and
//! the mapping tells that it [is broken](Mapping::is_broken). A reader checks what the bytes say.

mod guard;

use std::fs::File;
use std::io;
use std::ops::Deref;
use std::os::unix::fs::FileExt;

use memmap2::Mmap;

use self::guard::Guard;
use crate::Stamp;

/// The bytes of a file, and the stamp that it had when it was opened.
///
/// They stay as they are when the file is replaced or removed.
#[derive(Debug)]
pub struct Mapping {
    bytes: Bytes,
    stamp: Stamp,
}

#[derive(Debug)]
enum Bytes {
    /// The guard is dropped before the memory is given back: fields are dropped in their order.
    Mapped { guard: Guard, memory: Mmap },
    /// A file without bytes, which can't be mapped, or one for which there is no guard.
    Read(Vec<u8>),
}

impl Mapping {
    #[allow(unsafe_code)]
    pub(crate) fn of(file: &File, stamp: Stamp) -> io::Result<Self> {
        if stamp.size == 0 {
            return Ok(Mapping {
                bytes: Bytes::Read(Vec::new()),
                stamp,
            });
        }
        // SAFETY: this program replaces files that are mapped by renames and never writes in place. If
        // another one cuts the file, the guard keeps its pages readable.
        let memory = unsafe { Mmap::map(file) }?;
        let bytes = match Guard::of(&memory) {
            Some(guard) => Bytes::Mapped { guard, memory },
            None => Bytes::Read(read_whole(file, stamp.size)?),
        };
        Ok(Mapping { bytes, stamp })
    }

    /// Returns the stamp that the file had when it was opened.
    pub fn stamp(&self) -> Stamp {
        self.stamp
    }

    /// Says whether some of the bytes were missing when they were read: another program has cut the file.
    ///
    /// They have read as zeros, so what was computed from them is worth nothing.
    pub fn is_broken(&self) -> bool {
        matches!(&self.bytes, Bytes::Mapped { guard, .. } if guard.is_broken())
    }
}

fn read_whole(file: &File, size: u64) -> io::Result<Vec<u8>> {
    let mut bytes = vec![0; usize::try_from(size).map_err(io::Error::other)?];
    file.read_exact_at(&mut bytes, 0)?;
    Ok(bytes)
}

impl Deref for Mapping {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        match &self.bytes {
            Bytes::Mapped { memory, .. } => memory,
            Bytes::Read(bytes) => bytes,
        }
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
        let files = Files::new(Arc::new(RealDisk::default()), Ids::random());
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
        let files = Files::new(Arc::new(RealDisk::default()), Ids::random());
        let at = Spot::anchor(dir.path()).join("empty");
        files.replace_derived(&at, b"").unwrap();
        assert!(files.map(&at).unwrap().unwrap().is_empty());
    }

    #[test]
    fn a_file_that_is_cut_while_it_is_mapped_reads_as_zeros_and_tells_it() {
        let dir = tempfile::tempdir().unwrap();
        let files = Files::new(Arc::new(RealDisk::default()), Ids::random());
        let at = Spot::anchor(dir.path()).join("table");
        let map = || files.map(&at).unwrap().unwrap();
        files.replace_derived(&at, &vec![7; 1 << 20]).unwrap();
        let (whole, other) = (map(), map());
        let file = std::fs::File::options()
            .write(true)
            .open(at.path())
            .unwrap();
        assert!(!whole.is_broken());
        assert_eq!(whole[0], 7);
        file.set_len(1 << 16).unwrap();
        assert_eq!(
            (whole[(1 << 16) - 1], whole[1 << 16], whole[(1 << 20) - 1]),
            (7, 0, 0)
        );
        assert!(whole.is_broken() && !other.is_broken());
        file.set_len(0).unwrap();
        assert_eq!((other[0], whole[0]), (0, 0));
        assert!(other.is_broken());
        drop((whole, other));
        files.replace_derived(&at, b"new").unwrap();
        assert!(!map().is_broken(), "an entry that is used again");
    }

    #[test]
    fn more_files_than_are_guarded_are_read() {
        let dir = tempfile::tempdir().unwrap();
        let files = Files::new(Arc::new(RealDisk::default()), Ids::random());
        let at = Spot::anchor(dir.path()).join("table");
        files.replace_derived(&at, b"bytes").unwrap();
        let all: Vec<_> = (0..1100)
            .map(|_| files.map(&at).unwrap().unwrap())
            .collect();
        assert!(all.iter().all(|mapping| &**mapping == b"bytes"));
    }

    /// Ends this process by a fault outside of any mapping that is guarded.
    #[test]
    #[ignore = "run by the test below, in a process of its own"]
    #[allow(unsafe_code)]
    fn fault() {
        let dir = tempfile::tempdir().unwrap();
        let files = Files::new(Arc::new(RealDisk::default()), Ids::random());
        let at = Spot::anchor(dir.path()).join("table");
        files.replace_derived(&at, b"bytes").unwrap();
        let _guarded = files.map(&at).unwrap().unwrap();
        let file = std::fs::File::options()
            .read(true)
            .write(true)
            .open(at.path())
            .unwrap();
        // SAFETY: what comes of it is what is tested.
        let plain = unsafe { memmap2::Mmap::map(&file) }.unwrap();
        file.set_len(0).unwrap();
        println!("{}", plain[0]);
    }

    #[test]
    fn a_fault_elsewhere_ends_the_process_as_before() {
        use std::os::unix::process::ExitStatusExt;
        let own = std::env::current_exe().unwrap();
        let mut child = std::process::Command::new(own);
        let ended = child
            .args(["--exact", "mapping::tests::fault", "--ignored"])
            .output()
            .unwrap();
        assert_eq!(ended.status.signal(), Some(libc::SIGBUS), "{ended:?}");
    }
}
