//! The face that an entry shows to search.

use memory_core::{Address, Document, Expiry, Survey, Timestamp};

use crate::store::Store;
use crate::{BankError, BankName, Entry, Scope};

/// The kind's name, in addresses and toolsets.
pub(crate) const KIND: &str = "banks";

/// Returns the address of an entry: `banks:project/session/context`.
pub(crate) fn address(scope: Scope, bank: &BankName, key: &str) -> Address {
    Address::new(KIND, format!("{scope}/{bank}/{key}"))
}

/// Returns the document of an entry: its key and its value's words.
pub(crate) fn document(scope: Scope, bank: &BankName, key: &str, entry: &Entry<'_>) -> Document {
    Document {
        address: address(scope, bank, key),
        title: format!("{bank}/{key}"),
        text: format!("{bank} {key}\n{}", entry.value),
        labels: vec![format!("scope:{scope}"), format!("bank:{bank}")],
        source: scope.to_string(),
        created_at: entry.created_at,
        updated_at: entry.updated_at,
        expiry: entry.expires_at().map(Expiry::Removed),
        thread: None,
        weight: 1.0,
    }
}

/// Returns the documents of a bank's entries and the flaws of the others; if a time is given, without
/// those that have expired by then.
pub(crate) fn documents(
    store: &Store,
    bank: &BankName,
    now: Option<Timestamp>,
) -> Survey<Document> {
    let mut survey = Survey::default();
    if let Err(error) = collect(store, bank, now, &mut survey) {
        survey.flaws.push(store.flaw(bank, error));
    }
    survey
}

fn collect(
    store: &Store,
    bank: &BankName,
    now: Option<Timestamp>,
    survey: &mut Survey<Document>,
) -> Result<(), BankError> {
    let Some(loaded) = store.load(bank)? else {
        return Ok(());
    };
    for (key, entry) in store.parse(bank, &loaded)?.entries() {
        match entry {
            Ok(entry) if now.is_some_and(|now| entry.is_expired(now)) => {}
            Ok(entry) => survey.good.push(document(store.scope(), bank, key, &entry)),
            Err(why) => survey
                .flaws
                .push(store.flaw(bank, store.bad_entry(bank, key, &why))),
        }
    }
    Ok(())
}
