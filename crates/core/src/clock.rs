//! What time it is: the only place that asks the system, and one that tests can hold still.

use std::time::SystemTime;

pub use jiff::Timestamp;

/// Tells the time, from the system or as it was set.
#[derive(Debug, Clone, Copy, Default)]
pub struct Clock {
    fixed: Option<Timestamp>,
}

impl Clock {
    /// Returns the clock of the machine.
    pub fn system() -> Self {
        Clock { fixed: None }
    }

    /// Returns a clock that stands still.
    pub fn fixed(at: Timestamp) -> Self {
        Clock { fixed: Some(at) }
    }

    /// Returns the time now, in whole seconds: what our files keep.
    pub fn now(&self) -> Timestamp {
        let now = self.moment();
        Timestamp::from_second(now.as_second()).unwrap_or(now)
    }

    /// Returns the time now as exactly as it is known: to compare with the times of files.
    #[allow(clippy::disallowed_methods)] // the one caller of the system's clock
    pub fn moment(&self) -> Timestamp {
        self.fixed
            .or_else(|| Timestamp::try_from(SystemTime::now()).ok())
            .unwrap_or(Timestamp::UNIX_EPOCH)
    }
}

/// Renders a time as our files and replies write it: RFC 3339 in UTC, `2024-01-15T10:30:00Z`.
pub fn instant(at: Timestamp) -> String {
    at.to_string()
}

/// Reads RFC 3339, with any offset. The last day that can be written means the end of time.
pub fn parse_instant(text: &str) -> Option<Timestamp> {
    text.parse()
        .ok()
        .or_else(|| text.starts_with("9999-12-31T").then_some(Timestamp::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fixed_clock_stands_still_on_a_whole_second() {
        let clock = Clock::fixed(parse_instant("2024-01-15T12:30:00.75+02:00").unwrap());
        assert_eq!(instant(clock.now()), "2024-01-15T10:30:00Z");
        assert_eq!(clock.now(), clock.now());
    }
}
