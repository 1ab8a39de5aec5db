//! A damaged file kept beside itself, before something else takes its place.

use memory_core::Timestamp;

use crate::{DiskError, Files, Spot};

impl Files {
    /// Returns a place beside a damaged file that no other has: `<name>.corrupt-<time>`.
    pub fn name_corrupt(&self, damaged: &Spot, now: Timestamp) -> Result<Spot, DiskError> {
        let name = format!(
            "{}.corrupt-{}",
            damaged.name().to_string_lossy(),
            now.strftime("%Y%m%dT%H%M%SZ")
        );
        let folder = damaged.parent().unwrap_or_else(|| damaged.clone());
        let mut kept = folder.join(&name);
        for n in 2.. {
            if self.stamp(&kept)?.is_none() {
                break;
            }
            kept = folder.join(format!("{name}-{n}"));
        }
        Ok(kept)
    }

    /// Copies a damaged file to `<name>.corrupt-<time>` beside it, durably; returns the copy's name.
    pub fn keep_corrupt(
        &self,
        damaged: &Spot,
        most: u64,
        now: Timestamp,
    ) -> Result<String, DiskError> {
        let kept = self.name_corrupt(damaged, now)?;
        let bytes = self.read(damaged, most)?.map(|seen| seen.bytes);
        self.replace(&kept, &bytes.unwrap_or_default())?;
        Ok(kept.name().to_string_lossy().into_owned())
    }
}
