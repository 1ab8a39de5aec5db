//! How does English speak of time? Its front door: days, clocks, lengths, and the words before them.

mod clocks;
mod dates;
mod days;
mod lengths;
mod words;

pub(super) use clocks::clock;
pub(super) use days::day;
pub(super) use lengths::length;
pub(super) use words::{number_may_go_on, opens};

use super::cursor::Cursor;

/// A preposition before a day or a clock.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Lead {
    /// At, on, by, before: the time itself.
    Onto,
    /// The first of two that "and" joins.
    Between,
    /// What follows has begun already.
    Since,
}

/// Reads a preposition and the space behind it, or stays.
pub(super) fn lead(cursor: &mut Cursor) -> Option<Lead> {
    cursor.attempt(|cursor| {
        if cursor.eat("@").is_some() {
            cursor.blanks();
            return Some(Lead::Onto);
        }
        let lead = match cursor.word()?.as_str() {
            "at" | "on" | "by" | "before" | "until" | "till" | "around" | "from" => Lead::Onto,
            "between" => Lead::Between,
            "since" => Lead::Since,
            _ => return None,
        };
        cursor.space()?;
        Some(lead)
    })
}
