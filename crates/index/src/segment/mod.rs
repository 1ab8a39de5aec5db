//! A segment: documents of some sources with their words, in one file that never changes.
//!
//! The file is an envelope (`sections.rs`) whose parts are named in [`Section`]. What is small or
//! read whole is checked when the file is opened; lists of words and records of documents are checked
//! one by one as they are read, so that opening costs the same however much text there is.

mod build;
mod facts;
mod lists;
mod merge;
mod record;
mod rows;
mod threads;
mod write;

use std::sync::atomic::{AtomicBool, Ordering};

use memory_core::{Address, Document, Expiry, Thread};

pub(crate) use build::{Builder, Reading};
use facts::Columns;
pub use facts::Facts;
use lists::Lists;
pub(crate) use lists::{Damaged, List};
pub(crate) use merge::{Merging, Origin, merge};
pub(crate) use record::ARCHIVED_AT_EXPIRY;
pub use record::Record;
pub(crate) use rows::{Row, Rows};
use threads::Threads;

use crate::bytes::{Bytes, Part, take_text};
use crate::{limits, sections};

const MAGIC: &[u8; 16] = b"memory recall  \n";
const SECTIONS: usize = 24;
/// The sections whose pieces are checked as they are read.
const LAZY: [usize; 3] = [TERM_LISTS, LABEL_LISTS, RECORDS];
const TERM_LISTS: usize = 19;
const LABEL_LISTS: usize = 22;
const RECORDS: usize = 23;

/// Documents of some sources, as they were read at some time.
#[derive(Debug)]
pub(crate) struct Segment {
    pub(crate) name: String,
    pub(crate) bytes: Bytes,
    pub(crate) rows: Rows,
    removals: Part,
    pub(crate) columns: Columns,
    pub(crate) threads: Threads,
    record_ends: Part,
    records: Part,
    kinds: Vec<String>,
    pub(crate) terms: Lists,
    pub(crate) labels: Lists,
    is_damaged: AtomicBool,
}

impl Segment {
    /// Opens a segment; none when its bytes are not one of this version, or not whole.
    pub(crate) fn open(name: String, bytes: Bytes) -> Option<Self> {
        let parts =
            sections::open::<SECTIONS>(MAGIC, limits::VERSION, &bytes, |n| !LAZY.contains(&n))?;
        let [rows, directory, removals, rest @ ..] = parts;
        let [c0, c1, c2, c3, c4, c5, c6, c7, c8, c9, c10, rest @ ..] = rest;
        let [
            order,
            record_ends,
            kinds,
            term_texts,
            term_entries,
            term_lists,
            rest @ ..,
        ] = rest;
        let [label_texts, label_entries, label_lists, records] = rest;
        let columns = Columns::open([c0, c1, c2, c3, c4, c5, c6, c7, c8, c9, c10])?;
        Some(Segment {
            name,
            rows: Rows::open(rows, directory, columns.count())?,
            removals,
            columns,
            threads: Threads::new(order),
            record_ends,
            records,
            kinds: read_kinds(&kinds)?,
            terms: Lists::new([term_texts, term_entries, term_lists]),
            labels: Lists::new([label_texts, label_entries, label_lists]),
            is_damaged: AtomicBool::new(false),
            bytes,
        })
    }

    /// How many documents it has, those that are no more included.
    pub(crate) fn count(&self) -> usize {
        self.columns.count()
    }

    /// Returns the address hashes of what a row takes from older segments.
    pub(crate) fn removals<'a>(&'a self, row: &Row) -> impl Iterator<Item = u64> + use<'a> {
        row.removals
            .clone()
            .map_while(|n| self.removals.u64(n as usize))
    }

    /// Returns the bytes of a document's record, once they were seen to be whole.
    pub(crate) fn record_bytes(&self, n: usize) -> Option<&[u8]> {
        let read = || {
            let begin = if n == 0 {
                0
            } else {
                self.record_ends.u64(n - 1)?
            };
            let end = self.record_ends.u64(n)?;
            let bytes = self
                .records
                .get(usize::try_from(begin).ok()?..usize::try_from(end).ok()?)?;
            let facts = self.columns.facts(n)?;
            (facts.sum(bytes) == facts.content).then_some(bytes)
        };
        let bytes = read();
        if bytes.is_none() {
            self.tell_damage();
        }
        bytes
    }

    /// Returns the texts of a document.
    pub(crate) fn record(&self, n: usize) -> Option<Record<'_>> {
        Record::read(self.record_bytes(n)?)
    }

    /// Returns the name of a document's kind.
    pub(crate) fn kind(&self, n: usize) -> &str {
        self.kinds
            .get(self.columns.kind(n) as usize)
            .map_or("", String::as_str)
    }

    /// Returns the numbers by which columns know these kinds.
    pub(crate) fn kinds(&self) -> &[String] {
        &self.kinds
    }

    /// Returns a document whole.
    pub(crate) fn document(&self, n: usize) -> Option<Document> {
        let (record, facts) = (self.record(n)?, self.columns.facts(n)?);
        Some(Document {
            address: Address::new(self.kind(n), record.id),
            title: record.title.to_owned(),
            text: record.text.to_owned(),
            labels: record
                .labels
                .iter()
                .map(|label| (*label).to_owned())
                .collect(),
            source: record.source.to_owned(),
            created_at: facts.created_at(),
            updated_at: facts.updated_at(),
            expiry: facts.expires_at().map(|at| {
                if record.is_archived_at_expiry {
                    Expiry::Archived(at)
                } else {
                    Expiry::Removed(at)
                }
            }),
            thread: record.thread.map(|name| Thread {
                name: name.to_owned(),
                place: facts.position,
            }),
            weight: facts.weight,
        })
    }

    /// Returns the documents that have a word; nothing when none has, or when the list is damaged.
    pub(crate) fn with_term(&self, term: &str) -> Option<List<'_>> {
        self.list(&self.terms, term)
    }

    /// Returns how many documents have a word, those that are no more included.
    pub(crate) fn count_with_term(&self, term: &str) -> usize {
        self.terms
            .find(term.as_bytes())
            .map_or(0, |n| self.terms.documents(n))
    }

    /// Returns the documents that have a label, whatever its case.
    pub(crate) fn with_label(&self, label: &str) -> Option<List<'_>> {
        self.list(&self.labels, &folded(label))
    }

    /// Returns the labels that begin so, in the form they are filed in.
    pub(crate) fn labels_beginning(&self, beginning: &str) -> Vec<String> {
        let beginning = folded(beginning);
        let from = self.labels.first_not_before(beginning.as_bytes());
        (from..self.labels.count())
            .map_while(|n| std::str::from_utf8(self.labels.text(n)?).ok())
            .take_while(|label| label.starts_with(&beginning))
            .map(str::to_owned)
            .collect()
    }

    fn list<'a>(&self, lists: &'a Lists, word: &str) -> Option<List<'a>> {
        let n = lists.find(word.as_bytes())?;
        lists.list(n).map_err(|Damaged| self.tell_damage()).ok()
    }

    fn tell_damage(&self) {
        self.is_damaged.store(true, Ordering::Relaxed);
    }

    /// Reads everything that is otherwise checked when it is needed; says whether all of it is whole.
    pub(crate) fn verify(&self) -> bool {
        for n in 0..self.count() {
            self.record_bytes(n);
        }
        for lists in [&self.terms, &self.labels] {
            if (0..lists.count()).any(|n| lists.list(n).is_err()) {
                self.tell_damage();
            }
        }
        !self.is_damaged()
    }

    /// Says whether something was read whose bytes were not whole.
    pub(crate) fn is_damaged(&self) -> bool {
        self.is_damaged.load(Ordering::Relaxed) || self.bytes.is_broken()
    }
}

/// The form in which a label is filed and looked up.
fn folded(label: &str) -> String {
    label.to_lowercase()
}

fn read_kinds(mut bytes: &[u8]) -> Option<Vec<String>> {
    let mut kinds = Vec::new();
    while !bytes.is_empty() {
        kinds.push(take_text(&mut bytes)?.to_owned());
    }
    Some(kinds)
}
