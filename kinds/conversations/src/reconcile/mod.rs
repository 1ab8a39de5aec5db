//! What new facts do to those that are there: added, said better, contradicted, or known (section 4.3).
//!
//! Deciding is pure and may take a model's time; whoever carries a decision out holds the lock then, and
//! checks that what was decided about is still so.

mod gist;
pub(crate) mod model;
mod rules;
mod topic;

use memory_models::Chat;
use memory_text::similar::near_duplicates;
use memory_text::words::{fold, words};

pub(crate) use self::gist::{Fact, Gist};
use crate::limits;

/// What is to be done with facts. Places are those of the existing facts that were given.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Decision {
    pub(crate) adds: Vec<String>,
    /// The fact at this place goes, and this one takes its place.
    pub(crate) updates: Vec<(usize, String)>,
    pub(crate) deletes: Vec<usize>,
}

impl Decision {
    /// Adds everything and takes nothing away.
    pub(crate) fn add_all(new: &[String]) -> Self {
        Decision {
            adds: new.to_vec(),
            ..Decision::default()
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        *self == Decision::default()
    }
}

/// Decides what new facts do to those that are there.
///
/// `near` are the places of existing facts that a search found beside those that share words.
pub(crate) fn decide(
    chat: Option<&dyn Chat>,
    new: &[String],
    existing: &[Fact<'_>],
    near: &[usize],
) -> Decision {
    let gists: Vec<Gist> = new.iter().map(|text| Gist::of(text)).collect();
    let new = new
        .iter()
        .zip(&gists)
        .map(|(text, gist)| Fact { text, gist });
    let unknown: Vec<Fact<'_>> = new
        .filter(|fact| !existing.iter().any(|old| old.is_same(fact)))
        .collect();
    let neighbours = neighbourhood(&unknown, existing, near);
    let unknown: Vec<String> = unknown.iter().map(|fact| fact.text.to_owned()).collect();
    if unknown.is_empty() || neighbours.is_empty() {
        return Decision::add_all(&unknown);
    }
    let shown: Vec<&str> = neighbours
        .iter()
        .map(|place| existing[*place].text)
        .collect();
    let decided = match chat {
        // On failure nothing is taken away: section 4.3.
        Some(chat) => {
            model::decide(chat, &unknown, &shown).unwrap_or_else(|| Decision::add_all(&unknown))
        }
        None => rules::decide(&unknown, &shown),
    };
    Decision {
        adds: decided.adds,
        updates: decided
            .updates
            .into_iter()
            .map(|(n, text)| (neighbours[n], text))
            .collect(),
        deletes: decided.deletes.into_iter().map(|n| neighbours[n]).collect(),
    }
}

/// Returns the places of existing facts that may be touched, in their order.
fn neighbourhood(new: &[Fact<'_>], existing: &[Fact<'_>], near: &[usize]) -> Vec<usize> {
    let mut places: Vec<usize> = near
        .iter()
        .copied()
        .filter(|place| *place < existing.len())
        .collect();
    for fact in new {
        let nearness = |(place, old): (usize, &Fact<'_>)| (fact.gist.nearness(old.gist), place);
        let mut scored: Vec<(usize, usize)> = existing.iter().enumerate().map(nearness).collect();
        scored.retain(|(score, _)| *score > 0);
        // The latest first among equals: it is what holds now.
        scored.sort_by_key(|(score, place)| std::cmp::Reverse((*score, *place)));
        places.extend(
            scored
                .iter()
                .take(limits::NEIGHBOURS)
                .map(|(_, place)| *place),
        );
    }
    places.sort_unstable();
    places.dedup();
    places
}

/// Words that every fact has.
const COMMON: &str = "the user users s a an and or of in on at to for with is are was has have their they them 用 户 用户 的 是 在 有";

/// Returns the words of a fact that carry its meaning, without their endings.
pub(crate) fn meaning(fact: &str) -> Vec<String> {
    let is_common = |word: &String| COMMON.split(' ').any(|common| common == word);
    let plain = words(fact).into_iter().filter(|word| !is_common(word));
    let mut meaning: Vec<String> = plain.map(|word| stem(&word)).collect();
    meaning.sort();
    meaning.dedup();
    meaning
}

/// Plural and third person are no other words.
fn stem(word: &str) -> String {
    let is_latin = word.is_ascii() && word.len() > 3;
    match word.strip_suffix('s') {
        Some(stem) if is_latin && !word.ends_with("ss") => stem
            .strip_suffix("ie")
            .map_or_else(|| stem.to_owned(), |stem| format!("{stem}y")),
        _ => word.to_owned(),
    }
}

/// Says whether a text says what a fact says, as far as words can tell.
pub(crate) fn covers(text: &str, fact: &str) -> bool {
    if fold(text) == fold(fact) || !near_duplicates(&[text, fact]).is_empty() {
        return true;
    }
    let (text, fact) = (meaning(text), meaning(fact));
    let found = fact.iter().filter(|word| text.contains(word)).count();
    !fact.is_empty() && found * 5 >= fact.len() * 3
}

#[cfg(test)]
mod tests {
    use super::*;

    proptest::proptest! {
        #[test]
        fn nothing_is_lost_whatever_is_said(
            new in proptest::collection::vec("(The user |用户)?(likes|hates|lives in|can't stand |'s dog is|喜欢|不|的)? ?[a-c猫]{0,2}", 1..4),
            old in proptest::collection::vec("(The user |用户)?(likes|hates|lives in|can't stand |'s dog is|喜欢|不|的)? ?[a-c猫]{0,2}", 0..5),
        ) {
            let gists: Vec<Gist> = old.iter().map(|text| Gist::of(text)).collect();
            let existing: Vec<Fact<'_>> = old.iter().zip(&gists).map(|(text, gist)| Fact { text, gist }).collect();
            let decision = decide(None, &new, &existing, &[]);
            let goes: Vec<usize> = decision.updates.iter().map(|(n, _)| *n).chain(decision.deletes.clone()).collect();
            // Whatever goes, goes for something that comes.
            proptest::prop_assert!(goes.is_empty() || !decision.adds.is_empty() || !decision.updates.is_empty());
            let mut unique = goes.clone();
            unique.sort_unstable();
            unique.dedup();
            proptest::prop_assert_eq!(unique.len(), goes.len());
        }
    }

    #[test]
    fn a_small_neighbourhood_is_shown() {
        let old: Vec<String> = (0..40)
            .map(|n| format!("The user likes book {n}"))
            .collect();
        let gists: Vec<Gist> = old.iter().map(|text| Gist::of(text)).collect();
        let existing: Vec<Fact<'_>> = old
            .iter()
            .zip(&gists)
            .map(|(text, gist)| Fact { text, gist })
            .collect();
        let near_to = |text: &str, near: &[usize]| {
            neighbourhood(
                &[Fact {
                    text,
                    gist: &Gist::of(text),
                }],
                &existing,
                near,
            )
        };
        let near = near_to("The user likes book 7 best", &[39, 99]);
        assert!(near.len() <= limits::NEIGHBOURS + 1 && near.contains(&7) && near.contains(&39));
        assert!(near_to("The user speaks Welsh", &[]).is_empty());
    }

    #[test]
    fn what_is_known_in_other_words_is_not_added_again() {
        let decided = |old: &str, new: &str| {
            let gist = Gist::of(old);
            decide(
                None,
                &[new.to_owned()],
                &[Fact {
                    text: old,
                    gist: &gist,
                }],
                &[],
            )
        };
        assert!(decided("The user has two cats", "the user has two cats.").is_empty());
        let (harbour, harbor) = (
            "The user owns a boat in the harbour",
            "The user owns the boat in the harbor",
        );
        assert!(decided(harbour, harbor).is_empty());
        assert_eq!(
            decided("The user has two cats", "The user has three cats")
                .adds
                .len(),
            1
        );
    }
}
