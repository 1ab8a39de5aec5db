//! What has changed since the index last looked: every kind's sources against those that are known.

use std::sync::Arc;

use memory_core::{Flaw, Kind, Source};
use rustc_hash::{FxHashMap, FxHashSet};
use xxhash_rust::xxh3::{Xxh3, xxh3_64_with_seed};

use crate::bits::Bits;
use crate::stack::Stack;

/// What a look at all kinds has shown.
#[derive(Debug, Default)]
pub(crate) struct Sweep {
    /// Sources to be read.
    pub(crate) changed: Vec<Changed>,
    /// Sources that are known and are no more.
    pub(crate) gone: Vec<(u128, u64)>,
    /// Sources that are known and could not be seen: neither shown nor forgotten.
    pub(crate) hidden: Vec<u128>,
    /// The places that were looked at.
    pub(crate) places: FxHashSet<u64>,
    /// Those of them that have anything.
    pub(crate) used: Vec<u64>,
    pub(crate) flaws: Vec<Flaw>,
    /// The kinds that were looked at, by number, and whether all of each could be seen.
    pub(crate) is_flawless: Vec<(usize, bool)>,
}

/// A source that has to be read.
#[derive(Debug)]
pub(crate) struct Changed {
    /// Which of the kinds it belongs to.
    pub(crate) kind: usize,
    pub(crate) source: Source,
    pub(crate) key: u128,
    pub(crate) place: u64,
    /// Whether the index knows an earlier state of it.
    pub(crate) is_known: bool,
}

impl Sweep {
    /// Looks at every kind's sources, but for those in which nothing has happened since the last sweep.
    /// Nothing is read but their states.
    pub(crate) fn of(kinds: &[Arc<dyn Kind>], is_quiet: &[bool], stack: &Stack) -> Self {
        let mut sweep = Sweep::default();
        let mut seen: Vec<Bits> = stack.members.iter().map(|m| Bits::none(m.segment.rows.count())).collect();
        let mut is_certain = FxHashMap::default();
        for (n, kind) in kinds.iter().enumerate() {
            let place = place_of(kind.as_ref());
            if is_quiet.get(n) == Some(&true) {
                sweep.places.insert(place);
                continue;
            }
            let survey = kind.sources();
            sweep.is_flawless.push((n, survey.flaws.is_empty()));
            is_certain.insert(place, survey.flaws.is_empty());
            sweep.places.insert(place);
            sweep.flaws.extend(survey.flaws);
            sweep.used.extend((!survey.good.is_empty()).then_some(place));
            for source in survey.good {
                let key = key_of(place, &source.name);
                let known = stack.current(key);
                if let Some((member, row, _)) = &known {
                    seen[*member].add(*row);
                }
                let known = known.map(|(_, _, row)| row).filter(|row| !row.is_gone);
                if known.as_ref().is_some_and(|row| row.state == source.state && !row.is_fresh) {
                    continue;
                }
                sweep.changed.push(Changed { kind: n, source, key, place, is_known: known.is_some() });
            }
        }
        sweep.find_gone(stack, &seen, &is_certain);
        sweep
    }

    fn find_gone(&mut self, stack: &Stack, seen: &[Bits], is_certain: &FxHashMap<u64, bool>) {
        for (member, seen) in stack.members.iter().zip(seen) {
            let mut unseen = Bits::all(member.segment.rows.count());
            unseen.remove_all(seen);
            unseen.remove_all(&member.superseded);
            for row in unseen.iter().filter_map(|n| member.segment.rows.get(n)).filter(|row| !row.is_gone) {
                match is_certain.get(&row.place) {
                    Some(true) => self.gone.push((row.key, row.place)),
                    Some(false) => self.hidden.push(row.key),
                    None => {}
                }
            }
        }
    }
}

/// Returns the hash of a kind and of where its store is.
fn place_of(kind: &dyn Kind) -> u64 {
    xxh3_64_with_seed(kind.place().as_bytes(), xxh3_64_with_seed(kind.name().as_bytes(), 0))
}

fn key_of(place: u64, name: &str) -> u128 {
    let mut hasher = Xxh3::with_seed(place);
    hasher.update(name.as_bytes());
    hasher.digest128()
}
