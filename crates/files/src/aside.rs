//! Keeping a damaged file beside the one that takes its place.

use jiff::Timestamp;

use crate::{DiskError, Files, Spot};

impl Files {
    /// Returns a name beside a damaged file that no other has: `<file>.corrupt-<time>`.
    pub fn name_aside(&self, damaged: &Spot, now: Timestamp) -> Result<Spot, DiskError> {
        let name = format!("{}.corrupt-{}", damaged.name().to_string_lossy(), now.strftime("%Y%m%dT%H%M%SZ"));
        let folder = damaged.parent().unwrap_or_else(|| damaged.clone());
        let mut aside = folder.join(&name);
        for n in 2.. {
            if self.stamp(&aside)?.is_none() {
                break;
            }
            aside = folder.join(format!("{name}-{n}"));
        }
        Ok(aside)
    }

    /// Keeps a damaged file's bytes beside it, durably; returns the name of the copy.
    pub fn keep_aside(&self, damaged: &Spot, most: u64, now: Timestamp) -> Result<String, DiskError> {
        let aside = self.name_aside(damaged, now)?;
        let bytes = self.read(damaged, most)?.map(|seen| seen.bytes);
        self.replace(&aside, &bytes.unwrap_or_default())?;
        Ok(aside.name().to_string_lossy().into_owned())
    }
}
