//! Counts the system calls that make an operation slow, so that a test can compare them with a table.
//!
//! A release build counts nothing.

#[cfg(debug_assertions)]
use std::cell::Cell;

/// How many system calls of a sort an operation made.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Costs {
    /// Waits for the disk: of a file, a folder or a file system.
    pub syncs: u32,
    /// Opened files and folders.
    pub opens: u32,
    /// Lookups of a file's size and times.
    pub stats: u32,
}

#[cfg(debug_assertions)]
thread_local! {
    static COSTS: Cell<Costs> = const { Cell::new(Costs { syncs: 0, opens: 0, stats: 0 }) };
}

impl Costs {
    /// Returns what this thread pays for some work; nothing in a release build.
    pub fn of<T>(work: impl FnOnce() -> T) -> (T, Costs) {
        #[cfg(debug_assertions)]
        let before = COSTS.replace(Costs::default());
        let result = work();
        #[cfg(debug_assertions)]
        let costs = COSTS.replace(before);
        #[cfg(not(debug_assertions))]
        let costs = Costs::default();
        (result, costs)
    }
}

#[cfg_attr(not(debug_assertions), allow(unused_variables))]
#[inline(always)]
fn count(change: impl FnOnce(&mut Costs)) {
    #[cfg(debug_assertions)]
    {
        let mut costs = COSTS.get();
        change(&mut costs);
        COSTS.set(costs);
    }
}

#[inline(always)]
pub(crate) fn count_sync() {
    count(|costs| costs.syncs += 1);
}

#[inline(always)]
pub(crate) fn count_open() {
    count(|costs| costs.opens += 1);
}

#[inline(always)]
pub(crate) fn count_stat() {
    count(|costs| costs.stats += 1);
}
