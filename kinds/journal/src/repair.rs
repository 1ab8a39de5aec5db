//! Looking for damage, and mending it (specification 003, "Validation and Repair").
//!
//! Whatever is mended is kept as it was beside its file. A line that is no JSON comes back from a
//! backup if one has its record; a file that has lost all its records from the newest backup, or at
//! last from the archive.

use std::collections::HashSet;

use memory_core::{Flaw, Rehearsal, Timestamp};
use memory_files::{ItemKind, Signed};
use serde::{Deserialize, Serialize};

use crate::format::{Line, LineFlaw, lines};
use crate::index::Standing;
use crate::salvage::amend;
use crate::store::{ARCHIVE, BACKUPS, Loaded, Store};
use crate::{JournalError, Record, RecordId, Type, limits};

/// What was found in one file, and what became of it.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Finding {
    pub file: String,
    pub status: Health,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub flaws: Vec<Flaw>,
    /// How many records the file has.
    pub records: usize,
    /// Where the damaged file was kept.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub original: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Health {
    Ok,
    Damaged,
    Repaired,
    /// Something that is not damage keeps us out: a permission, a link.
    Unreadable,
}

/// Examines every file; mends those that need it, if that is wanted.
pub(crate) fn examine(
    store: &Store,
    now: Timestamp,
    how: Rehearsal,
) -> Result<Vec<Finding>, JournalError> {
    let mut paths: Vec<String> = Type::ALL
        .iter()
        .map(|kind| kind.file().to_owned())
        .collect();
    paths.extend(store.archive_paths()?);
    let findings: Vec<Finding> = paths.iter().map(|path| inspect_path(store, path)).collect();
    if how.is_dry() || findings.iter().all(|found| found.status != Health::Damaged) {
        return Ok(findings);
    }
    let held = store.hold(now)?;
    let mended = findings.into_iter().map(|found| match found.status {
        Health::Damaged => mend(store, &held, &found.file, now),
        _ => Ok(found),
    });
    let mended: Vec<Finding> = mended.collect::<Result<_, _>>()?;
    store.renew_index(None, now)?;
    Ok(mended)
}

fn inspect_path(store: &Store, path: &str) -> Finding {
    let finding = |status, flaws, records| Finding {
        file: path.to_owned(),
        status,
        flaws,
        records,
        original: None,
    };
    match store.load(path) {
        Ok(loaded) => {
            let flaws = inspect(store, &loaded);
            let status = if flaws.is_empty() {
                Health::Ok
            } else {
                Health::Damaged
            };
            finding(status, flaws, loaded.records().count())
        }
        Err(error) => finding(
            Health::Unreadable,
            vec![Flaw::new(path, error.to_string())],
            0,
        ),
    }
}

/// Lists the flaws of a file, each with its line.
fn inspect(store: &Store, loaded: &Loaded) -> Vec<Flaw> {
    let mut flaws = Vec::new();
    let mut seen = HashSet::new();
    let mut tell = |n: Option<usize>, problem: String, remedy: &str| {
        let place = n.map_or(loaded.path.clone(), |n| format!("{}:{n}", loaded.path));
        flaws.push(Flaw {
            remedy: Some(remedy.to_owned()),
            ..Flaw::new(place, problem)
        });
    };
    for (n, line) in &loaded.lines {
        match &line.found {
            Ok(record) if seen.insert(&record.id) => {}
            Ok(record) => tell(
                Some(*n),
                format!("Duplicate id {}", record.id),
                "the first one is kept",
            ),
            Err(flaw @ LineFlaw::Syntax(_)) => {
                tell(
                    Some(*n),
                    flaw.to_string(),
                    "moves it to a separate file, or restores it from a backup",
                );
            }
            Err(flaw @ LineFlaw::Schema(_)) => {
                tell(
                    Some(*n),
                    flaw.to_string(),
                    "fills in defaults, or moves it to a separate file",
                );
            }
        }
    }
    if loaded.unfinished.is_some() {
        tell(
            None,
            "The last line is incomplete".to_owned(),
            "moves it to a separate file",
        );
    }
    if has_lost_all(store, loaded) {
        tell(
            None,
            "The records are missing".to_owned(),
            "restores them from a backup or the archive",
        );
    }
    flaws
}

/// Says whether a file is empty that the index knows records of.
fn has_lost_all(store: &Store, loaded: &Loaded) -> bool {
    let kind = Type::ALL
        .into_iter()
        .find(|kind| kind.file() == loaded.path);
    match (kind, store.standing()) {
        (Some(kind), Standing::Ours(statistics)) => {
            loaded.lines.is_empty()
                && loaded.unfinished.is_none()
                && statistics.by_type.of(kind) > 0
        }
        _ => false,
    }
}

fn mend(
    store: &Store,
    held: &Signed<'_>,
    path: &str,
    now: Timestamp,
) -> Result<Finding, JournalError> {
    let mut found = inspect_path(store, path);
    if found.status != Health::Damaged {
        return Ok(found);
    }
    let mut loaded = store.load(path)?;
    let kind = Type::of_file(path).unwrap_or(Type::Core);
    let mended = mended_lines(store, std::mem::take(&mut loaded.lines), kind, path, now)?;
    let lines = if mended.is_empty() {
        restored_lines(store, path, kind)?
    } else {
        mended
    };
    if loaded.stamp.is_some() {
        let name = store
            .files
            .keep_corrupt(&store.root.join(path), limits::READ_BYTES, now)?;
        found.original = Some(name);
    }
    loaded.lines = lines;
    loaded.unfinished = None;
    store.put(held, &loaded)?;
    found.status = Health::Repaired;
    found.records = loaded.records().count();
    let kept = found
        .original
        .as_ref()
        .map(|name| format!("The damaged file is kept as {name}; "));
    let remedy = format!(
        "{}it has {} records",
        kept.unwrap_or_default(),
        found.records
    );
    found
        .flaws
        .iter_mut()
        .for_each(|flaw| flaw.remedy = Some(remedy.clone()));
    Ok(found)
}

/// Returns the lines that are records, or can be made so, each record once.
fn mended_lines(
    store: &Store,
    damaged: Vec<(usize, Line)>,
    kind: Type,
    path: &str,
    now: Timestamp,
) -> Result<Vec<(usize, Line)>, JournalError> {
    let backups = backup_records(store, path)?;
    let mut seen: HashSet<RecordId> = HashSet::new();
    let mut mended = Vec::new();
    for (n, line) in damaged {
        let line = match &line.found {
            Ok(_) => Some(line),
            Err(_) => {
                let amended = amend(&line.bytes, kind, now);
                amended
                    .or_else(|| of_backup(&line.text(), &backups))
                    .map(Line::of)
            }
        };
        if let Some(line) = line.filter(|line| {
            line.record()
                .is_some_and(|record| seen.insert(record.id.clone()))
        }) {
            mended.push((n, line));
        }
    }
    Ok(mended)
}

/// Returns the backup of the record whose id stands in a line that is no JSON.
fn of_backup(text: &str, backups: &[Record]) -> Option<Record> {
    backups
        .iter()
        .find(|record| text.contains(record.id.as_str()))
        .cloned()
}

/// Returns the records of a file's backups, those of the newest first.
fn backup_records(store: &Store, path: &str) -> Result<Vec<Record>, JournalError> {
    let mut records = Vec::new();
    for name in backups_of(store, path)? {
        records.extend(
            read_backup(store, &name)?
                .into_iter()
                .filter_map(|line| line.found.ok()),
        );
    }
    Ok(records)
}

fn backups_of(store: &Store, path: &str) -> Result<Vec<String>, JournalError> {
    let stem = format!("{path}.backup.");
    let items = store.files.list(&store.root.join(BACKUPS))?;
    let files = items.into_iter().filter(|item| item.kind == ItemKind::File);
    let names = files.map(|item| item.name.to_string_lossy().into_owned());
    let mut names: Vec<String> = names.filter(|name| name.starts_with(&stem)).collect();
    names.reverse();
    Ok(names)
}

fn read_backup(store: &Store, name: &str) -> Result<Vec<Line>, JournalError> {
    let loaded = store.load(&format!("{BACKUPS}/{name}"))?;
    Ok(loaded.lines.into_iter().map(|(_, line)| line).collect())
}

/// Returns the records of the newest backup that has any; else those of the archive.
fn restored_lines(
    store: &Store,
    path: &str,
    kind: Type,
) -> Result<Vec<(usize, Line)>, JournalError> {
    if path.starts_with(ARCHIVE) {
        return Ok(Vec::new());
    }
    let mut lines = Vec::new();
    for name in backups_of(store, path)? {
        lines = read_backup(store, &name)?;
        lines.retain(|line| line.record().is_some());
        if !lines.is_empty() {
            break;
        }
    }
    if lines.is_empty() {
        let mut live = store.look();
        live.files.retain(|loaded| loaded.path != path);
        let archived = store
            .archived(&live)?
            .into_iter()
            .filter(|record| record.kind() == kind);
        lines.extend(archived.map(|record| {
            Line::of(Record {
                archived: false,
                ..record
            })
        }));
    }
    Ok(lines
        .into_iter()
        .enumerate()
        .map(|(n, line)| (n + 1, line))
        .collect())
}

/// Says whether bytes are lines with a record among them, for whoever would put them in a file's place.
pub(crate) fn has_records(bytes: &[u8]) -> bool {
    lines(bytes).iter().any(|(_, line)| line.record().is_some())
}
