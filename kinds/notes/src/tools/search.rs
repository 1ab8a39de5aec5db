//! `search`: the notes that have the words of a query, the most relevant first.

use std::sync::Arc;

use memory_core::{Call, Done};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::catalog::Filed;
use crate::filter::{Filter, FilterParams};
use crate::search::{Asking, Hit, Query};
use crate::shelf::Shelf;
use crate::store::Store;
use crate::tools::list::{Listed, Reply, count_archived, whole};
use crate::{NoteError, limits};

#[derive(Debug, Default, Serialize, Deserialize, JsonSchema)]
pub struct Params {
    /// Words to search for
    pub query: String,
    #[serde(flatten)]
    pub filter: FilterParams,
    /// Default 50
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit: Option<usize>,
}

pub fn run(store: &Store, call: &Call<'_>, params: Params) -> Result<Done<Reply>, NoteError> {
    let query = Query::new(&params.query).ok_or_else(|| no_words(&params.query))?;
    let filter = Filter::new(&params.filter, &store.settings.zone, call.now)?;
    let shelf = look_for_texts(store)?;
    let hits = rank(&shelf, &query, &filter, Asking::ForWords).unwrap_or_default();
    let mut reply = Reply {
        memories: vec![],
        total: hits.len(),
        archived: None,
        flaws: shelf.flaws(),
    };
    let accesses = store.accesses().unwrap_or_default();
    for hit in hits
        .iter()
        .take(params.limit.unwrap_or(limits::SEARCH_HITS))
    {
        reply.memories.extend(whole(
            store,
            hit.subject,
            &accesses,
            &mut reply.flaws,
            Some(hit.score),
        ));
    }
    if reply.memories.is_empty() {
        reply.archived = Some(count_archived(store, &shelf, call.now)?);
    }
    store.record_access(reply.memories.iter().filter_map(Listed::id));
    Ok(Done::read(reply))
}

/// Looks at the notes so that their texts can be had, by reading them all if there is no other way.
pub(super) fn look_for_texts(store: &Store) -> Result<Arc<Shelf>, NoteError> {
    let shelf = store.look()?;
    Ok(if shelf.fetch_texts() {
        shelf
    } else {
        store.read_all()
    })
}

/// Ranks the notes that filters admit; none when the texts were replaced meanwhile.
pub(super) fn rank<'s>(
    shelf: &'s Shelf,
    query: &Query,
    filter: &Filter,
    asking: Asking,
) -> Option<Vec<Hit<&'s Filed>>> {
    let mut answers = Vec::new();
    let mut asked = 0;
    shelf.with_texts(&mut |entry, card, text| {
        if filter.admits(card) {
            asked += 1;
            answers.extend(query.ask(entry, card, text));
        }
    })?;
    Some(query.rank(answers, asked, asking))
}

pub(super) fn no_words(query: &str) -> NoteError {
    NoteError::bad(format!("'{query}' contains no words to search for"))
}
