//! How often notes were used, counted beside their files.
//!
//! A note that is read, found, or put into a prompt adds a line to a log: its file is not rewritten and nothing is
//! synced. Maintenance merges the counts into the front matter, at most once a day.
//!
//! The log `.accesses.log` has one line for each access and note; once it is long, its lines are added up in
//! `.accesses.totals`. Both have lines `COUNT ID`. A crash during that, or during a merge, may count an access
//! twice; a power cut may lose the last ones.

use std::collections::HashMap;
use std::fmt::Write as _;

use memory_core::Timestamp;
use memory_files::{DiskError, Held};

use crate::change::Recall;
use crate::store::Store;
use crate::{Note, NoteError, NoteId, NoteView};

const LOG: &str = ".accesses.log";
pub(crate) const TOTALS: &str = ".accesses.totals";
/// The log while its lines are added up.
const CLOSED_LOG: &str = ".accesses.closed";
/// What the first line of the totals begins with: the day of the last merge follows.
const MERGED: &str = "# merged ";
/// A log that is longer is added up by the next change.
const LOG_BYTES: u64 = 64 << 10;
/// The most that is read of each file.
const MOST_BYTES: u64 = 64 << 20;

/// The accesses that are not merged into the notes yet.
#[derive(Debug, Default)]
pub(crate) struct Accesses {
    counts: HashMap<String, u64>,
    /// The day of the last merge, as the totals give it.
    merged: Option<String>,
}

impl Accesses {
    /// Returns how often a note was used since the last merge.
    pub(crate) fn of(&self, id: &NoteId) -> u64 {
        self.counts.get(id.as_str()).copied().unwrap_or_default()
    }

    /// Returns a note as callers see it, with all its accesses.
    pub(crate) fn view(&self, note: &Note) -> NoteView {
        let view = NoteView::of(note);
        NoteView { access_count: view.access_count.saturating_add(self.of(&note.id)), ..view }
    }

    /// Adds the lines of a file. A line that is not one of ours, such as half of one, counts nothing.
    fn add(&mut self, bytes: &[u8]) {
        for line in String::from_utf8_lossy(bytes).lines() {
            if let Some(day) = line.strip_prefix(MERGED) {
                self.merged = Some(day.to_owned());
            } else if let Some((count, id)) = line.split_once(' ')
                && let Ok(count) = count.parse::<u64>()
            {
                let sum = self.counts.entry(id.to_owned()).or_default();
                *sum = sum.saturating_add(count);
            }
        }
    }

    fn render(&self) -> String {
        let mut text = String::new();
        if let Some(day) = &self.merged {
            let _ = writeln!(text, "{MERGED}{day}");
        }
        let mut counts: Vec<_> = self.counts.iter().collect();
        counts.sort_unstable();
        for (id, count) in counts {
            let _ = writeln!(text, "{count} {id}");
        }
        text
    }
}

impl Store {
    /// Counts one access for each of these notes. Best effort: where nothing can be written, nothing is counted.
    pub(crate) fn record_access<'i>(&self, ids: impl IntoIterator<Item = &'i str>) {
        let lines: String = ids.into_iter().map(|id| format!("1 {id}\n")).collect();
        if lines.is_empty() {
            return;
        }
        let at = self.root.join(LOG);
        let Ok(written) = self.files.append_unsynced(&at, lines.as_bytes()) else { return };
        // Another process may have closed the log between the opening and the write, and have read it already.
        let is_current = self.files.stamp(&at).ok().flatten().is_some_and(|now| now.inode == written.inode);
        if !is_current {
            let _ = self.files.append_unsynced(&at, lines.as_bytes());
        }
    }

    /// Adds the lines of a long log up. For changes, which sync files anyway: reads sync nothing.
    pub(crate) fn close_long_log(&self, held: &Held<'_>) -> Result<(), NoteError> {
        let log = self.files.stamp(&self.root.join(LOG))?;
        if log.is_some_and(|log| log.size > LOG_BYTES) {
            self.close_log(held)?;
        }
        Ok(())
    }

    /// Returns the accesses that are not merged yet.
    pub(crate) fn accesses(&self) -> Result<Accesses, NoteError> {
        let mut accesses = Accesses::default();
        for name in [TOTALS, CLOSED_LOG, LOG] {
            if let Some(seen) = self.files.read(&self.root.join(name), MOST_BYTES)? {
                accesses.add(&seen.bytes);
            }
        }
        Ok(accesses)
    }

    /// Adds the lines of the log up in the totals, and begins a new log; returns the totals.
    fn close_log(&self, held: &Held<'_>) -> Result<Accesses, NoteError> {
        let (log, closed) = (self.root.join(LOG), self.root.join(CLOSED_LOG));
        let has_closed = self.files.stamp(&closed)?.is_some();
        if !has_closed && self.files.stamp(&log)?.is_some() {
            held.rename_derived(&log, &closed)?;
        }
        let mut totals = Accesses::default();
        for at in [&self.root.join(TOTALS), &closed] {
            totals.add(&self.files.read(at, MOST_BYTES)?.map(|seen| seen.bytes).unwrap_or_default());
        }
        self.write_totals(&totals)?;
        self.files.remove_derived(&closed)?;
        Ok(totals)
    }

    fn write_totals(&self, totals: &Accesses) -> Result<(), DiskError> {
        self.files.replace(&self.root.join(TOTALS), totals.render().as_bytes())
    }

    /// Merges the counts into the front matter of their notes, unless that was done today already.
    pub(crate) fn merge_accesses(&self, now: Timestamp) -> Result<(), NoteError> {
        let today = now.strftime("%Y-%m-%d").to_string();
        let pending = self.accesses()?;
        if pending.counts.is_empty() || pending.merged.as_ref() == Some(&today) {
            return Ok(());
        }
        let mut work = self.work_with(self.hold()?, now)?;
        let totals = match work.held() {
            Some(held) => self.close_log(held)?,
            None => return Ok(()),
        };
        let counted: Vec<(NoteId, u64)> = work
            .cards()
            .iter()
            .map(|card| (card.id.clone(), totals.of(&card.id)))
            .filter(|(_, count)| *count > 0)
            .collect();
        for (id, count) in counted {
            work.edit_if_there(&id, |note| note.access_count = note.access_count.saturating_add(count))?;
        }
        work.commit(Recall::Nothing)?;
        self.write_totals(&Accesses { merged: Some(today), ..Accesses::default() })?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn totals_read_back_as_they_were_written_and_damaged_lines_count_nothing() {
        let mut accesses = Accesses::default();
        accesses.add(b"# merged 2026-05-07\n1 a\n2 b\n1 a\nx c\n\xff\xfe d\n1");
        assert_eq!(accesses.render(), "# merged 2026-05-07\n2 a\n2 b\n");
        let mut again = Accesses::default();
        again.add(accesses.render().as_bytes());
        assert_eq!((again.counts, again.merged), (accesses.counts, accesses.merged));
    }
}
