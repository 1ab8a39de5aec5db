//! Facts from what a user said: none to three, by a model or by rules (section 4.2).
//!
//! Only the user's own words are read. A model that fails or talks nonsense is done without.

mod chinese;
mod english;
mod sentences;

use memory_core::Timestamp;
use memory_text::time::find_moments;
use memory_text::words::{fold, is_chinese};
use serde_json::Value;

use crate::store::Store;
use crate::{asking, entry, limits};

/// What the model is asked for.
pub const PROMPT: &str = include_str!("../../prompts/facts.md");

/// Returns the facts of a message.
pub(crate) fn extract(store: &Store, said: &str, said_at: Timestamp) -> Vec<String> {
    let said = entry::as_said(said);
    if said.is_empty() {
        return vec![];
    }
    match by_model(store, &said, said_at) {
        Some(facts) => tidy(facts),
        None => tidy(by_rules(store, &said, said_at)),
    }
}

/// Asks the model, again if its answer is no list; none when there is no model or it fails.
fn by_model(store: &Store, said: &str, said_at: Timestamp) -> Option<Vec<String>> {
    let chat = store.chat.as_deref()?;
    let prompt = format!(
        "{PROMPT}\nThe message was written on {}.",
        asking::day(said_at)
    );
    (0..limits::ATTEMPTS).find_map(|_| strings(&asking::ask(chat, &prompt, said).ok()?))
}

fn strings(answer: &str) -> Option<Vec<String>> {
    let text = |item: Value| match item {
        Value::String(text) => Some(text),
        _ => None,
    };
    asking::list(answer)?.into_iter().map(text).collect()
}

/// Returns the facts that rules find, the first ones first. Nothing behind the last one asked for is read.
fn by_rules(store: &Store, said: &str, said_at: Timestamp) -> impl Iterator<Item = String> {
    let dated = move |clause: &str, fact: Option<String>| {
        let when = when(store, clause, said_at);
        match (fact, when) {
            (Some(fact), Some(when)) => Some(format!("{fact} ({when})")),
            (Some(fact), None) => Some(fact),
            (None, Some(when)) => {
                let fact = sentences::tells_of_a_date(clause).then(|| clause.to_owned())?;
                Some(format!("{fact} ({when})"))
            }
            (None, None) => None,
        }
    };
    let fact = |clause: &str| {
        if clause.contains(is_chinese) {
            chinese::fact(clause)
        } else {
            english::fact(clause)
        }
    };
    sentences::clauses(said)
        .into_iter()
        .filter_map(move |clause| dated(&clause, fact(&clause)))
}

/// Returns the time that a clause speaks of, unless it says so in full itself.
fn when(store: &Store, clause: &str, said_at: Timestamp) -> Option<String> {
    let moment = find_moments(clause, said_at, &store.settings.zone)
        .into_iter()
        .next()?;
    let at = moment.at.to_zoned(store.settings.zone.clone());
    let day = at.strftime("%Y-%m-%d").to_string();
    if clause.contains(&day) {
        return None;
    }
    Some(if moment.has_clock {
        at.strftime("%Y-%m-%d %H:%M").to_string()
    } else {
        day
    })
}

/// Leaves out what is empty, said twice, or more than there may be.
fn tidy(facts: impl IntoIterator<Item = String>) -> Vec<String> {
    let mut kept: Vec<String> = Vec::new();
    for fact in facts {
        if kept.len() == limits::FACTS {
            break;
        }
        let fact: String = fact.trim().chars().take(limits::FACT_CHARACTERS).collect();
        let is_new = kept.iter().all(|other| fold(other) != fold(&fact));
        if !fact.is_empty() && is_new {
            kept.push(fact);
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use memory_steps::Growth;

    use super::*;

    #[test]
    fn the_rules_read_a_message_of_any_shape_in_linear_time() {
        for unit in [
            "My name is Bob, and I live in Rome, ",
            "so ",
            "remember that ",
            ", my ",
            " and i ",
            "so, so: ",
            "a",
            "I am. ",
            "你好，",
            "我喜欢",
            "对了",
            "```\n",
            "? ",
            "by the way ",
            "tomorrow at 9, ",
        ] {
            let text = |n: usize| unit.repeat(n);
            let growth = Growth::of(2_000, text, |text| {
                for clause in sentences::clauses(&text) {
                    let _ = (english::fact(&clause), chinese::fact(&clause));
                    let _ = sentences::tells_of_a_date(&clause);
                }
            });
            assert!(growth.is_linear(), "{unit:?}: {growth:?}");
        }
    }

    proptest::proptest! {
        #[test]
        fn any_text_is_read(text in "(I|My|我|我的|i'm|, and i|Call me|\\. |\n|```|> |the |is |'s |\\PC{0,5}| ){0,20}") {
            for clause in sentences::clauses(&text) {
                let facts = [english::fact(&clause), chinese::fact(&clause)];
                for fact in facts.into_iter().flatten() {
                    proptest::prop_assert!(!fact.trim().is_empty());
                }
                let _ = sentences::tells_of_a_date(&clause);
            }
        }
    }
}
