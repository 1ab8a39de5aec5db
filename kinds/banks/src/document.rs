//! The face that an entry shows to search.

use memory_core::{Address, Document};

use crate::{BankName, Entry, Scope};

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
        labels: vec![scope.to_string(), bank.to_string()],
        created_at: entry.created_at,
        updated_at: entry.updated_at,
        weight: 1.0,
    }
}
