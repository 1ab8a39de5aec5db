//! Who has a lock now, as far as the system tells. Nothing is made or changed to find out.

use std::fs::{self, File, TryLockError};
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};

use crate::opening::PLAIN;
use crate::{Files, Spot};

/// The process that has a lock.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LockHolder {
    /// None where the system does not tell.
    pub pid: Option<u32>,
    pub program: Option<String>,
}

impl Files {
    /// Returns who has the lock of a lock file; none when nobody has, or it can't be looked at.
    pub fn lock_holder(&self, at: &Spot) -> Option<LockHolder> {
        let flags = PLAIN.bits().cast_signed();
        let file = File::options()
            .read(true)
            .custom_flags(flags)
            .open(at.path())
            .ok()?;
        match file.try_lock_shared() {
            Err(TryLockError::WouldBlock) => Some(holder_of(&file)),
            _ => None,
        }
    }
}

fn holder_of(file: &File) -> LockHolder {
    let locks = fs::read_to_string("/proc/locks").unwrap_or_default();
    let pid = file
        .metadata()
        .ok()
        .and_then(|seen| process_in(&locks, seen.ino()));
    let name = pid.and_then(|pid| fs::read_to_string(format!("/proc/{pid}/comm")).ok());
    LockHolder {
        pid,
        program: name.map(|name| name.trim().to_owned()),
    }
}

/// Finds the process that locks a file in the system's list: `1: FLOCK ADVISORY WRITE 42 fd:01:7 0 EOF`.
///
/// None if two may be meant: the number of a file is its own on one disk only.
fn process_in(locks: &str, inode: u64) -> Option<u32> {
    let process = |line: &str| {
        let fields: Vec<&str> = line.split_whitespace().collect();
        let is_meant = fields.get(1) == Some(&"FLOCK")
            && fields.get(5)?.rsplit(':').next()?.parse() == Ok(inode);
        is_meant.then(|| fields.get(4)?.parse().ok()).flatten()
    };
    let mut found = locks.lines().filter_map(process);
    found
        .next()
        .filter(|pid| *pid > 0 && found.next().is_none())
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use memory_core::Ids;

    use super::*;
    use crate::LookingDisk;

    #[test]
    fn whoever_has_a_lock_is_found_and_nothing_is_made() {
        let dir = tempfile::tempdir().unwrap();
        let files = Files::new(Arc::new(LookingDisk::default()), Ids::random());
        let at = Spot::anchor(dir.path()).join(".notes.lock");
        assert_eq!(files.lock_holder(&at), None);
        assert!(!at.path().exists());
        let file = File::create(at.path()).unwrap();
        assert_eq!(files.lock_holder(&at), None);
        file.lock().unwrap();
        let holder = files.lock_holder(&at).unwrap();
        assert!(
            holder.pid.is_none_or(|pid| pid == std::process::id()),
            "{holder:?}"
        );
        file.unlock().unwrap();
        assert_eq!(files.lock_holder(&at), None);
    }

    #[test]
    fn the_systems_list_is_read_line_by_line() {
        let list = "1: POSIX  ADVISORY  READ 5 fd:01:7 0 EOF\n\
                    2: FLOCK  ADVISORY  WRITE 42 fd:01:7 0 EOF\n\
                    2: -> FLOCK  ADVISORY  WRITE 43 fd:01:7 0 EOF\n\
                    3: FLOCK  ADVISORY  WRITE 0 fd:01:8 0 EOF\n\
                    4: FLOCK  ADVISORY  WRITE 44 fd:01:9 0 EOF\n\
                    5: FLOCK  ADVISORY  WRITE 45 fd:02:9 0 EOF\nnonsense\n";
        assert_eq!(
            [7, 8, 9, 10].map(|inode| process_in(list, inode)),
            [Some(42), None, None, None]
        );
    }
}
