//! From documents to a segment: records are written as they come, words are counted and sorted.

use std::borrow::Cow;

use memory_core::Document;
use memory_text::terms;
use rustc_hash::FxHashMap;

use super::facts::Facts;
use super::folded;
use super::lists::ListWriter;
use super::record::{Record, stored_labels};
use super::rows::Row;
use super::write::Parts;
use crate::analysis;

/// A source as it was just read.
#[derive(Debug)]
pub(crate) struct Reading<'a> {
    pub(crate) key: u128,
    pub(crate) state: u64,
    pub(crate) place: u64,
    pub(crate) is_fresh: bool,
    pub(crate) is_gone: bool,
    /// Whether what older segments say of it still holds, without the removals.
    pub(crate) adds: bool,
    pub(crate) documents: Vec<Cow<'a, Document>>,
    /// The address hashes of documents that are no more.
    pub(crate) removals: Vec<u64>,
}

/// Builds a segment source by source.
#[derive(Debug, Default)]
pub(crate) struct Builder {
    parts: Parts,
    reader: terms::Reader,
    terms: Words,
    labels: Words,
}

impl Builder {
    pub(crate) fn is_empty(&self) -> bool {
        self.parts.rows.is_empty()
    }

    /// How many bytes of records it holds.
    pub(crate) fn size(&self) -> usize {
        self.parts.records.len()
    }

    /// Adds a source with its documents.
    pub(crate) fn add(&mut self, reading: &Reading<'_>) {
        let begin = self.parts.count();
        reading
            .documents
            .iter()
            .for_each(|document| self.add_document(document));
        let removals = self.parts.remove(&reading.removals);
        self.parts.rows.push(Row {
            key: reading.key,
            state: reading.state,
            place: reading.place,
            is_fresh: reading.is_fresh,
            is_gone: reading.is_gone,
            adds: reading.adds,
            documents: begin..self.parts.count(),
            removals,
        });
    }

    fn add_document(&mut self, document: &Document) {
        let number = self.parts.count();
        let kind = self.parts.kind(&document.address.kind);
        let begin = self.parts.records.len();
        Record::write(document, &mut self.parts.records);
        let count = &mut |word: &str| self.terms.count(word, number);
        let length = analysis::words_of(document, &mut self.reader, count);
        stored_labels(document).for_each(|label| self.labels.count(&folded(label), number));
        let facts = Facts::of(document, kind, length, &self.parts.records[begin..]);
        self.parts.add(&facts);
    }

    /// Returns the bytes of the segment.
    pub(crate) fn finish(self) -> Vec<u8> {
        self.parts
            .finish(&self.terms.finish(), &self.labels.finish())
    }
}

/// Words with the documents they stand in, as they come.
#[derive(Debug, Default)]
struct Words {
    numbers: FxHashMap<Box<str>, u32>,
    /// For each word its documents and how often each has it.
    lists: Vec<Vec<(u32, u32)>>,
}

impl Words {
    /// Counts a word of a document. Documents come in their order.
    fn count(&mut self, word: &str, document: u32) {
        let number = match self.numbers.get(word) {
            Some(number) => *number,
            None => {
                self.numbers.insert(word.into(), self.lists.len() as u32);
                self.lists.push(Vec::new());
                self.lists.len() as u32 - 1
            }
        };
        let list = &mut self.lists[number as usize];
        match list.last_mut() {
            Some((last, times)) if *last == document => *times += 1,
            _ => list.push((document, 1)),
        }
    }

    fn finish(self) -> ListWriter {
        let mut words: Vec<(Box<str>, u32)> = self.numbers.into_iter().collect();
        words.sort_unstable();
        let mut writer = ListWriter::default();
        for (word, number) in &words {
            writer.add(word.as_bytes(), &self.lists[*number as usize]);
        }
        writer
    }
}
