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
use std::sync::{Arc, Mutex, PoisonError};

use memory_core::Timestamp;
use memory_files::{DiskError, Held, Stamp};

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
#[derive(Debug, Clone, Default)]
pub(crate) struct Accesses {
    counts: HashMap<String, u64>,
    /// The day of the last merge, as the totals give it.
    merged: Option<String>,
}

/// The accesses as they were last read, so that the next call reads only the new lines of the log.
#[derive(Debug, Default)]
pub(crate) struct LastRead(Mutex<Option<ReadUntil>>);

#[derive(Debug)]
struct ReadUntil {
    totals: Option<Stamp>,
    closed: Option<Stamp>,
    /// The inode of the log; `None` if there was no log.
    log: Option<u64>,
    /// The bytes of the log that have been counted.
    log_bytes: u64,
    accesses: Arc<Accesses>,
}

impl Accesses {
    /// Returns how often a note was used since the last merge.
    pub(crate) fn of(&self, id: &NoteId) -> u64 {
        self.counts.get(id.as_str()).copied().unwrap_or_default()
    }

    /// Returns a note as callers see it, with all its accesses.
    pub(crate) fn view(&self, note: &Note) -> NoteView {
        let view = NoteView::of(note);
        NoteView {
            access_count: view.access_count.saturating_add(self.of(&note.id)),
            ..view
        }
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
        let Ok(written) = self.files.append_unsynced(&at, lines.as_bytes()) else {
            return;
        };
        // Another process may have closed the log between the opening and the write, and have read it already.
        let is_current = self
            .files
            .stamp(&at)
            .ok()
            .flatten()
            .is_some_and(|now| now.inode == written.inode);
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
    pub(crate) fn accesses(&self) -> Result<Arc<Accesses>, NoteError> {
        let mut last = self
            .last_accesses
            .0
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        let is_current = match last.as_mut() {
            Some(last) => self.read_new_accesses(last)?,
            None => false,
        };
        if !is_current {
            *last = Some(self.read_all_accesses()?);
        }
        Ok(last
            .as_ref()
            .map(|last| last.accesses.clone())
            .unwrap_or_default())
    }

    fn read_all_accesses(&self) -> Result<ReadUntil, NoteError> {
        let mut accesses = Accesses::default();
        let mut read = |name: &str| -> Result<_, NoteError> {
            let seen = self.files.read(&self.root.join(name), MOST_BYTES)?;
            let lines = seen.as_ref().map_or(0, |seen| whole_lines(&seen.bytes));
            if let Some(seen) = &seen {
                accesses.add(&seen.bytes[..lines]);
            }
            Ok((seen.map(|seen| seen.stamp), lines as u64))
        };
        let (totals, _) = read(TOTALS)?;
        let (closed, _) = read(CLOSED_LOG)?;
        let (log, log_bytes) = read(LOG)?;
        let log = log.map(|log| log.inode);
        Ok(ReadUntil {
            totals,
            closed,
            log,
            log_bytes,
            accesses: Arc::new(accesses),
        })
    }

    /// Adds the lines that the log has got since; returns `false` if another file than the log has changed.
    fn read_new_accesses(&self, last: &mut ReadUntil) -> Result<bool, NoteError> {
        let stamps = self.files.stamps(&self.root, &[TOTALS, CLOSED_LOG, LOG])?;
        let [totals, closed, log] = stamps.as_slice() else {
            return Ok(false);
        };
        let is_same_log = log.map(|log| log.inode) == last.log;
        if !is_same_log || (*totals, *closed) != (last.totals, last.closed) {
            return Ok(false);
        }
        let new = log.map_or(Some(0), |log| log.size.checked_sub(last.log_bytes));
        let Some(new) = new else {
            return Ok(false);
        };
        if new == 0 {
            return Ok(true);
        }
        let length = usize::try_from(new.min(MOST_BYTES)).unwrap_or_default();
        let seen = self
            .files
            .read_part(&self.root.join(LOG), last.log_bytes, length)?;
        let Some(seen) = seen.filter(|seen| Some(seen.stamp.inode) == last.log) else {
            return Ok(false);
        };
        let lines = whole_lines(&seen.bytes);
        Arc::make_mut(&mut last.accesses).add(&seen.bytes[..lines]);
        last.log_bytes += lines as u64;
        Ok(true)
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
            totals.add(
                &self
                    .files
                    .read(at, MOST_BYTES)?
                    .map(|seen| seen.bytes)
                    .unwrap_or_default(),
            );
        }
        self.write_totals(&totals)?;
        self.files.remove_derived(&closed)?;
        Ok(totals)
    }

    fn write_totals(&self, totals: &Accesses) -> Result<(), DiskError> {
        self.files
            .replace(&self.root.join(TOTALS), totals.render().as_bytes())
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
            work.edit_if_there(&id, |note| {
                note.access_count = note.access_count.saturating_add(count)
            })?;
        }
        work.commit(Recall::Nothing)?;
        self.write_totals(&Accesses {
            merged: Some(today),
            ..Accesses::default()
        })?;
        Ok(())
    }
}

/// Returns the length of the lines that have been written whole.
fn whole_lines(bytes: &[u8]) -> usize {
    bytes
        .iter()
        .rposition(|byte| *byte == b'\n')
        .map_or(0, |end| end + 1)
}

#[cfg(test)]
mod tests {
    use memory_core::Ids;
    use memory_files::{Files, RealDisk};
    use memory_testkit::Home;

    use super::*;
    use crate::store::Settings;

    #[test]
    fn accesses_that_others_record_add_up_whether_the_log_is_read_again_or_from_where_it_was_left()
    {
        let home = Home::new();
        let files = || Files::new(Arc::new(RealDisk::default()), Ids::random());
        let store = || Store::new(files(), home.spot(), Settings::default());
        let (reader, writer) = (store(), store());
        writer.files.ensure_folder(&writer.root).unwrap();
        let check = |expected: u64| {
            let counts = |store: &Store| {
                store
                    .accesses()
                    .unwrap()
                    .counts
                    .get("a")
                    .copied()
                    .unwrap_or_default()
            };
            assert_eq!((counts(&reader), counts(&store())), (expected, expected));
        };
        check(0);
        for expected in 1..=3 {
            writer.record_access(["a", "b"]);
            check(expected);
        }
        // Half a line counts once it is whole.
        let log = writer.root.join(LOG);
        writer.files.append_unsynced(&log, b"4 ").unwrap();
        check(3);
        writer.files.append_unsynced(&log, b"a\n").unwrap();
        check(7);
        let lock = writer.files.lock(&writer.root.join("lock")).unwrap();
        writer.close_log(&lock).unwrap();
        check(7);
        writer.record_access(["a"]);
        check(8);
        writer.files.remove(&log).unwrap();
        check(7);
    }

    #[test]
    fn totals_read_back_as_they_were_written_and_damaged_lines_count_nothing() {
        let mut accesses = Accesses::default();
        accesses.add(b"# merged 2026-05-07\n1 a\n2 b\n1 a\nx c\n\xff\xfe d\n1");
        assert_eq!(accesses.render(), "# merged 2026-05-07\n2 a\n2 b\n");
        let mut again = Accesses::default();
        again.add(accesses.render().as_bytes());
        assert_eq!(
            (again.counts, again.merged),
            (accesses.counts, accesses.merged)
        );
    }
}
