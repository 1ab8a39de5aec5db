//! A memory on its way through the stages, and what each of them has found out about it.

use memory_core::Explain;

use crate::DocumentId;

/// A memory that may answer.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Candidate {
    pub(crate) id: DocumentId,
    /// All that was found, on one scale without bounds.
    pub(crate) strength: f32,
    pub(crate) explain: Explain,
}

impl Candidate {
    pub(crate) fn new(id: DocumentId) -> Self {
        Candidate {
            id,
            strength: 0.0,
            explain: Explain::default(),
        }
    }
}

/// Sorts by what `value` says, the best first. Of equals the stronger comes first: a relevance close to 1 has no
/// digits left to tell them apart.
pub(crate) fn best_first(candidates: &mut [Candidate], value: impl Fn(&Candidate) -> f32) {
    candidates.sort_by(|a, b| {
        let by_strength = || b.strength.total_cmp(&a.strength).then(a.id.cmp(&b.id));
        value(b).total_cmp(&value(a)).then_with(by_strength)
    });
}

#[cfg(test)]
pub(crate) mod testing {
    use super::*;

    pub(crate) fn candidate(id: u32, strength: f32) -> Candidate {
        Candidate {
            strength,
            ..Candidate::new(DocumentId(id))
        }
    }

    pub(crate) fn relevant(id: u32, relevance: f32) -> Candidate {
        let mut candidate = candidate(id, 0.0);
        candidate.explain.relevance = relevance;
        candidate.explain.total = relevance;
        candidate
    }

    pub(crate) fn ids(candidates: &[Candidate]) -> Vec<u32> {
        candidates.iter().map(|candidate| candidate.id.0).collect()
    }
}
