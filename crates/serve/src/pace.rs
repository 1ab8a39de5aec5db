//! Which tools are quick by experience: their calls may run where they were read.
//!
//! To hand a call to another thread and its answer back takes two wake-ups, which may take longer than
//! the call itself. Whoever serves one client alone can spare it them: meanwhile nobody else waits. A
//! tool that was slow once has to prove itself again.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use crate::limits::{QUICK, QUICK_CALLS};

/// How many calls of each tool were quick, one after the other.
#[derive(Debug, Default)]
pub(crate) struct Pace(Mutex<HashMap<String, u32>>);

impl Pace {
    /// Says whether the next call of a tool is likely to be quick.
    pub(crate) fn is_quick(&self, tool: &str) -> bool {
        self.tools()
            .get(tool)
            .is_some_and(|calls| *calls >= QUICK_CALLS)
    }

    /// Learns how long a call of a tool took.
    pub(crate) fn learn(&self, tool: &str, time: Duration) {
        let mut tools = self.tools();
        match tools.get_mut(tool) {
            Some(calls) => {
                *calls = if time <= QUICK {
                    calls.saturating_add(1)
                } else {
                    0
                }
            }
            None => drop(tools.insert(tool.to_owned(), u32::from(time <= QUICK))),
        }
    }

    fn tools(&self) -> MutexGuard<'_, HashMap<String, u32>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tool_is_quick_after_some_quick_calls_and_until_a_slow_one() {
        let pace = Pace::default();
        let learn = |time| (0..QUICK_CALLS).for_each(|_| pace.learn("say", time));
        assert!(!pace.is_quick("say"));
        learn(QUICK);
        assert!(pace.is_quick("say") && !pace.is_quick("count"));
        pace.learn("say", QUICK * 2);
        assert!(!pace.is_quick("say"));
        learn(QUICK);
        assert!(pace.is_quick("say"));
    }
}
