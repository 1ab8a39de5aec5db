//! The one way to change the journal: under its lock, durable before it returns.

use memory_core::Actor;
use memory_core::Timestamp;
use memory_files::{Signed, Spot};
use serde::{Deserialize, Serialize};

use crate::format::{self, Line};
use crate::index::{Index, Standing, Statistics};
use crate::patch::{self, Patch};
use crate::store::{ARCHIVE, BACKUPS, INDEX, LOCK, Live, Loaded, Store};
use crate::{JournalError, Record, Type, limits, undo};

/// What a step does to one record of a file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Edit {
    /// The file, below the root.
    pub(crate) path: String,
    pub(crate) id: String,
    /// The record's place among the file's lines.
    pub(crate) at: usize,
    pub(crate) before: String,
    /// What stands there afterwards; none when it is taken away.
    pub(crate) after: Option<String>,
    /// Where it goes instead.
    pub(crate) archived: Option<Archived>,
}

/// A line in an archive.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Archived {
    pub(crate) path: String,
    pub(crate) line: String,
}

impl Store {
    /// Takes the lock that every change needs; sees to what a crash or an older version has left.
    pub(crate) fn hold(&self, now: Timestamp) -> Result<Signed<'_>, JournalError> {
        self.files.ensure_folder(&self.root)?;
        let held = self.files.lock_signed(&self.root.join(LOCK), now)?;
        if matches!(self.standing(), Standing::Other) {
            self.migrate(&held, now)?;
        }
        Ok(held)
    }

    /// Adds a record at the end of its file.
    ///
    /// # Invariants
    ///
    /// - The line is written at once and durable when this returns; no other line is touched.
    /// - A file past a hard limit is refused before a byte is written.
    /// - The index has the record too, and is durable as well. If it can't be written, the caller is
    ///   told; it then counts other bytes than the files have, and whoever comes next derives it.
    pub(crate) fn add(&self, record: &Record, now: Timestamp) -> Result<Statistics, JournalError> {
        let held = self.hold(now)?;
        held.sweep(&[self.root.join(INDEX)]);
        let known = self.trusted_index();
        let mut statistics = match &known {
            Some((_, statistics)) => statistics.clone(),
            None => self.derive_index(&self.look_for_change()?)?.statistics,
        };
        let at = self.root.join(record.kind().file());
        let before = self.files.stamp(&at)?;
        let line = format::render(record);
        let size = before.map_or(0, |stamp| stamp.size);
        let room = Room {
            count: statistics.by_type.of(record.kind()),
            bytes: size,
        };
        self.check_room(record.kind(), room, line.len() as u64 + 1)?;
        if before.is_none() {
            self.files.settle_folders(&self.root)?;
        }
        self.files.append_line(&at, &line)?;
        let grown = self
            .files
            .stamp(&at)?
            .map_or(0, |stamp| stamp.size)
            .saturating_sub(size);
        statistics.total_memories += 1;
        *statistics.by_type.of_mut(record.kind()) += 1;
        statistics.total_storage_bytes += grown;
        match known {
            Some((text, _)) => self.index_also(&text, record, &statistics, now)?,
            None => self.renew_index(None, now)?,
        }
        Ok(statistics)
    }

    /// Brings one more record into the index whose text this is: in place if there is room.
    fn index_also(
        &self,
        text: &str,
        record: &Record,
        statistics: &Statistics,
        now: Timestamp,
    ) -> Result<(), JournalError> {
        if let Some(patch) = patch::adding(text, record, statistics, self.file_states(), now) {
            return self.patch_index(&patch);
        }
        let Some(mut index) = Index::parse(text) else {
            return self.renew_index(None, now);
        };
        index.add(record);
        index.statistics = statistics.clone();
        self.write_index(&index.render(self.file_states(), now))
    }

    /// Writes into the index what a record adds to it; the beginning last, which makes it true.
    fn patch_index(&self, patch: &Patch) -> Result<(), JournalError> {
        let lists: Vec<(u64, &[u8])> = patch
            .lists
            .iter()
            .map(|(at, part)| (*at, part.as_bytes()))
            .collect();
        self.overwrite_index(&lists)?;
        self.overwrite_index(&[(patch.head.0, patch.head.1.as_bytes())])
    }

    pub(crate) fn overwrite_index(&self, parts: &[(u64, &[u8])]) -> Result<(), JournalError> {
        let written = self.files.overwrite(&self.root.join(INDEX), parts);
        written.map_err(|source| JournalError::IndexUnwritten { source })
    }

    /// Refuses what would grow past a hard limit. Soft limits never refuse.
    pub(crate) fn check_room(&self, kind: Type, has: Room, grows: u64) -> Result<(), JournalError> {
        if kind != Type::Core {
            return Ok(());
        }
        let full = |unit, size, limit| {
            let candidates = self.candidates(kind, &self.look());
            Err(JournalError::Full {
                file: kind.file(),
                unit,
                size,
                limit,
                candidates,
            })
        };
        if has.count >= limits::CORE_COUNT {
            return full("memories", has.count as u64, limits::CORE_COUNT as u64);
        }
        if has.bytes + grows > limits::CORE_BYTES {
            full("bytes", has.bytes, limits::CORE_BYTES)
        } else {
            Ok(())
        }
    }

    /// Names the records of a type that were used least, for whoever has to make room.
    pub(crate) fn candidates(&self, kind: Type, live: &Live) -> Vec<String> {
        let mut records: Vec<&Record> = live
            .records()
            .filter(|record| record.kind() == kind)
            .collect();
        records.sort_by_key(|record| (record.access_count, record.accessed_at, record.created_at));
        records
            .iter()
            .take(limits::CANDIDATES)
            .map(|r| format!("{} '{}'", r.id.short(), r.title()))
            .collect()
    }

    /// Carries out edits of files that were loaded under the lock, so that they can be undone.
    ///
    /// # Invariants
    ///
    /// - What goes to the archive is durable there before it is taken away.
    /// - Each file is as before or as after, with a copy of what it was in `.backup`.
    /// - What can be seen can be taken back; what did not happen leaves no step.
    pub(crate) fn commit(
        &self,
        held: &Signed<'_>,
        files: &mut [Loaded],
        edits: &[Edit],
        step: (String, Actor),
        now: Timestamp,
    ) -> Result<(), JournalError> {
        let known = self
            .trusted_index()
            .map(|(_, statistics)| statistics.archived_count);
        let touched: Vec<usize> = (0..files.len())
            .filter(|n| edits.iter().any(|edit| edit.path == files[*n].path))
            .collect();
        for n in &touched {
            self.back_up(&files[*n].path, now)?;
        }
        let step = undo::keep(self, step, edits, now)?;
        let written = self.write(held, files, &touched, edits);
        if written.is_err() && touched.iter().all(|n| self.is_unchanged(&files[*n])) {
            let _ = self.trash().drop_step(&step);
        }
        written?;
        let gained = edits.iter().filter(|edit| edit.archived.is_some()).count();
        let lost = edits
            .iter()
            .filter(|edit| edit.after.is_none() && edit.path.starts_with(ARCHIVE))
            .count();
        self.renew_index(
            known.map(|known| (known + gained).saturating_sub(lost)),
            now,
        )
    }

    fn is_unchanged(&self, loaded: &Loaded) -> bool {
        self.files
            .stamp(&self.root.join(&loaded.path))
            .is_ok_and(|stamp| stamp == loaded.stamp)
    }

    fn write(
        &self,
        held: &Signed<'_>,
        files: &mut [Loaded],
        touched: &[usize],
        edits: &[Edit],
    ) -> Result<(), JournalError> {
        let mut archives: Vec<(&str, Vec<&str>)> = Vec::new();
        for archived in edits.iter().filter_map(|edit| edit.archived.as_ref()) {
            match archives.iter_mut().find(|(path, _)| *path == archived.path) {
                Some((_, lines)) => lines.push(&archived.line),
                None => archives.push((&archived.path, vec![&archived.line])),
            }
        }
        for (path, lines) in archives {
            let at = self.root.join(path);
            at.parent()
                .map_or(Ok(()), |folder| self.files.ensure_folder(&folder))?;
            self.files.append_line(&at, &lines.join("\n"))?;
        }
        for n in touched {
            let loaded = &mut files[*n];
            apply(loaded, edits);
            self.put(held, loaded)?;
        }
        Ok(())
    }

    /// Puts a file's next state in its place, durably.
    pub(crate) fn put(&self, held: &Signed<'_>, loaded: &Loaded) -> Result<(), JournalError> {
        let at = self.root.join(&loaded.path);
        held.sweep(&[at.clone(), self.root.join(INDEX)]);
        Ok(held.commit(held.draft(&at, &loaded.render())?, None, None)?)
    }

    /// Copies a live file into `.backup`; archives are copies themselves.
    pub(crate) fn back_up(&self, path: &str, now: Timestamp) -> Result<Option<Spot>, JournalError> {
        if path.starts_with(ARCHIVE) {
            return Ok(None);
        }
        let (at, folder) = (self.root.join(path), self.root.join(BACKUPS));
        Ok(self
            .files
            .back_up(&at, &folder, limits::BACKUPS, limits::READ_BYTES, now)?)
    }

    /// Derives the index from the files as they are now and puts it in its place.
    ///
    /// How many records are archived is counted unless it is known. Whoever calls this holds the lock.
    /// While a file can't be read, nothing is derived from the others.
    pub(crate) fn renew_index(
        &self,
        archived: Option<usize>,
        now: Timestamp,
    ) -> Result<(), JournalError> {
        let live = self.look();
        if live.is_partial {
            return Ok(());
        }
        let index = match archived {
            Some(archived) => Index::of(live.records(), archived, live.bytes()),
            None => self.derive_index(&live)?,
        };
        self.write_index(&index.render(self.file_states(), now))
    }

    pub(crate) fn write_index(&self, text: &str) -> Result<(), JournalError> {
        let written = self.files.replace(&self.root.join(INDEX), text.as_bytes());
        written.map_err(|source| JournalError::IndexUnwritten { source })
    }

    /// Makes the index true for whoever reads it after us, if that is needed and possible.
    pub(crate) fn refresh_index(&self, now: Timestamp) {
        let is_ours_to_renew = !matches!(self.standing(), Standing::Other);
        let is_there = self
            .files
            .stamp(&self.root)
            .is_ok_and(|there| there.is_some());
        if is_ours_to_renew && is_there && self.trusted_index().is_none() {
            let _ = self.hold(now).and_then(|_held| self.renew_index(None, now));
        }
    }

    /// Makes the index true if it says anything else than `derived`, and may be renewed.
    pub(crate) fn settle_index(&self, derived: &Index, now: Timestamp) {
        let known = self
            .trusted_index()
            .and_then(|(text, _)| Index::parse(&text));
        let is_true = known.is_some_and(|known| known == *derived);
        let is_other = matches!(self.standing(), Standing::Other);
        let is_there = self
            .files
            .stamp(&self.root)
            .is_ok_and(|there| there.is_some());
        if is_there && !is_true && !is_other {
            let _ = self.hold(now).and_then(|_held| self.renew_index(None, now));
        }
    }

    /// Brings files of an older version, or of none, to ours: copies first, then what is missing.
    fn migrate(&self, held: &Signed<'_>, now: Timestamp) -> Result<(), JournalError> {
        self.back_up(INDEX, now)?;
        for kind in Type::ALL {
            self.back_up(kind.file(), now)?;
            let mut loaded = self.load(kind.file())?;
            let before = loaded.render();
            loaded.amend(kind);
            loaded.settle();
            if loaded.render() != before {
                self.put(held, &loaded)?;
            }
        }
        self.renew_index(None, now)
    }
}

/// How full a file is.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Room {
    pub(crate) count: usize,
    pub(crate) bytes: u64,
}

fn apply(loaded: &mut Loaded, edits: &[Edit]) {
    let lines = std::mem::take(&mut loaded.lines);
    let edit_at = |at: usize| {
        edits
            .iter()
            .find(|edit| edit.path == loaded.path && edit.at == at)
    };
    loaded.lines = lines
        .into_iter()
        .enumerate()
        .filter_map(|(at, (n, line))| match edit_at(at) {
            None => Some((n, line)),
            Some(edit) => edit
                .after
                .as_ref()
                .map(|after| (n, Line::read(after.as_bytes()))),
        })
        .collect();
}
