//! `query_memories`: finds records, and counts that they were found.

use memory_core::{Call, Done, Flaw, Json};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::shown;
use crate::filter::{Filter, Sort};
use crate::store::{Live, Store};
use crate::{Importance, JournalError, Record, Status, Type, limits};

#[derive(Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Params {
    #[serde(default, rename = "type", skip_serializing_if = "Option::is_none")]
    pub kind: Option<Type>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub category: Option<String>,
    /// Tags that the record must have, all of them
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tags: Vec<String>,
    /// Match any of the tags instead of all
    #[serde(default)]
    pub any_tag: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub importance: Option<Importance>,
    /// Words that the content must contain, all of them
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// Only tasks with this status
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub status: Option<Status>,
    /// Search the archive instead
    #[serde(default)]
    pub archived: bool,
    /// Sort field, in descending order (default: created_at)
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sort: Option<Sort>,
    /// Maximum number of records (default: 50)
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit: Option<usize>,
    /// Number of records to skip
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub offset: Option<usize>,
}

#[derive(Debug, Serialize, Deserialize)]
pub struct Reply {
    pub records: Vec<Json>,
    /// How many there are, whatever the limit.
    pub total: usize,
    pub has_more: bool,
    /// What could not be read.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub flaws: Vec<Flaw>,
}

pub fn run(store: &Store, call: &Call<'_>, params: Params) -> Result<Done<Reply>, JournalError> {
    let (limit, offset) = (
        params.limit.unwrap_or(limits::QUERY_RECORDS),
        params.offset.unwrap_or(0),
    );
    if limit > limits::QUERY_MOST {
        return Err(JournalError::bad(format!(
            "A query shows up to {} records",
            limits::QUERY_MOST
        )));
    }
    let live = store.look();
    let archived = if params.archived {
        store.archived(&live)?
    } else {
        Vec::new()
    };
    let found = matching(&params, &live, &archived);
    let total = found.len();
    let mut page: Vec<Record> = found
        .into_iter()
        .skip(offset)
        .take(limit)
        .cloned()
        .collect();
    if !params.archived {
        // Where accesses can't be kept, what was asked is answered all the same.
        let _ = store.count_access(&mut page, call.now);
    }
    store.refresh_index(call.now);
    let has_more = offset.saturating_add(page.len()) < total;
    let records = page.iter().map(shown).collect::<Result<_, _>>()?;
    Ok(Done::read(Reply {
        records,
        total,
        has_more,
        flaws: live.flaws,
    }))
}

fn matching<'r>(params: &Params, live: &'r Live, archived: &'r [Record]) -> Vec<&'r Record> {
    let words = params.text.as_deref().unwrap_or_default().to_lowercase();
    let filter = Filter {
        kind: params.kind,
        category: params.category.clone(),
        tags: params.tags.clone(),
        any_tag: params.any_tag,
        importance: params.importance,
        status: params.status,
        words: words.split_whitespace().map(str::to_owned).collect(),
    };
    let mut found: Vec<&Record> = if params.archived {
        archived
            .iter()
            .filter(|record| filter.matches(record))
            .collect()
    } else {
        live.records()
            .filter(|record| filter.matches(record))
            .collect()
    };
    params.sort.unwrap_or_default().order(&mut found);
    found
}
