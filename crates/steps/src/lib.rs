//! Counts the steps of loops over text, so that tests can prove linear time without a clock.
//!
//! A loop that reads text from outside reports what it looks at: [`count`] once for each round, or
//! with a length where the standard library searches that many bytes. A release build counts nothing.

#[cfg(debug_assertions)]
thread_local! {
    static STEPS: std::cell::Cell<u64> = const { std::cell::Cell::new(0) };
}

/// Adds steps to those of this thread; does nothing in a release build.
#[inline(always)]
#[cfg_attr(not(debug_assertions), allow(unused_variables))]
pub fn count(steps: usize) {
    #[cfg(debug_assertions)]
    STEPS.with(|all| all.set(all.get() + steps as u64));
}

/// Returns how many steps this thread takes for a piece of work; 0 in a release build.
pub fn steps_of(work: impl FnOnce()) -> u64 {
    #[cfg(debug_assertions)]
    {
        let before = STEPS.with(std::cell::Cell::get);
        work();
        STEPS.with(std::cell::Cell::get) - before
    }
    #[cfg(not(debug_assertions))]
    {
        work();
        0
    }
}

/// How the steps of some work grow with the length of its input.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Growth {
    pub once: u64,
    pub twice: u64,
}

impl Growth {
    /// Measures the work on an input of a length and on one that is twice as long.
    pub fn of<I>(length: usize, input: impl Fn(usize) -> I, work: impl Fn(I)) -> Self {
        let (once, twice) = (input(length), input(2 * length));
        Growth {
            once: steps_of(|| work(once)),
            twice: steps_of(|| work(twice)),
        }
    }

    /// Says whether the steps were counted, and grew as the input did.
    pub fn is_linear(self) -> bool {
        const CONSTANT: u64 = 1_000;
        !cfg!(debug_assertions)
            || (self.once > 0 && self.twice * 10 <= self.once * 22 + CONSTANT * 10)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_nested_loop_is_told_from_a_plain_one() {
        let plain = Growth::of(
            1_000,
            |length| length,
            |length| (0..length).for_each(|_| count(1)),
        );
        assert!(plain.is_linear(), "{plain:?}");
        let nested = Growth::of(
            100,
            |length| length,
            |length| (0..length).for_each(|_| count(length)),
        );
        assert!(!nested.is_linear(), "{nested:?}");
        assert!(
            !Growth::of(100, |length| length, |_| ()).is_linear(),
            "nothing was counted"
        );
    }
}
