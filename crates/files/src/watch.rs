//! Whether anything has happened in some folders since we last looked.
//!
//! The system notes an event before the call that caused it returns, and we ask for it when we need to
//! know: what someone wrote a moment ago is never missed, and no thread has to wait for news. Where
//! folders can't be watched there is no watch, and whoever wanted one looks each time.

use std::path::{Path, PathBuf};

use crate::Files;

/// Notes what happens in folders from the moment it is made.
#[derive(Debug)]
pub struct Watch(system::Events);

impl Files {
    /// Watches folders, not those below them; none when the system can't or has enough of it.
    ///
    /// In the place of a folder that is not there, the nearest one above it is watched.
    pub fn watch(&self, folders: &[PathBuf]) -> Option<Watch> {
        let events = system::Events::new()?;
        for folder in folders {
            let above = folder.ancestors().find(|above| events.add(above))?;
            // It may have been made in the meantime.
            if above != folder.as_path() && folder.is_dir() {
                events.add(folder).then_some(())?;
            }
        }
        Some(Watch(events))
    }
}

impl Watch {
    /// Says whether anything has happened. Whoever is told so makes a new watch before looking: there
    /// may be other folders now.
    pub fn has_seen(&self) -> bool {
        self.0.are_there()
    }
}

#[cfg(target_os = "linux")]
mod system {
    use std::os::fd::OwnedFd;

    use rustix::fs::inotify::{self, CreateFlags, WatchFlags};
    use rustix::io::{Errno, read};

    use super::Path;

    const CHANGES: WatchFlags = WatchFlags::CREATE
        .union(WatchFlags::DELETE)
        .union(WatchFlags::MODIFY)
        .union(WatchFlags::ATTRIB)
        .union(WatchFlags::MOVED_FROM)
        .union(WatchFlags::MOVED_TO)
        .union(WatchFlags::DELETE_SELF)
        .union(WatchFlags::MOVE_SELF)
        .union(WatchFlags::ONLYDIR);

    #[derive(Debug)]
    pub(super) struct Events(OwnedFd);

    impl Events {
        pub(super) fn new() -> Option<Self> {
            inotify::init(CreateFlags::NONBLOCK | CreateFlags::CLOEXEC).ok().map(Events)
        }

        /// Says whether a folder is watched now.
        pub(super) fn add(&self, folder: &Path) -> bool {
            inotify::add_watch(&self.0, folder, CHANGES).is_ok()
        }

        /// What can't be read may be anything.
        pub(super) fn are_there(&self) -> bool {
            let mut events = [0_u8; 4096];
            !matches!(read(&self.0, &mut events), Err(Errno::AGAIN))
        }
    }
}

#[cfg(not(target_os = "linux"))]
mod system {
    use super::Path;

    #[derive(Debug)]
    pub(super) struct Events;

    impl Events {
        pub(super) fn new() -> Option<Self> {
            None
        }

        pub(super) fn add(&self, _: &Path) -> bool {
            false
        }

        pub(super) fn are_there(&self) -> bool {
            true
        }
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use std::fs;
    use std::io::Write;
    use std::sync::Arc;

    use memory_core::Ids;

    use super::*;
    use crate::RealDisk;

    #[test]
    fn everything_that_happens_in_a_folder_is_seen_at_once() {
        let dir = tempfile::tempdir().unwrap();
        let files = Files::new(Arc::new(RealDisk), Ids::random());
        let path = |name: &str| dir.path().join(name);
        fs::write(path("a"), "1").unwrap();
        fs::create_dir(path("below")).unwrap();
        let check = |what: &str, act: &dyn Fn()| {
            let watch = files.watch(&[dir.path().to_owned()]).unwrap();
            assert!(!watch.has_seen(), "before: {what}");
            act();
            assert!(watch.has_seen(), "{what}");
        };
        check("new", &|| fs::write(path("b"), "1").unwrap());
        check("replaced", &|| fs::rename(path("b"), path("a")).unwrap());
        let append = || fs::OpenOptions::new().append(true).open(path("a")).unwrap().write_all(b"2").unwrap();
        check("written in its place", &append);
        check("removed", &|| fs::remove_file(path("a")).unwrap());
        check("a folder", &|| fs::create_dir(path("c")).unwrap());
    }

    #[test]
    fn a_folder_that_is_not_there_yet_is_seen_when_it_comes() {
        let dir = tempfile::tempdir().unwrap();
        let files = Files::new(Arc::new(RealDisk), Ids::random());
        let folder = dir.path().join("one/two");
        let watch = files.watch(std::slice::from_ref(&folder)).unwrap();
        assert!(!watch.has_seen());
        fs::create_dir_all(&folder).unwrap();
        assert!(watch.has_seen());
    }
}
