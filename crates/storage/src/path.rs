//! Paths of a store.

use std::fmt;

use memory_files::Spot;
use serde::{Deserialize, Serialize};

use crate::StorageError;

/// The path of a file or folder of a store: relative, with `/` between its parts.
///
/// Invariant: no part is empty, `.` or `..`, so that it cannot lead out of the store. The root is the empty path.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct StorePath(Box<str>);

impl StorePath {
    /// Checks a path.
    pub fn new(path: &str) -> Result<Self, StorageError> {
        let is_name = |part: &str| !matches!(part, "" | "." | "..") && !part.contains('\0');
        if path.is_empty() || path.split('/').all(is_name) {
            Ok(StorePath(path.into()))
        } else {
            Err(StorageError::Path {
                path: path.to_owned(),
            })
        }
    }

    /// Returns the path of the store itself.
    pub fn root() -> Self {
        StorePath("".into())
    }

    /// Returns the path of a name in this folder.
    pub fn join(&self, name: &str) -> Result<Self, StorageError> {
        if self.0.is_empty() {
            StorePath::new(name)
        } else {
            StorePath::new(&format!("{}/{name}", self.0))
        }
    }

    /// Returns the folder that it is in; `None` for the root.
    pub fn parent(&self) -> Option<StorePath> {
        if self.0.is_empty() {
            return None;
        }
        let folder = self.0.rsplit_once('/').map_or("", |(folder, _)| folder);
        Some(StorePath(folder.into()))
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }

    pub(crate) fn below(&self, root: &Spot) -> Spot {
        if self.0.is_empty() {
            root.clone()
        } else {
            root.join(&*self.0)
        }
    }
}

impl fmt::Display for StorePath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl TryFrom<String> for StorePath {
    type Error = StorageError;

    fn try_from(path: String) -> Result<Self, StorageError> {
        StorePath::new(&path)
    }
}

impl From<StorePath> for String {
    fn from(path: StorePath) -> String {
        path.0.into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_stays_in_its_store() {
        for good in ["", "a", "a/b.md", ".hidden/..a"] {
            assert_eq!(StorePath::new(good).unwrap().as_str(), good);
        }
        for bad in ["/a", "a/", "a//b", ".", "..", "a/../b", "a/./b", "a\0"] {
            assert!(StorePath::new(bad).is_err(), "{bad:?}");
        }
        assert!(serde_json::from_str::<StorePath>("\"../a\"").is_err());
    }

    #[test]
    fn folders_and_names_are_joined() {
        let root = StorePath::root();
        let file = root.join("a").unwrap().join("b").unwrap();
        assert_eq!(file.as_str(), "a/b");
        assert_eq!(file.parent().unwrap().as_str(), "a");
        assert_eq!(file.parent().unwrap().parent(), Some(root.clone()));
        assert_eq!(root.parent(), None);
        assert!(file.join("../c").is_err());
    }
}
