//! When each task is due: rounds, intervals, and the time since anyone asked for anything.
//!
//! Pure: time comes in as seconds since the daemon began, so that hours pass in a test at once.

use std::time::Duration;

use memory_core::Cadence;

/// Rounds follow each other no faster than this, whatever was asked for.
const SHORTEST: Duration = Duration::from_secs(1);

/// The daemon's tasks by their places, and when each last ran.
#[derive(Debug)]
pub(crate) struct Schedule {
    interval: Duration,
    slots: Vec<Slot>,
    next_round: Duration,
    /// When anyone last asked for anything, or changed anything.
    stirred: Duration,
}

#[derive(Debug)]
struct Slot {
    cadence: Cadence,
    last: Option<Duration>,
}

impl Schedule {
    /// Returns a schedule that begins now with a round.
    pub(crate) fn new(interval: Duration, cadences: impl Iterator<Item = Cadence>) -> Self {
        let slots = cadences
            .map(|cadence| Slot {
                cadence,
                last: None,
            })
            .collect();
        Schedule {
            interval: interval.max(SHORTEST),
            slots,
            next_round: Duration::ZERO,
            stirred: Duration::ZERO,
        }
    }

    /// Hears that someone was there: a new time of idleness begins.
    pub(crate) fn stir(&mut self, at: Duration) {
        self.stirred = self.stirred.max(at);
    }

    /// Returns the places of the tasks that are due, and takes them for done.
    pub(crate) fn take_due(&mut self, now: Duration) -> Vec<usize> {
        let is_round = now >= self.next_round;
        let due = |slot: &Slot| match slot.cadence {
            Cadence::EveryRound => is_round,
            _ => self.due_at(slot).is_some_and(|at| at <= now),
        };
        let places: Vec<usize> = (0..self.slots.len())
            .filter(|n| due(&self.slots[*n]))
            .collect();
        places.iter().for_each(|n| self.slots[*n].last = Some(now));
        if is_round {
            self.next_round = now + self.interval;
        }
        places
    }

    /// Returns when something is due next.
    pub(crate) fn next(&self) -> Duration {
        self.slots
            .iter()
            .filter_map(|slot| self.due_at(slot))
            .fold(self.next_round, Duration::min)
    }

    fn due_at(&self, slot: &Slot) -> Option<Duration> {
        match slot.cadence {
            Cadence::EveryRound => Some(self.next_round),
            Cadence::Every(span) => {
                Some(slot.last.map_or(Duration::ZERO, |last| last + length(span)))
            }
            // Once in each time of idleness.
            Cadence::WhenIdle(span) => {
                let is_done = slot.last.is_some_and(|last| last > self.stirred);
                (!is_done).then_some(self.stirred + length(span))
            }
        }
    }
}

fn length(span: memory_core::Span) -> Duration {
    Duration::from_secs(span.as_seconds())
}

#[cfg(test)]
mod tests {
    use memory_core::Span;

    use super::*;

    const MINUTE: u64 = 60;

    fn at(seconds: u64) -> Duration {
        Duration::from_secs(seconds)
    }

    fn schedule() -> Schedule {
        let cadences = [
            Cadence::EveryRound,
            Cadence::Every(Span::seconds(3600)),
            Cadence::WhenIdle(Span::seconds(5 * MINUTE)),
            Cadence::WhenIdle(Span::seconds(30 * MINUTE)),
        ];
        Schedule::new(at(MINUTE), cadences.into_iter())
    }

    /// Lets time pass as the daemon does; returns what ran when, in minutes, rounds left out.
    fn pass(schedule: &mut Schedule, until: u64) -> Vec<(u64, usize)> {
        let mut ran = Vec::new();
        while schedule.next() <= at(until * MINUTE) {
            let now = schedule.next();
            let due = schedule.take_due(now);
            assert!(!due.is_empty(), "nobody wakes for nothing");
            ran.extend(
                due.into_iter()
                    .filter(|n| *n > 0)
                    .map(|n| (now.as_secs() / MINUTE, n)),
            );
        }
        ran
    }

    #[test]
    fn a_round_comes_with_every_interval_and_the_first_one_at_once() {
        let mut schedule = schedule();
        assert_eq!(schedule.take_due(at(0)), [0, 1]);
        assert_eq!(schedule.next(), at(60));
        assert!(schedule.take_due(at(59)).is_empty());
        assert_eq!(schedule.take_due(at(75)), [0]);
        assert_eq!(schedule.next(), at(135));
    }

    #[test]
    fn what_waits_for_idleness_runs_once_in_each_time_of_it() {
        let mut schedule = schedule();
        assert_eq!(pass(&mut schedule, 50), [(0, 1), (5, 2), (30, 3)]);
        schedule.stir(at(50 * MINUTE));
        assert_eq!(pass(&mut schedule, 54), []);
        schedule.stir(at(54 * MINUTE));
        assert_eq!(
            pass(&mut schedule, 130),
            [(59, 2), (60, 1), (84, 3), (120, 1)]
        );
    }

    #[test]
    fn an_interval_of_nothing_keeps_nobody_busy() {
        let mut schedule = Schedule::new(Duration::ZERO, [Cadence::EveryRound].into_iter());
        assert_eq!(schedule.take_due(at(0)), [0]);
        assert_eq!(schedule.next(), at(1));
    }
}
