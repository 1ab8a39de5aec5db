//! From sources that have changed to segments that say what is in them now.

use std::borrow::Cow;
use std::sync::Arc;

use memory_core::{Document, Flaw, Kind, Progress, Survey};
use rustc_hash::FxHashMap;
use xxhash_rust::xxh3::xxh3_128;

use crate::limits;
use crate::segment::{Builder, Facts, Reading, Record, Segment};
use crate::stack::Stack;
use crate::sweep::{Changed, Sweep};

/// Reads what has changed and puts it on top of the stack; returns the flaws of what can't be read.
pub(crate) fn read(
    kinds: &[Arc<dyn Kind>],
    sweep: &Sweep,
    stack: &mut Stack,
    progress: &dyn Progress,
) -> Vec<Flaw> {
    let mut flaws = Vec::new();
    let mut desk = Desk {
        builder: Builder::default(),
        segments: Vec::new(),
    };
    for (key, place) in &sweep.gone {
        desk.add(&gone(*key, *place));
    }
    let mut done = 0;
    for of_kind in sweep.changed.chunk_by(|a, b| a.kind == b.kind) {
        let Some(kind) = of_kind.first().and_then(|changed| kinds.get(changed.kind)) else {
            continue;
        };
        let names: Vec<&str> = of_kind
            .iter()
            .map(|changed| changed.source.name.as_str())
            .collect();
        kind.documents_of_each(&names, &mut |n, survey| {
            let Some(changed) = of_kind.get(n) else {
                return;
            };
            progress.advance(done, sweep.changed.len(), &changed.source.name);
            done += 1;
            if let Some(reading) = compare(changed, &survey, stack) {
                desk.add(&reading);
            }
            flaws.extend(survey.flaws);
        });
    }
    for segment in desk.finish() {
        stack.push(segment, false);
    }
    flaws
}

/// Collects readings into segments of bounded size.
struct Desk {
    builder: Builder,
    segments: Vec<Arc<Segment>>,
}

impl Desk {
    fn add(&mut self, reading: &Reading<'_>) {
        self.builder.add(reading);
        if self.builder.size() > limits::SEGMENT_BYTES {
            self.close();
        }
    }

    fn close(&mut self) {
        let builder = std::mem::take(&mut self.builder);
        self.segments
            .extend(new_segment(builder.finish()).map(Arc::new));
    }

    fn finish(mut self) -> Vec<Arc<Segment>> {
        if !self.builder.is_empty() {
            self.close();
        }
        self.segments
    }
}

/// Returns the segment of bytes that were just made; its name follows from them, so that it is never
/// that of another.
pub(crate) fn new_segment(bytes: Vec<u8>) -> Option<Segment> {
    Segment::open(format!("{:032x}", xxh3_128(&bytes)), bytes.into())
}

fn gone(key: u128, place: u64) -> Reading<'static> {
    Reading {
        key,
        state: 0,
        place,
        is_fresh: false,
        is_gone: true,
        adds: false,
        documents: Vec::new(),
        removals: Vec::new(),
    }
}

/// Returns what is new about a source; none when nothing is.
///
/// Of a source with many documents of which few have changed, only those are written again.
fn compare<'a>(
    changed: &Changed,
    survey: &'a Survey<Document>,
    stack: &Stack,
) -> Option<Reading<'a>> {
    let mut reading = Reading {
        key: changed.key,
        state: changed.source.state,
        place: changed.place,
        // What could not be read is tried, and told, again.
        is_fresh: changed.source.is_fresh || !survey.flaws.is_empty(),
        is_gone: false,
        adds: false,
        documents: survey.good.iter().map(Cow::Borrowed).collect(),
        removals: Vec::new(),
    };
    if !changed.is_known {
        return Some(reading);
    }
    let known = stack.documents(changed.key);
    let mut left: FxHashMap<u64, u64> = known.iter().copied().collect();
    let is_ambiguous = left.len() < known.len();
    let mut record = Vec::new();
    let mut is_same = |document: &Document| {
        record.clear();
        Record::write(document, &mut record);
        let facts = Facts::of(document, 0, 0, &record);
        match left.get(&facts.address) {
            Some(content) if *content == facts.content => left.remove(&facts.address).is_some(),
            _ => false,
        }
    };
    let news: Vec<&Document> = survey
        .good
        .iter()
        .filter(|document| !is_same(document))
        .collect();
    if is_ambiguous || news.len() * 2 > survey.good.len() {
        return Some(reading);
    }
    reading.adds = true;
    reading.documents = news.into_iter().map(Cow::Borrowed).collect();
    reading.removals = left.into_keys().collect();
    reading.removals.sort_unstable();
    let is_old_news = reading.documents.is_empty() && reading.removals.is_empty();
    let row = stack.current(changed.key).map(|(_, _, row)| row);
    let is_told =
        row.is_some_and(|row| row.state == reading.state && row.is_fresh == reading.is_fresh);
    (!is_old_news || !is_told).then_some(reading)
}
