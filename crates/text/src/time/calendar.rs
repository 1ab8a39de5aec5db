//! When is that? Days as people name them, turned into points in time.
//!
//! No text appears here. A day that does not exist is no error: it has no point in time.

use jiff::civil::{Date, Time, Weekday};
use jiff::{SignedDuration, Span, Timestamp, tz::TimeZone};

use super::clock::{Clock, Part};
use super::phrase::Phrase;

/// When a day is named without a time of day, its time is nine in the morning.
const SECONDS_BEFORE_NINE: i64 = 9 * 3600;
const SECONDS_OF_DAY: i64 = 24 * 3600;

/// A day, as a phrase names it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Day {
    /// Counted from today: tomorrow, in two weeks, a month ago.
    After {
        months: i64,
        days: i64,
    },
    /// A weekday of a week that is counted from the present one: 0 is this, 1 the next.
    OfWeek {
        weeks: i64,
        weekday: Weekday,
    },
    /// The first such day after today, or so many weeks further on.
    Coming {
        weekday: Weekday,
        weeks_on: i64,
    },
    /// Saturday, and on a Saturday the Sunday.
    Weekend {
        week: Which,
    },
    OfMonth {
        month: Which,
        day: MonthDay,
    },
    OfYear {
        year: Which,
        month: i64,
        day: MonthDay,
    },
    InYear {
        year: i64,
        month: i64,
        day: MonthDay,
    },
    /// Monday to Friday: days on which something is so, but no day on which something is due.
    Stretch,
}

impl Day {
    pub(super) const TODAY: Day = Day::in_days(0);

    pub(super) const fn in_days(days: i64) -> Day {
        Day::After { months: 0, days }
    }

    pub(super) const fn in_months(months: i64) -> Day {
        Day::After { months, days: 0 }
    }

    pub(super) fn is_weekday(self) -> bool {
        matches!(self, Day::OfWeek { .. } | Day::Coming { .. })
    }

    /// Whether it is a date of the calendar, which a weekday beside it only repeats.
    pub(super) fn is_date(self) -> bool {
        match self {
            Day::OfMonth { day, .. } | Day::OfYear { day, .. } | Day::InYear { day, .. } => {
                day != MonthDay::Last
            }
            _ => false,
        }
    }
}

/// Which week, month or year.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Which {
    /// Counted from the present one: 0 is this, 1 the next, -1 the last.
    After(i64),
    /// The first in which the day is not over.
    Coming,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum MonthDay {
    Number(i64),
    Last,
}

impl MonthDay {
    pub(super) const FIRST: MonthDay = MonthDay::Number(1);
    pub(super) const MIDDLE: MonthDay = MonthDay::Number(15);
}

/// When and where something was said.
pub(super) struct Present<'z> {
    at: Timestamp,
    today: Date,
    zone: &'z TimeZone,
}

impl<'z> Present<'z> {
    pub(super) fn new(at: Timestamp, zone: &'z TimeZone) -> Self {
        Present {
            at,
            today: zone.to_datetime(at).date(),
            zone,
        }
    }

    pub(super) fn moment_of(&self, phrase: &Phrase) -> Option<Timestamp> {
        match *phrase {
            Phrase::Past => None,
            Phrase::Elapsed { seconds } => {
                self.at.checked_add(SignedDuration::from_secs(seconds)).ok()
            }
            Phrase::OnDay { day, clock: None } => {
                self.local(self.date_of(day)?, SECONDS_BEFORE_NINE)
            }
            Phrase::OnDay {
                day,
                clock: Some(clock),
            } => self.on(self.date_of(day)?, clock),
            Phrase::AtClock { clock } => {
                let today = self.on(self.today, clock)?;
                if today > self.at {
                    Some(today)
                } else {
                    self.on(self.today.tomorrow().ok()?, clock)
                }
            }
        }
    }

    fn on(&self, date: Date, clock: Clock) -> Option<Timestamp> {
        let seconds = match clock.seconds()? {
            // Midnight of today is the one that is yet to come.
            0 if clock.part == Some(Part::Midnight) && date == self.today => SECONDS_OF_DAY,
            seconds => seconds,
        };
        let Some(offset) = clock.offset else {
            return self.local(date, seconds);
        };
        offset.to_timestamp(at_seconds(date, seconds)?).ok()
    }

    /// A clock time that the change to summer time skips or repeats is resolved, never refused.
    fn local(&self, date: Date, seconds: i64) -> Option<Timestamp> {
        self.zone.to_timestamp(at_seconds(date, seconds)?).ok()
    }

    fn date_of(&self, day: Day) -> Option<Date> {
        match day {
            Day::After { months, days } => later(self.today, months, days),
            Day::OfWeek { weeks, weekday } => self.weekday(weeks, weekday),
            Day::Coming { weekday, weeks_on } => {
                later(self.today.nth_weekday(1, weekday).ok()?, 0, 7 * weeks_on)
            }
            Day::Weekend { week } => self.weekend(week),
            Day::OfMonth { month, day } => self.month_day(month, day),
            Day::OfYear { year, month, day } => self.year_day(year, month, day),
            Day::InYear { year, month, day } => date_in(year, month, day),
            Day::Stretch => None,
        }
    }

    /// Weeks start on Monday.
    fn weekday(&self, weeks: i64, weekday: Weekday) -> Option<Date> {
        let from_monday = |weekday: Weekday| i64::from(weekday.to_monday_zero_offset());
        later(
            self.today,
            0,
            7 * weeks + from_monday(weekday) - from_monday(self.today.weekday()),
        )
    }

    fn weekend(&self, week: Which) -> Option<Date> {
        match week {
            Which::After(weeks) => self.weekday(weeks, Weekday::Saturday),
            Which::Coming if self.today.weekday() == Weekday::Saturday => {
                self.today.tomorrow().ok()
            }
            Which::Coming => self.today.nth_weekday(1, Weekday::Saturday).ok(),
        }
    }

    fn month_day(&self, month: Which, day: MonthDay) -> Option<Date> {
        let in_month = |months| {
            let first = later(self.today.first_of_month(), months, 0)?;
            date_in(first.year().into(), first.month().into(), day)
        };
        match month {
            Which::After(months) => in_month(months),
            // Every day of a month comes again within a year, at most one month is skipped.
            Which::Coming => (0..12)
                .filter_map(in_month)
                .find(|date| *date >= self.today),
        }
    }

    fn year_day(&self, year: Which, month: i64, day: MonthDay) -> Option<Date> {
        let in_year = |years| date_in(i64::from(self.today.year()) + years, month, day);
        match year {
            Which::After(years) => in_year(years),
            // February 29th may be missing for eight years.
            Which::Coming => (0..=8).filter_map(in_year).find(|date| *date >= self.today),
        }
    }
}

fn date_in(year: i64, month: i64, day: MonthDay) -> Option<Date> {
    let (year, month) = (i16::try_from(year).ok()?, i8::try_from(month).ok()?);
    match day {
        MonthDay::Number(day) => Date::new(year, month, i8::try_from(day).ok()?).ok(),
        MonthDay::Last => Some(Date::new(year, month, 1).ok()?.last_of_month()),
    }
}

fn later(date: Date, months: i64, days: i64) -> Option<Date> {
    let span = Span::new().try_months(months).ok()?.try_days(days).ok()?;
    date.checked_add(span).ok()
}

fn at_seconds(date: Date, seconds: i64) -> Option<jiff::civil::DateTime> {
    date.to_datetime(Time::midnight())
        .checked_add(SignedDuration::from_secs(seconds))
        .ok()
}
