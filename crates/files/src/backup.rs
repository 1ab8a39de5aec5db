//! Copies of a file from before a change, of which the newest few are kept.

use jiff::Timestamp;

use crate::{DiskError, Draft, Files, Item, ItemKind, Spot};

impl Files {
    /// Copies a file into a backup folder, then removes all but the newest `keep` copies of it.
    ///
    /// Names sort in the order in which copies were made, even if the clock runs backwards: a copy that would sort
    /// before an older one gets that one's time and the next number. Returns the copy's place, or none when
    /// there is no file to copy.
    pub fn back_up(
        &self,
        at: &Spot,
        folder: &Spot,
        keep: usize,
        most: u64,
        now: Timestamp,
    ) -> Result<Option<Spot>, DiskError> {
        let Some(seen) = self.read(at, most)? else {
            return Ok(None);
        };
        self.ensure_folder(folder)?;
        let stem = format!("{}.backup.", at.name().to_string_lossy());
        let copy = self.next_name(folder, &stem, &now.strftime("%Y%m%d_%H%M%S").to_string())?;
        self.replace(&copy, &seen.bytes)?;
        self.prune(folder, &stem, keep)?;
        Ok(Some(copy))
    }

    /// Returns a name of this time that sorts after all copies there are.
    fn next_name(&self, folder: &Spot, stem: &str, time: &str) -> Result<Spot, DiskError> {
        let items = self.list(folder)?;
        let last = items.iter().filter_map(|item| order(item, stem)).max();
        let (time, number) = match last {
            Some((last, number)) if last >= time => (last, number + 1),
            _ => (time, 0),
        };
        Ok(folder.join(format!("{stem}{time}_{number:03}")))
    }

    /// Removes all but the newest `keep` copies of a file, and the drafts of copies that a crash has left: copies are
    /// made under the lock of their store.
    fn prune(&self, folder: &Spot, stem: &str, keep: usize) -> Result<(), DiskError> {
        let items = self.list(folder)?;
        let files = items.iter().filter(|item| item.kind == ItemKind::File);
        let mut copies: Vec<_> = files
            .clone()
            .filter_map(|item| Some((order(item, stem)?, item)))
            .collect();
        copies.sort();
        let old = copies.iter().rev().skip(keep).map(|(_, item)| *item);
        for item in files.filter(|item| Draft::is_draft(&item.name)).chain(old) {
            self.remove(&folder.join(&item.name))?;
        }
        Ok(())
    }
}

/// Returns what copies of a file sort by: the time in their names, then the number.
fn order<'i>(item: &'i Item, stem: &str) -> Option<(&'i str, u32)> {
    let (time, number) = item.name.to_str()?.strip_prefix(stem)?.rsplit_once('_')?;
    Some((time, number.parse().ok()?))
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
        let files = Files::new(Arc::new(RealDisk::default()), Ids::random());
        let root = Spot::anchor(dir.path());
        let (at, folder) = (root.join("core.jsonl"), root.join(".backup"));
        let now = "2026-05-07T10:00:00Z".parse().unwrap();
        assert!(files.back_up(&at, &folder, 5, 100, now).unwrap().is_none());
        for n in 0..8 {
            files.replace(&at, n.to_string().as_bytes()).unwrap();
            files.back_up(&at, &folder, 5, 100, now).unwrap().unwrap();
        }
        let kept: Vec<_> = files.list(&folder).unwrap();
        let contents: Vec<Vec<u8>> = kept
            .iter()
            .map(|item| {
                files
                    .read(&folder.join(&item.name), 9)
                    .unwrap()
                    .unwrap()
                    .bytes
            })
            .collect();
        assert_eq!(contents, [b"3", b"4", b"5", b"6", b"7"]);
        // The clock runs backwards by a year: the copy from before this change is the last to go.
        let earlier = "2025-05-07T10:00:00Z".parse().unwrap();
        files.replace(&at, b"last").unwrap();
        let copy = files
            .back_up(&at, &folder, 5, 100, earlier)
            .unwrap()
            .unwrap();
        assert_eq!(files.read(&copy, 9).unwrap().unwrap().bytes, b"last");
        assert_eq!(
            files.list(&folder).unwrap().last().unwrap().name,
            copy.name()
        );
        assert_eq!(files.list(&folder).unwrap().len(), 5);
        assert!(
            kept[0]
                .name
                .to_string_lossy()
                .starts_with("core.jsonl.backup.20260507_100000")
        );
    }
}
