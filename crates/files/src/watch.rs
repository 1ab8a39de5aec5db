//! Whether anything has happened in some folders since we last looked.
//!
//! The system notes an event before the call that caused it returns, and we ask for it when we need to
//! know: what someone wrote a moment ago is never missed, and no thread has to wait for news. Where
//! folders can't be watched there is no watch, and whoever wanted one looks each time.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use crate::Files;

/// A watch that is older than this is not relied on: it does not see everything, such as what another
/// machine writes to a shared disk.
const RELIED_ON: Duration = Duration::from_secs(60);

/// Notes what happens in folders from the moment it is made.
#[derive(Debug)]
pub struct Watch {
    events: system::Events,
    folders: Folders,
    made: Instant,
}

/// How the system calls what is watched.
#[derive(Debug, Default)]
struct Folders {
    /// Each folder, in their order.
    numbers: Vec<i32>,
    /// In the place of a folder that is not there: one above it, and the name in that one by which it would come.
    above: Vec<(i32, OsString)>,
}

/// What has happened in watched folders.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum News {
    /// To these files something may have happened: the number of the folder, and the name in it. None
    /// when nothing has happened.
    Files(Vec<(usize, OsString)>),
    /// More than can be told: everything may be another, the folders themselves included.
    Anything,
}

impl Files {
    /// Watches folders, not those below them; none when the system can't or has enough of it.
    ///
    /// In the place of a folder that is not there, the nearest one above it is watched.
    pub fn watch(&self, folders: &[PathBuf]) -> Option<Watch> {
        let events = system::Events::new()?;
        let mut watched = Folders::default();
        for folder in folders {
            let mut number = events.add(folder);
            if number.is_none() {
                let ways = folder.ancestors().zip(folder.ancestors().skip(1));
                let add = |(below, above): (&Path, &Path)| {
                    Some((events.add(above)?, below.file_name()?.into()))
                };
                watched.above.push(ways.into_iter().find_map(add)?);
                // It may have been made in the meantime.
                number = folder.is_dir().then(|| events.add(folder)).flatten();
            }
            watched.numbers.push(number.unwrap_or(system::NOT_THERE));
        }
        Some(Watch {
            events,
            folders: watched,
            made: Instant::now(),
        })
    }
}

impl Watch {
    /// Says whether anything has happened. Whoever is told so makes a new watch before looking: there
    /// may be other folders now.
    pub fn has_seen(&self) -> bool {
        self.events.are_there()
    }

    /// Watches one more folder that is there; returns its number, none when it can't be watched.
    ///
    /// Whoever looks at it after that misses nothing that happens in it.
    pub fn add(&mut self, folder: &Path) -> Option<usize> {
        let number = self.events.add(folder)?;
        // A folder of that number that has gone is told by its own event.
        match self
            .folders
            .numbers
            .iter()
            .position(|known| *known == number)
        {
            Some(n) => Some(n),
            None => {
                self.folders.numbers.push(number);
                Some(self.folders.numbers.len() - 1)
            }
        }
    }

    /// Tells what has happened since this was last asked. After [`News::Anything`] a new watch is
    /// needed, as for [`Watch::has_seen`]; after files it goes on.
    pub fn news(&self) -> News {
        if self.made.elapsed() > RELIED_ON {
            return News::Anything;
        }
        match self.events.read(&self.folders) {
            Some(files) => News::Files(files),
            None => News::Anything,
        }
    }
}

#[cfg(target_os = "linux")]
mod system {
    use std::ffi::{OsStr, OsString};
    use std::mem::MaybeUninit;
    use std::os::fd::OwnedFd;
    use std::os::unix::ffi::OsStrExt;

    use rustix::fs::inotify::{self, CreateFlags, ReadFlags, Reader, WatchFlags};
    use rustix::io::{Errno, read};

    use super::{Folders, Path};

    /// The number of no folder.
    pub(super) const NOT_THERE: i32 = -1;

    /// What happens to the watched folder itself, or to the watch.
    const TO_ITSELF: ReadFlags = ReadFlags::DELETE_SELF
        .union(ReadFlags::MOVE_SELF)
        .union(ReadFlags::IGNORED)
        .union(ReadFlags::UNMOUNT)
        .union(ReadFlags::QUEUE_OVERFLOW);

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
    pub(super) struct Events(Option<OwnedFd>);

    /// The system takes some milliseconds to end a watch, and who ends one has better things to do.
    impl Drop for Events {
        fn drop(&mut self) {
            let queue = self.0.take();
            // Without a thread for it, it ends here.
            drop(std::thread::Builder::new().spawn(move || drop(queue)));
        }
    }

    impl Events {
        pub(super) fn new() -> Option<Self> {
            inotify::init(CreateFlags::NONBLOCK | CreateFlags::CLOEXEC)
                .ok()
                .map(|queue| Events(Some(queue)))
        }

        /// Watches a folder; returns its number, none when it can't be watched.
        pub(super) fn add(&self, folder: &Path) -> Option<i32> {
            inotify::add_watch(self.0.as_ref()?, folder, CHANGES).ok()
        }

        /// Returns the files that something has happened to; none when that does not tell all.
        pub(super) fn read(&self, folders: &Folders) -> Option<Vec<(usize, OsString)>> {
            let mut buffer = [MaybeUninit::uninit(); 8192];
            let mut events = Reader::new(self.0.as_ref()?, &mut buffer);
            let mut files: Vec<(usize, OsString)> = Vec::new();
            loop {
                let event = match events.next() {
                    Ok(event) => event,
                    Err(Errno::AGAIN) => return Some(files),
                    Err(_) => return None,
                };
                if event.events().intersects(TO_ITSELF) {
                    return None;
                }
                let name = event.file_name()?;
                let name = OsStr::from_bytes(name.to_bytes());
                let mut above = folders
                    .above
                    .iter()
                    .filter(|(number, _)| *number == event.wd())
                    .peekable();
                let is_only_above = above.peek().is_some();
                if above.any(|(_, awaited)| awaited == name) {
                    return None;
                }
                let folder = folders
                    .numbers
                    .iter()
                    .position(|number| *number == event.wd());
                // What else happens above a folder that is not there is no news of it.
                let Some(folder) = folder else {
                    if is_only_above { continue } else { return None }
                };
                if !files
                    .iter()
                    .rev()
                    .take(8)
                    .any(|(n, known)| *n == folder && known == name)
                {
                    files.push((folder, name.to_owned()));
                }
            }
        }

        /// What can't be read may be anything.
        pub(super) fn are_there(&self) -> bool {
            let mut events = [0_u8; 4096];
            self.0
                .as_ref()
                .is_none_or(|queue| !matches!(read(queue, &mut events), Err(Errno::AGAIN)))
        }
    }
}

#[cfg(not(target_os = "linux"))]
mod system {
    use std::ffi::OsString;

    use super::{Folders, Path};

    pub(super) const NOT_THERE: i32 = -1;

    #[derive(Debug)]
    pub(super) struct Events;

    impl Events {
        pub(super) fn new() -> Option<Self> {
            None
        }

        pub(super) fn add(&self, _: &Path) -> Option<i32> {
            None
        }

        pub(super) fn read(&self, _: &Folders) -> Option<Vec<(usize, OsString)>> {
            None
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
        let files = Files::new(Arc::new(RealDisk::default()), Ids::random());
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
        let append = || {
            fs::OpenOptions::new()
                .append(true)
                .open(path("a"))
                .unwrap()
                .write_all(b"2")
                .unwrap()
        };
        check("written in its place", &append);
        check("removed", &|| fs::remove_file(path("a")).unwrap());
        check("a folder", &|| fs::create_dir(path("c")).unwrap());
    }

    #[test]
    fn news_name_the_files_and_a_folder_that_goes_is_more_than_can_be_told() {
        let dir = tempfile::tempdir().unwrap();
        let files = Files::new(Arc::new(RealDisk::default()), Ids::random());
        let folders = ["a", "b", "c"].map(|name| dir.path().join(name));
        fs::create_dir(&folders[0]).unwrap();
        fs::create_dir(&folders[1]).unwrap();
        let watch = files.watch(&folders).unwrap();
        assert_eq!(watch.news(), News::Files(vec![]));
        fs::write(folders[1].join("x"), "1").unwrap();
        fs::rename(folders[1].join("x"), folders[0].join("y")).unwrap();
        let expected = vec![(1, "x".into()), (0, "y".into())];
        assert_eq!(watch.news(), News::Files(expected));
        assert_eq!(watch.news(), News::Files(vec![]), "it goes on");
        fs::write(dir.path().join("beside"), "1").unwrap();
        assert_eq!(
            watch.news(),
            News::Files(vec![]),
            "beside a folder that is not there"
        );
        fs::create_dir(&folders[2]).unwrap();
        assert_eq!(watch.news(), News::Anything, "a folder that was not there");
        let mut watch = files.watch(&folders).unwrap();
        fs::create_dir(dir.path().join("d")).unwrap();
        assert_eq!(watch.add(&dir.path().join("d")), Some(3), "one more");
        assert_eq!(
            (watch.add(&folders[0]), watch.add(&dir.path().join("none"))),
            (Some(0), None)
        );
        fs::write(dir.path().join("d/x"), "1").unwrap();
        assert_eq!(watch.news(), News::Files(vec![(3, "x".into())]));
        fs::remove_dir(&folders[1]).unwrap();
        assert_eq!(watch.news(), News::Anything);
    }

    #[test]
    fn a_folder_that_is_not_there_yet_is_seen_when_it_comes() {
        let dir = tempfile::tempdir().unwrap();
        let files = Files::new(Arc::new(RealDisk::default()), Ids::random());
        let folder = dir.path().join("one/two");
        let watch = files.watch(std::slice::from_ref(&folder)).unwrap();
        assert!(!watch.has_seen());
        fs::create_dir_all(&folder).unwrap();
        assert!(watch.has_seen());
    }
}
