//! Steps that can be taken back.

use serde::{Deserialize, Serialize};

use crate::{Actor, Change, Timestamp};

/// One change that took something away and can be taken back.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Step {
    /// Unique, and sorts by time.
    pub id: String,
    pub kind: String,
    /// What was done, for people: `delete bank 'session' (project)`.
    pub what: String,
    pub at: Timestamp,
    /// Who made it.
    #[serde(default)]
    pub by: Actor,
    /// Whether another machine made it, as far as this one can tell.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_foreign: bool,
    /// When it was written, finer than seconds: the order of steps that different stores keep.
    #[serde(skip)]
    pub written: i128,
    /// When its file came to this machine, in nanoseconds, which no archive or repository can set.
    #[serde(skip)]
    pub arrived: i128,
}

/// What taking a step back has done.
#[derive(Debug, Default)]
pub struct Undone {
    pub changes: Vec<Change>,
    /// The addresses of memories that have changed since the step and stay as they are.
    pub conflicts: Vec<String>,
}

impl From<Vec<Change>> for Undone {
    fn from(changes: Vec<Change>) -> Self {
        Undone {
            changes,
            conflicts: Vec::new(),
        }
    }
}

/// How far the two times of a step may be apart, in nanoseconds.
const TOLERANCE: u128 = 3_600 * 1_000_000_000;

impl Step {
    /// Sorts steps newest first.
    pub fn newest_first(a: &Step, b: &Step) -> std::cmp::Ordering {
        (b.written, &b.id).cmp(&(a.written, &a.id))
    }

    /// Returns whether its file came to this machine when it says that it was made. One of a repository comes when that is
    /// checked out, whatever modification time it has.
    pub fn was_made_here(&self) -> bool {
        self.arrived.abs_diff(self.at.as_nanosecond()) < TOLERANCE
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_step_that_did_not_arrive_when_it_says_that_it_was_made_was_not_made_here() {
        let at: Timestamp = "2026-05-07T10:00:00Z".parse().unwrap();
        let step = |arrived: &str| Step {
            id: "1".into(),
            kind: "banks".into(),
            what: "delete".into(),
            at,
            by: Actor::Person,
            is_foreign: false,
            written: at.as_nanosecond(),
            arrived: arrived.parse::<Timestamp>().unwrap().as_nanosecond(),
        };
        assert!(step("2026-05-07T10:00:01Z").was_made_here());
        assert!(!step("2026-05-09T10:00:00Z").was_made_here());
        assert!(!step("2025-05-07T10:00:00Z").was_made_here());
    }
}
