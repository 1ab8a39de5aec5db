//! A place on the disk: an anchor that may lie anywhere, and a path below it.
//!
//! Above the anchor links are the user's own business (a home on another volume). Below it no
//! link is followed, because a repository or a sync may have put it there.

use std::ffi::OsStr;
use std::hash::{Hash, Hasher};
use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A file or folder at or below an anchor.
#[derive(Debug, Clone)]
pub struct Spot {
    anchor: Arc<Path>,
    inner: PathBuf,
    /// The anchor, if it is open: then it is not looked up again.
    open: Option<Arc<OwnedFd>>,
}

impl PartialEq for Spot {
    fn eq(&self, other: &Self) -> bool {
        (&self.anchor, &self.inner) == (&other.anchor, &other.inner)
    }
}

impl Eq for Spot {}

impl Hash for Spot {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (&self.anchor, &self.inner).hash(state);
    }
}

impl Spot {
    /// Returns the place of the anchor itself.
    pub fn anchor(folder: impl Into<PathBuf>) -> Self {
        Spot {
            anchor: folder.into().into(),
            inner: PathBuf::new(),
            open: None,
        }
    }

    /// Returns the place of a folder that is open, as an anchor.
    pub(crate) fn opened(folder: PathBuf, open: Arc<OwnedFd>) -> Self {
        Spot {
            open: Some(open),
            ..Spot::anchor(folder)
        }
    }

    pub(crate) fn open(&self) -> Option<&Arc<OwnedFd>> {
        self.open.as_ref()
    }

    /// Returns the place of `name` in this folder. The disk refuses a name that leads out of it.
    #[must_use]
    pub fn join(&self, name: impl AsRef<Path>) -> Self {
        Spot {
            anchor: self.anchor.clone(),
            inner: self.inner.join(name),
            open: self.open.clone(),
        }
    }

    /// Returns the folder that this place lies in; none at the root of the file system.
    pub fn parent(&self) -> Option<Self> {
        match self.inner.parent() {
            Some(inner) => Some(Spot {
                anchor: self.anchor.clone(),
                inner: inner.to_owned(),
                open: self.open.clone(),
            }),
            None => Some(Spot::anchor(self.anchor.parent()?)),
        }
    }

    /// Returns the last part of the path.
    pub fn name(&self) -> &OsStr {
        self.inner
            .file_name()
            .or(self.anchor.file_name())
            .unwrap_or_default()
    }

    /// Returns the whole path, for messages.
    pub fn path(&self) -> PathBuf {
        if self.inner.as_os_str().is_empty() {
            self.anchor.to_path_buf()
        } else {
            self.anchor.join(&self.inner)
        }
    }

    /// Says whether this is the anchor itself.
    pub(crate) fn is_anchor(&self) -> bool {
        self.inner.as_os_str().is_empty()
    }

    /// Returns where it is below its anchor.
    pub(crate) fn inner(&self) -> &Path {
        &self.inner
    }

    pub(crate) fn anchor_path(&self) -> &Path {
        &self.anchor
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_way_up_leads_through_the_anchor_to_the_root() {
        let mut spot = Spot::anchor("/home/me").join(".config").join("memory");
        let mut seen = vec![];
        while let Some(parent) = spot.parent() {
            seen.push(parent.path().display().to_string());
            spot = parent;
        }
        assert_eq!(seen, ["/home/me/.config", "/home/me", "/home", "/"]);
    }
}
