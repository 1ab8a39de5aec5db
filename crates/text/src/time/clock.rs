//! What time of day is that? Hours and parts of the day, turned into seconds.

use jiff::tz::Offset;

/// A part of the day, as both languages divide it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Part {
    /// The letters "am" and "pm" behind an hour.
    Am,
    Pm,
    /// 凌晨
    SmallHours,
    Morning,
    Noon,
    Afternoon,
    /// The end of the working day: EOD, 下班前
    Closing,
    /// 傍晚
    Dusk,
    Evening,
    /// Tonight, 晚上
    Night,
    Midnight,
}

impl Part {
    /// The hour that is meant when only the part is named.
    fn usual_hour(self) -> i64 {
        match self {
            Part::SmallHours | Part::Midnight => 0,
            Part::Am | Part::Morning => 9,
            Part::Noon => 12,
            Part::Pm | Part::Afternoon => 15,
            Part::Closing | Part::Dusk => 18,
            Part::Evening => 19,
            Part::Night => 20,
        }
    }

    /// The hour of the day that an hour of the dial is in this part of it. Hours above 24 are
    /// those after midnight which people still call tonight.
    fn hour_of(self, dial: i64) -> Option<i64> {
        match (self, dial) {
            (Part::Am, 13..) => None,
            (Part::Am | Part::SmallHours | Part::Midnight, 12) => Some(0),
            (Part::Night, 0..=4) => Some(dial + 24),
            (Part::Night | Part::Evening | Part::Dusk, 12) => Some(24),
            (Part::Noon, 1..=9) => Some(dial + 12),
            (
                Part::Pm
                | Part::Afternoon
                | Part::Closing
                | Part::Dusk
                | Part::Evening
                | Part::Night,
                1..=11,
            ) => Some(dial + 12),
            _ => Some(dial),
        }
    }
}

/// Where the hands stand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Hands {
    pub(super) hour: i64,
    pub(super) minute: i64,
    pub(super) second: i64,
    /// The hour is spoken of ("at 3", 三点), not written out as on a 24-hour clock ("3:00").
    pub(super) is_spoken: bool,
}

impl Hands {
    pub(super) fn spoken(hour: i64, minute: i64) -> Self {
        Hands {
            hour,
            minute,
            second: 0,
            is_spoken: true,
        }
    }
}

/// A time of day, as a phrase names it: hands, a part of the day, or both.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Clock {
    pub(super) part: Option<Part>,
    pub(super) hands: Option<Hands>,
    /// Set when the phrase does not mean local time.
    pub(super) offset: Option<Offset>,
}

impl Clock {
    pub(super) fn of_part(part: Part) -> Self {
        Clock {
            part: Some(part),
            ..Clock::default()
        }
    }

    pub(super) fn of_hands(hands: Hands) -> Self {
        Clock {
            hands: Some(hands),
            ..Clock::default()
        }
    }

    /// Seconds since the day began; none for a time that no clock shows.
    pub(super) fn seconds(self) -> Option<i64> {
        let Some(hands) = self.hands else {
            return Some(self.part?.usual_hour() * 3600);
        };
        if hands.minute > 59 || hands.second > 59 || hands.hour > 24 {
            return None;
        }
        let hour = match self.part {
            Some(part) => part.hour_of(hands.hour)?,
            // Nobody who says "tomorrow at 3" means the night.
            None if hands.is_spoken && (1..=5).contains(&hands.hour) => hands.hour + 12,
            None => hands.hour,
        };
        let is_past_last_minute = hands.hour == 24 && hands.minute + hands.second > 0;
        (!is_past_last_minute).then_some(hour * 3600 + hands.minute * 60 + hands.second)
    }

    /// This clock on a day that was named with a part of its own: "tonight at 8", 明晚八点.
    pub(super) fn within(self, part: Option<Part>) -> Self {
        let is_late = matches!(part, Some(Part::Evening | Part::Night));
        match self.part {
            Some(Part::Midnight) if is_late => Clock {
                part: Some(Part::Night),
                hands: Some(Hands::spoken(12, 0)),
                ..self
            },
            Some(_) => self,
            None => Clock { part, ..self },
        }
    }
}
