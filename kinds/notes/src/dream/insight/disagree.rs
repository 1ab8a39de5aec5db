//! Which notes say otherwise: decisions in conflict, preferences that changed.
//!
//! Claims meet only where they have something in common (a value, a rivalry, a topic), and a claim is
//! compared with the latest few others there, so the work grows with the notes and not with their pairs.

use std::cmp::Reverse;
use std::collections::{HashMap, HashSet};

use super::claim::{Claim, Matter, Stance, Words, claims};
use super::rivals::{Rivals, rivals_of};
use super::{Insight, MOST, Thought};

/// How many different claims are remembered at one place.
const MOST_REMEMBERED: usize = 8;

/// Returns the disagreements of notes that are in the order of their age: conflicts, then changes,
/// the newest first.
pub(super) fn disagreements(thoughts: &[Thought<'_>]) -> Vec<Insight> {
    let mut places = Places::new();
    let mut quarrels = Vec::new();
    for (note, thought) in thoughts.iter().enumerate() {
        let claims = claims(thought.content, thought.category);
        quarrels.extend(quarrels_of(note, &claims, &places));
        for claim in &claims {
            places_of(claim)
                .into_iter()
                .for_each(|place| remember(places.entry(place).or_default(), note, claim));
        }
    }
    newest(quarrels)
        .into_iter()
        .map(|quarrel| quarrel.insight(thoughts))
        .collect()
}

/// The claims that were met so far, with their notes, the latest last.
type Places = HashMap<Place, Vec<(usize, Claim)>>;

/// Two notes that disagree.
struct Quarrel {
    matter: Matter,
    older: usize,
    newer: usize,
    about: String,
}

impl Quarrel {
    fn insight(self, thoughts: &[Thought<'_>]) -> Insight {
        let (older, newer) = (
            thoughts[self.older].id.clone(),
            thoughts[self.newer].id.clone(),
        );
        match self.matter {
            Matter::Decision => Insight::Conflict {
                older,
                newer,
                about: self.about,
            },
            Matter::Preference => Insight::Changed {
                older,
                newer,
                about: self.about,
            },
        }
    }
}

/// Returns the quarrels of a new note with older ones, one for each matter and older note.
fn quarrels_of(newer: usize, claims: &[Claim], places: &Places) -> Vec<Quarrel> {
    let mut seen = HashSet::new();
    let mut quarrels = Vec::new();
    for claim in claims {
        for met in places_of(claim)
            .iter()
            .filter_map(|place| places.get(place))
        {
            // A note that says both is not at odds with one that says either.
            let others = met
                .iter()
                .rev()
                .filter(|(_, older)| !claims.iter().any(|claim| claim.says(older)));
            let found = others
                .into_iter()
                .find_map(|(older, other)| Some((*older, quarrel(other, claim)?)));
            if let Some((older, about)) =
                found.filter(|(older, _)| seen.insert((claim.matter, *older)))
            {
                quarrels.push(Quarrel {
                    matter: claim.matter,
                    older,
                    newer,
                    about,
                });
            }
        }
    }
    quarrels
}

/// Puts decisions before preferences and the newest first, and keeps a readable number of each.
fn newest(mut quarrels: Vec<Quarrel>) -> Vec<Quarrel> {
    quarrels.sort_by_key(|quarrel| (quarrel.matter, Reverse((quarrel.newer, quarrel.older))));
    let mut counts: HashMap<Matter, usize> = HashMap::new();
    quarrels.retain(|quarrel| {
        let count = counts.entry(quarrel.matter).or_default();
        *count += 1;
        *count <= MOST
    });
    quarrels
}

/// Where claims meet that may disagree.
#[derive(Debug, PartialEq, Eq, Hash)]
enum Place {
    Value(Matter, String, String),
    Rivalry(Matter, String, &'static str),
    Topic(Matter, String, String),
}

/// Returns the places of a claim, those that tell most first.
fn places_of(claim: &Claim) -> Vec<Place> {
    let holder = || claim.holder.clone();
    let mut places = vec![Place::Value(claim.matter, holder(), claim.value.joined())];
    let rivalry = rivalry(&claim.value)
        .map(|(_, rivals)| Place::Rivalry(claim.matter, holder(), rivals.about));
    places.extend(rivalry);
    if claim.has_purpose && !claim.topic.is_empty() {
        places.push(Place::Topic(claim.matter, holder(), claim.topic.joined()));
    }
    places
}

/// Keeps a claim as the latest; one that says the same goes.
fn remember(claims: &mut Vec<(usize, Claim)>, note: usize, claim: &Claim) {
    claims.retain(|(_, other)| !claim.says(other));
    if claims.len() == MOST_REMEMBERED {
        claims.remove(0);
    }
    claims.push((note, claim.clone()));
}

/// Returns what two claims of one holder disagree about, if they do.
fn quarrel(older: &Claim, newer: &Claim) -> Option<String> {
    let same_value = older.value.keys == newer.value.keys;
    match (same_value, older.stance == newer.stance) {
        (true, false) => topics_meet(older, newer).then(|| newer.value.shown.clone()),
        (_, true) if newer.stance == Stance::For => other_choice(older, newer),
        _ => None,
    }
}

/// Returns what two choices are about of which the newer takes the older's place.
fn other_choice(older: &Claim, newer: &Claim) -> Option<String> {
    let is_exclusive = older.is_exclusive || newer.is_exclusive;
    if older.value.keys == newer.value.keys {
        // "replies in Chinese", "replies in English"
        if !is_exclusive || older.topic.is_empty() {
            return None;
        }
        return rivals(&older.topic, &newer.topic).map(|rivals| rivals.about.to_owned());
    }
    match rivals(&older.value, &newer.value) {
        Some(rivals) if (is_exclusive || rivals.is_strict) && topics_meet(older, newer) => {
            Some(about_rivals(newer, rivals))
        }
        Some(_) => None,
        None => (is_exclusive && is_for_the_same(older, newer)).then(|| newer.topic.shown.clone()),
    }
}

/// Says whether two claims may be about the same: "tabs in Go" and "spaces in Python" are not.
fn topics_meet(older: &Claim, newer: &Claim) -> bool {
    let (older, newer) = (&older.topic, &newer.topic);
    older.is_empty() || newer.is_empty() || !older.keys.is_disjoint(&newer.keys)
}

fn is_for_the_same(older: &Claim, newer: &Claim) -> bool {
    !newer.topic.is_empty()
        && older.has_purpose
        && newer.has_purpose
        && older.topic.keys == newer.topic.keys
        && older.value.keys.is_disjoint(&newer.value.keys)
}

/// Returns the word of a value that has rivals.
fn rivalry(value: &Words) -> Option<(&str, &'static Rivals)> {
    value
        .keys
        .iter()
        .find_map(|word| Some((word.as_str(), rivals_of(word)?)))
}

/// Returns the rivals to which both belong, if nothing else sets them apart.
fn rivals(older: &Words, newer: &Words) -> Option<&'static Rivals> {
    let (one, rivals) = rivalry(older)?;
    let (other, others) = rivalry(newer)?;
    let rest = |words: &Words, rival: &str| -> Vec<String> {
        words
            .keys
            .iter()
            .filter(|word| *word != rival)
            .cloned()
            .collect()
    };
    let (older_rest, newer_rest) = (rest(older, one), rest(newer, other));
    let nothing_else = older_rest == newer_rest || older_rest.is_empty() || newer_rest.is_empty();
    (one != other && rivals.about == others.about && nothing_else).then_some(rivals)
}

/// Prefers the topic that was said over the name of the rivalry.
fn about_rivals(newer: &Claim, rivals: &Rivals) -> String {
    if newer.topic.is_empty() {
        rivals.about.to_owned()
    } else {
        newer.topic.shown.clone()
    }
}
