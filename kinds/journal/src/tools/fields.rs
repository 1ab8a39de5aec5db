//! The fields of a record as callers give them.

use memory_core::{Timestamp, find_secret};

use crate::record::{Extra, Progress, Task};
use crate::{JournalError, Status, limits};

/// How a task is said to stand.
#[derive(Debug, Clone, Default)]
pub(super) struct TaskFields {
    pub(super) status: Option<Status>,
    pub(super) outcome: Option<String>,
    pub(super) blockers: Option<Vec<String>>,
}

impl TaskFields {
    pub(super) fn is_empty(&self) -> bool {
        self.status.is_none() && self.outcome.is_none() && self.blockers.is_none()
    }

    /// Returns how the task stands now, if that is known.
    ///
    /// A blocker says that it is blocked, an outcome that it is completed.
    pub(super) fn apply(
        self,
        before: Option<&Task>,
        now: Timestamp,
    ) -> Result<Option<Task>, JournalError> {
        let longest = self
            .texts()
            .map(|text| text.chars().count())
            .max()
            .unwrap_or(0);
        if longest > limits::CONTENT_CHARS {
            return Err(JournalError::TooLarge {
                what: "An outcome or a blocker",
                unit: "characters",
                size: longest,
                limit: limits::CONTENT_CHARS,
            });
        }
        let said = self.status.or(match (&self.blockers, &self.outcome) {
            (Some(_), _) => Some(Status::Blocked),
            (None, Some(_)) => Some(Status::Completed),
            (None, None) => None,
        });
        let Some(status) = said else {
            return Ok(before.cloned());
        };
        let progress = match (status, before.map(|task| &task.progress)) {
            (Status::Completed, Some(done @ Progress::Completed { .. })) => done.clone(),
            (Status::Completed, _) => Progress::Completed { completed_at: now },
            (Status::InProgress, _) => Progress::InProgress,
            (Status::Blocked, before) => Progress::Blocked {
                blockers: self.blockers_after(before)?,
            },
        };
        if self.outcome.is_some() && status != Status::Completed {
            return Err(JournalError::bad(format!(
                "A task that is {status} has no outcome"
            )));
        }
        if self.blockers.is_some() && status != Status::Blocked {
            return Err(JournalError::bad(format!(
                "A task that is {status} has no blockers"
            )));
        }
        let outcome = match status {
            Status::Completed => self.outcome.or_else(|| before?.outcome.clone()),
            _ => None,
        };
        Ok(Some(Task {
            progress,
            outcome,
            extra: before.map_or_else(Extra::new, |task| task.extra.clone()),
        }))
    }

    fn blockers_after(&self, before: Option<&Progress>) -> Result<Vec<String>, JournalError> {
        let blockers = match (&self.blockers, before) {
            (Some(blockers), _) => blockers.clone(),
            (None, Some(Progress::Blocked { blockers })) => blockers.clone(),
            (None, _) => Vec::new(),
        };
        let is_told =
            !blockers.is_empty() && blockers.iter().all(|blocker| !blocker.trim().is_empty());
        if !is_told {
            return Err(JournalError::BadArgument {
                problem: "A blocked task needs a blocker".to_owned(),
                hint: Some("Pass --blocker, one or more times".to_owned()),
            });
        }
        if blockers.len() > limits::BLOCKERS {
            Err(JournalError::TooLarge {
                what: "The task",
                unit: "blockers",
                size: blockers.len(),
                limit: limits::BLOCKERS,
            })
        } else {
            Ok(blockers)
        }
    }

    /// Returns its texts, to be looked through for secrets.
    pub(super) fn texts(&self) -> impl Iterator<Item = &str> {
        self.outcome
            .iter()
            .chain(self.blockers.iter().flatten())
            .map(String::as_str)
    }
}

/// Refuses a credential that nobody meant to keep.
pub(super) fn check_secrets<'t>(
    mut texts: impl Iterator<Item = &'t str>,
    allow_secret: bool,
) -> Result<(), JournalError> {
    if !allow_secret && let Some(what) = texts.find_map(find_secret) {
        Err(JournalError::Secret { what })
    } else {
        Ok(())
    }
}
