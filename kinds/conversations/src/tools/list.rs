//! `conversation_list`: which conversations there are, and how much each holds.

use memory_core::{Call, Done, Flaw, Timestamp, instant};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::store::Store;
use crate::{ConversationError, Shelf};

#[derive(Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Params {}

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reply {
    /// Those that were last added to come first.
    pub conversations: Vec<Listed>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub flaws: Vec<Flaw>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Listed {
    pub id: String,
    pub facts: usize,
    pub turns: usize,
    pub summaries: usize,
    pub updated_at: String,
}

pub fn run(store: &Store, _: &Call<'_>, _: Params) -> Result<Done<Reply>, ConversationError> {
    let mut reply = Reply::default();
    let mut listed: Vec<(Timestamp, Listed)> = Vec::new();
    for folder in store.folders()? {
        store.settle(&folder);
        match store.conversation(&folder) {
            Ok(Some(id)) => listed.extend(look(store, &folder, id.as_str(), &mut reply.flaws)),
            Err(error) => reply
                .flaws
                .push(Flaw::of(format!("entries/{folder}"), &error.into())),
            Ok(None) if matches!(store.has_entries(&folder), Ok(false)) => {}
            Ok(None) => {
                let problem = "its name is not that of a conversation directory";
                reply
                    .flaws
                    .push(Flaw::new(format!("entries/{folder}"), problem));
            }
        }
    }
    listed.sort_by(|a, b| (b.0, &a.1.id).cmp(&(a.0, &b.1.id)));
    reply.conversations = listed.into_iter().map(|(_, listed)| listed).collect();
    // Whoever looks at everything finds what others have changed. A store that can't be written to is
    // no reason not to answer.
    if !store.snapshot.put_off() {
        let _ = store.refresh_snapshot();
    }
    Ok(Done::read(reply))
}

/// Counts what a conversation holds; none when it holds nothing.
fn look(
    store: &Store,
    folder: &str,
    id: &str,
    flaws: &mut Vec<Flaw>,
) -> Option<(Timestamp, Listed)> {
    let mut counts = [0usize; 3];
    let mut latest = None;
    for shelf in Shelf::ALL {
        let survey = store.entries(folder, shelf);
        flaws.extend(survey.flaws);
        let place = match shelf {
            Shelf::Facts => 0,
            Shelf::User | Shelf::Assistant => 1,
            _ => 2,
        };
        counts[place] += survey.good.len();
        latest = latest.max(survey.good.last().map(|filed| filed.entry.created_at));
    }
    let [facts, turns, summaries] = counts;
    let latest = latest?;
    Some((
        latest,
        Listed {
            id: id.to_owned(),
            facts,
            turns,
            summaries,
            updated_at: instant(latest),
        },
    ))
}
