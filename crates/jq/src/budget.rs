//! What is left of the bounds while a filter runs.
//!
//! A filter runs in a thread of its own, and its budget belongs to that thread: values give their
//! bytes back when they are dropped, wherever that happens, and no function needs a parameter for
//! it. Whoever works in proportion to a value's size says so with [`spend`].

use std::cell::Cell;
use std::time::{Duration, Instant};

use crate::error::LimitKind;
use crate::limits::Limits;

/// Steps between two looks at the clock.
const STEPS_PER_LOOK: u64 = 4_096;

struct Budget {
    steps_left: Cell<u64>,
    steps_to_look: Cell<u64>,
    memory_used: Cell<usize>,
    steps_limit: Cell<u64>,
    memory_limit: Cell<usize>,
    time_limit: Cell<Duration>,
    started: Cell<Option<Instant>>,
}

thread_local! {
    static BUDGET: Budget = const {
        Budget {
            steps_left: Cell::new(u64::MAX),
            steps_to_look: Cell::new(STEPS_PER_LOOK),
            memory_used: Cell::new(0),
            steps_limit: Cell::new(u64::MAX),
            memory_limit: Cell::new(usize::MAX),
            time_limit: Cell::new(Duration::MAX),
            started: Cell::new(None),
        }
    };
}

/// Sets the bounds of this thread's run and starts its clock.
pub(crate) fn start(limits: &Limits) {
    BUDGET.with(|budget| {
        budget.steps_left.set(limits.steps);
        budget.steps_limit.set(limits.steps);
        budget.steps_to_look.set(STEPS_PER_LOOK);
        budget.memory_used.set(0);
        budget.memory_limit.set(limits.memory);
        budget.time_limit.set(limits.time);
        budget.started.set(Some(Instant::now()));
    });
}

/// Takes `steps` from what is left, and looks at the clock every few thousand steps.
#[inline]
pub(crate) fn spend(steps: u64) -> Result<(), LimitKind> {
    BUDGET.with(|budget| {
        let Some(left) = budget.steps_left.get().checked_sub(steps) else {
            return Err(LimitKind::Steps(budget.steps_limit.get()));
        };
        budget.steps_left.set(left);
        match budget.steps_to_look.get().checked_sub(steps) {
            Some(to_look) => {
                budget.steps_to_look.set(to_look);
                Ok(())
            }
            None => budget.look(),
        }
    })
}

/// Spends what walking `count` small things costs.
pub(crate) fn spend_for(count: usize) -> Result<(), LimitKind> {
    spend(count as u64 / 16 + 1)
}

/// Looks at the clock now; for work whose length is not known beforehand.
pub(crate) fn look() -> Result<(), LimitKind> {
    BUDGET.with(Budget::look)
}

impl Budget {
    fn look(&self) -> Result<(), LimitKind> {
        self.steps_to_look.set(STEPS_PER_LOOK);
        let limit = self.time_limit.get();
        match self.started.get() {
            Some(started) if started.elapsed() > limit => Err(LimitKind::Time(limit)),
            _ => Ok(()),
        }
    }
}

/// Bytes that are held, given back when this is dropped.
#[derive(Debug)]
pub(crate) struct Charge {
    bytes: usize,
}

impl Charge {
    /// Holds `bytes`, or says that this is more than may be held.
    #[inline]
    pub(crate) fn new(bytes: usize) -> Result<Self, LimitKind> {
        hold(bytes)?;
        Ok(Charge { bytes })
    }

    /// Holds `bytes` more.
    #[inline]
    pub(crate) fn grow(&mut self, bytes: usize) -> Result<(), LimitKind> {
        hold(bytes)?;
        self.bytes += bytes;
        Ok(())
    }
}

impl Drop for Charge {
    #[inline]
    fn drop(&mut self) {
        release(self.bytes);
    }
}

/// Takes `bytes` of memory; whoever calls this calls [`release`] later.
#[inline]
pub(crate) fn hold(bytes: usize) -> Result<(), LimitKind> {
    BUDGET.with(|budget| {
        let used = budget.memory_used.get().saturating_add(bytes);
        if used > budget.memory_limit.get() {
            return Err(LimitKind::Memory(budget.memory_limit.get()));
        }
        budget.memory_used.set(used);
        Ok(())
    })
}

/// Gives `bytes` of memory back.
#[inline]
pub(crate) fn release(bytes: usize) {
    BUDGET.with(|budget| {
        let used = budget.memory_used.get();
        budget.memory_used.set(used.saturating_sub(bytes));
    });
}
