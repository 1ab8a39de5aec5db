//! Segments on top of each other: what the newest says of a source counts.
//!
//! A row on top either takes the place of all that is said of its source below, or adds to it. So
//! nothing below may be missing: a stack of which one segment is lost ends there.

use std::ops::Range;
use std::sync::Arc;

use rustc_hash::FxHashSet;

use crate::bits::Bits;
use crate::embedding::Grasp;
use crate::segment::{Merging, Row, Segment};

/// All segments, oldest first.
#[derive(Debug, Clone, Default)]
pub(crate) struct Stack {
    pub(crate) members: Vec<Member>,
}

/// A segment, and what newer ones have left of it.
#[derive(Debug, Clone)]
pub(crate) struct Member {
    pub(crate) segment: Arc<Segment>,
    /// The documents that still count.
    pub(crate) alive: Bits,
    /// The rows that a newer segment has one of the same source for.
    pub(crate) superseded: Bits,
    /// Whether the manifest names it.
    pub(crate) is_kept: bool,
    /// What each of the models in use has made of it.
    pub(crate) grasps: Vec<Grasp>,
}

impl Member {
    pub(crate) fn merging(&self) -> Merging<'_> {
        Merging {
            segment: &self.segment,
            alive: &self.alive,
        }
    }
}

impl Stack {
    /// Puts a segment on top.
    pub(crate) fn push(&mut self, segment: Arc<Segment>, is_kept: bool) {
        for row in segment.rows.iter() {
            self.supersede(&row, &segment);
        }
        let (alive, superseded) = (Bits::all(segment.count()), Bits::none(segment.rows.count()));
        self.members.push(Member {
            segment,
            alive,
            superseded,
            is_kept,
            grasps: Vec::new(),
        });
    }

    /// Puts a segment on top that was merged from those that stood there.
    pub(crate) fn push_merged(&mut self, segment: Arc<Segment>, grasps: Vec<Grasp>) {
        let (alive, superseded) = (Bits::all(segment.count()), Bits::none(segment.rows.count()));
        self.members.push(Member {
            segment,
            alive,
            superseded,
            is_kept: false,
            grasps,
        });
    }

    fn supersede(&mut self, newer: &Row, segment: &Segment) {
        let removals: FxHashSet<u64> = segment.removals(newer).collect();
        for member in &mut self.members {
            let Some(n) = member.segment.rows.find(newer.key) else {
                continue;
            };
            let Some(row) = member.segment.rows.get(n) else {
                continue;
            };
            member.superseded.add(n);
            let columns = &member.segment.columns;
            let is_removed =
                |n: &u32| !newer.adds || removals.contains(&columns.address(*n as usize));
            if !newer.adds || !removals.is_empty() {
                row.documents
                    .filter(is_removed)
                    .for_each(|n| member.alive.remove(n as usize));
            }
        }
    }

    /// Returns what is known of a source, and where that stands.
    ///
    /// The oldest segment is the largest, and most sources have not changed since.
    pub(crate) fn current(&self, key: u128) -> Option<(usize, usize, Row)> {
        self.members.iter().enumerate().find_map(|(m, member)| {
            let n = member
                .segment
                .rows
                .find(key)
                .filter(|n| !member.superseded.has(*n))?;
            Some((m, n, member.segment.rows.get(n)?))
        })
    }

    /// Returns every stretch of documents that belongs to a source.
    pub(crate) fn stretches(&self, key: u128) -> impl Iterator<Item = (usize, Range<u32>)> + '_ {
        self.members
            .iter()
            .enumerate()
            .filter_map(move |(m, member)| {
                let row = member.segment.rows.get(member.segment.rows.find(key)?)?;
                Some((m, row.documents))
            })
    }

    /// Returns the documents of a source that still count: address and content of each.
    pub(crate) fn documents(&self, key: u128) -> Vec<(u64, u64)> {
        let mut found = Vec::new();
        for (m, stretch) in self.stretches(key) {
            let Member { segment, alive, .. } = &self.members[m];
            for n in stretch.map(|n| n as usize).filter(|n| alive.has(*n)) {
                found.push((segment.columns.address(n), segment.columns.content(n)));
            }
        }
        found
    }

    /// Forgets vectors and pieces whose files were cut while they were read.
    pub(crate) fn drop_broken_grasps(&mut self) -> bool {
        let broken = self
            .members
            .iter_mut()
            .filter(|member| member.grasps.iter().any(Grasp::is_broken));
        broken.map(|member| member.grasps.clear()).count() > 0
    }

    /// Forgets a segment that has turned out to be damaged, and all that stands on it.
    pub(crate) fn drop_damaged(&mut self) -> bool {
        let damaged = self
            .members
            .iter()
            .position(|member| member.segment.is_damaged());
        if let Some(damaged) = damaged {
            // What is below may have lost documents to what was above: count again.
            let below: Vec<_> = self
                .members
                .drain(..)
                .take(damaged)
                .map(|m| (m.segment, m.is_kept, m.grasps))
                .collect();
            for (segment, is_kept, grasps) in below {
                self.push(segment, is_kept);
                if let Some(member) = self.members.last_mut() {
                    member.grasps = grasps;
                }
            }
        }
        damaged.is_some()
    }
}
