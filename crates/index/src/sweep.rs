//! What has changed since the index last looked: every kind's sources against those that are known.

use std::sync::Arc;

use memory_core::{Flaw, Kind, Source};
use rustc_hash::{FxHashMap, FxHashSet};
use xxhash_rust::xxh3::{Xxh3, xxh3_64_with_seed};

use crate::bits::Bits;
use crate::segment::Row;
use crate::stack::Stack;
use crate::watching::Since;

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
    /// The kinds that were looked at whole, by number, and whether all of each could be seen.
    pub(crate) is_flawless: Vec<(usize, bool)>,
    /// The kinds of which only what has changed was looked at.
    pub(crate) in_part: Vec<usize>,
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
    /// Looks at every kind's sources, but for those to which nothing has happened since the last sweep.
    /// Nothing is read but their states.
    pub(crate) fn of(kinds: &[Arc<dyn Kind>], since: Vec<Since>, stack: &Stack) -> Self {
        let mut sweep = Sweep::default();
        let mut seen: Vec<Bits> = stack
            .members
            .iter()
            .map(|m| Bits::none(m.segment.rows.count()))
            .collect();
        let mut is_certain = FxHashMap::default();
        let mut since = since.into_iter();
        for (n, kind) in kinds.iter().enumerate() {
            let place = place_of(kind.as_ref());
            sweep.places.insert(place);
            let survey = match since.next().unwrap_or(Since::Anything) {
                Since::Nothing => continue,
                Since::Sources(named) => {
                    sweep.take_named(n, place, named, stack);
                    continue;
                }
                Since::Anything => kind.sources(),
            };
            sweep.is_flawless.push((n, survey.flaws.is_empty()));
            is_certain.insert(place, survey.flaws.is_empty());
            sweep.flaws.extend(survey.flaws);
            sweep
                .used
                .extend((!survey.good.is_empty()).then_some(place));
            for source in survey.good {
                let key = key_of(place, &source.name);
                let known = stack.current(key);
                if let Some((member, row, _)) = &known {
                    seen[*member].add(*row);
                }
                sweep.compare(n, (key, place), source, known.map(|(_, _, row)| row));
            }
        }
        sweep.find_gone(stack, &seen, &is_certain);
        sweep
    }

    /// Says whether nothing is other than at the last look, and it took no look at all of a kind to know.
    pub(crate) fn is_idle(&self) -> bool {
        self.is_flawless.is_empty() && self.changed.is_empty() && self.gone.is_empty()
    }

    /// Looks at sources of a kind that have changed, or are gone.
    fn take_named(
        &mut self,
        kind: usize,
        place: u64,
        named: Vec<(String, Option<Source>)>,
        stack: &Stack,
    ) {
        self.in_part.push(kind);
        self.used.extend(
            named
                .iter()
                .any(|(_, source)| source.is_some())
                .then_some(place),
        );
        for (name, source) in named {
            let key = key_of(place, &name);
            let known = stack.current(key).map(|(_, _, row)| row);
            match source {
                Some(source) => self.compare(kind, (key, place), source, known),
                None if known.is_some_and(|row| !row.is_gone) => self.gone.push((key, place)),
                None => {}
            }
        }
    }

    fn compare(
        &mut self,
        kind: usize,
        (key, place): (u128, u64),
        source: Source,
        known: Option<Row>,
    ) {
        let known = known.filter(|row| !row.is_gone);
        if known
            .as_ref()
            .is_none_or(|row| row.state != source.state || row.is_fresh)
        {
            self.changed.push(Changed {
                kind,
                source,
                key,
                place,
                is_known: known.is_some(),
            });
        }
    }

    fn find_gone(&mut self, stack: &Stack, seen: &[Bits], is_certain: &FxHashMap<u64, bool>) {
        if is_certain.is_empty() {
            return;
        }
        for (member, seen) in stack.members.iter().zip(seen) {
            let rows = &member.segment.rows;
            let mut unseen = Bits::all(rows.count());
            unseen.remove_all(seen);
            unseen.remove_all(&member.superseded);
            let is_meant = |n: &usize| {
                rows.place(*n)
                    .is_some_and(|place| is_certain.contains_key(&place))
            };
            for row in unseen
                .iter()
                .filter(is_meant)
                .filter_map(|n| rows.get(n))
                .filter(|row| !row.is_gone)
            {
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
    xxh3_64_with_seed(
        kind.place().as_bytes(),
        xxh3_64_with_seed(kind.name().as_bytes(), 0),
    )
}

fn key_of(place: u64, name: &str) -> u128 {
    let mut hasher = Xxh3::with_seed(place);
    hasher.update(name.as_bytes());
    hasher.digest128()
}
