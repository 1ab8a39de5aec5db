//! Rest: notes that were found with nothing to do are left alone until one changes or falls due.
//!
//! A daemon asks every minute. Looking at ten thousand notes each time would keep a machine awake;
//! looking at their folders does not. What the folders do not show (a file edited in its place) is
//! seen when the rest is over.

use std::collections::BTreeSet;
use std::sync::{Mutex, PoisonError};

use memory_core::{Span, Timestamp};

use crate::NoteError;
use crate::card::Card;
use crate::store::Store;
use crate::{Phase, Settings};

/// The longest rest.
const LONGEST: Span = Span::seconds(15 * 60);

/// What is known of notes that nobody has changed since.
#[derive(Debug, Default)]
pub(crate) struct Rest {
    known: Mutex<Option<Known>>,
}

#[derive(Debug)]
struct Known {
    pulse: u64,
    until: Timestamp,
    /// The tasks that found nothing to do.
    quiet: BTreeSet<&'static str>,
}

impl Rest {
    /// Says whether a task would find nothing, without looking at any note.
    pub(crate) fn holds_for(&self, task: &str, pulse: u64, now: Timestamp) -> bool {
        let known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        known
            .as_ref()
            .is_some_and(|known| known.is_good(pulse, now) && known.quiet.contains(task))
    }

    /// Hears that a task found nothing in notes which had this pulse before it looked.
    pub(crate) fn begin(
        &self,
        task: &'static str,
        store: &Store,
        pulse: u64,
        now: Timestamp,
    ) -> Result<(), NoteError> {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if !known
            .as_ref()
            .is_some_and(|known| known.is_good(pulse, now))
        {
            let due = next_due(store.peek()?.cards(), &store.settings, now);
            let until = due.map_or(LONGEST.after(now), |due| due.min(LONGEST.after(now)));
            *known = Some(Known {
                pulse,
                until,
                quiet: BTreeSet::new(),
            });
        }
        if let Some(known) = known.as_mut() {
            known.quiet.insert(task);
        }
        Ok(())
    }
}

impl Known {
    fn is_good(&self, pulse: u64, now: Timestamp) -> bool {
        self.pulse == pulse && now < self.until
    }
}

/// Returns when the first note is due for anything by time alone.
fn next_due<'c>(
    cards: impl Iterator<Item = &'c Card>,
    settings: &Settings,
    now: Timestamp,
) -> Option<Timestamp> {
    let dues = cards.flat_map(|card| {
        let reminder = card
            .reminder()
            .filter(|reminder| reminder.notified_at.is_none());
        let decays = card.phase() == Phase::Organized && card.access_count == 0;
        let decay = decays.then(|| settings.decay_after.after(card.updated_at));
        [
            card.standing.expires_at(),
            reminder.map(|reminder| reminder.due_at),
            decay,
        ]
    });
    dues.flatten().filter(|due| *due > now).min()
}
