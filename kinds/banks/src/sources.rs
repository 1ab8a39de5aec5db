//! The banks' files as an index sees them: which there are, in what state, and what is in one.
//!
//! Each bank is a source, named by scope and bank, whichever form its file has.

use std::collections::BTreeMap;

use memory_core::{Document, Flaw, Source, Survey};

use crate::store::{Store, bank_of};
use crate::{BankName, document};

/// Returns every bank of a store.
pub(crate) fn sources(store: &Store) -> Survey<Source> {
    let mut survey = Survey::default();
    let found = match store.files.scan(&store.root) {
        Ok(found) => found,
        Err(error) => {
            survey
                .flaws
                .push(Flaw::new(store.scope().as_str(), error.to_string()));
            return survey;
        }
    };
    let mut banks: BTreeMap<BankName, Source> = BTreeMap::new();
    for sighting in found {
        let Some(bank) = bank_of(&sighting.name) else {
            continue;
        };
        let name = format!("{}/{bank}", store.scope());
        let source = banks.entry(bank).or_insert(Source {
            name,
            state: 0,
            is_fresh: false,
        });
        source.state = source.state.rotate_left(1) ^ sighting.stamp.state();
        source.is_fresh |= sighting.stamp.is_fresh();
    }
    survey.good.extend(banks.into_values());
    survey
}

/// Returns the entries of a bank by its source's name, those that have expired among them; nothing when
/// it is gone or another store's.
pub(crate) fn read(store: &Store, source: &str) -> Survey<Document> {
    match source
        .split_once('/')
        .map(|(scope, bank)| (scope, BankName::parse(bank)))
    {
        Some((scope, Ok(bank))) if scope == store.scope().as_str() => {
            document::documents(store, &bank, None)
        }
        _ => Survey::default(),
    }
}
