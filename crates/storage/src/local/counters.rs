//! How often entries were used, counted beside their files.
//!
//! An access adds a line `COUNT ADDRESS` to a file of this machine, which is not synced: a power cut may lose the last
//! ones. The next change of an entry's file can merge the counts into it.

use std::collections::HashMap;

use memory_files::{Access, DiskError, Spot};

use super::LocalStorage;

const ENDING: &str = ".counters";
/// A file that is larger is added up by the next access.
const LONG: u64 = 16 << 10;
/// The most that is read of a file.
const BYTES: u64 = 64 << 20;

/// The accesses that are not merged into the entries yet.
#[derive(Debug, Clone, Default)]
pub struct Counts {
    counts: HashMap<String, u64>,
    /// The part of them that this machine counted.
    own: HashMap<String, u64>,
    /// The bytes of this machine's file that were read.
    own_bytes: u64,
}

impl Counts {
    /// Returns how often an entry was used since its counts were merged.
    pub fn of(&self, address: &str) -> u64 {
        self.counts.get(address).copied().unwrap_or_default()
    }

    /// Returns how often it was used on this machine, which a change can merge.
    pub fn own(&self, address: &str) -> u64 {
        self.own.get(address).copied().unwrap_or_default()
    }

    /// Returns whether there is nothing to merge.
    pub fn is_merged(&self) -> bool {
        self.own_bytes == 0
    }

    fn add(&mut self, bytes: &[u8], is_own: bool) {
        let whole = bytes
            .iter()
            .rposition(|byte| *byte == b'\n')
            .map_or(0, |at| at + 1);
        for line in String::from_utf8_lossy(&bytes[..whole]).lines() {
            if let Some((count, address)) = line.split_once(' ')
                && let Ok(count) = count.parse::<u64>()
            {
                let add = |counts: &mut HashMap<String, u64>| {
                    let sum = counts.entry(address.to_owned()).or_default();
                    *sum = sum.saturating_add(count);
                };
                add(&mut self.counts);
                if is_own {
                    add(&mut self.own);
                }
            }
        }
        if is_own {
            self.own_bytes = whole as u64;
        }
    }
}

impl LocalStorage {
    /// Counts one access for each of these entries. Best effort: where nothing can be written, nothing is counted.
    pub fn count_accesses<'a>(&self, addresses: impl IntoIterator<Item = &'a str>) {
        let lines: String = addresses
            .into_iter()
            .filter(|address| !address.contains('\n'))
            .map(|address| format!("1 {address}\n"))
            .collect();
        if lines.is_empty() || self.ensure_history().is_err() {
            return;
        }
        let at = self.own_counters();
        let appended = self
            .disk
            .append_unsynced(&at, lines.as_bytes(), Access::Private);
        if appended.is_ok_and(|stamp| stamp.size > LONG) {
            self.add_up(&at);
        }
    }

    /// Replaces the lines of a file by one for each entry. An access that another process counts meanwhile may be lost.
    fn add_up(&self, at: &Spot) {
        if let Ok(Some(seen)) = self.disk.read(at, BYTES) {
            let mut counts = Counts::default();
            counts.add(&seen.bytes, true);
            let mut sums: Vec<_> = counts.own.into_iter().collect();
            sums.sort_unstable();
            let lines: String = sums
                .iter()
                .map(|(address, count)| format!("{count} {address}\n"))
                .collect();
            // Many entries make a long file, which is not worth writing at each access.
            if lines.len() < seen.bytes.len() / 2 {
                let _ = self.files.replace_derived(at, lines.as_bytes());
            }
        }
    }

    /// Returns the accesses that are not merged yet.
    pub fn counts(&self) -> Result<Counts, DiskError> {
        let mut counts = Counts::default();
        let own = self.own_counters();
        for item in self.disk.list(&self.history)? {
            let at = self.history.join(&item.name);
            if item
                .name
                .to_str()
                .is_some_and(|name| name.ends_with(ENDING))
                && let Some(seen) = self.disk.read(&at, BYTES)?
            {
                counts.add(&seen.bytes, at == own);
            }
        }
        Ok(counts)
    }

    /// Forgets accesses that a change has merged into their entries. Those counted since stay. A crash before it counts
    /// them twice.
    pub fn forget_merged(&self, merged: &Counts) {
        let at = self.own_counters();
        let rest = self.disk.read_part(&at, merged.own_bytes, BYTES as usize);
        let _ = match rest {
            Ok(Some(rest)) if !rest.bytes.is_empty() => {
                self.files.replace_derived(&at, &rest.bytes)
            }
            Ok(Some(_)) => self.disk.remove(&at),
            _ => Ok(()),
        };
    }

    fn own_counters(&self) -> Spot {
        self.history.join(format!("{}{ENDING}", self.machine.id()))
    }
}
