//! `search`: finds entries whose key, or also whose value, matches a regular expression.

use memory_core::{Call, Done, Flaw, Json};
use regex::{Regex, RegexBuilder};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::scopes::Scopes;
use crate::store::Store;
use crate::tools::banks_of;
use crate::{BankError, BankName, Entry, Scope, ScopeChoice, limits};

#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Params {
    /// Search pattern (regex)
    pub pattern: String,
    /// Search in values too
    #[serde(skip_serializing_if = "Option::is_none")]
    pub search_values: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub scope: Option<ScopeChoice>,
    #[serde(default)]
    #[schemars(skip)]
    pub ignore_case: bool,
}

#[derive(Debug, Serialize, Deserialize)]
pub struct Reply {
    pub hits: Vec<Hit>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub flaws: Vec<Flaw>,
}

#[derive(Debug, Serialize, Deserialize)]
pub struct Hit {
    pub bank: String,
    pub key: String,
    pub scope: Scope,
    /// What matched: the key, or the value.
    pub matched: Matched,
    /// The matching words of the value, with a little of what stands around them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub excerpt: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Matched {
    Key,
    Value,
}

/// How many characters an excerpt shows on each side of a match, and of the match itself.
const AROUND: usize = 30;
const OF_MATCH: usize = 60;

pub fn run(scopes: &Scopes, call: &Call<'_>, params: Params) -> Result<Done<Reply>, BankError> {
    let pattern = compile(&params.pattern, params.ignore_case)?;
    let in_values = params.search_values.unwrap_or(false);
    let mut reply = Reply {
        hits: vec![],
        flaws: vec![],
    };
    let banks = banks_of(&scopes.chosen(params.scope)?, &mut reply.flaws);
    for (n, (store, bank)) in banks.iter().enumerate() {
        call.progress.advance(n, banks.len(), bank.as_str());
        if let Err(error) = search_bank(store, bank, call, &pattern, in_values, &mut reply) {
            reply.flaws.push(store.flaw(bank, error));
        }
    }
    Ok(Done::read(reply))
}

fn compile(pattern: &str, ignore_case: bool) -> Result<Regex, BankError> {
    RegexBuilder::new(pattern)
        .case_insensitive(ignore_case)
        .size_limit(limits::PATTERN_BYTES)
        .build()
        .map_err(|error| BankError::BadPattern {
            problem: one_line(&error),
        })
}

/// The last line of the crate's drawing says what is wrong.
fn one_line(error: &regex::Error) -> String {
    if let regex::Error::CompiledTooBig(limit) = error {
        return format!("it takes more than {limit} bytes when compiled");
    }
    let whole = error.to_string();
    whole
        .lines()
        .last()
        .unwrap_or_default()
        .trim_start_matches("error: ")
        .to_owned()
}

fn search_bank(
    store: &Store,
    bank: &BankName,
    call: &Call<'_>,
    pattern: &Regex,
    in_values: bool,
    reply: &mut Reply,
) -> Result<(), BankError> {
    let Some(loaded) = store.load(bank)? else {
        return Ok(());
    };
    let content = store.parse(bank, &loaded)?;
    for (key, entry) in content.entries() {
        let entry = match entry {
            Ok(entry) if entry.is_expired(call.now) => continue,
            Ok(entry) => entry,
            Err(why) => {
                reply
                    .flaws
                    .push(store.flaw(bank, store.bad_entry(bank, key, &why)));
                continue;
            }
        };
        let hit = |matched, excerpt| Hit {
            bank: bank.to_string(),
            key: key.to_owned(),
            scope: store.scope(),
            matched,
            excerpt,
        };
        if pattern.is_match(key) {
            reply.hits.push(hit(Matched::Key, None));
        } else if let Some(excerpt) = in_values.then(|| match_in_value(pattern, &entry)).flatten() {
            reply.hits.push(hit(Matched::Value, Some(excerpt)));
        }
    }
    Ok(())
}

/// Looks at the value as JSON text, and at its strings as they read without escapes.
fn match_in_value(pattern: &Regex, entry: &Entry<'_>) -> Option<String> {
    if let Some(found) = pattern.find(&entry.value) {
        return Some(excerpt(&entry.value, found.range()));
    }
    if !entry.value.contains('\\') {
        return None;
    }
    let value = Json::parse(&entry.value).ok()?;
    value.strings().find_map(|text| {
        pattern
            .find(&text)
            .map(|found| excerpt(&text, found.range()))
    })
}

fn excerpt(text: &str, found: std::ops::Range<usize>) -> String {
    let before: Vec<char> = text[..found.start].chars().rev().take(AROUND).collect();
    let inside = text[found.clone()].chars().take(OF_MATCH);
    let after = text[found.end..].chars().take(AROUND);
    before
        .into_iter()
        .rev()
        .chain(inside)
        .chain(after)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pattern_that_is_none_or_too_large_is_refused() {
        assert_eq!(
            compile("a(", false).unwrap_err().code().as_str(),
            "INVALID_PATTERN"
        );
        assert!(compile("((a{1000}){1000}){100}", false).is_err());
    }

    #[test]
    fn an_excerpt_is_short_and_cuts_no_character() {
        let text = format!("{}needle{}", "中".repeat(100), "文".repeat(100));
        let shown = excerpt(&text, 300..306);
        assert_eq!(shown.chars().count(), 66);
        assert!(shown.contains("needle"));
    }
}
