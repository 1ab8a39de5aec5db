//! Upkeep that a kind does unasked: what it is called, how often it is due, and what it did.

use std::fmt;

use crate::{Change, Done, Rehearsal, Result, Span, Timestamp};

type Body = Box<dyn Fn(Timestamp, Rehearsal) -> Result<Done<Report>> + Send + Sync>;

/// One piece of upkeep. The daemon and the command line run the very same one.
pub struct Task {
    pub name: &'static str,
    pub cadence: Cadence,
    body: Body,
}

/// How often a task is due.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cadence {
    /// With every round of the daemon.
    EveryRound,
    /// When so much time has passed since it last ran.
    Every(Span),
    /// Once in each time that nobody asks for anything, when it has lasted so long.
    WhenIdle(Span),
}

/// What a task did, or would do.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Report {
    /// One line a memory, for people.
    pub lines: Vec<String>,
    /// What whoever runs the task shows to the user, if there is a way.
    pub notices: Vec<Notice>,
}

/// Something that the user should see now.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Notice {
    pub title: String,
    pub text: String,
}

impl Report {
    /// Returns a report of what was done, which nobody needs to be shown at once.
    pub fn of(lines: Vec<String>) -> Self {
        Report {
            lines,
            notices: Vec::new(),
        }
    }
}

impl Task {
    /// Declares a task.
    pub fn new(
        name: &'static str,
        cadence: Cadence,
        body: impl Fn(Timestamp, Rehearsal) -> Result<Done<Report>> + Send + Sync + 'static,
    ) -> Self {
        Task {
            name,
            cadence,
            body: Box::new(body),
        }
    }

    /// Runs the task, or shows what it would do.
    pub fn run(&self, now: Timestamp, how: Rehearsal) -> Result<(Report, Vec<Change>)> {
        let done = (self.body)(now, how)?;
        Ok((done.reply, done.changes))
    }
}

impl fmt::Debug for Task {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Task")
            .field("name", &self.name)
            .field("cadence", &self.cadence)
            .finish()
    }
}
