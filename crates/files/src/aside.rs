//! A damaged file kept beside itself, before something else takes its place.

use memory_core::Timestamp;

use crate::{DiskError, Files, Spot};

/// How many copies of one file may be made within a second.
const NAMES: usize = 1000;

impl Files {
    /// Copies a damaged file to `<name>.corrupt-<time>` beside it, durably; returns the copy's name.
    pub fn keep_corrupt(&self, damaged: &Spot, most: u64, now: Timestamp) -> Result<String, DiskError> {
        let name = format!("{}.corrupt-{}", damaged.name().to_string_lossy(), now.strftime("%Y%m%dT%H%M%SZ"));
        let folder = damaged.parent().unwrap_or_else(|| damaged.clone());
        let mut kept = folder.join(&name);
        for n in 2..NAMES {
            if self.stamp(&kept)?.is_none() {
                break;
            }
            kept = folder.join(format!("{name}-{n}"));
        }
        let bytes = self.read(damaged, most)?.map(|seen| seen.bytes);
        self.replace(&kept, &bytes.unwrap_or_default())?;
        Ok(kept.name().to_string_lossy().into_owned())
    }
}
