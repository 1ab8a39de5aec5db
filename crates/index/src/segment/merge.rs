//! From several segments to one: what is no more is left out, and each source has one row again.

use std::collections::BTreeMap;

use super::lists::ListWriter;
use super::rows::Row;
use super::write::Parts;
use super::{Damaged, Segment};
use crate::bits::Bits;

/// One of the segments that are merged, and which of its documents still count.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Merging<'a> {
    pub(crate) segment: &'a Segment,
    pub(crate) alive: &'a Bits,
}

/// A document of the merged segment: which segment it comes from, and its number there.
pub(crate) type Origin = (usize, u32);

/// Merges segments, oldest first. `is_whole` says that there are none that are older.
///
/// Also returns where each document comes from, for what is kept beside segments.
pub(crate) fn merge(
    from: &[Merging<'_>],
    is_whole: bool,
    is_wanted: &dyn Fn(u64) -> bool,
) -> Result<(Vec<u8>, Vec<Origin>), Damaged> {
    let mut parts = Parts::default();
    let mut origins = Vec::new();
    let mut numbers: Vec<Vec<u32>> = from
        .iter()
        .map(|m| vec![u32::MAX; m.segment.count()])
        .collect();
    for rows in by_key(from) {
        let (_, newest) = rows[rows.len() - 1].clone();
        if is_whole && (newest.is_gone || !is_wanted(newest.place)) {
            continue;
        }
        let begin = parts.count();
        for (n, row) in &rows {
            let Merging { segment, alive } = from[*n];
            for document in row
                .documents
                .clone()
                .filter(|document| alive.has(*document as usize))
            {
                numbers[*n][document as usize] = parts.count();
                copy(segment, document, &mut parts)?;
                origins.push((*n, document));
            }
        }
        let adds = !is_whole && rows.iter().all(|(_, row)| row.adds);
        let removals = if adds {
            removals_of(from, &rows)
        } else {
            Vec::new()
        };
        let removals = parts.remove(&removals);
        parts.rows.push(Row {
            adds,
            documents: begin..parts.count(),
            removals,
            ..newest
        });
    }
    let terms = merge_lists(from, &numbers, |segment| &segment.terms)?;
    let labels = merge_lists(from, &numbers, |segment| &segment.labels)?;
    Ok((parts.finish(&terms, &labels), origins))
}

/// All rows of each source, oldest first.
///
/// Sources go by where they first stand, so that documents keep their neighbourhood on the disk.
fn by_key(from: &[Merging<'_>]) -> Vec<Vec<(usize, Row)>> {
    let mut rows: BTreeMap<u128, Vec<(usize, Row)>> = BTreeMap::new();
    for (n, merging) in from.iter().enumerate() {
        for row in merging.segment.rows.iter() {
            rows.entry(row.key).or_default().push((n, row));
        }
    }
    let mut sorted: Vec<Vec<(usize, Row)>> = rows.into_values().collect();
    sorted.sort_by_key(|rows| rows.first().map(|(n, row)| (*n, row.documents.start)));
    sorted
}

/// What the rows take from segments that are older than those merged.
fn removals_of(from: &[Merging<'_>], rows: &[(usize, Row)]) -> Vec<u64> {
    let mut removals: Vec<u64> = rows
        .iter()
        .flat_map(|(n, row)| from[*n].segment.removals(row))
        .collect();
    removals.sort_unstable();
    removals.dedup();
    removals
}

fn copy(segment: &Segment, document: u32, parts: &mut Parts) -> Result<(), Damaged> {
    let n = document as usize;
    let record = segment.record_bytes(n).ok_or(Damaged)?;
    let mut facts = segment.columns.facts(n).ok_or(Damaged)?;
    facts.kind = parts.kind(segment.kind(n));
    parts.records.extend_from_slice(record);
    parts.add(&facts);
    Ok(())
}

/// Goes through the dictionaries of all segments at once, word by word.
fn merge_lists(
    from: &[Merging<'_>],
    numbers: &[Vec<u32>],
    lists: impl Fn(&Segment) -> &super::Lists,
) -> Result<ListWriter, Damaged> {
    let mut writer = ListWriter::default();
    let mut next = vec![0; from.len()];
    let mut documents = Vec::new();
    loop {
        let heads = next.iter().enumerate().filter_map(|(n, at)| {
            let dictionary = lists(from[n].segment);
            if *at < dictionary.count() {
                dictionary.text(*at)
            } else {
                None
            }
        });
        let Some(word) = heads.min() else {
            return Ok(writer);
        };
        documents.clear();
        for (n, at) in next.iter_mut().enumerate() {
            let dictionary = lists(from[n].segment);
            if *at < dictionary.count() && dictionary.text(*at) == Some(word) {
                let renumbered = dictionary.list(*at)?.map(|(document, times)| {
                    (
                        numbers[n]
                            .get(document as usize)
                            .copied()
                            .unwrap_or(u32::MAX),
                        times,
                    )
                });
                documents.extend(renumbered.filter(|(document, _)| *document != u32::MAX));
                *at += 1;
            }
        }
        if !documents.is_sorted() {
            documents.sort_unstable();
        }
        if !documents.is_empty() {
            writer.add(word, &documents);
        }
    }
}
