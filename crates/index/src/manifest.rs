//! The manifest: which segments make up the index now. It is replaced whole, and all else follows.
//!
//! A line with the xxh3 of the rest in hexadecimal digits, then JSON.

use std::collections::HashSet;

use memory_files::{DiskError, Files, Spot};
use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::xxh3_64;

use crate::limits;

const FILE: &str = "manifest";

/// What the index consists of.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Manifest {
    pub(crate) version: u32,
    /// The names of the segments, oldest first.
    pub(crate) segments: Vec<String>,
    /// The places that documents come from, and the day on which each was last asked about.
    pub(crate) places: Vec<Used>,
}

/// A place, by its hash, and the day since 1970 on which it was last asked about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Used {
    pub(crate) place: u64,
    pub(crate) day: i64,
}

impl Manifest {
    pub(crate) fn new() -> Self {
        Manifest {
            version: limits::VERSION,
            ..Manifest::default()
        }
    }

    /// Reads the manifest, if there is one that can be used, and the sum of whatever is there.
    pub(crate) fn read(files: &Files, folder: &Spot) -> (Option<Self>, Option<u64>) {
        match files.read(&folder.join(FILE), limits::MANIFEST_BYTES) {
            Ok(Some(seen)) => (Manifest::parse(&seen.bytes), Some(xxh3_64(&seen.bytes))),
            _ => (None, None),
        }
    }

    /// Returns whether there is a manifest that cannot be used.
    pub(crate) fn is_damaged(files: &Files, folder: &Spot) -> bool {
        matches!(Manifest::read(files, folder), (None, Some(_)))
    }

    /// Puts the manifest in its place and returns its sum. Whoever does so holds the lock.
    pub(crate) fn write(&self, files: &Files, folder: &Spot) -> Result<u64, DiskError> {
        let bytes = self.render();
        files.replace_derived(&folder.join(FILE), &bytes)?;
        Ok(xxh3_64(&bytes))
    }

    fn parse(bytes: &[u8]) -> Option<Self> {
        let (sum, rest) = bytes.split_at_checked(17)?;
        let sum =
            u64::from_str_radix(std::str::from_utf8(sum).ok()?.strip_suffix('\n')?, 16).ok()?;
        let manifest: Manifest = (sum == xxh3_64(rest))
            .then(|| serde_json::from_slice(rest).ok())
            .flatten()?;
        let mut names = HashSet::new();
        let names_each_once = manifest.segments.iter().all(|name| names.insert(name));
        (manifest.version == limits::VERSION && names_each_once).then_some(manifest)
    }

    fn render(&self) -> Vec<u8> {
        let rest = serde_json::to_vec(self).unwrap_or_default();
        let mut bytes = format!("{:016x}\n", xxh3_64(&rest)).into_bytes();
        bytes.extend_from_slice(&rest);
        bytes
    }

    /// Notes that places are asked about today; says whether that is news.
    pub(crate) fn use_places(&mut self, places: impl Iterator<Item = u64>, day: i64) -> bool {
        let mut is_news = false;
        for place in places {
            match self.places.iter_mut().find(|used| used.place == place) {
                Some(used) if used.day == day => {}
                Some(used) => (used.day, is_news) = (day, true),
                None => {
                    self.places.push(Used { place, day });
                    is_news = true;
                }
            }
        }
        is_news
    }

    /// Forgets the places that no one has asked about in the last time.
    pub(crate) fn forget_unused(&mut self, day: i64) {
        self.places
            .retain(|used| day - used.day <= limits::PLACE_DAYS);
    }

    /// Says whether a place is remembered.
    pub(crate) fn is_used(&self, place: u64) -> bool {
        self.places.iter().any(|used| used.place == place)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_manifest_comes_back_and_damage_is_seen() {
        let mut manifest = Manifest {
            version: limits::VERSION,
            segments: vec!["a".into(), "b".into()],
            places: vec![],
        };
        assert!(manifest.use_places([u64::MAX, 7].into_iter(), 100));
        assert!(!manifest.use_places([7].into_iter(), 100));
        manifest.use_places([7].into_iter(), 101);
        manifest.forget_unused(101 + limits::PLACE_DAYS);
        assert!(manifest.is_used(7) && !manifest.is_used(8) && !manifest.is_used(u64::MAX));
        let bytes = manifest.render();
        assert_eq!(Manifest::parse(&bytes), Some(manifest.clone()));
        for at in 0..bytes.len() {
            let mut other = bytes.clone();
            other[at] ^= 1;
            assert_eq!(Manifest::parse(&other), None);
            assert_eq!(Manifest::parse(&bytes[..at]), None);
        }
        let twice = Manifest {
            segments: vec!["a".into(), "b".into(), "a".into()],
            ..manifest.clone()
        };
        assert_eq!(
            Manifest::parse(&twice.render()),
            None,
            "one segment counts once"
        );
        manifest.version += 1;
        assert_eq!(Manifest::parse(&manifest.render()), None);
    }
}
