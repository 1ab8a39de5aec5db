//! The face that a record shows to search.

use std::collections::HashSet;

use memory_core::{Address, Document, Flaw, Survey, tag_label};

use crate::store::Store;
use crate::{Importance, Record, RecordId, Type};

/// The kind's name, in addresses and toolsets.
pub(crate) const KIND: &str = "journal";

pub(crate) fn address(id: &RecordId) -> Address {
    Address::new(KIND, id.as_str())
}

pub(crate) fn document(record: &Record) -> Document {
    let mut labels: Vec<String> = record.tags.iter().map(tag_label).collect();
    labels.push(format!("type:{}", record.kind()));
    labels.extend(
        record
            .category
            .as_ref()
            .map(|category| format!("category:{}", category.as_str())),
    );
    labels.push(format!("importance:{}", record.importance));
    labels.extend(
        record
            .progress()
            .map(|progress| format!("status:{}", progress.status())),
    );
    Document {
        address: address(&record.id),
        title: record.title(),
        text: record.content.as_str().to_owned(),
        labels,
        source: record.kind().file().to_owned(),
        created_at: record.created_at,
        updated_at: record.updated_at,
        expiry: None,
        thread: None,
        weight: weight(record.importance),
    }
}

/// Importance decides between records that match about as well, and no more.
fn weight(importance: Importance) -> f32 {
    match importance {
        Importance::High => 1.15,
        Importance::Medium => 1.0,
        Importance::Low => 0.85,
    }
}

/// Returns the documents of all live records.
pub(crate) fn all(store: &Store) -> Survey<Document> {
    let live = store.look();
    Survey {
        good: live.records().map(document).collect(),
        flaws: live.flaws,
    }
}

/// Returns the documents of one file.
pub(crate) fn of_file(store: &Store, name: &str) -> Survey<Document> {
    let mut survey = Survey::default();
    if !Type::ALL.iter().any(|kind| kind.file() == name) {
        return survey;
    }
    let live = store.look();
    let of_file = live.files.iter().filter(|loaded| loaded.path == name);
    let ids: HashSet<&RecordId> = of_file
        .flat_map(|loaded| loaded.records().map(|(_, record)| &record.id))
        .collect();
    survey.good = live
        .records()
        .filter(|record| ids.contains(&record.id))
        .map(document)
        .collect();
    survey.flaws = live
        .flaws
        .into_iter()
        .filter(|flaw: &Flaw| flaw.place.starts_with(name))
        .collect();
    survey
}
