//! From the files of the index to a stack, however many processes are changing them meanwhile.

use std::sync::Arc;

use crate::bytes::Bytes;
use crate::index::{Ground, State};
use crate::limits;
use crate::manifest::Manifest;
use crate::segment::Segment;
use crate::stack::Stack;

/// Opens what another process has kept since the last look; says whether there is anything else now.
pub(crate) fn refresh(ground: &Ground, state: &mut State) -> bool {
    let mut is_other = false;
    for _ in 0..limits::OPENINGS {
        let (manifest, sum) = Manifest::read(&ground.files, &ground.folder);
        if state.is_open && sum == state.sum {
            return is_other;
        }
        is_other = true;
        if state.is_open && sum.is_none() {
            // Someone has removed the index. What is open here is still right, and is kept again.
            state
                .stack
                .members
                .iter_mut()
                .for_each(|member| member.is_kept = false);
            (state.manifest, state.sum) = (Manifest::new(), None);
            return true;
        }
        let manifest = manifest.unwrap_or_else(Manifest::new);
        let (stack, is_complete) = open(ground, &manifest, &state.stack);
        (state.stack, state.manifest, state.sum, state.is_open) = (stack, manifest, sum, true);
        state.has_kept_places = true;
        if is_complete {
            return true;
        }
    }
    is_other
}

/// Opens the segments that a manifest names. What is missing may have been merged by another process:
/// then there is another manifest. What is damaged ends the stack.
fn open(ground: &Ground, manifest: &Manifest, before: &Stack) -> (Stack, bool) {
    let mut stack = Stack::default();
    for name in &manifest.segments {
        let known = before
            .members
            .iter()
            .find(|member| member.segment.name == *name);
        let (segment, grasps) = match known {
            Some(member) if !member.segment.is_damaged() => {
                (member.segment.clone(), member.grasps.clone())
            }
            _ => match Bytes::map(&ground.files, &ground.folder.join(file_name(name))) {
                Ok(Some(bytes)) => match Segment::open(name.clone(), bytes) {
                    Some(segment) => (Arc::new(segment), Vec::new()),
                    None => return (stack, true),
                },
                Ok(None) => return (stack, false),
                Err(_) => return (stack, true),
            },
        };
        stack.push(segment, true);
        if let Some(member) = stack.members.last_mut() {
            member.grasps = grasps;
        }
    }
    (stack, true)
}

/// Returns the name of a segment's file.
pub(crate) fn file_name(segment: &str) -> String {
    format!("{segment}.segment")
}
