//! Counting that records were read: durable, and never at another writer's expense.

use std::collections::HashSet;

use memory_core::Timestamp;

use crate::format::Line;
use crate::store::Store;
use crate::{Index, JournalError, Record, Statistics, Type, patch};

impl Store {
    /// Counts one access of each of these live records.
    ///
    /// The files are read again under the lock, and only the lines of these records are written
    /// anew. Where this fails (a disk that may only be read) the question is answered all the same.
    pub(crate) fn count_access(
        &self,
        records: &mut [Record],
        now: Timestamp,
    ) -> Result<(), JournalError> {
        let ids: HashSet<String> = records.iter().map(|record| record.id.to_string()).collect();
        if ids.is_empty() {
            return Ok(());
        }
        let held = self.hold(now)?;
        let known = self.trusted_index();
        for kind in Type::ALL
            .into_iter()
            .filter(|kind| records.iter().any(|record| record.kind() == *kind))
        {
            let mut loaded = self.load(kind.file())?;
            let mut is_changed = false;
            for (_, line) in &mut loaded.lines {
                if let Some(record) = line
                    .record()
                    .filter(|record| ids.contains(record.id.as_str()))
                {
                    *line = Line::of(accessed(record, now));
                    is_changed = true;
                }
            }
            if is_changed {
                self.put(&held, &loaded)?;
            }
        }
        for record in records {
            *record = accessed(record, now);
        }
        self.recount_bytes(known, now)
    }

    /// Accesses change how many bytes there are, and no list of the index.
    fn recount_bytes(
        &self,
        known: Option<(String, Statistics)>,
        now: Timestamp,
    ) -> Result<(), JournalError> {
        let Some((text, mut statistics)) = known else {
            return self.renew_index(None, now);
        };
        let stamps = Type::ALL.map(|kind| self.files.stamp(&self.root.join(kind.file())));
        statistics.total_storage_bytes = stamps
            .into_iter()
            .filter_map(Result::ok)
            .flatten()
            .map(|stamp| stamp.size)
            .sum();
        if let Some((at, head)) = patch::head(&text, &statistics, self.file_states(), now) {
            return self.overwrite_index(&[(at, head.as_bytes())]);
        }
        match Index::parse(&text) {
            Some(index) => self.write_index(
                &Index {
                    statistics,
                    ..index
                }
                .render(self.file_states(), now),
            ),
            None => self.renew_index(None, now),
        }
    }
}

fn accessed(record: &Record, now: Timestamp) -> Record {
    let access_count = record.access_count.saturating_add(1);
    Record {
        access_count,
        accessed_at: record.accessed_at.max(now),
        ..record.clone()
    }
}
