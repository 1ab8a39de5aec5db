//! A line that is no record but could be one: what is missing or wrong gets its default.

use indexmap::IndexMap;
use memory_core::{Timestamp, instant, parse_instant};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::value::{RawValue, to_raw_value};
use xxhash_rust::xxh3::xxh3_128;

use crate::format::parse;
use crate::{Importance, Record, RecordId, Status, Type, limits};

/// Returns the record that a line was meant to be; none when it is not an object or says nothing.
///
/// `kind` is the type of the file that it is in, `now` the time of a line that has none. A line without an id gets one
/// that follows from its bytes: it has the same id each time it is read, and after a repair.
pub(crate) fn amend(line: &[u8], kind: Type, now: Timestamp) -> Option<Record> {
    let mut members = Members(serde_json::from_slice(line).ok()?);
    members.keep("id", &id_of(line), |id: &String| {
        RecordId::parse(id).is_some()
    });
    members.keep("type", kind.as_str(), |word: &String| {
        Type::parse(word).is_ok()
    });
    let times = ["created_at", "updated_at", "accessed_at"];
    let known = times
        .iter()
        .find_map(|name| members.time(name))
        .unwrap_or(now);
    times
        .iter()
        .for_each(|name| members.keep(name, &instant(known), |text: &String| is_time(text)));
    members.keep("access_count", &0, |_: &u64| true);
    members.keep(
        "importance",
        Importance::Medium.as_str(),
        |word: &String| Importance::parse(word).is_ok(),
    );
    members.keep("archived", &false, |_: &bool| true);
    members.amend_tags();
    members.amend_category();
    if members.read::<String>("type").as_deref() == Some(Type::Task.as_str()) {
        members.amend_task();
    }
    parse(&serde_json::to_string(&members.0).ok()?).ok()
}

/// Returns the id of a line that tells none: in the form of a random UUID.
fn id_of(line: &[u8]) -> String {
    let hash = format!("{:032x}", xxh3_128(line));
    format!(
        "{}-{}-4{}-8{}-{}",
        &hash[..8],
        &hash[8..12],
        &hash[13..16],
        &hash[17..20],
        &hash[20..]
    )
}

struct Members(IndexMap<String, Box<RawValue>>);

impl Members {
    fn read<T: DeserializeOwned>(&self, name: &str) -> Option<T> {
        serde_json::from_str(self.0.get(name)?.get()).ok()
    }

    fn put<T: Serialize + ?Sized>(&mut self, name: &str, value: &T) {
        if let Ok(raw) = to_raw_value(value) {
            self.0.insert(name.to_owned(), raw);
        }
    }

    /// Keeps a member that is as it should be; puts the default in the place of any other.
    fn keep<T: DeserializeOwned, D: Serialize + ?Sized>(
        &mut self,
        name: &str,
        default: &D,
        is_good: impl Fn(&T) -> bool,
    ) {
        if !self.read(name).is_some_and(|value| is_good(&value)) {
            self.put(name, default);
        }
    }

    fn time(&self, name: &str) -> Option<Timestamp> {
        parse_instant(&self.read::<String>(name)?)
    }

    fn amend_tags(&mut self) {
        let words: Vec<serde_json::Value> = self.read("tags").unwrap_or_default();
        let words = words
            .iter()
            .filter_map(|word| word.as_str())
            .filter(|word| !word.trim().is_empty());
        let short = |word: &str| word.chars().take(limits::TAG_CHARS).collect::<String>();
        let mut tags: Vec<String> = Vec::new();
        for tag in words.map(short) {
            if !tags.contains(&tag) && tags.len() < limits::TAGS {
                tags.push(tag);
            }
        }
        self.put("tags", &tags);
    }

    fn amend_category(&mut self) {
        let Some(raw) = self.0.shift_remove("category") else {
            return;
        };
        let word: String = serde_json::from_str(raw.get()).unwrap_or_default();
        if !word.trim().is_empty() {
            self.put(
                "category",
                &word
                    .chars()
                    .take(limits::CATEGORY_CHARS)
                    .collect::<String>(),
            );
        }
    }

    fn amend_task(&mut self) {
        let Some(raw) = self.0.get("task_metadata") else {
            return;
        };
        let Ok(mut task) = serde_json::from_str(raw.get()).map(Members) else {
            self.0.shift_remove("task_metadata");
            return;
        };
        task.keep("status", Status::InProgress.as_str(), |word: &String| {
            Status::parse(word).is_ok()
        });
        match task.read::<String>("status").as_deref() {
            Some("completed") => {
                let completed = self.read::<String>("updated_at").unwrap_or_default();
                task.keep("completed_at", &completed, |text: &String| is_time(text));
            }
            Some("blocked") => task.keep("blockers", &[""; 0], |_: &Vec<String>| true),
            _ => {}
        }
        if task.read::<Option<String>>("outcome").is_none() {
            task.0.shift_remove("outcome");
        }
        self.put("task_metadata", &task.0);
    }
}

fn is_time(text: &str) -> bool {
    parse_instant(text).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::render;

    #[track_caller]
    fn check(text: &str, amended: Option<&str>) {
        let now = parse_instant("2026-05-07T10:00:00Z").unwrap();
        let record = amend(text.as_bytes(), Type::Task, now);
        let amended = amended.map(|line| line.replace("ID", &id_of(text.as_bytes())));
        assert_eq!(record.as_ref().map(render), amended);
    }

    #[test]
    fn what_is_missing_gets_its_default_and_what_is_there_stays() {
        check(
            r#"{"content":"x","created_at":"2026-01-01T10:00:00Z","new":1.0000000000000000000001}"#,
            Some(
                r#"{"id":"ID","type":"task","content":"x","created_at":"2026-01-01T10:00:00Z","updated_at":"2026-01-01T10:00:00Z","accessed_at":"2026-01-01T10:00:00Z","access_count":0,"tags":[],"importance":"medium","archived":false,"new":1.0000000000000000000001}"#,
            ),
        );
    }

    #[test]
    fn what_is_wrong_is_cut_or_replaced() {
        let long = "x".repeat(31);
        check(
            &format!(
                r#"{{"id":"7","type":"core","content":"x","access_count":-2,"tags":["a","a","",3,"{long}"],"importance":"top","category":7,"archived":0}}"#
            ),
            Some(&format!(
                r#"{{"id":"ID","type":"core","content":"x","created_at":"2026-05-07T10:00:00Z","updated_at":"2026-05-07T10:00:00Z","accessed_at":"2026-05-07T10:00:00Z","access_count":0,"tags":["a","{}"],"importance":"medium","archived":false}}"#,
                "x".repeat(30)
            )),
        );
    }

    #[test]
    fn a_completed_task_gets_a_time_and_a_blocked_one_its_list() {
        let now = parse_instant("2026-05-07T10:00:00Z").unwrap();
        let metadata = |task: &str| {
            let text = format!(r#"{{"content":"x","task_metadata":{task}}}"#);
            let line = render(&amend(text.as_bytes(), Type::Task, now).unwrap());
            line.split_once("\"task_metadata\":")
                .map(|(_, rest)| rest.trim_end_matches('}').to_owned())
        };
        let completed = r#"{"status":"completed","completed_at":"2026-05-07T10:00:00Z""#;
        assert_eq!(
            metadata(r#"{"status":"completed"}"#).as_deref(),
            Some(completed)
        );
        assert_eq!(
            metadata(r#"{"status":"blocked"}"#).as_deref(),
            Some(r#"{"status":"blocked","blockers":[]"#)
        );
        assert_eq!(
            metadata(r#"{"status":"paused","outcome":3}"#).as_deref(),
            Some(r#"{"status":"in-progress""#)
        );
        assert_eq!(metadata("[]"), None);
    }

    #[test]
    fn a_line_without_content_can_not_be_mended() {
        check(r#"{"id":"x"}"#, None);
        check(r#"{"content":""}"#, None);
        check("[1]", None);
        check("{", None);
    }
}
