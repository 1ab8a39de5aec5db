//! A record of the history: what one step changed, as lines of JSON.
//!
//! Pure: no file is read or written here. A record is a header, one line for each changed entry, and an end line with
//! a checksum over all lines before it. A record without a valid end did not happen. docs/formats/history.md describes
//! the fields.

use memory_core::{Actor, Clock, Timestamp};
use memory_steps::count;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::change_set::hash;
use crate::{StorageError, StorePath};

/// What a step changed, by whom and why.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Record {
    pub at: Timestamp,
    pub by: Actor,
    /// The name of the operation, such as `write` or `undo`.
    pub action: String,
    /// What was done, for people: `clear 2 entries from the session memory`.
    pub summary: String,
    /// The step that this one takes back.
    pub reverts: Option<String>,
    pub entries: Vec<EntryChange>,
}

/// The text of an entry before and after a step.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct EntryChange {
    /// The address: kind and id.
    pub address: String,
    pub path: StorePath,
    /// The version before; `None` if the entry is new.
    pub base: Option<TextVersion>,
    /// The version after; `None` if the entry was removed.
    pub version: Option<TextVersion>,
    /// The canonical text after: without counters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// The canonical text before.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub before: Option<String>,
    /// The position among the entries of the file, where that matters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub position: Option<usize>,
}

/// A hash of an entry's canonical text: the first 128 bits of its SHA-256, in hexadecimal.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct TextVersion(String);

/// A record as it stands in the history.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredRecord {
    /// The id of the step.
    pub step: String,
    pub record: Record,
    /// When it was written, in nanoseconds since 1970: the order of steps of different stores.
    pub written: i64,
    /// Whether another machine wrote it, or nobody knows who did.
    pub is_foreign: bool,
}

/// How one file changes, for completing the change after a crash.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct FileChange {
    pub(crate) path: StorePath,
    /// A hash of the state before; `None` if the file did not exist.
    #[serde(default, skip_serializing_if = "Option::is_none", with = "hex")]
    pub(crate) base: Option<u64>,
    /// The hash of the new contents, or of the bytes that are appended; `None` if the file is removed.
    #[serde(default, skip_serializing_if = "Option::is_none", with = "hex")]
    pub(crate) sum: Option<u64>,
    /// The file with the new contents, in the folder of the history.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) temporary: Option<String>,
    /// Where the bytes of the entry are appended.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) offset: Option<u64>,
}

/// A record with what is needed to complete it, and where it stands in its file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Line {
    pub(crate) step: String,
    pub(crate) record: Record,
    pub(crate) written: i64,
    pub(crate) files: Vec<FileChange>,
    /// The step whose record does not count, because its change did not happen.
    pub(crate) cancels: Option<String>,
    pub(crate) start: u64,
    pub(crate) end: u64,
}

#[derive(Serialize, Deserialize)]
struct Header {
    step: String,
    at: Timestamp,
    #[serde(default)]
    written: i64,
    by: Actor,
    action: String,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    summary: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    reverts: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    cancels: Option<String>,
    /// The number of lines of entries that follow.
    n: usize,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    files: Vec<FileChange>,
}

#[derive(Serialize, Deserialize)]
struct End {
    end: String,
    #[serde(with = "hex")]
    sum: Option<u64>,
}

impl TextVersion {
    /// Returns the version of a canonical text.
    pub fn of(text: &str) -> Self {
        let digest = Sha256::digest(text);
        TextVersion(
            digest[..16]
                .iter()
                .map(|byte| format!("{byte:02x}"))
                .collect(),
        )
    }
}

impl EntryChange {
    /// Returns the change of an entry from one canonical text to another; `None` means that it does not exist.
    pub fn new(
        address: impl Into<String>,
        path: StorePath,
        before: Option<String>,
        text: Option<String>,
    ) -> Self {
        EntryChange {
            address: address.into(),
            path,
            base: before.as_deref().map(TextVersion::of),
            version: text.as_deref().map(TextVersion::of),
            text,
            before,
            position: None,
        }
    }

    /// Returns the same change of an entry at a position of its file.
    #[must_use]
    pub fn at_position(self, position: usize) -> Self {
        EntryChange {
            position: Some(position),
            ..self
        }
    }
}

impl Record {
    /// Returns whether a text is replaced or removed, which only the record then has.
    pub(crate) fn replaces_text(&self) -> bool {
        self.entries.iter().any(|entry| entry.base.is_some())
    }

    /// Renders the record, with a line break at its end.
    pub(crate) fn render(&self, step: &str, files: &[FileChange]) -> Result<String, StorageError> {
        render(self, step, files, None, now())
    }
}

/// Renders the record that takes the record of another step back, because its change did not happen.
pub(crate) fn render_cancellation(
    step: &str,
    of: &Line,
    at: Timestamp,
) -> Result<String, StorageError> {
    let record = Record {
        at,
        by: of.record.by,
        action: "cancel".to_owned(),
        summary: String::new(),
        reverts: None,
        entries: Vec::new(),
    };
    render(&record, step, &[], Some(of.step.clone()), now())
}

/// Renders a record again that was read.
pub(crate) fn render_line(line: &Line) -> Result<String, StorageError> {
    let cancels = line.cancels.clone();
    render(&line.record, &line.step, &line.files, cancels, line.written)
}

fn now() -> i64 {
    i64::try_from(Clock::system().moment().as_nanosecond()).unwrap_or(i64::MAX)
}

fn render(
    record: &Record,
    step: &str,
    files: &[FileChange],
    cancels: Option<String>,
    written: i64,
) -> Result<String, StorageError> {
    let header = Header {
        step: step.to_owned(),
        at: record.at,
        written,
        by: record.by,
        action: record.action.clone(),
        summary: record.summary.clone(),
        reverts: record.reverts.clone(),
        cancels,
        n: record.entries.len(),
        files: files.to_vec(),
    };
    let mut lines = json(&header)? + "\n";
    for entry in &record.entries {
        lines += &json(entry)?;
        lines.push('\n');
    }
    let end = End {
        end: step.to_owned(),
        sum: Some(hash(lines.as_bytes())),
    };
    lines += &json(&end)?;
    lines.push('\n');
    Ok(lines)
}

fn json(value: &impl Serialize) -> Result<String, StorageError> {
    serde_json::to_string(value).map_err(|source| StorageError::Encoding { source })
}

/// Reads the records of a part of a file that begins at `start`, in their order. What is not a record is skipped.
pub(crate) fn parse(bytes: &[u8], start: u64) -> Vec<Line> {
    let mut records = Vec::new();
    let mut open: Option<Open> = None;
    let mut at = 0;
    for line in bytes.split_inclusive(|byte| *byte == b'\n') {
        count(line.len());
        let begin = at;
        at += line.len();
        if let Ok(header) = serde_json::from_slice::<Header>(line) {
            open = Some(Open {
                header,
                begin,
                entries: Vec::new(),
            });
        } else if let Some(record) = open.as_mut() {
            if record.entries.len() < record.header.n
                && let Ok(entry) = serde_json::from_slice::<EntryChange>(line)
            {
                record.entries.push(entry);
                continue;
            }
            let ended = open
                .take()
                .filter(|record| record.ends_with(line, bytes, begin));
            records.extend(ended.map(|record| record.line(start, start + at as u64)));
        }
    }
    let cancelled: Vec<String> = records
        .iter()
        .filter_map(|record| record.cancels.clone())
        .collect();
    if !cancelled.is_empty() {
        records.retain(|record| !cancelled.contains(&record.step) && record.cancels.is_none());
    }
    records
}

/// A record whose end was not read yet.
struct Open {
    header: Header,
    begin: usize,
    entries: Vec<EntryChange>,
}

impl Open {
    /// Returns whether a line, which begins at `at`, is the end of this record.
    fn ends_with(&self, line: &[u8], bytes: &[u8], at: usize) -> bool {
        serde_json::from_slice::<End>(line).is_ok_and(|end| {
            line.ends_with(b"\n")
                && end.end == self.header.step
                && self.entries.len() == self.header.n
                && end.sum == Some(hash(&bytes[self.begin..at]))
        })
    }

    fn line(self, start: u64, end: u64) -> Line {
        let header = self.header;
        Line {
            step: header.step,
            record: Record {
                at: header.at,
                by: header.by,
                action: header.action,
                summary: header.summary,
                reverts: header.reverts,
                entries: self.entries,
            },
            written: header.written,
            files: header.files,
            cancels: header.cancels,
            start: start + self.begin as u64,
            end,
        }
    }
}

/// Numbers of 64 bits as hexadecimal text: JSON readers round larger integers.
mod hex {
    use serde::{Deserialize, Deserializer, Serializer};

    pub(super) fn serialize<S: Serializer>(sum: &Option<u64>, to: S) -> Result<S::Ok, S::Error> {
        match sum {
            Some(sum) => to.serialize_str(&format!("{sum:016x}")),
            None => to.serialize_none(),
        }
    }

    pub(super) fn deserialize<'d, D: Deserializer<'d>>(from: D) -> Result<Option<u64>, D::Error> {
        let text = Option::<String>::deserialize(from)?;
        text.map(|text| u64::from_str_radix(&text, 16).map_err(serde::de::Error::custom))
            .transpose()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(summary: &str, entries: usize) -> Record {
        let entry = |n: usize| {
            let path = StorePath::new(&format!("{n}.md")).unwrap();
            EntryChange::new(format!("notes:{n}"), path, None, Some(format!("text\n{n}")))
        };
        Record {
            at: Timestamp::UNIX_EPOCH,
            by: Actor::Person,
            action: "write".to_owned(),
            summary: summary.to_owned(),
            reverts: None,
            entries: (0..entries).map(entry).collect(),
        }
    }

    fn steps(bytes: &[u8]) -> Vec<String> {
        parse(bytes, 0).into_iter().map(|line| line.step).collect()
    }

    #[test]
    fn records_are_read_as_they_were_written() {
        let first = record("one", 2).render("1", &[]).unwrap();
        let second = record("two", 0).render("2", &[]).unwrap();
        let both = format!("{first}{second}");
        let lines = parse(both.as_bytes(), 100);
        assert_eq!(lines[0].record, record("one", 2));
        assert_eq!(lines[1].record, record("two", 0));
        assert_eq!(
            (lines[0].start, lines[0].end),
            (100, 100 + first.len() as u64)
        );
        assert_eq!(lines[1].end, 100 + both.len() as u64);
    }

    #[test]
    fn a_record_that_is_not_whole_did_not_happen_and_hides_no_other() {
        let whole = record("one", 2).render("1", &[]).unwrap();
        for length in 0..whole.len() {
            assert!(steps(&whole.as_bytes()[..length]).is_empty(), "{length}");
            let next = record("two", 1).render("2", &[]).unwrap();
            let both = format!("{}\n{next}", &whole[..length.saturating_sub(1)]);
            assert_eq!(steps(both.as_bytes()), ["2"], "{length}");
        }
    }

    #[test]
    fn a_record_with_another_byte_did_not_happen() {
        let whole = record("one", 1).render("1", &[]).unwrap();
        let torn = whole.replace("text", "toxt");
        assert!(steps(torn.as_bytes()).is_empty());
        let missing: String = whole.lines().take(1).chain(whole.lines().skip(2)).collect();
        assert!(steps(missing.as_bytes()).is_empty());
    }

    #[test]
    fn a_cancelled_record_did_not_happen() {
        let first = record("one", 1).render("1", &[]).unwrap();
        let line = parse(first.as_bytes(), 0).remove(0);
        let cancel = render_cancellation("2", &line, Timestamp::UNIX_EPOCH).unwrap();
        assert!(steps(format!("{first}{cancel}").as_bytes()).is_empty());
    }

    #[test]
    fn history_is_read_in_linear_time() {
        let line = record("one", 3).render("1", &[]).unwrap();
        for text in [line.as_str(), "{\"step\":1}\n", "\n", "{\"step\":"] {
            let growth = memory_steps::Growth::of(
                100,
                |n| text.repeat(n),
                |text| {
                    drop(parse(text.as_bytes(), 0));
                },
            );
            assert!(growth.is_linear(), "{text}: {growth:?}");
        }
    }
}
