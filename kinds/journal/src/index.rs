//! `index.json`: how much there is, and which records have which tag, category and importance.
//!
//! Derived, and a pure function of the files but for `last_updated`: names and ids stand in their
//! order. A list is one line, so that a new record is spliced into the text without reading it all
//! as JSON (`splice.rs`).

use std::collections::BTreeMap;
use std::fmt::Write as _;

use memory_core::{Timestamp, instant};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{Importance, Record, Type, limits};

/// `statistics`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Statistics {
    pub total_memories: usize,
    pub by_type: ByType,
    pub archived_count: usize,
    pub total_storage_bytes: u64,
}

/// How many live records there are of each type.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ByType {
    pub core: usize,
    pub learning: usize,
    pub task: usize,
}

impl ByType {
    pub(crate) fn of(&self, kind: Type) -> usize {
        match kind {
            Type::Core => self.core,
            Type::Learning => self.learning,
            Type::Task => self.task,
        }
    }

    pub(crate) fn of_mut(&mut self, kind: Type) -> &mut usize {
        match kind {
            Type::Core => &mut self.core,
            Type::Learning => &mut self.learning,
            Type::Task => &mut self.task,
        }
    }
}

type Lists = BTreeMap<String, Vec<String>>;

/// All that `index.json` says.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Index {
    pub statistics: Statistics,
    pub tags: Lists,
    pub categories: Lists,
    pub importances: BTreeMap<Importance, Vec<String>>,
}

impl Index {
    /// Derives the index of live records.
    pub fn of<'r>(records: impl Iterator<Item = &'r Record>, archived: usize, bytes: u64) -> Self {
        let mut index = Index {
            statistics: Statistics {
                archived_count: archived,
                total_storage_bytes: bytes,
                ..Default::default()
            },
            importances: Importance::ALL.map(|importance| (importance, Vec::new())).into(),
            ..Index::default()
        };
        for record in records {
            index.count(record);
        }
        let lists = index.tags.values_mut().chain(index.categories.values_mut());
        lists.chain(index.importances.values_mut()).for_each(|ids| ids.sort_unstable());
        index
    }

    fn count(&mut self, record: &Record) {
        let id = record.id.as_str();
        self.statistics.total_memories += 1;
        *self.statistics.by_type.of_mut(record.kind()) += 1;
        for tag in record.tags.iter() {
            self.tags.entry(tag.to_owned()).or_default().push(id.to_owned());
        }
        if let Some(category) = &record.category {
            self.categories.entry(category.as_str().to_owned()).or_default().push(id.to_owned());
        }
        self.importances.entry(record.importance).or_default().push(id.to_owned());
    }

    /// Renders the file.
    pub fn render(&self, now: Timestamp) -> String {
        let mut out = head(&self.statistics, now);
        let lists = |lists: &Lists| lists.iter().map(|(name, ids)| line(name, ids)).collect::<Vec<_>>();
        let importances: Vec<String> =
            self.importances.iter().map(|(name, ids)| line(name.as_str(), ids)).collect();
        section(&mut out, TAGS, &lists(&self.tags), ",");
        section(&mut out, CATEGORIES, &lists(&self.categories), ",");
        section(&mut out, IMPORTANCES, &importances, "");
        out.push_str("}\n");
        out
    }
}

pub(crate) const TAGS: &str = "tags_index";
pub(crate) const CATEGORIES: &str = "category_index";
pub(crate) const IMPORTANCES: &str = "importance_index";

/// Renders everything before the lists.
pub(crate) fn head(statistics: &Statistics, now: Timestamp) -> String {
    let Statistics { total_memories, by_type, archived_count, total_storage_bytes } = statistics;
    let ByType { core, learning, task } = by_type;
    format!(
        "{{\n  \"version\": \"{}\",\n  \"last_updated\": \"{}\",\n  \"statistics\": {{\n    \"total_memories\": \
         {total_memories},\n    \"by_type\": {{\n      \"core\": {core},\n      \"learning\": {learning},\n      \
         \"task\": {task}\n    }},\n    \"archived_count\": {archived_count},\n    \"total_storage_bytes\": \
         {total_storage_bytes}\n  }},\n",
        limits::VERSION,
        instant(now)
    )
}

fn line(name: &str, ids: &[String]) -> String {
    let quoted: Vec<String> = ids.iter().map(|id| format!("\"{id}\"")).collect();
    format!("    {}: [{}]", Value::from(name), quoted.join(", "))
}

pub(crate) fn section<S: AsRef<str>>(out: &mut String, name: &str, lines: &[S], end: &str) {
    let _ = write!(out, "  \"{name}\": {{");
    for (n, line) in lines.iter().enumerate() {
        let comma = if n == 0 { "" } else { "," };
        let _ = write!(out, "{comma}\n{}", line.as_ref());
    }
    let close = if lines.is_empty() { "" } else { "\n  " };
    let _ = writeln!(out, "{close}}}{end}");
}

/// What the beginning of an index tells, without its lists.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Standing {
    /// There is none, or it can't be read.
    None,
    /// It has another version than ours, or none.
    Other,
    Ours(Statistics),
}

/// Reads how an index stands.
pub(crate) fn standing(text: &str) -> Standing {
    #[derive(Deserialize)]
    struct Head {
        version: Option<Value>,
        statistics: Option<Value>,
    }
    let Ok(head) = read_head::<Head>(text) else { return Standing::None };
    if head.version.is_none_or(|version| version != limits::VERSION) {
        return Standing::Other;
    }
    let statistics = head.statistics.and_then(|statistics| serde_json::from_value(statistics).ok());
    statistics.map_or(Standing::None, Standing::Ours)
}

/// Reads the part before the lists if it is laid out as we do it, else the whole.
fn read_head<T: serde::de::DeserializeOwned>(text: &str) -> serde_json::Result<T> {
    if let Some(at) = text.find(",\n  \"tags_index\": {")
        && let Ok(head) = serde_json::from_str(&format!("{}\n}}", &text[..at]))
    {
        return Ok(head);
    }
    serde_json::from_str(text)
}
