//! The parts of a new segment, put together into the bytes of its file.

use super::facts::{ColumnWriter, Facts};
use super::lists::ListWriter;
use super::rows::{self, Row};
use super::{MAGIC, threads};
use crate::bytes::{put_text, u64_at};
use crate::{limits, sections};

/// A segment that is being written.
#[derive(Debug, Default)]
pub(crate) struct Parts {
    pub(crate) rows: Vec<Row>,
    removals: Vec<u8>,
    columns: ColumnWriter,
    record_ends: Vec<u8>,
    pub(crate) records: Vec<u8>,
    kinds: Vec<String>,
}

impl Parts {
    pub(crate) fn count(&self) -> u32 {
        self.columns.count() as u32
    }

    /// Returns the number of a kind.
    pub(crate) fn kind(&mut self, name: &str) -> u8 {
        let known = self.kinds.iter().position(|kind| kind == name);
        known.unwrap_or_else(|| {
            self.kinds.push(name.to_owned());
            self.kinds.len() - 1
        }) as u8
    }

    /// Adds the document whose record was just appended.
    pub(crate) fn add(&mut self, facts: &Facts) {
        self.record_ends
            .extend_from_slice(&(self.records.len() as u64).to_le_bytes());
        self.columns.add(facts);
    }

    /// Adds what a row takes from older segments; returns where it stands.
    pub(crate) fn remove(&mut self, addresses: &[u64]) -> std::ops::Range<u32> {
        let begin = (self.removals.len() / 8) as u32;
        addresses
            .iter()
            .for_each(|address| self.removals.extend_from_slice(&address.to_le_bytes()));
        begin..begin + addresses.len() as u32
    }

    /// Returns the bytes of the segment.
    pub(crate) fn finish(mut self, terms: &ListWriter, labels: &ListWriter) -> Vec<u8> {
        let (rows, directory) = rows::write(&mut self.rows);
        let columns = &self.columns.columns;
        let number = |column: &Vec<u8>, n: usize| u64_at(column, n * 8).unwrap_or_default();
        let standings =
            (0..self.columns.count()).map(|n| (number(&columns[9], n), number(&columns[10], n)));
        let order = threads::write(standings);
        let mut kinds = Vec::new();
        self.kinds
            .iter()
            .for_each(|kind| put_text(&mut kinds, kind));
        let mut parts: Vec<&[u8]> = vec![&rows, &directory, &self.removals];
        parts.extend(columns.iter().map(Vec::as_slice));
        parts.extend([order.as_slice(), &self.record_ends, &kinds]);
        parts.extend([terms.texts.as_slice(), &terms.entries, &terms.lists]);
        parts.extend([labels.texts.as_slice(), &labels.entries, &labels.lists]);
        parts.push(&self.records);
        sections::write(MAGIC, limits::VERSION, &parts)
    }
}
