//! How commands tell people of records and notes: answers, warnings, short ids, counts.

use memory_core::{Flaw, Result};
use serde::Serialize;

use crate::shell::{Shell, Speech, Status};

/// Shows a reply as JSON if that was asked for, else as `lines` tells it to people.
pub(super) fn answer<R: Serialize>(
    shell: &Shell,
    reply: &R,
    lines: impl FnOnce(&R) -> String,
) -> Result<Status> {
    match shell.speech {
        Speech::Json => shell.show(reply),
        Speech::People => shell.print_long(&lines(reply)),
    }
}

/// Tells people of what could not be read; programs find it in the reply.
pub(super) fn warn_of(shell: &Shell, flaws: &[Flaw]) {
    if shell.speech == Speech::People {
        flaws
            .iter()
            .for_each(|flaw| shell.warn(&format!("{}: {}", flaw.place, flaw.problem)));
    }
}

/// The beginning of an id that lists show.
pub(super) fn short(id: &str) -> &str {
    id.get(..8).unwrap_or(id)
}

/// `1 note`, `2 notes`.
pub(super) fn count(number: usize, one: &str) -> String {
    match number {
        1 => format!("1 {one}"),
        many => format!("{many} {one}s"),
    }
}
