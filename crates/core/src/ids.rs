//! Where ids come from: chance, or a seed that makes a run repeatable.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use uuid::{Builder, Uuid};

/// Makes ids that no one else has.
#[derive(Debug, Clone, Default)]
pub struct Ids {
    seeded: Option<Arc<AtomicU64>>,
}

impl Ids {
    /// Returns a maker of random ids.
    pub fn random() -> Self {
        Ids { seeded: None }
    }

    /// Returns a maker whose ids follow from `seed` alone.
    pub fn seeded(seed: u64) -> Self {
        Ids {
            seeded: Some(Arc::new(AtomicU64::new(seed))),
        }
    }

    /// Says whether another process with the same seed makes the same ids again.
    pub fn is_seeded(&self) -> bool {
        self.seeded.is_some()
    }

    /// Returns a new UUID (version 4 in form, whatever its origin).
    #[allow(clippy::disallowed_methods)] // the one caller of the system's randomness
    pub fn uuid(&self) -> String {
        match &self.seeded {
            None => Uuid::new_v4().to_string(),
            Some(state) => {
                let bytes = [next(state).to_be_bytes(), next(state).to_be_bytes()].concat();
                let mut wide = [0; 16];
                wide.copy_from_slice(&bytes);
                Builder::from_random_bytes(wide).into_uuid().to_string()
            }
        }
    }

    /// Returns eight hexadecimal characters, for names that only must not collide by accident.
    pub fn short(&self) -> String {
        self.uuid().chars().take(8).collect()
    }
}

/// SplitMix64: a short generator whose successive values look unrelated.
fn next(state: &AtomicU64) -> u64 {
    const STEP: u64 = 0x9e37_79b9_7f4a_7c15;
    let mut z = state.fetch_add(STEP, Ordering::Relaxed).wrapping_add(STEP);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_gives_the_same_ids_again_and_all_of_them_differ() {
        let (one, two) = (Ids::seeded(7), Ids::seeded(7));
        let first: Vec<String> = (0..100).map(|_| one.uuid()).collect();
        assert_eq!(first, (0..100).map(|_| two.uuid()).collect::<Vec<_>>());
        assert_eq!(
            first.iter().collect::<std::collections::HashSet<_>>().len(),
            100
        );
    }
}
