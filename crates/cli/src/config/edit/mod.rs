//! One setting put into a file's text or taken out of it, and every other byte left alone.
//!
//! Pure: text in, text out. Each change is one splice. What comes out is read again and must say
//! exactly what was said before, but for the one setting; otherwise the change is refused.

mod lines;
mod plan;

use std::collections::BTreeMap;

use super::table::is_below;
use super::yaml::{self, Body, Document, Flaw};
use plan::Splice;

/// Why a text was not changed.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Refusal {
    /// It can't be read.
    Broken(Flaw),
    /// It is written in a way that only a person should change.
    ByHand { line: usize, why: String },
}

impl From<Flaw> for Refusal {
    fn from(flaw: Flaw) -> Refusal {
        Refusal::Broken(flaw)
    }
}

/// Returns the text with a setting put in.
pub(super) fn set(text: &str, key: &str, value: &str) -> Result<String, Refusal> {
    let document = yaml::parse(without_mark(text))?;
    let mut wanted = says(&document, without_mark(text));
    wanted.insert(key.to_owned(), format!("={value}"));
    let splice = plan::set(without_mark(text), &document, key, value)?;
    verified(text, &splice, &wanted)
}

/// Returns the text with a name and all below it taken out; none when it is not there.
pub(super) fn unset(text: &str, key: &str) -> Result<Option<String>, Refusal> {
    let document = yaml::parse(without_mark(text))?;
    let Some(splice) = plan::unset(without_mark(text), &document, key) else {
        return Ok(None);
    };
    let mut wanted = says(&document, without_mark(text));
    wanted.retain(|known, _| known != key && !is_below(known, key));
    verified(text, &splice, &wanted).map(Some)
}

/// Makes a change and holds its result against what was wanted.
fn verified(
    text: &str,
    splice: &Splice,
    wanted: &BTreeMap<String, String>,
) -> Result<String, Refusal> {
    let body = without_mark(text);
    let mark = &text[..text.len() - body.len()];
    let after = [
        mark,
        &body[..splice.at.start],
        &splice.with,
        &body[splice.at.end..],
    ]
    .concat();
    match yaml::parse(without_mark(&after)) {
        Ok(document) if says(&document, without_mark(&after)) == *wanted => Ok(after),
        _ => {
            let line = 1 + body[..splice.at.start].matches('\n').count();
            Err(Refusal::ByHand {
                line,
                why: "its syntax is not supported".to_owned(),
            })
        }
    }
}

/// Returns every value that a text gives, by key.
fn says(document: &Document, text: &str) -> BTreeMap<String, String> {
    let said = |body: &Body| match body {
        Body::Text(value, ..) => Some(format!("={}", value.trim())),
        Body::List(at) => Some(format!("-{}", &text[at.clone()])),
        Body::Nothing(_) | Body::Block | Body::Braces(_) => None,
    };
    document
        .nodes
        .iter()
        .filter_map(|node| Some((node.key.clone(), said(&node.body)?)))
        .collect()
}

fn without_mark(text: &str) -> &str {
    text.strip_prefix('\u{feff}').unwrap_or(text)
}

#[cfg(test)]
mod tests;
