//! Adding lines to the end of a file: one write, synced, and the folder too when the file is new.

use crate::{DiskError, Files, Spot};

impl Files {
    /// Appends bytes durably. They must end with the newline that makes them a whole record.
    pub fn append(&self, at: &Spot, bytes: &[u8]) -> Result<(), DiskError> {
        let is_new = self.disk.append(at, bytes, self.access)?;
        match at.parent() {
            Some(folder) if is_new => self.disk.sync_folder(&folder),
            _ => Ok(()),
        }
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
        let files = Files::new(Arc::new(RealDisk), Ids::random());
        let at = Spot::anchor(dir.path()).join("log.jsonl");
        files.append(&at, b"1\n").unwrap();
        files.append(&at, b"2\n").unwrap();
        assert_eq!(files.read(&at, 100).unwrap().unwrap().bytes, b"1\n2\n");
    }
}
