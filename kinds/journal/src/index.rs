//! `index.json`: how much there is, and which records have which tag, category and importance.
//!
//! Derived, and a function of the files but for `last_updated` and the order within lists. A large one
//! has room in it, so that a new record is written into its place and not the whole anew
//! (`patch.rs`).

use std::collections::BTreeMap;
use std::fmt::Write as _;

use memory_core::{Timestamp, instant};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use xxhash_rust::xxh3::{xxh3_64, xxh3_64_with_seed};

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
            importances: Importance::ALL
                .map(|importance| (importance, Vec::new()))
                .into(),
            ..Index::default()
        };
        for record in records {
            index.count(record);
        }
        index.sort();
        index
    }

    fn count(&mut self, record: &Record) {
        let id = record.id.as_str();
        self.statistics.total_memories += 1;
        *self.statistics.by_type.of_mut(record.kind()) += 1;
        for tag in record.tags.iter() {
            self.tags
                .entry(tag.to_owned())
                .or_default()
                .push(id.to_owned());
        }
        if let Some(category) = &record.category {
            self.categories
                .entry(category.as_str().to_owned())
                .or_default()
                .push(id.to_owned());
        }
        self.importances
            .entry(record.importance)
            .or_default()
            .push(id.to_owned());
    }

    /// Adds one record to what is indexed.
    pub(crate) fn add(&mut self, record: &Record) {
        self.count(record);
        self.sort();
    }

    /// Reads what `render` has written; none when it is anything else.
    pub fn parse(text: &str) -> Option<Self> {
        #[derive(Deserialize)]
        struct Written {
            statistics: Statistics,
            tags_index: Lists,
            category_index: Lists,
            importance_index: BTreeMap<Importance, Vec<String>>,
        }
        let written: Written = serde_json::from_str(text).ok()?;
        let mut index = Index {
            statistics: written.statistics,
            tags: written.tags_index,
            categories: written.category_index,
            importances: written.importance_index,
        };
        index.sort();
        Some(index)
    }

    fn sort(&mut self) {
        let lists = self.tags.values_mut().chain(self.categories.values_mut());
        lists
            .chain(self.importances.values_mut())
            .for_each(|ids| ids.sort_unstable());
    }

    /// Renders the file, with room for more if it is large. `files` is the state of the files that it was made from.
    pub fn render(&self, files: u64, now: Timestamp) -> String {
        let tight = self.lay_out(Layout::Tight, files, now);
        if tight.len() < limits::INDEX_TIGHT_BYTES {
            tight
        } else {
            self.lay_out(Layout::Roomy, files, now)
        }
    }

    fn lay_out(&self, layout: Layout, files: u64, now: Timestamp) -> String {
        let mut out = String::new();
        let importances = self
            .importances
            .iter()
            .map(|(name, ids)| (name.as_str(), ids));
        section(&mut out, TAGS, self.tags.iter(), layout);
        section(&mut out, CATEGORIES, self.categories.iter(), layout);
        section(&mut out, IMPORTANCES, importances, layout);
        // The last section has nothing after it.
        out.truncate(out.len() - ",\n".len());
        out.push_str("\n}\n");
        let checksum = checksum(&self.statistics, files, &out);
        let head = match layout {
            Layout::Tight => head(&self.statistics, checksum, now),
            Layout::Roomy => padded_head(&self.statistics, checksum, now),
        };
        head + &out
    }
}

/// Returns the sum over all that an index says and over the state of the files that it says it of.
pub(crate) fn checksum(statistics: &Statistics, files: u64, lists: &str) -> u64 {
    let numbers = serde_json::to_vec(statistics).unwrap_or_default();
    xxh3_64_with_seed(lists.as_bytes(), files ^ xxh3_64(&numbers))
}

/// Says whether an index is as it was written, and the files are as they were then.
pub(crate) fn is_true_of(text: &str, statistics: &Statistics, files: u64) -> bool {
    #[derive(Deserialize)]
    struct Head {
        checksum: String,
    }
    let Some(at) = text.find(&format!("  \"{TAGS}\": {{")) else {
        return false;
    };
    let written = read_head::<Head>(text)
        .ok()
        .and_then(|head| u64::from_str_radix(&head.checksum, 16).ok());
    written == Some(checksum(statistics, files, &text[at..]))
}

pub(crate) const TAGS: &str = "tags_index";
pub(crate) const CATEGORIES: &str = "category_index";
pub(crate) const IMPORTANCES: &str = "importance_index";

/// Whether lists have room for more ids, and sections for more names: spaces, which JSON passes over.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Layout {
    Tight,
    Roomy,
}

/// Renders everything before the lists, always as long, whatever the numbers are.
pub(crate) fn padded_head(statistics: &Statistics, checksum: u64, now: Timestamp) -> String {
    let head = head(statistics, checksum, now);
    format!(
        "{:<width$}\n",
        head.trim_end(),
        width = limits::INDEX_HEAD_BYTES - 1
    )
}

/// Renders everything before the lists.
fn head(statistics: &Statistics, checksum: u64, now: Timestamp) -> String {
    let Statistics {
        total_memories,
        by_type,
        archived_count,
        total_storage_bytes,
    } = statistics;
    let ByType {
        core,
        learning,
        task,
    } = by_type;
    format!(
        "{{\n  \"version\": \"{}\",\n  \"last_updated\": \"{}\",\n  \"statistics\": {{\n    \"total_memories\": \
         {total_memories},\n    \"by_type\": {{\n      \"core\": {core},\n      \"learning\": {learning},\n      \
         \"task\": {task}\n    }},\n    \"archived_count\": {archived_count},\n    \"total_storage_bytes\": \
         {total_storage_bytes}\n  }},\n  \"checksum\": \"{checksum:016x}\",\n",
        limits::VERSION,
        instant(now)
    )
}

fn section<'i, N: AsRef<str>>(
    out: &mut String,
    name: &str,
    lists: impl ExactSizeIterator<Item = (N, &'i Vec<String>)>,
    layout: Layout,
) {
    let names = lists.len();
    let _ = write!(out, "  \"{name}\": {{");
    for (n, (name, ids)) in lists.enumerate() {
        let room = if layout == Layout::Roomy {
            limits::INDEX_ROOM_IDS + ids.len() / 4
        } else {
            0
        };
        out.push_str(if n == 0 { "" } else { "," });
        list(out, name.as_ref(), ids, room);
    }
    if layout == Layout::Roomy {
        let room = (limits::INDEX_ROOM_NAMES + names / 4) * limits::INDEX_NAME_BYTES;
        out.extend(std::iter::repeat_n(' ', room));
    }
    let is_bare = names == 0 && layout == Layout::Tight;
    out.push_str(if is_bare { "},\n" } else { "\n  },\n" });
}

/// Renders one list on a line of its own, with room for so many more ids.
pub(crate) fn list(out: &mut String, name: &str, ids: &[String], room: usize) {
    let quoted: Vec<String> = ids.iter().map(|id| format!("\"{id}\"")).collect();
    let _ = write!(out, "\n    {}: [{}", Value::from(name), quoted.join(", "));
    out.extend(std::iter::repeat_n(' ', room * limits::INDEX_ID_BYTES));
    out.push(']');
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
    let Ok(head) = read_head::<Head>(text) else {
        return Standing::None;
    };
    if head
        .version
        .is_none_or(|version| version != limits::VERSION)
    {
        return Standing::Other;
    }
    let statistics = head
        .statistics
        .and_then(|statistics| serde_json::from_value(statistics).ok());
    statistics.map_or(Standing::None, Standing::Ours)
}

/// Reads the part before the lists if it is laid out as we do it, else the whole.
fn read_head<T: serde::de::DeserializeOwned>(text: &str) -> serde_json::Result<T> {
    if let Some(at) = text.find("\n  \"tags_index\": {")
        && let Some(head) = text[..at].trim_end().strip_suffix(',')
        && let Ok(head) = serde_json::from_str(&format!("{head}\n}}"))
    {
        return Ok(head);
    }
    serde_json::from_str(text)
}
