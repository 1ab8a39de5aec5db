//! Which notes are meant: by phase, category, scope, source, tags and dates.

use std::collections::BTreeMap;

use jiff::civil::Date;
use jiff::tz::TimeZone;
use memory_core::{Timestamp, parse_instant, unknown_parameter};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::card::Card;
use crate::{Category, NoteError, NoteScope, Phase};

/// What the tools that filter take, for whoever mistypes one.
const PARAMETERS: [&str; 9] = [
    "query", "phase", "category", "scope", "source", "tags", "from", "to", "limit",
];

/// The filters of a call, as they came.
#[derive(Debug, Clone, Default, Serialize, Deserialize, JsonSchema)]
pub struct FilterParams {
    /// inbox or organized
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub phase: Option<Phase>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub category: Option<String>,
    /// global or agent:NAME
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scope: Option<String>,
    /// Who wrote it
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
    /// All of these
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tags: Vec<String>,
    /// Notes that have any of the tags, not all of them
    #[serde(default)]
    #[schemars(skip)]
    pub any_tag: bool,
    /// First day: YYYY-MM-DD
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<String>,
    /// Last day
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub to: Option<String>,
    /// Only notes that this agent may see: those for all, and its own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(skip)]
    pub agent: Option<String>,
    /// What else came, which is told: a mistyped filter would admit everything.
    #[serde(flatten)]
    #[schemars(skip)]
    pub unknown: BTreeMap<String, Value>,
}

impl FilterParams {
    /// Says whether every note is meant.
    pub fn is_empty(&self) -> bool {
        let texts = [
            &self.category,
            &self.scope,
            &self.source,
            &self.from,
            &self.to,
            &self.agent,
        ];
        self.phase.is_none() && self.tags.is_empty() && texts.iter().all(|text| text.is_none())
    }
}

/// The same filters, checked.
#[derive(Debug)]
pub(crate) struct Filter {
    phase: Option<Phase>,
    category: Option<Category>,
    scope: Option<NoteScope>,
    source: Option<String>,
    tags: Vec<String>,
    any_tag: bool,
    agent: Option<String>,
    from: Option<Timestamp>,
    /// The first moment that is too late.
    until: Option<Timestamp>,
    /// Notes whose time in the inbox has ended by then are archived, and not admitted.
    now: Timestamp,
}

impl Filter {
    pub(crate) fn new(
        params: &FilterParams,
        zone: &TimeZone,
        now: Timestamp,
    ) -> Result<Self, NoteError> {
        if let Some(name) = params.unknown.keys().next() {
            let told = unknown_parameter(name, PARAMETERS);
            return Err(NoteError::BadArgument {
                problem: told.message,
                hint: told.hint,
            });
        }
        let day_after = |date: Date| date.tomorrow().unwrap_or(Date::MAX);
        Ok(Filter {
            phase: params.phase,
            category: params.category.as_deref().map(str::parse).transpose()?,
            scope: params.scope.as_deref().map(str::parse).transpose()?,
            source: params.source.as_ref().map(|source| source.to_lowercase()),
            tags: params.tags.iter().map(|tag| folded_tag(tag)).collect(),
            any_tag: params.any_tag,
            agent: params.agent.clone(),
            from: params
                .from
                .as_deref()
                .map(|text| moment(text, zone, |date| date))
                .transpose()?,
            until: params
                .to
                .as_deref()
                .map(|text| moment(text, zone, day_after))
                .transpose()?,
            now,
        })
    }

    /// Says whether a current note is meant.
    pub(crate) fn admits(&self, card: &Card) -> bool {
        !card.is_expired(self.now) && self.matches(card)
    }

    /// Says whether an archived note is meant, of those that stand in a category.
    pub(crate) fn admits_archived(&self, card: &Card) -> bool {
        card.is_expired(self.now) && self.matches(card)
    }

    /// Says whether a note is meant, current or archived.
    pub(crate) fn matches(&self, card: &Card) -> bool {
        self.phase.is_none_or(|phase| card.phase() == phase)
            && self
                .category
                .is_none_or(|category| card.category() == category)
            && self.scope.as_ref().is_none_or(|scope| card.scope == *scope)
            && self
                .source
                .as_ref()
                .is_none_or(|source| card.source.to_lowercase() == *source)
            && self.from.is_none_or(|from| card.created_at >= from)
            && self.until.is_none_or(|until| card.created_at < until)
            && self.admits_tags(card)
            && self
                .agent
                .as_ref()
                .is_none_or(|agent| is_seen_by(agent, &card.scope))
    }

    fn admits_tags(&self, card: &Card) -> bool {
        let has = |wanted: &String| card.tags.iter().any(|tag| folded_tag(tag) == *wanted);
        if self.any_tag {
            self.tags.is_empty() || self.tags.iter().any(has)
        } else {
            self.tags.iter().all(has)
        }
    }
}

fn is_seen_by(agent: &str, scope: &NoteScope) -> bool {
    match scope {
        NoteScope::Global => true,
        NoteScope::Agent(name) => name == agent,
    }
}

fn folded_tag(tag: &str) -> String {
    tag.trim().trim_start_matches('#').to_lowercase()
}

/// Reads a day, which `edge` turns into the one whose beginning counts, or an exact time.
fn moment(
    text: &str,
    zone: &TimeZone,
    edge: impl Fn(Date) -> Date,
) -> Result<Timestamp, NoteError> {
    let day = || {
        Some(
            edge(text.parse::<Date>().ok()?)
                .to_zoned(zone.clone())
                .ok()?
                .timestamp(),
        )
    };
    let exact = if text.contains('T') {
        parse_instant(text)
    } else {
        None
    };
    exact
        .or_else(day)
        .ok_or_else(|| NoteError::bad(format!("'{text}' is not a day like 2026-05-07")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Note, NoteId, Standing};

    fn card() -> Card {
        let now = parse_instant("2026-05-07T20:00:00Z").unwrap();
        let standing = Standing::Organized {
            category: Category::Lessons,
        };
        let mut note = Note::new(NoteId::parse("abcd").unwrap(), "x".into(), standing, now);
        note.tags = vec!["Rust".into(), "ui".into()];
        note.source = "Claude".into();
        Card::of(&note)
    }

    #[track_caller]
    fn check(params: FilterParams, admitted: bool) {
        let zone = TimeZone::get("Asia/Shanghai").unwrap();
        assert_eq!(
            Filter::new(&params, &zone, Timestamp::UNIX_EPOCH)
                .unwrap()
                .admits(&card()),
            admitted,
            "{params:?}"
        );
    }

    #[test]
    fn each_filter_admits_what_it_names() {
        let some = |text: &str| Some(text.to_owned());
        let tags = |tags: &[&str]| tags.iter().map(|tag| (*tag).to_owned()).collect::<Vec<_>>();
        let none = FilterParams::default;
        check(none(), true);
        check(
            FilterParams {
                phase: Some(Phase::Inbox),
                ..none()
            },
            false,
        );
        check(
            FilterParams {
                category: some("lessons"),
                ..none()
            },
            true,
        );
        check(
            FilterParams {
                scope: some("agent:claude"),
                ..none()
            },
            false,
        );
        check(
            FilterParams {
                source: some("claude"),
                ..none()
            },
            true,
        );
        check(
            FilterParams {
                tags: tags(&["rust", "#UI"]),
                ..none()
            },
            true,
        );
        check(
            FilterParams {
                tags: tags(&["rust", "go"]),
                ..none()
            },
            false,
        );
        check(
            FilterParams {
                tags: tags(&["rust", "go"]),
                any_tag: true,
                ..none()
            },
            true,
        );
        // 20:00 in UTC is the next day in Shanghai.
        check(
            FilterParams {
                from: some("2026-05-08"),
                to: some("2026-05-08"),
                ..none()
            },
            true,
        );
        check(
            FilterParams {
                to: some("2026-05-07"),
                ..none()
            },
            false,
        );
        check(
            FilterParams {
                from: some("2026-05-07T20:00:00Z"),
                ..none()
            },
            true,
        );
    }

    #[test]
    fn what_is_no_value_is_told() {
        let problem = |params| {
            Filter::new(&params, &TimeZone::UTC, Timestamp::UNIX_EPOCH)
                .unwrap_err()
                .to_string()
        };
        let told = problem(FilterParams {
            scope: Some("user".into()),
            ..Default::default()
        });
        assert_eq!(
            told,
            "'user' is not a scope of notes; it can be global or agent:NAME"
        );
        assert!(
            problem(FilterParams {
                category: Some("x".into()),
                ..Default::default()
            })
            .contains("soul")
        );
        assert!(
            problem(FilterParams {
                from: Some("may".into()),
                ..Default::default()
            })
            .contains("'may'")
        );
    }
}
