//! Writing into a file that stays: lines at its end, bytes in the place of others; synced.

use crate::{DiskError, Files, Spot, Stamp};

impl Files {
    /// Appends a line durably. A last line that has no end gets one first.
    ///
    /// Whoever calls this holds the lock that guards the file, so that a line which could not be
    /// written whole can be taken back.
    pub fn append_line(&self, at: &Spot, line: &str) -> Result<(), DiskError> {
        let last = match self.stamp(at)? {
            Some(stamp) if stamp.size > 0 => self.read_part(at, stamp.size - 1, 1)?,
            _ => None,
        };
        let is_open = last.is_some_and(|last| last.bytes != b"\n");
        let end = if is_open { "\n" } else { "" };
        self.append(at, format!("{end}{line}\n").as_bytes())
    }

    /// Appends bytes durably: whole records, or a part of a file that is checked when it is whole.
    pub fn append(&self, at: &Spot, bytes: &[u8]) -> Result<(), DiskError> {
        let is_new = self.disk.append(at, bytes, self.access)?;
        match at.parent() {
            Some(folder) if is_new => self.disk.sync_folder(&folder),
            _ => Ok(()),
        }
    }

    /// Appends bytes in one write without syncing them, for what may be lost; returns the file's stamp after that.
    pub fn append_unsynced(&self, at: &Spot, bytes: &[u8]) -> Result<Stamp, DiskError> {
        self.disk.append_unsynced(at, bytes, self.access)
    }

    /// Makes durable what a file that is there says.
    pub fn sync(&self, at: &Spot) -> Result<(), DiskError> {
        self.disk.overwrite(at, &[])
    }

    /// Leaves the first bytes of a file and takes out all others, durably: of a list whose items are kept
    /// elsewhere by now. Whoever calls this holds the lock that guards the file.
    pub fn cut(&self, at: &Spot, length: u64) -> Result<(), DiskError> {
        self.disk.cut(at, length)
    }

    /// Writes over bytes of a derived file, each part at its offset, and makes them durable.
    ///
    /// Whoever calls this holds the lock that guards the file, and sees to it that a file with some
    /// of the parts can be told from one with all.
    pub fn overwrite(&self, at: &Spot, parts: &[(u64, &[u8])]) -> Result<(), DiskError> {
        self.disk.overwrite(at, parts)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use memory_core::Ids;

    use super::*;
    use crate::RealDisk;

    #[test]
    fn appended_lines_follow_each_other() {
        let dir = tempfile::tempdir().unwrap();
        let files = Files::new(Arc::new(RealDisk::default()), Ids::random());
        let at = Spot::anchor(dir.path()).join("log.jsonl");
        files.append_line(&at, "1").unwrap();
        files.append_line(&at, "2").unwrap();
        assert_eq!(files.read(&at, 100).unwrap().unwrap().bytes, b"1\n2\n");
        std::fs::write(at.path(), "1\nopen").unwrap();
        files.append_line(&at, "3").unwrap();
        assert_eq!(
            files.read(&at, 100).unwrap().unwrap().bytes,
            b"1\nopen\n3\n"
        );
        files.sync(&at).unwrap();
        files.cut(&at, 2).unwrap();
        files.append_line(&at, "4").unwrap();
        assert_eq!(files.read(&at, 100).unwrap().unwrap().bytes, b"1\n4\n");
        let missing = Spot::anchor(dir.path()).join("missing");
        assert!(files.sync(&missing).is_err() && files.cut(&missing, 0).is_err());
        assert!(!missing.path().exists());
    }
}
