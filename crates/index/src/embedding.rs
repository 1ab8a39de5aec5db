//! Vectors for documents: found beside their segments, carried over, or asked of a model.

use std::sync::Arc;

use memory_core::{Progress, Result};
use memory_models::Embed;
use rustc_hash::FxHashMap;

use crate::bytes::Bytes;
use crate::index::{Ground, Index};
use crate::segment::{Origin, Segment};
use crate::stack::{Member, Stack};
use crate::vectors::{self, Kept, VectorWriter, Vectors};

/// So many texts are handed to a model at once.
const BATCH: usize = 64;

/// Gives every segment the vectors that can be had at once.
pub(crate) fn attach(ground: &Ground, stack: &mut Stack) {
    for (number, model) in ground.models.iter().enumerate() {
        for m in 0..stack.members.len() {
            if stack.members[m].vectors.len() > number {
                continue;
            }
            let found = find(ground, &stack.members[m], model.as_ref())
                .or_else(|| carry_over(stack, m, number, model.as_ref()));
            let found = match model.is_instant() {
                true => complete(&stack.members[m], found, model.as_ref()),
                false => found,
            };
            stack.members[m].vectors.push(found.map(Arc::new));
        }
    }
}

/// Opens the vectors that are kept beside a segment.
fn find(ground: &Ground, member: &Member, model: &dyn Embed) -> Option<Vectors> {
    let name = vectors::file_name(&member.segment.name, model.id());
    let bytes = Bytes::map(&ground.files, &ground.folder.join(name)).ok()??;
    Vectors::open(model.id(), model.dimensions(), member.segment.count(), bytes)
}

/// Takes vectors over from older segments, where a source had documents with the same text.
///
/// A file of many memories is read again when one is added to it; a model is not asked again.
fn carry_over(stack: &Stack, m: usize, number: usize, model: &dyn Embed) -> Option<Vectors> {
    let segment = &stack.members[m].segment;
    let mut known: FxHashMap<u64, (usize, usize)> = FxHashMap::default();
    for row in segment.rows.iter().filter(|row| !row.documents.is_empty()) {
        for (below, stretch) in stack.stretches(row.key).filter(|(below, _)| *below < m) {
            let columns = &stack.members[below].segment.columns;
            known.extend(stretch.map(|n| (columns.fingerprint(n as usize), (below, n as usize))));
        }
    }
    let mut writer = VectorWriter::new(model.dimensions(), segment.count());
    let mut is_any = false;
    for n in 0..segment.count() {
        let kept = known.get(&segment.columns.fingerprint(n)).and_then(|(below, n)| {
            stack.members[*below].vectors.get(number)?.as_ref().map(|vectors| vectors.kept(*n))
        });
        is_any |= kept.is_some();
        writer.copy(kept.unwrap_or(Kept::Missing));
    }
    is_any.then(|| finish(writer, model, segment.count())).flatten()
}

fn finish(writer: VectorWriter, model: &dyn Embed, count: usize) -> Option<Vectors> {
    Vectors::open(model.id(), model.dimensions(), count, writer.finish(model.id()).into())
        .inspect(Vectors::loosen)
}

/// Asks a model for all vectors that a segment lacks.
fn complete(member: &Member, found: Option<Vectors>, model: &dyn Embed) -> Option<Vectors> {
    let is_missing = |n: &usize| found.as_ref().is_none_or(|found| found.is_missing(*n));
    let missing: Vec<usize> = member.alive.iter().filter(is_missing).collect();
    if missing.is_empty() && found.is_some() {
        return found;
    }
    let made = ask(&member.segment, &missing, model, &mut |_| {}).unwrap_or_default();
    with(&member.segment, found.as_ref(), made, model)
}

/// The vectors of documents, by their numbers; none for those that the model can't read.
type Made = FxHashMap<usize, Option<Vec<f32>>>;

/// Asks a model for the vectors of some documents of a segment.
fn ask(
    segment: &Segment,
    documents: &[usize],
    model: &dyn Embed,
    done: &mut dyn FnMut(usize),
) -> Result<Made> {
    let mut made = Made::default();
    for batch in documents.chunks(BATCH) {
        let texts = batch.iter().filter_map(|n| Some((*n, segment.record(*n)?.text)));
        let (readable, other): (Vec<_>, Vec<_>) = texts.partition(|(_, text)| model.can_read(text));
        made.extend(other.into_iter().map(|(n, _)| (n, None)));
        let texts: Vec<&str> = readable.iter().map(|(_, text)| *text).collect();
        let vectors = if texts.is_empty() { Vec::new() } else { model.documents(&texts)? };
        made.extend(readable.iter().zip(vectors).map(|((n, _), vector)| (*n, Some(vector))));
        done(batch.len());
    }
    Ok(made)
}

/// Returns the vectors of a segment with new ones beside those that it has.
fn with(segment: &Segment, before: Option<&Vectors>, made: Made, model: &dyn Embed) -> Option<Vectors> {
    let mut writer = VectorWriter::new(model.dimensions(), segment.count());
    for n in 0..segment.count() {
        match (made.get(&n), before) {
            (Some(Some(vector)), _) => writer.add(vector),
            (Some(None), _) => writer.copy(Kept::Unreadable),
            (None, Some(before)) => writer.copy(before.kept(n)),
            (None, None) => writer.copy(Kept::Missing),
        }
    }
    finish(writer, model, segment.count())
}

/// Returns the vectors of a segment that was merged from others.
pub(crate) fn merge(ground: &Ground, from: &[Member], origins: &[Origin]) -> Vec<Option<Arc<Vectors>>> {
    let of_model = |(number, model): (usize, &Arc<dyn Embed>)| {
        let vectors_of = |m: usize| from.get(m)?.vectors.get(number)?.as_deref();
        (0..from.len()).any(|m| vectors_of(m).is_some()).then_some(())?;
        let mut writer = VectorWriter::new(model.dimensions(), origins.len());
        for (m, n) in origins {
            writer.copy(vectors_of(*m).map_or(Kept::Missing, |vectors| vectors.kept(*n as usize)));
        }
        finish(writer, model.as_ref(), origins.len()).map(Arc::new)
    };
    ground.models.iter().enumerate().map(of_model).collect()
}

/// See [`Index::embed_missing`].
pub(crate) fn embed_missing(
    index: &Index,
    number: usize,
    most: usize,
    progress: &dyn Progress,
) -> Result<usize> {
    let Some(model) = index.ground.models.get(number) else { return Ok(0) };
    let members: Vec<Member> = index.state().stack.members.clone();
    let lacks = |member: &Member| -> Vec<usize> {
        let vectors = member.vectors.get(number).and_then(Option::as_ref);
        member.alive.iter().filter(|n| vectors.is_none_or(|vectors| vectors.is_missing(*n))).collect()
    };
    let missing: Vec<(&Member, Vec<usize>)> =
        members.iter().rev().map(|member| (member, lacks(member))).collect();
    let total: usize = missing.iter().map(|(_, documents)| documents.len()).sum();
    let (mut left, mut done) = (most, 0);
    for (member, documents) in missing {
        for part in documents[..documents.len().min(left)].chunks(FLUSH) {
            let made = ask(&member.segment, part, model.as_ref(), &mut |count| {
                done += count;
                progress.advance(done, total.min(most), model.id());
            })?;
            left -= part.len();
            settle(index, number, &member.segment, made);
        }
    }
    Ok(total - done)
}

/// So many new vectors are kept at once: what an interruption loses.
const FLUSH: usize = 1024;

/// Gives new vectors to a segment, if it is still there, and keeps them if that can be done.
fn settle(index: &Index, number: usize, segment: &Arc<Segment>, made: Made) {
    let mut state = index.state();
    state.forget_view();
    let Some(model) = index.ground.models.get(number) else { return };
    let same = |member: &&mut Member| member.segment.name == segment.name;
    let Some(member) = state.stack.members.iter_mut().find(same) else { return };
    if let Some(place) = member.vectors.get_mut(number) {
        *place = with(segment, place.as_deref(), made, model.as_ref()).map(Arc::new);
    }
    crate::fold::keep_vectors(&index.ground, &mut state);
}
