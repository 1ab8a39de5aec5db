//! What models have read of documents: found beside their segments, carried over, or asked for.

use std::sync::Arc;

use memory_core::{Progress, Result};
use memory_models::{Embed, TokenVectors};
use rustc_hash::FxHashMap;

use crate::bits::Bits;
use crate::bytes::Bytes;
use crate::index::{Ground, Index};
use crate::limits;
use crate::pieces::{self, PieceWriter, Pieces};
use crate::segment::{Origin, Segment};
use crate::stack::{Member, Stack};
use crate::vectors::{self, Kept, VectorWriter, Vectors};

/// So many texts are handed to a model at once.
const BATCH: usize = 64;
/// So many new vectors are kept at once, or this share of those that a segment has: what an interruption
/// loses. All are written each time, so a large segment waits for more.
const FLUSH: usize = 1024;
const FLUSH_SHARE: usize = 8;

/// What one model has made of a segment's documents, as far as it has.
#[derive(Debug, Clone, Default)]
pub(crate) struct Grasp {
    pub(crate) vectors: Option<Arc<Vectors>>,
    /// Only of a model that compares late.
    pub(crate) pieces: Option<Arc<Pieces>>,
}

impl Grasp {
    /// Says whether a file was cut while it was read.
    pub(crate) fn is_broken(&self) -> bool {
        self.vectors
            .as_ref()
            .is_some_and(|vectors| vectors.bytes.is_broken())
            || self
                .pieces
                .as_ref()
                .is_some_and(|pieces| pieces.bytes.is_broken())
    }

    /// Says whether a document still waits for the model.
    fn is_missing(&self, n: usize, model: &dyn Embed) -> bool {
        self.vectors
            .as_ref()
            .is_none_or(|vectors| vectors.is_missing(n))
            || model.tokens().is_some()
                && self
                    .pieces
                    .as_ref()
                    .is_none_or(|pieces| pieces.is_missing(n))
    }

    /// Returns those of some documents that still wait for the model.
    pub(crate) fn missing(&self, documents: &Bits, model: &dyn Embed) -> Vec<usize> {
        let is_complete = self
            .vectors
            .as_ref()
            .is_some_and(|vectors| vectors.is_complete())
            && (model.tokens().is_none()
                || self
                    .pieces
                    .as_ref()
                    .is_some_and(|pieces| pieces.is_complete()));
        if is_complete {
            Vec::new()
        } else {
            documents
                .iter()
                .filter(|n| self.is_missing(*n, model))
                .collect()
        }
    }

    /// Returns the vector of a document, or why there is none.
    fn kept(&self, n: usize) -> Kept<'_> {
        self.vectors
            .as_ref()
            .map_or(Kept::Missing, |vectors| vectors.kept(n))
    }
}

/// Puts together what is kept of a model for all documents of a segment, one after the other.
struct Writer {
    vectors: VectorWriter,
    pieces: PieceWriter,
}

impl Writer {
    fn new(model: &dyn Embed, count: usize) -> Self {
        Writer {
            vectors: VectorWriter::new(model.dimensions(), count),
            pieces: PieceWriter::default(),
        }
    }

    fn copy(&mut self, from: Option<&Grasp>, n: usize) {
        self.vectors
            .copy(from.map_or(Kept::Missing, |grasp| grasp.kept(n)));
        self.pieces
            .copy(from.and_then(|grasp| grasp.pieces.as_deref()), n);
    }

    fn add(&mut self, product: Option<&Product>) {
        match product {
            Some(product) => self.vectors.add(&product.vector),
            None => self.vectors.copy(Kept::Unreadable),
        }
        match product.and_then(|product| product.pieces.as_ref()) {
            Some(pieces) => self.pieces.add_vectors(pieces),
            None => self.pieces.add_none(),
        }
    }

    fn finish(self, model: &dyn Embed, count: usize) -> Grasp {
        let bytes = self.vectors.finish(model.id());
        let vectors = Vectors::open(model.id(), model.dimensions(), count, bytes.into());
        let pieces = model
            .tokens()
            .and_then(|_| self.pieces.finish(model.id()))
            .map(Arc::new);
        Grasp {
            vectors: vectors.inspect(Vectors::loosen).map(Arc::new),
            pieces,
        }
    }
}

/// Gives every segment the vectors that can be had at once.
pub(crate) fn attach(ground: &Ground, stack: &mut Stack) {
    for (number, model) in ground.models.iter().enumerate() {
        for m in 0..stack.members.len() {
            if stack.members[m].grasps.len() > number {
                continue;
            }
            let found = find(ground, &stack.members[m], model.as_ref());
            let found = match found.vectors {
                Some(_) => found,
                None => carry_over(stack, m, number, model.as_ref()).unwrap_or_default(),
            };
            let found = if model.is_instant() {
                complete(&stack.members[m], found, model.as_ref())
            } else {
                found
            };
            stack.members[m].grasps.push(found);
        }
    }
}

/// Opens what is kept beside a segment.
fn find(ground: &Ground, member: &Member, model: &dyn Embed) -> Grasp {
    let vectors =
        map_vectors(ground, member, model).and_then(|bytes| open_vectors(member, model, bytes));
    let pieces =
        map_pieces(ground, member, model).and_then(|bytes| open_pieces(member, model, bytes));
    Grasp {
        vectors: vectors.map(Arc::new),
        pieces: pieces.map(Arc::new),
    }
}

/// Returns how many of the files that models have beside a segment cannot be used.
pub(crate) fn damaged_files(ground: &Ground, member: &Member) -> usize {
    let of_model = |model: &Arc<dyn Embed>| {
        let model = model.as_ref();
        let vectors = map_vectors(ground, member, model);
        let pieces = map_pieces(ground, member, model);
        usize::from(vectors.is_some_and(|bytes| open_vectors(member, model, bytes).is_none()))
            + usize::from(pieces.is_some_and(|bytes| open_pieces(member, model, bytes).is_none()))
    };
    ground.models.iter().map(of_model).sum()
}

fn map_vectors(ground: &Ground, member: &Member, model: &dyn Embed) -> Option<Bytes> {
    map(ground, vectors::file_name(&member.segment.name, model.id()))
}

fn map_pieces(ground: &Ground, member: &Member, model: &dyn Embed) -> Option<Bytes> {
    model.tokens()?;
    map(ground, pieces::file_name(&member.segment.name, model.id()))
}

fn map(ground: &Ground, name: String) -> Option<Bytes> {
    Bytes::map(&ground.files, &ground.folder.join(name)).ok()?
}

fn open_vectors(member: &Member, model: &dyn Embed, bytes: Bytes) -> Option<Vectors> {
    Vectors::open(
        model.id(),
        model.dimensions(),
        member.segment.count(),
        bytes,
    )
}

fn open_pieces(member: &Member, model: &dyn Embed, bytes: Bytes) -> Option<Pieces> {
    Pieces::open(model.id(), member.segment.count(), bytes)
}

/// Takes over from older segments what a model has read, where a source had documents with the same text.
///
/// A file of many memories is read again when one is added to it; a model is not asked again.
fn carry_over(stack: &Stack, m: usize, number: usize, model: &dyn Embed) -> Option<Grasp> {
    let segment = &stack.members[m].segment;
    let mut known: FxHashMap<u64, (usize, usize)> = FxHashMap::default();
    for row in segment.rows.iter().filter(|row| !row.documents.is_empty()) {
        for (below, stretch) in stack.stretches(row.key).filter(|(below, _)| *below < m) {
            let columns = &stack.members[below].segment.columns;
            known.extend(stretch.map(|n| (columns.fingerprint(n as usize), (below, n as usize))));
        }
    }
    let mut writer = Writer::new(model, segment.count());
    let mut is_any = false;
    for n in 0..segment.count() {
        let known = known.get(&segment.columns.fingerprint(n));
        let from =
            known.and_then(|(below, n)| Some((stack.members[*below].grasps.get(number)?, *n)));
        is_any |= from.is_some_and(|(grasp, _)| grasp.vectors.is_some());
        writer.copy(from.map(|(grasp, _)| grasp), from.map_or(0, |(_, n)| n));
    }
    is_any.then(|| writer.finish(model, segment.count()))
}

/// Asks a model for all that a segment lacks.
fn complete(member: &Member, found: Grasp, model: &dyn Embed) -> Grasp {
    let missing = found.missing(&member.alive, model);
    if missing.is_empty() && found.vectors.is_some() {
        return found;
    }
    let mut made = Made::default();
    let _ = ask(&member.segment, &missing, model, &mut made, &mut |_| {});
    with(&member.segment, &found, &made, model)
}

/// What a model has made of a text.
struct Product {
    vector: Vec<f32>,
    pieces: Option<TokenVectors>,
}

/// What was made of documents, by their numbers; none of those that the model can't read.
type Made = FxHashMap<usize, Option<Product>>;

/// Asks a model about some documents of a segment. What it has read before it fails is there.
fn ask(
    segment: &Segment,
    documents: &[usize],
    model: &dyn Embed,
    made: &mut Made,
    done: &mut dyn FnMut(usize),
) -> Result<()> {
    for batch in documents.chunks(BATCH) {
        let texts = batch
            .iter()
            .filter_map(|n| Some((*n, segment.record(*n)?.text)));
        let (readable, other): (Vec<_>, Vec<_>) = texts.partition(|(_, text)| model.can_read(text));
        made.extend(other.into_iter().map(|(n, _)| (n, None)));
        let texts: Vec<&str> = readable.iter().map(|(_, text)| *text).collect();
        let products = if texts.is_empty() {
            Vec::new()
        } else {
            read(&texts, model)?
        };
        made.extend(
            readable
                .iter()
                .zip(products)
                .map(|((n, _), product)| (*n, Some(product))),
        );
        done(batch.len());
    }
    Ok(())
}

/// Has a model read texts, in one pass.
fn read(texts: &[&str], model: &dyn Embed) -> Result<Vec<Product>> {
    let Some(tokens) = model.tokens() else {
        let vectors = model.documents(texts)?.into_iter();
        return Ok(vectors
            .map(|vector| Product {
                vector,
                pieces: None,
            })
            .collect());
    };
    let both = tokens.documents_and_tokens(texts)?.into_iter();
    Ok(both
        .map(|(vector, pieces)| Product {
            vector,
            pieces: Some(pieces),
        })
        .collect())
}

/// Returns what a model has made of a segment, with what is new beside what there was.
fn with(segment: &Segment, before: &Grasp, made: &Made, model: &dyn Embed) -> Grasp {
    let mut writer = Writer::new(model, segment.count());
    for n in 0..segment.count() {
        match made.get(&n) {
            Some(product) => writer.add(product.as_ref()),
            None => writer.copy(Some(before), n),
        }
    }
    writer.finish(model, segment.count())
}

/// Returns what models have made of a segment that was merged from others.
pub(crate) fn merge(ground: &Ground, from: &[Member], origins: &[Origin]) -> Vec<Grasp> {
    let of_model = |(number, model): (usize, &Arc<dyn Embed>)| {
        let grasp_of = |m: usize| from.get(m)?.grasps.get(number);
        if (0..from.len()).all(|m| grasp_of(m).is_none_or(|grasp| grasp.vectors.is_none())) {
            return Grasp::default();
        }
        let mut writer = Writer::new(model.as_ref(), origins.len());
        for (m, n) in origins {
            writer.copy(grasp_of(*m), *n as usize);
        }
        writer.finish(model.as_ref(), origins.len())
    };
    ground.models.iter().enumerate().map(of_model).collect()
}

/// Returns the documents that wait for a model, segment by segment, newest first.
fn missing(index: &Index, number: usize, model: &dyn Embed) -> Vec<(Member, Vec<usize>)> {
    let members: Vec<Member> = index.state().stack.members.clone();
    let with_missing = |member: Member| {
        let grasp = member.grasps.get(number).cloned().unwrap_or_default();
        let missing = grasp.missing(&member.alive, model);
        (member, missing)
    };
    members.into_iter().rev().map(with_missing).collect()
}

/// See [`Index::embed_at_once`].
pub(crate) fn embed_at_once(index: &Index, number: usize) -> Result<bool> {
    let Some(model) = index.ground.models.get(number) else {
        return Ok(false);
    };
    let missing = missing(index, number, model.as_ref());
    if missing
        .iter()
        .map(|(_, documents)| documents.len())
        .sum::<usize>()
        > limits::AT_ONCE
    {
        return Ok(false);
    }
    let mut is_any = false;
    for (member, mut documents) in missing {
        let length = |n: usize| {
            member
                .segment
                .record(n)
                .map_or(0, |record| record.text.len())
        };
        documents.retain(|n| length(*n) <= limits::AT_ONCE_BYTES);
        if !documents.is_empty() {
            let mut made = Made::default();
            ask(
                &member.segment,
                &documents,
                model.as_ref(),
                &mut made,
                &mut |_| {},
            )?;
            settle(index, number, &member.segment, &made);
            is_any = true;
        }
    }
    Ok(is_any)
}

/// See [`Index::embed_missing`].
pub(crate) fn embed_missing(
    index: &Index,
    number: usize,
    most: usize,
    progress: &dyn Progress,
) -> Result<usize> {
    let Some(model) = index.ground.models.get(number) else {
        return Ok(0);
    };
    let missing = missing(index, number, model.as_ref());
    let total: usize = missing.iter().map(|(_, documents)| documents.len()).sum();
    let (mut left, mut done) = (most, 0);
    for (member, documents) in missing {
        let mut rest = &documents[..documents.len().min(left)];
        left -= rest.len();
        let mut had = member.alive.count() - documents.len();
        while !rest.is_empty() {
            let (part, others) = rest.split_at(rest.len().min(FLUSH.max(had / FLUSH_SHARE)));
            (rest, had) = (others, had + part.len());
            let mut made = Made::default();
            let asked = ask(
                &member.segment,
                part,
                model.as_ref(),
                &mut made,
                &mut |count| {
                    done += count;
                    progress.advance(done, total.min(most), model.id());
                },
            );
            settle(index, number, &member.segment, &made);
            asked?;
        }
    }
    Ok(total - done)
}

/// Gives a segment what was made of it, if it is still there, and keeps that if it can be done.
fn settle(index: &Index, number: usize, segment: &Arc<Segment>, made: &Made) {
    let mut state = index.state();
    state.forget_view();
    let Some(model) = index.ground.models.get(number) else {
        return;
    };
    let same = |member: &&mut Member| member.segment.name == segment.name;
    let Some(member) = state.stack.members.iter_mut().find(same) else {
        return;
    };
    if let Some(grasp) = member.grasps.get_mut(number) {
        *grasp = with(segment, grasp, made, model.as_ref());
    }
    crate::fold::keep_vectors(&index.ground, &mut state);
}
