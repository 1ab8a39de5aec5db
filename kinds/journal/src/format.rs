//! Lines as bytes: parse, render, and nothing else.
//!
//! A file is taken apart into lines that keep their text, so that whoever rewrites it copies what
//! was not changed, what a newer version wrote, and what could not be read.

use std::borrow::Cow;
use std::fmt;

use indexmap::IndexMap;
use memory_core::{Timestamp, instant, parse_instant};
use memory_steps::count;
use serde::de::DeserializeOwned;
use serde::ser::{Serialize, SerializeMap, Serializer};
use serde_json::value::RawValue;

use crate::record::{Category, Content, Extra, Matter, Progress, Status, Tags, Task};
use crate::{Importance, Record, RecordId, Type};

const METADATA: &str = "task_metadata";

/// One line of a file: its text, and what it says.
#[derive(Debug)]
pub struct Line {
    pub bytes: Vec<u8>,
    pub found: Result<Record, LineFlaw>,
}

/// Why a line is no record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LineFlaw {
    /// It is no JSON object.
    Syntax(String),
    /// It is one, but not of the schema.
    Schema(String),
}

impl fmt::Display for LineFlaw {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LineFlaw::Syntax(problem) => write!(f, "Invalid JSON: {problem}"),
            LineFlaw::Schema(problem) => write!(f, "Invalid schema: {problem}"),
        }
    }
}

impl Line {
    /// Returns the line of a record.
    pub fn of(record: Record) -> Self {
        Line {
            bytes: render(&record).into_bytes(),
            found: Ok(record),
        }
    }

    /// Reads a line.
    pub fn read(bytes: &[u8]) -> Self {
        count(bytes.len());
        let found = match std::str::from_utf8(bytes) {
            Ok(text) => parse(text),
            Err(_) => Err(LineFlaw::Syntax("it is not UTF-8".to_owned())),
        };
        Line {
            bytes: bytes.to_owned(),
            found,
        }
    }

    /// Returns the line as text, as far as it is.
    pub fn text(&self) -> Cow<'_, str> {
        String::from_utf8_lossy(&self.bytes)
    }

    /// Returns the record, if the line is one.
    pub fn record(&self) -> Option<&Record> {
        self.found.as_ref().ok()
    }
}

/// Takes a file apart. Blank lines are left out; each line comes with its number, from 1.
///
/// A last line without an end is left out too unless it is whole JSON: someone is writing it.
pub fn lines(bytes: &[u8]) -> Vec<(usize, Line)> {
    let bytes = bytes.strip_prefix(MARK).unwrap_or(bytes);
    let numbered = bytes.split_inclusive(|byte| *byte == b'\n').enumerate();
    count(bytes.len());
    let read = numbered
        .filter(|(_, line)| !line.trim_ascii().is_empty())
        .map(|(n, line)| {
            let has_end = line.ends_with(b"\n");
            let line = line.strip_suffix(b"\n").unwrap_or(line);
            (
                n + 1,
                has_end,
                Line::read(line.strip_suffix(b"\r").unwrap_or(line)),
            )
        });
    read.filter(|(_, has_end, line)| *has_end || is_whole(line))
        .map(|(n, _, line)| (n, line))
        .collect()
}

/// What some programs put before UTF-8.
const MARK: &[u8] = "\u{feff}".as_bytes();

fn is_whole(line: &Line) -> bool {
    !matches!(line.found, Err(LineFlaw::Syntax(_)))
}

/// Returns what stands after the last line end, if it is no whole JSON: the rest of a broken write.
pub(crate) fn unfinished(bytes: &[u8]) -> Option<Vec<u8>> {
    let tail = bytes.rsplit(|byte| *byte == b'\n').next()?;
    (!tail.trim_ascii().is_empty() && !is_whole(&Line::read(tail))).then(|| tail.to_owned())
}

/// Puts lines together to a file.
pub fn join<'l>(lines: impl Iterator<Item = &'l Line>) -> Vec<u8> {
    lines.fold(Vec::new(), |mut whole, line| {
        whole.extend_from_slice(&line.bytes);
        whole.push(b'\n');
        whole
    })
}

/// Renders a record as one line, without its end.
pub fn render(record: &Record) -> String {
    serde_json::to_string(record).unwrap_or_default()
}

/// Reads one line as a record, strictly by the schema.
pub fn parse(text: &str) -> Result<Record, LineFlaw> {
    let mut members = Members::read(text)?;
    let record = read_record(&mut members).map_err(LineFlaw::Schema)?;
    Ok(Record {
        extra: members.rest(),
        ..record
    })
}

/// The members of an object that were not taken yet.
struct Members<'a>(IndexMap<String, &'a RawValue>);

impl<'a> Members<'a> {
    fn read(text: &'a str) -> Result<Self, LineFlaw> {
        let syntax = |error: serde_json::Error| {
            let told = error.to_string();
            LineFlaw::Syntax(told.replace(" at line 1 column ", " at column "))
        };
        serde_json::from_str(text).map(Members).map_err(syntax)
    }

    /// Takes a member; none when it is missing or null.
    fn take<T: DeserializeOwned>(&mut self, name: &str) -> Result<Option<T>, String> {
        match self.0.shift_remove(name) {
            None => Ok(None),
            Some(raw) if raw.get() == "null" => Ok(None),
            Some(raw) => match serde_json::from_str(raw.get()) {
                Ok(value) => Ok(Some(value)),
                Err(_) => Err(format!("'{name}' is of the wrong type")),
            },
        }
    }

    fn need<T: DeserializeOwned>(&mut self, name: &str) -> Result<T, String> {
        self.take(name)?
            .ok_or_else(|| format!("'{name}' is missing"))
    }

    fn need_time(&mut self, name: &str) -> Result<Timestamp, String> {
        let text: String = self.need(name)?;
        parse_instant(&text).ok_or_else(|| format!("'{name}' is not a time with a zone"))
    }

    fn rest(self) -> Extra {
        self.0
            .into_iter()
            .map(|(name, raw)| (name, raw.to_owned()))
            .collect()
    }
}

fn read_record(members: &mut Members<'_>) -> Result<Record, String> {
    let id: String = members.need("id")?;
    let kind: String = members.need("type")?;
    let content: String = members.need("content")?;
    let category: Option<String> = members.take("category")?;
    let importance: String = members.need("importance")?;
    let tags: Vec<String> = members.need("tags")?;
    let kind = Type::parse(&kind).map_err(told)?;
    Ok(Record {
        id: RecordId::parse(&id).ok_or_else(|| "'id' is not a version 4 UUID".to_owned())?,
        matter: read_matter(kind, members)?,
        content: Content::parse(&content).map_err(told)?,
        category: category
            .as_deref()
            .map(Category::parse)
            .transpose()
            .map_err(told)?,
        created_at: members.need_time("created_at")?,
        updated_at: members.need_time("updated_at")?,
        accessed_at: members.need_time("accessed_at")?,
        access_count: members.need("access_count")?,
        tags: Tags::parse(&tags).map_err(told)?,
        importance: Importance::parse(&importance).map_err(told)?,
        archived: members.need("archived")?,
        extra: Extra::new(),
    })
}

fn told(error: crate::JournalError) -> String {
    error.to_string()
}

/// Of other types the metadata of tasks is a member that we do not know.
fn read_matter(kind: Type, members: &mut Members<'_>) -> Result<Matter, String> {
    match kind {
        Type::Core => Ok(Matter::Core),
        Type::Learning => Ok(Matter::Learning),
        Type::Task => {
            let metadata: Option<Box<RawValue>> = members.take(METADATA)?;
            Ok(Matter::Task(
                metadata.map(|raw| read_task(raw.get())).transpose()?,
            ))
        }
    }
}

fn read_task(text: &str) -> Result<Task, String> {
    let mut members = Members::read(text).map_err(|_| format!("'{METADATA}' is not an object"))?;
    let status: String = members.need("status")?;
    let progress = match Status::parse(&status).map_err(told)? {
        Status::Completed => Progress::Completed {
            completed_at: members.need_time("completed_at")?,
        },
        Status::InProgress => Progress::InProgress,
        Status::Blocked => Progress::Blocked {
            blockers: members.need("blockers")?,
        },
    };
    Ok(Task {
        progress,
        outcome: members.take("outcome")?,
        extra: members.rest(),
    })
}

impl Serialize for Record {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("id", self.id.as_str())?;
        map.serialize_entry("type", &self.kind())?;
        map.serialize_entry("content", self.content.as_str())?;
        if let Some(category) = &self.category {
            map.serialize_entry("category", category.as_str())?;
        }
        map.serialize_entry("created_at", &instant(self.created_at))?;
        map.serialize_entry("updated_at", &instant(self.updated_at))?;
        map.serialize_entry("accessed_at", &instant(self.accessed_at))?;
        map.serialize_entry("access_count", &self.access_count)?;
        map.serialize_entry("tags", self.tags.as_slice())?;
        map.serialize_entry("importance", &self.importance)?;
        map.serialize_entry("archived", &self.archived)?;
        if let Matter::Task(Some(task)) = &self.matter {
            map.serialize_entry(METADATA, task)?;
        }
        for (name, value) in &self.extra {
            map.serialize_entry(name, value)?;
        }
        map.end()
    }
}

impl Serialize for Task {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("status", &self.progress.status())?;
        match &self.progress {
            Progress::Completed { completed_at } => {
                map.serialize_entry("completed_at", &instant(*completed_at))?;
            }
            Progress::InProgress => {}
            Progress::Blocked { blockers } => map.serialize_entry("blockers", blockers)?,
        }
        if let Some(outcome) = &self.outcome {
            map.serialize_entry("outcome", outcome)?;
        }
        for (name, value) in &self.extra {
            map.serialize_entry(name, value)?;
        }
        map.end()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LINE: &str = r#"{"id":"550e8400-e29b-41d4-a716-446655440000","type":"core","content":"User prefers pytest over unittest","category":"preference","created_at":"2026-01-01T10:00:00Z","updated_at":"2026-01-01T10:00:00Z","accessed_at":"2026-01-01T10:00:00Z","access_count":5,"tags":["python","testing"],"importance":"high","archived":false}"#;

    #[track_caller]
    fn check_schema(from: &str, to: &str, problem: &str) {
        let line = LINE.replace(from, to);
        assert_ne!(line, LINE);
        assert_eq!(
            parse(&line).unwrap_err(),
            LineFlaw::Schema(problem.to_owned())
        );
    }

    #[test]
    fn the_specifications_example_is_read_and_written_as_it_is() {
        assert_eq!(render(&parse(LINE).unwrap()), LINE);
    }

    #[test]
    fn each_constraint_is_told_by_its_field() {
        check_schema(
            "550e8400-e29b-4",
            "550e8400-e29b-1",
            "'id' is not a version 4 UUID",
        );
        check_schema(
            r#""type":"core""#,
            r#""type":"fact""#,
            "'fact' is not a type; it can be core, learning, task",
        );
        check_schema(
            "User prefers pytest over unittest",
            "",
            "The content is empty",
        );
        check_schema(
            r#""content":"User prefers pytest over unittest","#,
            "",
            "'content' is missing",
        );
        check_schema(
            r#""created_at":"2026-01-01T10:00:00Z""#,
            r#""created_at":"2026-01-01""#,
            "'created_at' is not a time with a zone",
        );
        check_schema(
            r#""access_count":5"#,
            r#""access_count":-1"#,
            "'access_count' is of the wrong type",
        );
        check_schema(
            r#""access_count":5"#,
            r#""access_count":1.5"#,
            "'access_count' is of the wrong type",
        );
        check_schema(
            r#"["python","testing"]"#,
            r#""python""#,
            "'tags' is of the wrong type",
        );
        check_schema(
            r#""archived":false"#,
            r#""archived":"no""#,
            "'archived' is of the wrong type",
        );
        check_schema(
            r#""importance":"high""#,
            r#""importance":"top""#,
            "'top' is not an importance; it can be high, medium, low",
        );
    }

    #[test]
    fn times_may_have_any_zone_and_a_category_may_be_missing() {
        let line = LINE
            .replace("2026-01-01T10:00:00Z", "2026-01-01T12:00:00+02:00")
            .replace(r#""category":"preference","#, "");
        let record = parse(&line).unwrap();
        assert_eq!(
            (instant(record.created_at).as_str(), record.category),
            ("2026-01-01T10:00:00Z", None)
        );
    }

    #[test]
    fn the_state_of_a_task_has_what_belongs_to_it() {
        let task = |metadata: &str| {
            let line = LINE.replace(r#""type":"core""#, r#""type":"task""#);
            parse(&format!(
                "{},\"task_metadata\":{metadata}}}",
                line.trim_end_matches('}')
            ))
        };
        let problem = |metadata: &str| match task(metadata) {
            Err(LineFlaw::Schema(problem)) => problem,
            other => panic!("{other:?}"),
        };
        let done = task(r#"{"status":"completed","completed_at":"2026-01-02T10:00:00Z","outcome":"it works","by":12345678901234567890123}"#).unwrap();
        assert!(matches!(done.progress(), Some(Progress::Completed { .. })));
        assert!(render(&done).contains(r#""outcome":"it works","by":12345678901234567890123}"#));
        assert!(task(r#"{"status":"in-progress"}"#).is_ok());
        assert!(task(r#"{"status":"blocked","blockers":["the review"]}"#).is_ok());
        assert_eq!(
            problem(r#"{"status":"completed"}"#),
            "'completed_at' is missing"
        );
        assert_eq!(problem(r#"{"status":"blocked"}"#), "'blockers' is missing");
        assert_eq!(
            problem(r#"{"status":"paused"}"#),
            "'paused' is not a status; it can be completed, in-progress, blocked"
        );
        assert_eq!(problem("[]"), "'task_metadata' is not an object");
    }

    #[test]
    fn what_a_newer_version_wrote_survives() {
        let newer = format!(
            "{},\"weight\":1.000000000000000000001,\"links\":[{{\"to\":\"x\"}}]}}",
            LINE.trim_end_matches('}')
        );
        assert_eq!(render(&parse(&newer).unwrap()), newer);
    }

    #[test]
    fn a_last_line_without_an_end_counts_only_if_it_is_whole() {
        let count = |text: &str| lines(text.as_bytes()).len();
        assert_eq!(count(&format!("{LINE}\n\n{LINE}")), 2);
        assert_eq!(count(&format!("{LINE}\r\n{}", &LINE[..50])), 1);
        assert_eq!(count(&format!("{LINE}\n{}\n", &LINE[..50])), 2);
        assert_eq!(
            unfinished(format!("{LINE}\n{{\"a").as_bytes()).as_deref(),
            Some(&b"{\"a"[..])
        );
        assert_eq!(unfinished(format!("{LINE}\n{LINE}").as_bytes()), None);
    }

    #[test]
    fn a_line_that_is_not_utf_8_is_told_and_keeps_its_bytes() {
        let bytes = [
            b"\xef\xbb\xbf{\"content\":\"\xff\"}\n",
            LINE.as_bytes(),
            b"\n",
        ]
        .concat();
        let lines = lines(&bytes);
        assert!(matches!(&lines[0].1.found, Err(LineFlaw::Syntax(_))));
        assert!(lines[1].1.record().is_some());
        assert_eq!(join(lines.iter().map(|(_, line)| line)), bytes[3..]);
    }

    #[test]
    fn a_file_of_any_shape_is_taken_apart_in_linear_time() {
        // The JSON parser is not ours: it is given one line at a time, of files up to a limit.
        for unit in ["\n", "{}\n", "{\"a\":1,", "[", "\r\n", "\"", " "] {
            let text = |n: usize| unit.repeat(n).into_bytes();
            let growth = memory_steps::Growth::of(2_000, text, |bytes| {
                let _ = (lines(&bytes), unfinished(&bytes));
            });
            assert!(growth.is_linear(), "{unit:?}: {growth:?}");
        }
    }
}
