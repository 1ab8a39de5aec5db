//! The face that an entry shows to search.
//!
//! What belongs to a run shows none: it is one run's alone, and stands in that run's prompt anyway.

use memory_core::{Address, Change, Document, Flaw, Source, Survey, tag_label};

use crate::store::Store;
use crate::{Compartment, Entry, limits};

/// The kind's name, in addresses and toolsets.
pub const KIND: &str = "compartments";

/// Returns the address of an entry: `compartments:session/<id>`.
pub(crate) fn address(compartment: Compartment, entry: &Entry) -> Address {
    Address::new(KIND, format!("{compartment}/{}", entry.id))
}

/// Returns what there is to say of an entry that is new or different.
pub(crate) fn change(store: &Store, compartment: Compartment, entry: &Entry) -> Change {
    if is_shown(compartment, entry) {
        Change::kept(document(store, compartment, entry))
    } else {
        Change {
            address: address(compartment, entry),
            document: None,
        }
    }
}

/// Returns the documents of all entries that are not one run's, and the flaws of the others.
pub(crate) fn documents(store: &Store) -> Survey<Document> {
    let mut survey = Survey::default();
    let contents = match store.read() {
        Ok(contents) => contents,
        Err(error) => {
            survey
                .flaws
                .push(Flaw::new(store.name(), error.to_string()));
            return survey;
        }
    };
    for compartment in Compartment::ALL {
        let shown = contents
            .entries(compartment)
            .filter(|entry| is_shown(compartment, entry));
        survey
            .good
            .extend(shown.map(|entry| document(store, compartment, entry)));
        survey.flaws.extend(store.flaws_of(&contents, compartment));
    }
    survey
}

/// Returns the one part that documents are made of: the file.
pub(crate) fn sources(store: &Store) -> Survey<Source> {
    let mut survey = Survey::default();
    match store.stamp() {
        Ok(stamp) => survey.good.extend(stamp.map(|stamp| Source {
            name: store.path(),
            state: stamp.state(),
            is_fresh: stamp.is_fresh(),
        })),
        Err(error) => survey
            .flaws
            .push(Flaw::new(store.name(), error.to_string())),
    }
    survey
}

fn is_shown(compartment: Compartment, entry: &Entry) -> bool {
    compartment != Compartment::Run && entry.run.is_none()
}

fn document(store: &Store, compartment: Compartment, entry: &Entry) -> Document {
    let mut labels: Vec<String> = entry.tags.iter().map(|tag| tag_label(tag)).collect();
    labels.push(format!("compartment:{compartment}"));
    labels.extend(
        entry
            .category
            .iter()
            .map(|category| format!("category:{category}")),
    );
    let first = entry
        .content
        .lines()
        .find(|line| !line.trim().is_empty())
        .unwrap_or_default();
    Document {
        address: address(compartment, entry),
        title: first.trim().chars().take(80).collect(),
        text: entry.content.clone(),
        labels,
        source: store.path(),
        created_at: entry.created_at,
        updated_at: entry.updated_at,
        expiry: None,
        thread: None,
        weight: weight(entry.priority),
    }
}

/// A tenth up or down at most: priority decides between answers that are equally good, and no more.
fn weight(priority: i64) -> f32 {
    let above =
        priority.clamp(*limits::PRIORITIES.start(), *limits::PRIORITIES.end()) - limits::PRIORITY;
    1.0 + above as f32 * 0.02
}
