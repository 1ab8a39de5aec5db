//! Copies of a file from before a change, of which the newest few are kept.

use jiff::Timestamp;

use crate::{DiskError, Files, Item, ItemKind, Spot};

impl Files {
    /// Copies a file into a backup folder, then removes all but the newest `keep` copies of it.
    ///
    /// Names sort by time and are unique within a second. Returns the copy's place, or none when
    /// there is no file to copy.
    pub fn back_up(
        &self,
        at: &Spot,
        folder: &Spot,
        keep: usize,
        most: u64,
        now: Timestamp,
    ) -> Result<Option<Spot>, DiskError> {
        let Some(seen) = self.read(at, most)? else { return Ok(None) };
        self.ensure_folder(folder)?;
        let stem = format!("{}.backup.", at.name().to_string_lossy());
        let copy = self.next_name(folder, &format!("{stem}{}", now.strftime("%Y%m%d_%H%M%S")))?;
        self.replace(&copy, &seen.bytes)?;
        self.prune(folder, &stem, keep)?;
        Ok(Some(copy))
    }

    /// Returns a name that sorts after all that begin with `wanted`.
    fn next_name(&self, folder: &Spot, wanted: &str) -> Result<Spot, DiskError> {
        let number =
            |item: &Item| item.name.to_str()?.strip_prefix(wanted)?.strip_prefix('_')?.parse::<u32>().ok();
        let last = self.list(folder)?.iter().filter_map(number).max();
        Ok(folder.join(format!("{wanted}_{:03}", last.map_or(0, |n| n + 1))))
    }

    fn prune(&self, folder: &Spot, stem: &str, keep: usize) -> Result<(), DiskError> {
        let copies = self.list(folder)?;
        let mut ours: Vec<_> = copies
            .iter()
            .filter(|item| item.kind == ItemKind::File && item.name.to_string_lossy().starts_with(stem))
            .collect();
        ours.reverse();
        for old in ours.into_iter().skip(keep) {
            self.remove(&folder.join(&old.name))?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use memory_core::Ids;

    use super::*;
    use crate::RealDisk;

    #[test]
    fn the_newest_copies_are_kept_even_within_one_second() {
        let dir = tempfile::tempdir().unwrap();
        let files = Files::new(Arc::new(RealDisk), Ids::random());
        let root = Spot::anchor(dir.path());
        let (at, folder) = (root.join("core.jsonl"), root.join(".backup"));
        let now = "2026-05-07T10:00:00Z".parse().unwrap();
        assert!(files.back_up(&at, &folder, 5, 100, now).unwrap().is_none());
        for n in 0..8 {
            files.replace(&at, n.to_string().as_bytes()).unwrap();
            files.back_up(&at, &folder, 5, 100, now).unwrap().unwrap();
        }
        let kept: Vec<_> = files.list(&folder).unwrap();
        let contents: Vec<Vec<u8>> =
            kept.iter().map(|item| files.read(&folder.join(&item.name), 9).unwrap().unwrap().bytes).collect();
        assert_eq!(contents, [b"3", b"4", b"5", b"6", b"7"]);
        assert!(kept[0].name.to_string_lossy().starts_with("core.jsonl.backup.20260507_100000"));
    }
}
