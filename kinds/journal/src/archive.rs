//! What is archived, when, and under which name (specification 003, "Archival").

use memory_core::Actor;
use memory_core::Timestamp;

use crate::change::{Archived, Edit};
use crate::format;
use crate::store::{ARCHIVE, Live, Loaded, Place, Store};
use crate::{JournalError, Record, Type};

/// Returns the archive of the quarter that a time lies in: `archive/2026/tasks_2026_Q2.jsonl`.
pub(crate) fn path(kind: Type, now: Timestamp) -> String {
    let year = now.strftime("%Y").to_string();
    let month: u32 = now.strftime("%m").to_string().parse().unwrap_or(1);
    format!(
        "{ARCHIVE}/{year}/{}_{year}_Q{}.jsonl",
        kind.stem(),
        month.div_ceil(3)
    )
}

/// Returns the edit that moves a record to the archive.
pub(crate) fn edit(place: Place<'_>, now: Timestamp) -> Edit {
    let record = Record {
        archived: true,
        ..place.record.clone()
    };
    let kind = Type::of_file(&place.loaded.path).unwrap_or_else(|| record.kind());
    let archived = Archived {
        path: path(kind, now),
        line: format::render(&record),
    };
    Edit {
        archived: Some(archived),
        ..removal(place)
    }
}

/// Returns the edit that takes a record away.
pub(crate) fn removal(place: Place<'_>) -> Edit {
    Edit {
        path: place.loaded.path.clone(),
        id: place.record.id.to_string(),
        at: place.at,
        before: place.loaded.lines[place.at].1.text().into_owned(),
        after: None,
        archived: None,
    }
}

impl Store {
    /// Returns the records of these types that have rested long enough.
    pub(crate) fn due<'l>(&self, live: &'l Live, kinds: &[Type], now: Timestamp) -> Vec<Place<'l>> {
        let places = |loaded: &'l Loaded| {
            loaded
                .records()
                .map(move |(at, record)| Place { loaded, at, record })
        };
        let is_due = |place: &Place<'_>| {
            kinds.contains(&place.record.kind())
                && place.record.rests_from().is_some_and(|from| from <= now)
        };
        live.files.iter().flat_map(places).filter(is_due).collect()
    }

    /// Archives the records of these types that are due; returns them.
    pub(crate) fn archive_due(
        &self,
        kinds: &[Type],
        by: Actor,
        now: Timestamp,
    ) -> Result<Vec<Record>, JournalError> {
        // Looked at beforehand: when nothing is due, nothing is locked.
        if self.due(&self.look_for_change()?, kinds, now).is_empty() {
            return Ok(Vec::new());
        }
        let held = self.hold(now)?;
        let mut live = self.look_for_change()?;
        let due = self.due(&live, kinds, now);
        let records: Vec<Record> = due.iter().map(|place| place.record.clone()).collect();
        let edits: Vec<Edit> = due.into_iter().map(|place| edit(place, now)).collect();
        let what = match edits.len() {
            0 => return Ok(Vec::new()),
            1 => "archive 1 record".to_owned(),
            many => format!("archive {many} records"),
        };
        self.commit(&held, &mut live.files, &edits, (what, by), now)?;
        Ok(records)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_archive_is_named_by_its_quarter() {
        let at = |text: &str| path(Type::Task, memory_core::parse_instant(text).unwrap());
        assert_eq!(
            at("2025-10-01T00:00:00Z"),
            "archive/2025/tasks_2025_Q4.jsonl"
        );
        assert_eq!(
            at("2026-03-31T23:59:59Z"),
            "archive/2026/tasks_2026_Q1.jsonl"
        );
        assert_eq!(
            at("2026-04-01T00:00:00Z"),
            "archive/2026/tasks_2026_Q2.jsonl"
        );
    }
}
