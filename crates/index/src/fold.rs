//! Keeping what was read, for others and for the next time: new segments, merged ones, the manifest.
//!
//! Only whoever gets the lock at once does so, and only if no one else has meanwhile. The order makes
//! it safe to die at any step: files that no manifest names, then the manifest, then what is no longer
//! named. Nothing is synced, because sums tell what a power cut has left.

use std::sync::Arc;

use memory_core::Timestamp;
use memory_files::{DiskError, ItemKind};

use crate::index::{Ground, State};
use crate::manifest::Manifest;
use crate::segment::merge;
use crate::stack::{Member, Stack};
use crate::sweep::Sweep;
use crate::{embedding, limits, loading, pieces, reading, vectors};

const LOCK: &str = ".recall.lock";
const SECONDS_A_DAY: i64 = 24 * 60 * 60;

/// Says whether what is not kept yet is so little that it can wait: whoever stays has it in mind, and for
/// anyone else it is quickly read again.
pub(crate) fn can_wait(stack: &Stack) -> bool {
    let loose: Vec<usize> = stack
        .members
        .iter()
        .filter(|member| !member.is_kept)
        .map(|member| member.segment.rows.count())
        .collect();
    loose.len() < limits::LOOSE_SEGMENTS && loose.iter().sum::<usize>() < limits::LOOSE_SOURCES
}

/// Keeps what is not kept yet, if that can be done without waiting.
pub(crate) fn fold(ground: &Ground, state: &mut State, sweep: &Sweep, now: Timestamp) {
    let day = now.as_second().div_euclid(SECONDS_A_DAY);
    let mut manifest = state.manifest.clone();
    let is_news = manifest.use_places(sweep.used.iter().copied(), day) || !state.has_kept_places;
    let names = state
        .stack
        .members
        .iter()
        .map(|member| &member.segment.name);
    let is_kept =
        state.stack.members.iter().all(|member| member.is_kept) && names.eq(&manifest.segments);
    if !is_news && is_kept && !has_loose_vectors(&state.stack) {
        return;
    }
    manifest.version = limits::VERSION;
    // A sweep of a watched kind does not name its place again.
    state.manifest.clone_from(&manifest);
    // What cannot be written stays in memory, and the next look tries again.
    state.has_kept_places = keep(ground, state, manifest, day).is_ok_and(|is_kept| is_kept);
}

/// Writes the segments and the manifest that names them; returns whether it did.
fn keep(
    ground: &Ground,
    state: &mut State,
    mut manifest: Manifest,
    day: i64,
) -> Result<bool, DiskError> {
    let Ground { files, folder, .. } = ground;
    files.ensure_folder(folder)?;
    let Some(held) = files.try_lock(&folder.join(LOCK))? else {
        return Ok(false);
    };
    if Manifest::read(files, folder).1 != state.sum {
        return Ok(false);
    }
    held.sweep_folder(folder);
    manifest.forget_unused(day);
    let Some(mut stack) = compact(&state.stack, &manifest, ground) else {
        return Ok(false);
    };
    for member in stack.members.iter_mut() {
        keep_member(ground, member)?;
    }
    manifest.segments = stack
        .members
        .iter()
        .map(|member| member.segment.name.clone())
        .collect();
    let sum = manifest.write(files, folder)?;
    (state.stack, state.manifest, state.sum) = (stack, manifest, Some(sum));
    remove_unnamed(ground, &state.manifest);
    Ok(true)
}

fn keep_member(ground: &Ground, member: &mut Member) -> Result<(), DiskError> {
    let Ground {
        files,
        folder,
        models,
        ..
    } = ground;
    let name = member.segment.name.clone();
    if !member.is_kept {
        files.replace_derived(
            &folder.join(loading::file_name(&name)),
            &member.segment.bytes,
        )?;
    }
    for (model, grasp) in models.iter().zip(&member.grasps) {
        // Pieces first: whoever finds vectors and no pieces would ask the model again.
        if let Some(pieces) = grasp
            .pieces
            .as_ref()
            .filter(|pieces| !member.is_kept || pieces.is_loose())
        {
            files.replace_derived(
                &folder.join(pieces::file_name(&name, model.id())),
                &pieces.bytes,
            )?;
            pieces.settle();
        }
        if let Some(vectors) = grasp
            .vectors
            .as_ref()
            .filter(|vectors| !member.is_kept || vectors.is_loose())
        {
            files.replace_derived(
                &folder.join(vectors::file_name(&name, model.id())),
                &vectors.bytes,
            )?;
            vectors.settle();
        }
    }
    member.is_kept = true;
    Ok(())
}

/// Keeps vectors that have come since their segments were kept, if that can be done without waiting.
pub(crate) fn keep_vectors(ground: &Ground, state: &mut State) {
    let Ground { files, folder, .. } = ground;
    let Ok(Some(_held)) = files.try_lock(&folder.join(LOCK)) else {
        return;
    };
    if Manifest::read(files, folder).1 == state.sum {
        for member in state
            .stack
            .members
            .iter_mut()
            .filter(|member| member.is_kept)
        {
            let _ = keep_member(ground, member);
        }
    }
}

fn has_loose_vectors(stack: &Stack) -> bool {
    let is_loose = |grasp: &embedding::Grasp| {
        grasp
            .vectors
            .as_ref()
            .is_some_and(|vectors| vectors.is_loose())
            || grasp
                .pieces
                .as_ref()
                .is_some_and(|pieces| pieces.is_loose())
    };
    stack
        .members
        .iter()
        .flat_map(|member| &member.grasps)
        .any(is_loose)
}

/// Merges what is on top as far as that is worth it; none when something is damaged.
///
/// Each segment that stays has several times the documents of all above it together. So there are few
/// of them, and a document is written again only as often as that number has digits.
fn compact(stack: &Stack, manifest: &Manifest, ground: &Ground) -> Option<Stack> {
    let weight = |member: &Member| member.alive.count() + member.segment.rows.count();
    let mut begin = stack.members.len();
    let mut total = 0;
    for (n, member) in stack.members.iter().enumerate().rev() {
        if begin < stack.members.len() && weight(member) >= limits::GROWTH * total {
            break;
        }
        (begin, total) = (n, total + weight(member));
    }
    if stack.members.len() - begin < 2 {
        return Some(stack.clone());
    }
    let merged = &stack.members[begin..];
    let merging: Vec<_> = merged.iter().map(Member::merging).collect();
    let is_wanted = |place: u64| manifest.is_used(place);
    let (bytes, origins) = merge(&merging, begin == 0, &is_wanted).ok()?;
    let grasps = embedding::merge(ground, merged, &origins);
    let mut compacted = Stack {
        members: stack.members[..begin].to_vec(),
    };
    compacted.push_merged(Arc::new(reading::new_segment(bytes)?), grasps);
    Some(compacted)
}

/// Removes the files of segments that no manifest names any more. Who has mapped them keeps them.
fn remove_unnamed(ground: &Ground, manifest: &Manifest) {
    let Ok(items) = ground.files.list(&ground.folder) else {
        return;
    };
    for item in items.iter().filter(|item| item.kind == ItemKind::File) {
        let Some(name) = item.name.to_str() else {
            continue;
        };
        let is_ours = [".segment", ".vectors", ".pieces"]
            .iter()
            .any(|ending| name.ends_with(ending));
        let segment = name.split('.').next().unwrap_or_default();
        if is_ours && !manifest.segments.iter().any(|named| named == segment) {
            let _ = ground.files.remove_derived(&ground.folder.join(name));
        }
    }
}

/// Removes the whole index.
pub(crate) fn clear(ground: &Ground) -> Result<(), DiskError> {
    let Ground { files, folder, .. } = ground;
    files.ensure_folder(folder)?;
    let _held = files.lock(&folder.join(LOCK))?;
    let items = files.list(folder)?;
    let mut ours = items
        .iter()
        .filter(|item| item.kind == ItemKind::File && item.name != LOCK);
    ours.try_for_each(|item| files.remove_derived(&folder.join(&item.name)))
}
