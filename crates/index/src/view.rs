//! All documents at one moment, to be searched. It never changes, whatever happens to the files.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

use memory_core::{Document, Flaw, Timestamp};
use memory_models::TokenVectors;
use rustc_hash::FxHashSet;

use crate::bits::Bits;
use crate::embedding::Grasp;
use crate::filter::Filter;
use crate::limits;
use crate::scores::Scores;
use crate::segment::{Facts, Record, Segment};
use crate::stack::{Member, Stack};
use crate::sweep::Sweep;
use crate::vectors::{QuestionVector, Vectors};
use crate::weighing::{Weighing, Worth, rarity};

/// A document of a [`View`]. Between two that are equal in all else, addresses decide and not these.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct DocumentId(pub(crate) u32);

/// What can be searched.
#[derive(Debug)]
pub struct View {
    members: Vec<Seen>,
    count: usize,
    total_length: u64,
    /// The places that are shown.
    places: FxHashSet<u64>,
    /// Whether nothing that is known is hidden.
    is_plain: bool,
    /// What could not be looked at.
    pub flaws: Vec<Flaw>,
}

#[derive(Debug)]
struct Seen {
    segment: Arc<Segment>,
    /// The number of its first document.
    base: u32,
    /// What newer segments have left of it.
    alive: Bits,
    /// What is left of that where it is looked at.
    visible: Bits,
    /// How many those are, and how long they are together.
    count: usize,
    length: u64,
    grasps: Vec<Grasp>,
}

impl Seen {
    /// Looks at every document of a member.
    fn of(member: &Member, m: usize, stack: &Stack, sweep: &Sweep) -> Self {
        let Member {
            segment,
            alive,
            grasps,
            ..
        } = member;
        let mut visible = alive.clone();
        let rows = &segment.rows;
        let elsewhere = (0..rows.count()).filter(|n| {
            rows.place(*n)
                .is_none_or(|place| !sweep.places.contains(&place))
        });
        for row in elsewhere.filter_map(|n| rows.get(n)) {
            row.documents.for_each(|n| visible.remove(n as usize));
        }
        for (_, stretch) in sweep
            .hidden
            .iter()
            .flat_map(|key| stack.stretches(*key))
            .filter(|(of, _)| *of == m)
        {
            stretch.for_each(|n| visible.remove(n as usize));
        }
        let (count, length) = (visible.count(), length(segment, &visible));
        Seen {
            segment: segment.clone(),
            base: 0,
            alive: alive.clone(),
            visible,
            count,
            length,
            grasps: grasps.clone(),
        }
    }

    /// Returns the same without the documents that newer segments have taken since; none when others came back.
    fn without_lost(&self, member: &Member) -> Option<Self> {
        if !member.alive.is_within(&self.alive) {
            return None;
        }
        let mut lost = self.visible.clone();
        lost.remove_all(&member.alive);
        let mut visible = self.visible.clone();
        visible.remove_all(&lost);
        Some(Seen {
            segment: self.segment.clone(),
            base: 0,
            alive: member.alive.clone(),
            visible,
            count: self.count - lost.count(),
            length: self.length - length(&self.segment, &lost),
            grasps: member.grasps.clone(),
        })
    }

    /// Says whether all of it is visible.
    fn is_whole(&self) -> bool {
        self.count == self.segment.count()
    }

    /// Counts the documents that have a word.
    fn count_with(&self, term: &str) -> usize {
        if self.is_whole() {
            return self.segment.count_with_term(term);
        }
        let list = self.segment.with_term(term).into_iter().flatten();
        list.filter(|(n, _)| self.visible.has(*n as usize)).count()
    }

    /// Adds to the score of each allowed document what a word is worth in it.
    fn add_scores(&self, term: &str, allowed: &Bits, worth: &Worth, scores: &mut [f32]) {
        let lengths = self.segment.columns.lengths();
        for (n, times) in self.segment.with_term(term).into_iter().flatten() {
            let n = n as usize;
            if let (true, Some(score), Some(length)) =
                (allowed.has(n), scores.get_mut(n), lengths.get(n))
            {
                *score += worth.of(times, u32::from_le_bytes(*length));
            }
        }
    }

    fn vectors(&self, model: usize) -> Option<&Vectors> {
        self.grasps.get(model)?.vectors.as_deref()
    }
}

/// The documents that may answer a question.
#[derive(Debug)]
pub struct Allowed(Vec<Bits>);

impl Allowed {
    /// How many there are.
    pub fn count(&self) -> usize {
        self.0.iter().map(Bits::count).sum()
    }
}

impl View {
    /// Returns all documents as a stack and a sweep know them; what the view before has counted is not counted
    /// again.
    pub(crate) fn new(
        stack: &Stack,
        sweep: &Sweep,
        flaws: Vec<Flaw>,
        before: Option<&View>,
    ) -> Self {
        let before = before.filter(|view| view.is_plain && view.places == sweep.places);
        let known = |member: &Member| {
            let mut members = before?.members.iter();
            members
                .find(|seen| Arc::ptr_eq(&seen.segment, &member.segment))?
                .without_lost(member)
        };
        let mut members = Vec::with_capacity(stack.members.len());
        let mut base = 0;
        for (m, member) in stack.members.iter().enumerate() {
            // Hidden documents come back: nothing is counted on them.
            let known = if sweep.hidden.is_empty() {
                known(member)
            } else {
                None
            };
            let mut seen = known.unwrap_or_else(|| Seen::of(member, m, stack, sweep));
            seen.base = base;
            base += seen.segment.count() as u32;
            members.push(seen);
        }
        View {
            count: members.iter().map(|seen| seen.count).sum(),
            total_length: members.iter().map(|seen| seen.length).sum(),
            members,
            places: sweep.places.clone(),
            is_plain: sweep.hidden.is_empty(),
            flaws,
        }
    }

    /// How many documents there are.
    pub fn count(&self) -> usize {
        self.count
    }

    /// How many words a document has on average, short ones counted as `limits::SHORTEST`.
    pub fn average_length(&self) -> f32 {
        self.total_length as f32 / self.count.max(1) as f32
    }

    /// Returns every document.
    pub fn all(&self) -> impl Iterator<Item = DocumentId> + '_ {
        self.members.iter().flat_map(|seen| {
            seen.visible
                .iter()
                .map(|n| DocumentId(seen.base + n as u32))
        })
    }

    /// Returns how many documents each kind has.
    pub fn kinds(&self) -> BTreeMap<String, usize> {
        let mut kinds = BTreeMap::new();
        for seen in &self.members {
            for n in seen.visible.iter() {
                match kinds.get_mut(seen.segment.kind(n)) {
                    Some(count) => *count += 1,
                    None => drop(kinds.insert(seen.segment.kind(n).to_owned(), 1)),
                }
            }
        }
        kinds
    }

    /// Returns the documents that pass a filter and have not expired.
    pub fn allowed(&self, filter: &Filter, now: Timestamp) -> Allowed {
        let narrowed = self.members.iter().map(|seen| {
            let mut documents = seen.visible.clone();
            filter.narrow(&seen.segment, now, &mut documents);
            documents
        });
        Allowed(narrowed.collect())
    }

    /// Returns the documents that have a word, with how often they have it.
    pub fn with_term(&self, term: &str) -> Vec<(DocumentId, u32)> {
        let mut found = Vec::new();
        for seen in &self.members {
            let list = seen.segment.with_term(term).into_iter().flatten();
            let visible = list.filter(|(n, _)| seen.visible.has(*n as usize));
            found.extend(visible.map(|(n, times)| (DocumentId(seen.base + n), times)));
        }
        found
    }

    /// Returns the documents that have a word.
    pub fn having(&self, term: &str) -> Allowed {
        let having = self.members.iter().map(|seen| {
            let mut documents = Bits::none(seen.segment.count());
            let list = seen.segment.with_term(term).into_iter().flatten();
            list.for_each(|(n, _)| documents.add(n as usize));
            documents.keep_only(&seen.visible);
            documents
        });
        Allowed(having.collect())
    }

    /// Returns the documents that were made at some time, in microseconds since 1970.
    pub(crate) fn made(&self, time: &Range<i64>) -> Allowed {
        Allowed(
            self.members
                .iter()
                .map(|seen| seen.segment.columns.made(|at| time.contains(&at)))
                .collect(),
        )
    }

    /// Returns for each document what those groups are worth together that it is among.
    pub(crate) fn worth(&self, groups: &[(Allowed, f32)]) -> Scores {
        let mut worth = vec![0.0; self.end()];
        for (documents, more) in groups {
            for (seen, documents) in self.members.iter().zip(&documents.0) {
                documents
                    .iter()
                    .for_each(|n| worth[seen.base as usize + n] += more);
            }
        }
        Scores::new(worth, 0.0, 0.0)
    }

    /// Returns every allowed document that has one of the words, with its BM25 score. Each word counts as much as
    /// the number beside it. A text of average length that has each of them once scores the most; a word that no
    /// document has counts as the rarest there.
    ///
    /// How rare a word is and how long texts are is counted over all documents of the view and no
    /// others, so the scores are those that an index made just now would give.
    pub fn lexical(&self, terms: &[(&str, f32)], allowed: &Allowed, how: Weighing) -> Scores {
        let mut scores = vec![0.0_f32; self.end()];
        let average = self.average_length().max(1.0);
        let mut most = 0.0;
        for (term, weight) in terms {
            let count = self.members.iter().map(|seen| seen.count_with(term)).sum();
            let rarity = weight * rarity(self.count, count);
            most += rarity;
            let mut rest = scores.as_mut_slice();
            for (seen, allowed) in self.members.iter().zip(&allowed.0) {
                let (here, others) = rest.split_at_mut(seen.segment.count());
                rest = others;
                seen.add_scores(term, allowed, &how.by_length(rarity, average), here);
            }
        }
        Scores::new(scores, 0.0, most)
    }

    /// Says whether a document is among those allowed.
    pub fn is_allowed(&self, id: DocumentId, allowed: &Allowed) -> bool {
        let position = self.members.partition_point(|seen| seen.base <= id.0);
        let place = self.members[..position]
            .iter()
            .rposition(|seen| seen.segment.count() > 0);
        place.is_some_and(|m| allowed.0[m].has((id.0 - self.members[m].base) as usize))
    }

    /// Returns every allowed document that has a vector by the model with this number, with the cosine
    /// to a question's vector by the same model.
    pub fn dense(&self, model: usize, question: &[f32], allowed: &Allowed) -> Scores {
        let question = QuestionVector::of(question);
        let mut cosines = vec![f32::NEG_INFINITY; self.end()];
        let mut rest = cosines.as_mut_slice();
        for (seen, allowed) in self.members.iter().zip(&allowed.0) {
            let (here, others) = rest.split_at_mut(seen.segment.count());
            rest = others;
            if let Some(vectors) = seen.vectors(model) {
                vectors.cosines(&question, allowed, here);
            }
        }
        Scores::new(cosines, f32::NEG_INFINITY, 1.0)
    }

    /// Returns how many documents have a vector by the model with this number.
    pub fn with_vectors(&self, model: usize) -> usize {
        let count = |seen: &Seen| {
            let vectors = seen.vectors(model);
            vectors.map_or(0, |vectors| {
                seen.visible
                    .iter()
                    .filter(|n| vectors.get(*n).is_some())
                    .count()
            })
        };
        self.members.iter().map(count).sum()
    }

    /// Returns a document's vector by the model with this number: numbers that are all too large by the
    /// same factor, which a cosine does not see.
    pub fn vector(&self, id: DocumentId, model: usize) -> Option<&[u8]> {
        let (seen, n) = self.locate(id)?;
        Some(seen.vectors(model)?.get(n)?.1)
    }

    /// Returns a document's pieces by the model with this number, if they are kept.
    pub fn pieces(&self, id: DocumentId, model: usize) -> Option<TokenVectors> {
        let (seen, n) = self.locate(id)?;
        seen.grasps.get(model)?.pieces.as_ref()?.vectors(n)
    }

    /// Returns the numbers of a document.
    pub fn facts(&self, id: DocumentId) -> Option<Facts> {
        let (seen, n) = self.locate(id)?;
        seen.segment.columns.facts(n)
    }

    /// Returns the hash of a document's address.
    pub(crate) fn address(&self, id: DocumentId) -> Option<u64> {
        let (seen, n) = self.locate(id)?;
        Some(seen.segment.columns.address(n))
    }

    /// Returns the texts of a document, where they lie; none when they are damaged.
    pub fn record(&self, id: DocumentId) -> Option<Record<'_>> {
        let (seen, n) = self.locate(id)?;
        seen.segment.record(n)
    }

    /// Returns the name of a document's kind.
    pub fn kind(&self, id: DocumentId) -> &str {
        self.locate(id).map_or("", |(seen, n)| seen.segment.kind(n))
    }

    /// Returns a document whole.
    pub fn document(&self, id: DocumentId) -> Option<Document> {
        let (seen, n) = self.locate(id)?;
        seen.segment.document(n)
    }

    /// Returns the documents before and after one in its thread, nearest places only, in their order.
    pub fn neighbours(&self, id: DocumentId, before: usize, after: usize) -> Vec<DocumentId> {
        let Some((seen, n)) = self.locate(id) else {
            return Vec::new();
        };
        let (thread, place) = seen.segment.columns.standing(n);
        if thread == 0 {
            return Vec::new();
        }
        let (mut earlier, mut later) = (Vec::new(), Vec::new());
        for seen in &self.members {
            let Segment {
                columns, threads, ..
            } = seen.segment.as_ref();
            let visible = |(_, n): &(u64, u32)| seen.visible.has(*n as usize);
            let named = |(place, n)| (place, DocumentId(seen.base + n));
            let there = threads
                .before(columns, thread, place)
                .filter(visible)
                .map(named);
            earlier.extend(there.take(before));
            let there = threads
                .from(columns, thread, place)
                .filter(visible)
                .map(named);
            later.extend(there.filter(|(_, other)| *other != id).take(after));
        }
        earlier.sort_unstable();
        later.sort_unstable();
        let nearest = earlier.iter().skip(earlier.len().saturating_sub(before));
        nearest
            .chain(later.iter().take(after))
            .map(|(_, id)| *id)
            .collect()
    }

    /// Says whether something was read in the meantime that turned out to be damaged: then what was
    /// found may lack something, and looking again makes it whole.
    pub fn is_damaged(&self) -> bool {
        let is_damaged =
            |seen: &Seen| seen.segment.is_damaged() || seen.grasps.iter().any(Grasp::is_broken);
        self.members.iter().any(is_damaged)
    }

    fn end(&self) -> usize {
        self.members
            .last()
            .map_or(0, |seen| seen.base as usize + seen.segment.count())
    }

    fn locate(&self, id: DocumentId) -> Option<(&Seen, usize)> {
        let after = self.members.partition_point(|seen| seen.base <= id.0);
        let seen = self.members[..after]
            .iter()
            .rev()
            .find(|seen| seen.segment.count() > 0)?;
        Some((seen, (id.0 - seen.base) as usize))
    }
}

/// Returns how many words some documents have together, short ones counted as `limits::SHORTEST`.
fn length(segment: &Segment, documents: &Bits) -> u64 {
    let lengths = segment.columns.lengths();
    let length = |n: usize| {
        lengths
            .get(n)
            .map_or(0, |length| u32::from_le_bytes(*length))
    };
    documents
        .iter()
        .map(|n| u64::from(length(n).max(limits::SHORTEST)))
        .sum()
}
