//! `memory_recall`: one question over everything that is remembered.

use jiff::civil::Date;
use jiff::tz::TimeZone;
use memory_core::{
    Address, Call, Code, Done, Effect, Error, Explain, Flaw, Hit, Question, Result, Span,
    Strictness, Timestamp, Tool, ToolSpec, instant, parse_instant, tag_label, tags_of,
};
use memory_text::due::asks_what_is_due;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The toolset, and the tool in it.
pub const TOOLSET: &str = "recall";
pub const TOOL: &str = "memory_recall";

/// How many hits there are when nobody says.
const HITS: usize = 10;
/// The most that can be asked for.
const MOST_HITS: usize = 1_000;

#[derive(Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Params {
    /// A question or some words
    pub query: String,
    /// notes, banks, conversations, journal, compartments
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub kinds: Vec<String>,
    /// All of these
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tags: Vec<String>,
    /// Match any of the tags instead of all
    #[serde(default)]
    #[schemars(skip)]
    pub any_tag: bool,
    /// Only memories of this category
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(skip)]
    pub category: Option<String>,
    /// First day: YYYY-MM-DD, or 7d
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub since: Option<String>,
    /// Last day
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub until: Option<String>,
    /// Default 10
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit: Option<usize>,
    /// Most tokens in all
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub budget: Option<usize>,
    /// Only memories that this agent may see
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(skip)]
    pub agent: Option<String>,
    /// Return the components of each score
    #[serde(default)]
    #[schemars(skip)]
    pub explain: bool,
}

#[derive(Debug, Default, Serialize, Deserialize)]
pub struct Reply {
    pub hits: Vec<HitView>,
    /// The number of memories that were searched.
    pub searched: usize,
    /// The models that were used.
    pub models: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub flaws: Vec<Flaw>,
}

/// A hit as callers see it.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct HitView {
    pub kind: String,
    pub id: String,
    pub title: String,
    pub text: String,
    #[serde(serialize_with = "memory_core::serialize_score")]
    pub score: f32,
    pub source: String,
    pub created_at: String,
    pub updated_at: String,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub category: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub tags: Vec<String>,
    /// Whether it is archived: it answers better than every current memory.
    #[serde(skip_serializing_if = "std::ops::Not::not", default)]
    pub archived: bool,
    /// Where the words of the question stand in the text, in bytes.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub marks: Vec<(usize, usize)>,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub explain: Option<Explain>,
}

/// Returns the tools of recall. Days are read in `zone`; `kinds` are those that can be asked for.
pub fn all(zone: TimeZone, kinds: Vec<&'static str>) -> Vec<Tool> {
    let spec = ToolSpec {
        toolset: TOOLSET,
        name: TOOL,
        alias: Some(TOOL),
        description: "Recall what is relevant from everything remembered",
        effect: Effect::Reads,
    };
    vec![Tool::new(spec, move |call: &Call<'_>, params: Params| {
        run(call, &params, &zone, &kinds)
    })]
}

fn run(call: &Call<'_>, params: &Params, zone: &TimeZone, kinds: &[&str]) -> Result<Done<Reply>> {
    let question = question(params, call.now, zone, kinds)?;
    let recall = call
        .recall
        .ok_or_else(|| Error::new(Code::IoError, "No index is available"))?;
    let found = recall.recall(&question, call.now)?;
    let delivered: Vec<Address> = found.hits.iter().map(|hit| hit.address.clone()).collect();
    recall.record_access(&delivered);
    let hits = found
        .hits
        .into_iter()
        .map(|hit| view(hit, params))
        .collect();
    Ok(Done::read(Reply {
        hits,
        searched: found.searched,
        models: found.models,
        flaws: found.flaws,
    }))
}

fn question(params: &Params, now: Timestamp, zone: &TimeZone, kinds: &[&str]) -> Result<Question> {
    if !params.query.contains(char::is_alphanumeric) {
        return Err(Error::new(
            Code::InvalidArgument,
            "The question contains no words",
        ));
    }
    if let Some(unknown) = params
        .kinds
        .iter()
        .find(|kind| !kinds.contains(&kind.as_str()))
    {
        let message = format!(
            "'{unknown}' is not a kind of memory; the kinds are {}",
            kinds.join(", ")
        );
        return Err(Error::new(Code::InvalidArgument, message));
    }
    let limit = params.limit.unwrap_or(HITS);
    if limit == 0 || limit > MOST_HITS {
        let message = format!("The limit must be between 1 and {MOST_HITS}, not {limit}");
        return Err(Error::new(Code::InvalidArgument, message));
    }
    let tags: Vec<String> = params
        .tags
        .iter()
        .map(|tag| tag_label(tag.trim().trim_start_matches('#')))
        .collect();
    let (mut labels, any_label) = if params.any_tag {
        (vec![], tags)
    } else {
        (tags, vec![])
    };
    labels.extend(
        params
            .category
            .as_ref()
            .map(|category| format!("category:{}", category.trim())),
    );
    let begin = |text: &String| moment(text, now, zone, Edge::Begin);
    let end = |text: &String| moment(text, now, zone, Edge::End);
    Ok(Question {
        text: params.query.clone(),
        kinds: params.kinds.clone(),
        labels,
        any_label,
        agent: params.agent.clone(),
        since: params.since.as_ref().map(begin).transpose()?,
        until: params.until.as_ref().map(end).transpose()?,
        includes_derived: params.category.as_deref().is_some_and(is_reminders)
            || asks_what_is_due(&params.query),
        searches_archive: true,
        strictness: Strictness::Lenient,
        limit,
        budget: params.budget,
        ..Question::default()
    })
}

/// Returns whether a category holds what maintenance makes from other memories.
fn is_reminders(category: &str) -> bool {
    category.trim() == "reminders"
}

/// Which end of a day is meant.
#[derive(Clone, Copy)]
enum Edge {
    Begin,
    End,
}

/// Reads a day, an instant, or how long ago it was.
fn moment(text: &str, now: Timestamp, zone: &TimeZone, edge: Edge) -> Result<Timestamp> {
    let day = |date: Date| {
        let date = match edge {
            Edge::Begin => date,
            Edge::End => date.tomorrow().unwrap_or(date),
        };
        date.to_zoned(zone.clone())
            .ok()
            .map(|zoned| zoned.timestamp())
    };
    let ago = || text.parse::<Span>().ok().map(|span| span.before(now));
    let date = if text.len() <= 10 {
        text.parse::<Date>().ok()
    } else {
        None
    };
    date.and_then(day)
        .or_else(|| parse_instant(text))
        .or_else(ago)
        .ok_or_else(|| {
            Error::new(Code::InvalidArgument, format!("'{text}' is not a date"))
                .hint("Examples: 2026-05-07, 2026-05-07T10:00:00Z, or 7d for a week ago")
        })
}

fn view(hit: Hit, params: &Params) -> HitView {
    HitView {
        category: hit
            .labels
            .iter()
            .find_map(|label| label.strip_prefix("category:"))
            .map(str::to_owned),
        tags: tags_of(&hit.labels).map(str::to_owned).collect(),
        kind: hit.address.kind,
        id: hit.address.id,
        title: hit.title,
        text: hit.text,
        score: hit.score,
        source: hit.source,
        created_at: instant(hit.created_at),
        updated_at: instant(hit.updated_at),
        archived: hit.is_archived,
        marks: hit.marks,
        explain: params.explain.then_some(hit.explain),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(params: &Params) -> Result<Question> {
        let now = parse_instant("2026-05-07T10:00:00Z").unwrap();
        question(params, now, &TimeZone::UTC, &["notes", "banks"])
    }

    #[test]
    fn days_are_whole_and_lengths_are_counted_back() {
        let params = |since: &str, until: &str| Params {
            query: "x".into(),
            since: Some(since.into()),
            until: Some(until.into()),
            ..Params::default()
        };
        let asked_for = asked(&params("2026-05-01", "2026-05-02")).unwrap();
        assert_eq!(instant(asked_for.since.unwrap()), "2026-05-01T00:00:00Z");
        assert_eq!(instant(asked_for.until.unwrap()), "2026-05-03T00:00:00Z");
        let asked_for = asked(&params("7d", "2026-05-02T08:00:00+02:00")).unwrap();
        assert_eq!(instant(asked_for.since.unwrap()), "2026-04-30T10:00:00Z");
        assert_eq!(instant(asked_for.until.unwrap()), "2026-05-02T06:00:00Z");
        assert_eq!(
            asked(&params("soon", "7d")).unwrap_err().message,
            "'soon' is not a date"
        );
    }

    #[test]
    fn a_question_that_asks_for_nothing_is_told_so() {
        let refused = |params: Params| asked(&params).unwrap_err().message;
        assert_eq!(
            refused(Params {
                query: " ?".into(),
                ..Params::default()
            }),
            "The question contains no words"
        );
        let kinds = Params {
            query: "x".into(),
            kinds: vec!["note".into()],
            ..Params::default()
        };
        assert_eq!(
            refused(kinds),
            "'note' is not a kind of memory; the kinds are notes, banks"
        );
        let limit = Params {
            query: "x".into(),
            limit: Some(0),
            ..Params::default()
        };
        assert!(refused(limit).contains("between 1 and 1000"));
    }

    #[test]
    fn tags_are_labels_and_all_of_them_count_unless_any_will_do() {
        let mut params = Params {
            query: "x".into(),
            tags: vec!["#a".into(), "b".into()],
            ..Params::default()
        };
        let all = asked(&params).unwrap();
        assert_eq!((all.labels.len(), all.any_label.len()), (2, 0));
        params.any_tag = true;
        assert_eq!(asked(&params).unwrap().any_label, ["tag:a", "tag:b"]);
    }
}
