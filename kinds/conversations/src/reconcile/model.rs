//! Deciding by a model that must name every memory (section 5.2), and doubting what it says.
//!
//! The prompt shows small numbers instead of ids. An answer that does not name each of them once is no
//! answer: the model is asked again. A new fact that it has lost is added all the same.

use memory_models::Chat;
use serde_json::{Value, json};

use super::{Decision, covers};
use crate::{asking, limits};

/// What the model is asked for.
pub const PROMPT: &str = include_str!("../../prompts/reconcile.md");

/// An answer that can be carried out, and whether each new fact is in it.
struct Read {
    decision: Decision,
    lost: Vec<String>,
}

/// Asks the model; none when it fails or gives no answer that can be used.
pub(super) fn decide(chat: &dyn Chat, new: &[String], existing: &[&str]) -> Option<Decision> {
    let shown: Vec<Value> = existing
        .iter()
        .enumerate()
        .map(|(n, text)| json!({ "id": n.to_string(), "text": text }))
        .collect();
    let asked = json!({ "existing_memories": shown, "new_facts": new }).to_string();
    let mut usable = None;
    for _ in 0..limits::ATTEMPTS {
        let answer = asking::ask(chat, PROMPT, &asked).ok()?;
        match read(&answer, new, existing) {
            Some(read) if read.lost.is_empty() => return Some(read.decision),
            Some(read) => usable = Some(read),
            None => {}
        }
    }
    let Read { mut decision, lost } = usable?;
    decision.adds.extend(lost);
    Some(decision)
}

/// Reads an answer; none when it does not name each existing memory exactly once.
fn read(answer: &str, new: &[String], existing: &[&str]) -> Option<Read> {
    let mut decision = Decision::default();
    let mut is_named = vec![false; existing.len()];
    let mut kept: Vec<String> = Vec::new();
    for item in asking::list(answer)? {
        let Item { place, text, event } = Item::of(&item)?;
        let known = place.filter(|place| *place < existing.len());
        if event != "ADD"
            && let Some(place) = known
            && std::mem::replace(&mut is_named[place], true)
        {
            return None;
        }
        match (event.as_str(), known) {
            ("NONE", Some(place)) => kept.push(existing[place].to_owned()),
            ("NONE", None) => {}
            ("DELETE", Some(place)) => decision.deletes.push(place),
            ("UPDATE", Some(place)) if text == existing[place] => kept.push(text),
            ("UPDATE", Some(place)) if !text.is_empty() => {
                kept.push(text.clone());
                decision.updates.push((place, text));
            }
            ("ADD", _) if !text.is_empty() => {
                kept.push(text.clone());
                decision.adds.push(text);
            }
            _ => return None,
        }
    }
    let is_complete = is_named.iter().all(|named| *named);
    let is_lost = |fact: &&String| !kept.iter().any(|text| covers(text, fact));
    // What was contradicted goes only if what contradicts it comes.
    let comes = !decision.adds.is_empty() || !decision.updates.is_empty();
    let lost: Vec<String> = if decision.deletes.is_empty() || comes {
        new.iter().filter(is_lost).cloned().collect()
    } else {
        new.to_vec()
    };
    is_complete.then_some(Read { decision, lost })
}

struct Item {
    /// None when it is no number: some other name for something new.
    place: Option<usize>,
    text: String,
    event: String,
}

impl Item {
    fn of(item: &Value) -> Option<Self> {
        let place = match item.get("id") {
            Some(Value::String(id)) => id.trim().parse().ok(),
            Some(Value::Number(id)) => id.as_u64().and_then(|id| usize::try_from(id).ok()),
            _ => None,
        };
        let text = item
            .get("text")
            .and_then(Value::as_str)
            .unwrap_or_default()
            .trim();
        let text: String = text.chars().take(limits::FACT_CHARACTERS).collect();
        let event = item.get("event")?.as_str()?.trim().to_ascii_uppercase();
        Some(Item { place, text, event })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const EXISTING: [&str; 2] = ["The user loves pizza", "The user lives in Oslo"];

    fn check(answer: &str, new: &str) -> Option<(Decision, Vec<String>)> {
        read(answer, &[new.to_owned()], &EXISTING).map(|read| (read.decision, read.lost))
    }

    #[test]
    fn a_whole_answer_is_carried_out() {
        let answer = r#"[{"id":"0","text":"","event":"DELETE"},{"id":1,"text":"x","event":"none"},
            {"id":"2","text":"The user hates pizza","event":"ADD"}]"#;
        let (decision, lost) = check(answer, "The user hates pizza").unwrap();
        let adds = vec!["The user hates pizza".to_owned()];
        assert_eq!(
            decision,
            Decision {
                adds,
                updates: vec![],
                deletes: vec![0]
            }
        );
        assert!(lost.is_empty());
    }

    #[test]
    fn an_answer_that_misses_or_repeats_a_memory_is_none() {
        for answer in [
            r#"[{"id":"0","event":"NONE"}]"#,
            r#"[{"id":"0","event":"NONE"},{"id":"0","event":"DELETE"},{"id":"1","event":"NONE"}]"#,
            r#"[{"id":"0","event":"KEEP"},{"id":"1","event":"NONE"}]"#,
            r#"[{"id":"0","event":"UPDATE","text":""},{"id":"1","event":"NONE"}]"#,
            r#"["0","1"]"#,
            "no",
        ] {
            assert_eq!(check(answer, "The user has a dog"), None, "{answer}");
        }
    }

    #[test]
    fn a_fact_that_is_nowhere_in_the_answer_is_lost_and_found() {
        let nothing = r#"[{"id":"0","event":"NONE"},{"id":"1","event":"NONE"}]"#;
        assert_eq!(
            check(nothing, "The user has a dog").unwrap().1,
            ["The user has a dog"]
        );
        assert!(
            check(nothing, "The user loves pizza!")
                .unwrap()
                .1
                .is_empty()
        );
        let only_delete = r#"[{"id":"0","event":"DELETE"},{"id":"1","event":"NONE"}]"#;
        assert_eq!(
            check(only_delete, "The user hates pizza").unwrap().1,
            ["The user hates pizza"]
        );
    }
}
