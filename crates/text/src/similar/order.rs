//! In which order the clauses of a text are compared.
//!
//! The order of clauses says something ("run the tests, push the branch") unless every clause tells
//! how things are and none leans on another. Only then is it forgotten.

use super::digest::digest;
use super::reading::{Clause, Reading, Token};

/// What texts that say the same have in common. Either key will do.
#[derive(Debug, Clone, Copy)]
pub(super) struct Keys {
    as_written: u64,
    arranged: u64,
}

impl Keys {
    /// Returns the keys of a text, or none if it says nothing.
    pub(super) fn of(reading: &Reading) -> Option<Self> {
        if reading.clauses.is_empty() {
            return None;
        }
        Some(Keys {
            as_written: as_written_key(reading),
            arranged: arranged_key(reading),
        })
    }

    pub(super) fn both(self) -> [u64; 2] {
        [self.as_written, self.arranged]
    }
}

fn as_written_key(reading: &Reading) -> u64 {
    let tokens: Vec<u64> = tokens(reading).map(|token| token.key).collect();
    digest(&("as written", tokens, ends_that_count(reading)))
}

fn arranged_key(reading: &Reading) -> u64 {
    let clauses: Vec<u64> = arranged(reading).into_iter().map(clause_key).collect();
    digest(&("arranged", clauses))
}

/// Compares two texts as they are written and with their clauses arranged.
///
/// Returns how much of their wording they share, or nothing if they do not say the same.
pub(super) fn compare(first: &Reading, second: &Reading) -> Option<f32> {
    let alike = like_as_written(first, second).or_else(|| like_if_arranged(first, second))?;
    let counted = tokens(first).count() + first.fillers.max(second.fillers);
    Some((alike + first.fillers.min(second.fillers)) as f32 / counted as f32)
}

/// Returns how many tokens are written alike, if all say the same.
fn like_as_written(first: &Reading, second: &Reading) -> Option<usize> {
    let ends_agree = ends_that_count(first) == ends_that_count(second);
    ends_agree.then(|| like(tokens(first), tokens(second)))?
}

fn like_if_arranged(first: &Reading, second: &Reading) -> Option<usize> {
    let (first, second) = (arranged(first), arranged(second));
    let is_as_long = first.len() == second.len();
    let clauses = first.into_iter().zip(second);
    is_as_long.then(|| {
        clauses
            .map(|(first, second)| like(&first.tokens, &second.tokens))
            .sum()
    })?
}

fn like<'a>(
    first: impl IntoIterator<Item = &'a Token>,
    second: impl IntoIterator<Item = &'a Token>,
) -> Option<usize> {
    let (mut first, mut second) = (first.into_iter(), second.into_iter());
    let mut alike = 0;
    loop {
        match (first.next(), second.next()) {
            (None, None) => return Some(alike),
            (Some(first), Some(second)) if first.says_the_same(second) => {
                alike += usize::from(first.surface == second.surface);
            }
            _ => return None,
        }
    }
}

fn tokens(reading: &Reading) -> impl Iterator<Item = &Token> {
    reading.clauses.iter().flat_map(|clause| &clause.tokens)
}

/// Returns how long each clause is, if that matters: "No, use tabs" is no "No use, tabs".
fn ends_that_count(reading: &Reading) -> Vec<usize> {
    if !reading.is_negated {
        return vec![];
    }
    let lengths = reading.clauses.iter().map(|clause| clause.tokens.len());
    lengths.collect()
}

/// Returns the clauses, in an order of our own if theirs says nothing.
fn arranged(reading: &Reading) -> Vec<&Clause> {
    let mut clauses: Vec<&Clause> = reading.clauses.iter().collect();
    if may_move(reading) {
        clauses.sort_by_cached_key(|clause| clause_key(clause));
    }
    clauses
}

/// Says whether the clauses of a text can change places without a change in meaning.
///
/// Two can, and more if all have the same subject: with three, one that lacks its subject would
/// move from one person to another.
fn may_move(reading: &Reading) -> bool {
    let clauses = &reading.clauses;
    let subject = |clause: &Clause| clause.tokens.first().map(|token| token.key);
    let have_one_subject = || {
        clauses
            .windows(2)
            .all(|pair| subject(&pair[0]) == subject(&pair[1]))
    };
    let are_states = || {
        clauses
            .iter()
            .all(|clause| clause.tells_a_state && clause.tokens.len() > 1)
    };
    !reading.leans && (clauses.len() == 2 || have_one_subject()) && are_states()
}

fn clause_key(clause: &Clause) -> u64 {
    digest(
        &clause
            .tokens
            .iter()
            .map(|token| token.key)
            .collect::<Vec<_>>(),
    )
}
