//! What the index consists of, for people who ask.

use crate::index::{Ground, State};

/// The index as of the last look.
#[derive(Debug, Clone, Default, PartialEq, Eq, serde::Serialize)]
pub struct Status {
    pub segments: Vec<SegmentStatus>,
    pub models: Vec<ModelStatus>,
}

/// One of the segments, oldest first.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct SegmentStatus {
    pub name: String,
    /// The documents in it, and those of them that still count.
    pub documents: usize,
    pub alive: usize,
    pub bytes: usize,
    /// Whether it is on the disk, or only in this process.
    pub is_kept: bool,
}

/// A model by which documents are compared.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct ModelStatus {
    pub id: String,
    pub dimensions: usize,
    /// The documents that have a vector, and those that still wait for one.
    pub vectors: usize,
    pub missing: usize,
    /// What its vectors take, and its pieces for comparing late.
    pub bytes: usize,
    pub piece_bytes: usize,
}

impl Status {
    pub(crate) fn of(ground: &Ground, state: &State) -> Self {
        let segments = state.stack.members.iter().map(|member| SegmentStatus {
            name: member.segment.name.clone(),
            documents: member.segment.count(),
            alive: member.alive.count(),
            bytes: member.segment.bytes.len(),
            is_kept: member.is_kept,
        });
        let models = ground.models.iter().enumerate().map(|(number, model)| {
            let mut status = ModelStatus {
                id: model.id().to_owned(),
                dimensions: model.dimensions(),
                vectors: 0,
                missing: 0,
                bytes: 0,
                piece_bytes: 0,
            };
            for member in &state.stack.members {
                let grasp = member.grasps.get(number).cloned().unwrap_or_default();
                status.missing += grasp.missing(&member.alive, model.as_ref()).len();
                status.piece_bytes += grasp.pieces.as_ref().map_or(0, |pieces| pieces.bytes.len());
                let Some(vectors) = grasp.vectors else {
                    continue;
                };
                status.bytes += vectors.bytes.len();
                status.vectors += member
                    .alive
                    .iter()
                    .filter(|n| vectors.get(*n).is_some())
                    .count();
            }
            status
        });
        Status {
            segments: segments.collect(),
            models: models.collect(),
        }
    }
}
