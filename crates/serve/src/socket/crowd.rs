//! Who is connected: makes room for a newcomer, and knows when anyone last asked for anything.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::Notify;
use tokio::time::Instant;

use crate::limits::CONNECTIONS;

/// All connections of a socket.
#[derive(Debug)]
pub(crate) struct Crowd {
    inside: Mutex<Inside>,
}

#[derive(Debug)]
struct Inside {
    guests: HashMap<u64, Presence>,
    next: u64,
    last_call: Instant,
}

#[derive(Debug)]
struct Presence {
    has_asked: bool,
    is_at_work: bool,
    since: Instant,
    leave: Arc<Notify>,
}

/// One connection, until it is dropped.
#[derive(Debug)]
pub(crate) struct Guest<'c> {
    crowd: &'c Crowd,
    number: u64,
    leave: Arc<Notify>,
}

/// A call that is running.
pub(crate) struct Working<'g>(&'g Guest<'g>);

impl Crowd {
    pub(crate) fn new() -> Self {
        let inside = Inside {
            guests: HashMap::new(),
            next: 0,
            last_call: Instant::now(),
        };
        Crowd {
            inside: Mutex::new(inside),
        }
    }

    /// Lets someone in. If that is one too many, another is asked to leave: first those who never
    /// asked for anything, then those who are idle longest.
    pub(crate) fn enter(&self) -> Guest<'_> {
        let mut inside = self.inside();
        if inside.guests.len() >= CONNECTIONS {
            inside.make_room();
        }
        let (number, leave) = (inside.next, Arc::new(Notify::new()));
        inside.next += 1;
        let presence = Presence {
            has_asked: false,
            is_at_work: false,
            since: Instant::now(),
            leave: leave.clone(),
        };
        inside.guests.insert(number, presence);
        Guest {
            crowd: self,
            number,
            leave,
        }
    }

    /// Hears that someone has just asked for something.
    pub(crate) fn is_heard(&self) {
        self.inside().last_call = Instant::now();
    }

    /// Returns when anyone last asked for anything.
    pub(crate) fn last_call(&self) -> Instant {
        self.inside().last_call
    }

    /// No one panics while holding this; if so, what is inside is still whole.
    fn inside(&self) -> MutexGuard<'_, Inside> {
        self.inside.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Inside {
    /// Whoever was asked to leave is no longer counted, even if it takes a moment to go.
    fn make_room(&mut self) {
        let idle = self.guests.iter().filter(|(_, guest)| !guest.is_at_work);
        let first = idle.min_by_key(|(number, guest)| (guest.has_asked, guest.since, **number));
        let Some(number) = first.map(|(number, _)| *number) else {
            return;
        };
        if let Some(guest) = self.guests.remove(&number) {
            guest.leave.notify_one();
        }
    }
}

impl Guest<'_> {
    /// Waits until it has to make room.
    pub(crate) async fn is_asked_to_leave(&self) {
        self.leave.notified().await;
    }

    /// Marks that a call runs, until the mark is dropped.
    pub(crate) fn work(&self) -> Working<'_> {
        self.mark(true);
        Working(self)
    }

    fn mark(&self, is_at_work: bool) {
        let mut inside = self.crowd.inside();
        inside.last_call = Instant::now();
        if let Some(presence) = inside.guests.get_mut(&self.number) {
            presence.is_at_work = is_at_work;
            presence.has_asked = true;
            presence.since = Instant::now();
        }
    }
}

impl Drop for Working<'_> {
    fn drop(&mut self) {
        self.0.mark(false);
    }
}

impl Drop for Guest<'_> {
    fn drop(&mut self) {
        self.crowd.inside().guests.remove(&self.number);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn has_to_leave(guest: &Guest<'_>) -> bool {
        !guest.crowd.inside().guests.contains_key(&guest.number)
    }

    #[test]
    fn the_silent_make_room_first_and_the_busy_never() {
        let crowd = Crowd::new();
        let (busy, asked) = (crowd.enter(), crowd.enter());
        let _working = busy.work();
        drop(asked.work());
        let silent: Vec<Guest<'_>> = (2..CONNECTIONS).map(|_| crowd.enter()).collect();
        let _new = crowd.enter();
        assert_eq!(
            [&busy, &asked, &silent[0], &silent[1]].map(has_to_leave),
            [false, false, true, false]
        );
        // The new ones are silent too, but came later.
        let newer: Vec<Guest<'_>> = (3..CONNECTIONS).map(|_| crowd.enter()).collect();
        assert!(silent.iter().all(has_to_leave));
        assert_eq!([&busy, &asked, &newer[0]].map(has_to_leave), [false; 3]);
    }
}
