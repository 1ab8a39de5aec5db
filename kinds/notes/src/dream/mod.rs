//! The dream engine: what is done with notes while nobody asks for anything.
//!
//! Three levels, each with all that the one before it does. Everything a dream does is one change
//! that can be taken back, and each deed tells the rule that decided.

mod classify;
pub mod insight;
mod light;
mod medium;
mod reminders;
mod suggest;
mod words;

pub use classify::{Verdict, classify};
use reminders::Times;
pub(crate) use reminders::{DREAMER, due_of, is_dreamt};

use memory_core::{Actor, Done, Rehearsal, Timestamp};

use crate::NoteError;
use crate::change::{Recall, Work};
use crate::deed::{Deed, summary};
use crate::links::Unresolved;
use crate::store::Store;

/// How deep a dream goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    /// Sorts the inbox.
    Light,
    /// Also merges what says the same and resolves wikilinks.
    Medium,
    /// Also looks across categories and makes reminders.
    Deep,
}

impl Level {
    /// Returns the level of a number, 1 to 3.
    pub fn new(number: u64) -> Result<Self, NoteError> {
        match number {
            1 => Ok(Level::Light),
            2 => Ok(Level::Medium),
            3 => Ok(Level::Deep),
            other => Err(NoteError::bad(format!(
                "There is no dream level {other}; it can be 1, 2 or 3"
            ))),
        }
    }

    /// Returns its number.
    pub fn number(self) -> u64 {
        match self {
            Level::Light => 1,
            Level::Medium => 2,
            Level::Deep => 3,
        }
    }
}

/// What a dream did.
#[derive(Debug)]
pub(crate) struct Dreamt {
    pub(crate) deeds: Vec<Deed>,
    pub(crate) unresolved: Vec<Unresolved>,
}

/// Dreams, or shows what would happen.
pub(crate) fn dream(
    store: &Store,
    level: Level,
    (by, now): (Actor, Timestamp),
    how: Rehearsal,
) -> Result<Done<Dreamt>, NoteError> {
    let shelf = if how.is_dry() {
        store.peek()?
    } else {
        store.look()?
    };
    if shelf.cards().next().is_none() {
        return Ok(Done::read(Dreamt {
            deeds: vec![],
            unresolved: vec![],
        }));
    }
    let times = if level == Level::Deep {
        Times::read(store, &shelf)?
    } else {
        Times::default()
    };
    let mut work = store.work(now, how)?;
    let dreamt = stages(&mut work, level, &times)?;
    let what = format!("dream {}: {}", level.number(), summary(&dreamt.deeds));
    let changes = work.commit(Recall::Step(&what, by))?;
    let changes = if how.is_dry() { vec![] } else { changes };
    Ok(Done::changed(dreamt, changes))
}

fn stages(work: &mut Work<'_>, level: Level, times: &Times) -> Result<Dreamt, NoteError> {
    let mut deeds = light::sort_inbox(work)?;
    if level == Level::Light {
        return Ok(Dreamt {
            deeds,
            unresolved: vec![],
        });
    }
    deeds.extend(medium::merge_alike(work)?);
    // Made before links are: the sentence of a reminder may have some.
    let reminders = if level == Level::Deep {
        reminders::make(work, times)?
    } else {
        vec![]
    };
    let (links, unresolved) = crate::links::resolve(work)?;
    deeds.extend(links);
    deeds.extend(reminders);
    if level == Level::Deep {
        deeds.extend(suggest::report(work)?);
    }
    Ok(Dreamt { deeds, unresolved })
}

/// How many words a reason names.
const REASONS: usize = 3;

/// Tells which words decided.
pub(crate) fn reason(verdict: &Verdict) -> String {
    let mut words: Vec<String> = verdict.because.iter().map(|word| shown(word)).collect();
    words.dedup();
    words.truncate(REASONS);
    if words.is_empty() {
        "no word matches a category".to_owned()
    } else {
        format!("it contains {}", words.join(", "))
    }
}

/// Words of the tables that stand for a whole class, and what to call it.
const CLASSES: [(&str, &str); 5] = [
    ("mondays", "<weekdays>"),
    ("monday", "<weekday>"),
    ("周一", "<周几>"),
    ("january", "<month>"),
    ("zhangsan", "<name>"),
];

/// Returns a word of the tables as it is told: the text may have another one of its class.
fn shown(word: &str) -> String {
    if word.contains(|c: char| c.is_ascii_digit()) {
        return "a time".to_owned();
    }
    CLASSES.iter().fold(word.to_owned(), |told, (one, class)| {
        told.replace(one, class)
    })
}
