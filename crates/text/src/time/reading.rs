//! What did a grammar read, and how sure is it? The words both languages answer in.

use super::calendar::Day;
use super::clock::{Clock, Part};

/// What must stand beside a reading before it is believed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Stands {
    /// Nothing: "tomorrow", "3pm".
    Alone,
    /// A preposition or a partner, that is a day beside a clock or a clock beside a day: "on Sat".
    Led,
    /// A partner: 三点 may be a time or three points.
    Beside,
    /// Both: the 10 of "Monday at 10".
    Bare,
}

impl Stands {
    pub(super) fn is_believed(self, is_led: bool, has_partner: bool) -> bool {
        match self {
            Stands::Alone => true,
            Stands::Led => is_led || has_partner,
            Stands::Beside => has_partner,
            Stands::Bare => is_led && has_partner,
        }
    }
}

#[derive(Debug, Clone, Copy)]
pub(super) struct DayReading {
    pub(super) day: Day,
    /// A part of the day that was named with it: tonight, 明早.
    pub(super) part: Option<Part>,
    pub(super) stands: Stands,
}

impl DayReading {
    pub(super) fn sure(day: Day) -> Self {
        DayReading {
            day,
            part: None,
            stands: Stands::Alone,
        }
    }

    pub(super) fn in_part(day: Day, part: Part) -> Self {
        DayReading {
            day,
            part: Some(part),
            stands: Stands::Alone,
        }
    }

    pub(super) fn led(day: Day) -> Self {
        DayReading {
            day,
            part: None,
            stands: Stands::Led,
        }
    }
}

#[derive(Debug, Clone, Copy)]
pub(super) struct ClockReading {
    pub(super) clock: Clock,
    pub(super) stands: Stands,
}
