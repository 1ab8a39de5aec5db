//! `smart_search`: what matters to a question.
//!
//! Recall knows, by words and by meaning, where there is an index that can answer; otherwise notes are
//! ranked by their words, use and age.

use memory_core::{
    Call, Done, Hit as Recalled, Question, Recall, Strictness, instant, tag_label, tags_of,
};
use memory_text::due::asks_what_is_due;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::accesses::Accesses;
use crate::card::Card;
use crate::document::{CATEGORY, KIND};
use crate::dream::DREAMER;
use crate::filter::{Filter, FilterParams};
use crate::search::{Asking, Query};
use crate::store::Store;
use crate::tools::search::{look_for_texts, no_words, rank};
use crate::{Category, NoteError};

#[derive(Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Params {
    /// A question; #tags in it must be there
    pub query: String,
    /// All of these
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tags: Vec<String>,
    /// Default 10
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit: Option<usize>,
    /// Only notes that this agent may see.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(skip)]
    pub agent: Option<String>,
    /// Nobody asked for the notes: only those are meant for which much speaks.
    #[serde(default)]
    #[schemars(skip)]
    pub unasked: bool,
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
    #[serde(serialize_with = "memory_core::serialize_score")]
    pub score: f32,
    pub source: String,
    pub created_at: String,
    pub category: Category,
    pub tags: Vec<String>,
    /// Whether it is archived: it answers better than every current note.
    #[serde(skip_serializing_if = "std::ops::Not::not", default)]
    pub archived: bool,
}

const HITS: usize = 10;
/// What being new, and being read, add at the most.
const RECENCY: f32 = 0.15;
const USE: f32 = 0.1;
/// After so many days a note is hardly new any more.
const NEW_DAYS: f32 = 30.0;

pub fn run(store: &Store, call: &Call<'_>, params: Params) -> Result<Done<Reply>, NoteError> {
    let asked = Asked::of(&params);
    let query = Query::new(&asked.words).ok_or_else(|| no_words(&params.query))?;
    let recalled = call
        .recall
        .and_then(|recall| by_recall(recall, &asked, call));
    let hits = match recalled {
        Some(hits) => hits,
        None => by_words(store, &query, &asked, call)?,
    };
    store.record_access(hits.iter().map(|hit| hit.id.as_str()));
    Ok(Done::read(Reply { hits }))
}

/// A question whose tags are told apart from its words.
struct Asked {
    words: String,
    tags: Vec<String>,
    agent: Option<String>,
    strictness: Strictness,
    limit: usize,
}

impl Asked {
    fn of(params: &Params) -> Self {
        let (words, mut tags) = split_tags(&params.query);
        tags.extend(params.tags.iter().cloned());
        let words = if words.is_empty() {
            params.query.clone()
        } else {
            words
        };
        let strictness = if params.unasked {
            Strictness::Strict
        } else {
            Strictness::Lenient
        };
        let limit = params.limit.unwrap_or(HITS);
        Asked {
            words,
            tags,
            agent: params.agent.clone(),
            strictness,
            limit,
        }
    }
}

/// Returns what recall knows; none when it can't answer.
fn by_recall(recall: &dyn Recall, asked: &Asked, call: &Call<'_>) -> Option<Vec<Hit>> {
    let question = Question {
        text: asked.words.clone(),
        kinds: vec![KIND.to_owned()],
        labels: asked.tags.iter().map(|tag| tag_label(tag)).collect(),
        agent: asked.agent.clone(),
        includes_derived: asks_what_is_due(&asked.words),
        // What nobody asked for and nobody uses is not put into a prompt.
        searches_archive: asked.strictness == Strictness::Lenient,
        strictness: asked.strictness,
        limit: asked.limit,
        ..Question::default()
    };
    let found = recall.recall(&question, call.now).ok()?;
    Some(found.hits.into_iter().map(recalled).collect())
}

fn recalled(hit: Recalled) -> Hit {
    let category = hit
        .labels
        .iter()
        .find_map(|label| label.strip_prefix(CATEGORY)?.parse().ok());
    Hit {
        kind: hit.address.kind,
        id: hit.address.id,
        text: hit.text,
        score: hit.score,
        source: hit.source,
        created_at: instant(hit.created_at),
        category: category.unwrap_or(Category::Inbox),
        tags: tags_of(&hit.labels).map(str::to_owned).collect(),
        archived: hit.is_archived,
    }
}

fn by_words(
    store: &Store,
    query: &Query,
    asked: &Asked,
    call: &Call<'_>,
) -> Result<Vec<Hit>, NoteError> {
    let filter = FilterParams {
        tags: asked.tags.clone(),
        agent: asked.agent.clone(),
        ..FilterParams::default()
    };
    let filter = Filter::new(&filter, &store.settings.zone, call.now)?;
    let shelf = look_for_texts(store)?;
    let includes_derived = asks_what_is_due(&asked.words);
    let accesses = store.accesses().unwrap_or_default();
    let mut ranked = rank(&shelf, query, &filter, Asking::Question).unwrap_or_default();
    let is_evidence = |card: &Card| includes_derived || &*card.source != DREAMER;
    ranked.retain(|hit| hit.subject.found.as_ref().is_ok_and(is_evidence));
    for hit in &mut ranked {
        if let Ok(card) = &hit.subject.found {
            hit.score *= 1.0 + lift(card, &accesses, call.now);
        }
    }
    ranked.sort_by(|a, b| b.score.total_cmp(&a.score));
    let mut hits = Vec::new();
    for hit in ranked.iter().take(asked.limit) {
        let Some((note, _)) = store.read_latest(hit.subject)? else {
            continue;
        };
        hits.push(Hit {
            kind: KIND.to_owned(),
            id: note.id.to_string(),
            text: note.text().into_owned(),
            score: hit.score,
            source: note.source,
            created_at: instant(note.created_at),
            category: note.standing.category(),
            tags: note.tags,
            archived: false,
        });
    }
    Ok(hits)
}

fn lift(card: &Card, accesses: &Accesses, now: memory_core::Timestamp) -> f32 {
    let days = (now.as_second() - card.updated_at.as_second()).max(0) as f32 / 86_400.0;
    let used = card.access_count.saturating_add(accesses.of(&card.id)) as f32;
    RECENCY * (-days / NEW_DAYS).exp() + USE * used / (used + 3.0)
}

/// Takes `#tags` out of a query.
fn split_tags(query: &str) -> (String, Vec<String>) {
    let is_tag = |word: &&str| word.len() > 1 && word.starts_with('#');
    let (tags, words): (Vec<&str>, Vec<&str>) = query.split_whitespace().partition(is_tag);
    (
        words.join(" "),
        tags.iter().map(|tag| tag[1..].to_owned()).collect(),
    )
}
