//! `smart_search`: what matters to a question, by words, tags, use and age.

use memory_core::{Call, Done, instant};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::card::Card;
use crate::document::KIND;
use crate::filter::{Filter, FilterParams};
use crate::search::{Asking, Query};
use crate::store::Store;
use crate::tools::search::{look_for_texts, no_words, rank};
use crate::{Category, NoteError};

#[derive(Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Params {
    /// A question or some words; a #tag in it asks for notes with that tag
    pub query: String,
    /// Only notes that have all of these tags
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tags: Vec<String>,
    /// At most so many notes (default 10)
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit: Option<usize>,
    /// Only notes that this agent may see.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(skip)]
    pub agent: Option<String>,
}

#[derive(Debug, Serialize, Deserialize)]
pub struct Reply {
    pub hits: Vec<Hit>,
}

#[derive(Debug, Serialize, Deserialize)]
pub struct Hit {
    pub kind: String,
    pub id: String,
    pub text: String,
    pub score: f32,
    pub source: String,
    pub created_at: String,
    pub category: Category,
    pub tags: Vec<String>,
}

const HITS: usize = 10;
/// What being new, and being read, add at the most.
const RECENCY: f32 = 0.15;
const USE: f32 = 0.1;
/// After so many days a note is hardly new any more.
const NEW_DAYS: f32 = 30.0;

pub fn run(store: &Store, call: &Call<'_>, params: Params) -> Result<Done<Reply>, NoteError> {
    let (words, mut tags) = split_tags(&params.query);
    tags.extend(params.tags.iter().cloned());
    let query = Query::new(if words.is_empty() { &params.query } else { &words });
    let query = query.ok_or_else(|| no_words(&params.query))?;
    let filter = FilterParams { tags, agent: params.agent.clone(), ..FilterParams::default() };
    let filter = Filter::new(&filter, &store.settings.zone)?;
    let shelf = look_for_texts(store)?;
    let mut hits = rank(&shelf, &query, &filter, Asking::Question).unwrap_or_default();
    for hit in &mut hits {
        if let Ok(card) = &hit.subject.found {
            hit.score *= 1.0 + lift(card, call.now);
        }
    }
    hits.sort_by(|a, b| b.score.total_cmp(&a.score));
    let mut reply = Reply { hits: vec![] };
    for hit in hits.iter().take(params.limit.unwrap_or(HITS)) {
        let Some((note, _)) = store.read_latest(hit.subject)? else { continue };
        reply.hits.push(Hit {
            kind: KIND.to_owned(),
            id: note.id.to_string(),
            text: note.content,
            score: hit.score,
            source: note.source,
            created_at: instant(note.created_at),
            category: note.standing.category(),
            tags: note.tags,
        });
    }
    Ok(Done::read(reply))
}

fn lift(card: &Card, now: memory_core::Timestamp) -> f32 {
    let days = (now.as_second() - card.updated_at.as_second()).max(0) as f32 / 86_400.0;
    let used = card.access_count as f32;
    RECENCY * (-days / NEW_DAYS).exp() + USE * used / (used + 3.0)
}

/// Takes `#tags` out of a query.
fn split_tags(query: &str) -> (String, Vec<String>) {
    let is_tag = |word: &&str| word.len() > 1 && word.starts_with('#');
    let (tags, words): (Vec<&str>, Vec<&str>) = query.split_whitespace().partition(is_tag);
    (words.join(" "), tags.iter().map(|tag| tag[1..].to_owned()).collect())
}
