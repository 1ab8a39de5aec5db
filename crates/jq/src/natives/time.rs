//! Dates: seconds since 1970 and broken-down time, always in UTC.
//!
//! Years are not bounded to four digits, as they would be in a calendar library: jq takes
//! milliseconds for seconds without complaint, and so do we.

use super::strftime::strftime;
use super::strptime::{Parsed, strptime};
use super::{Context, Done, Entry};
use crate::stop::Stop;
use crate::value::Value;

pub(super) const TABLE: &[Entry] = &[
    ("now", 0, |context, _, _| Ok(Value::number(context.now))),
    ("gmtime", 0, |_, input, _| broken_down(&input, "gmtime")),
    ("localtime", 0, |_, input, _| {
        broken_down(&input, "localtime")
    }),
    ("mktime", 0, |_, input, _| match &input {
        Value::Array(_) => Ok(Value::number(fields(&input, "mktime")?.seconds() as f64)),
        _ => Err(Stop::error("mktime requires array inputs")),
    }),
    ("strftime", 1, |_, input, arguments| {
        formatted(&input, &arguments[0], "strftime/1", "GMT")
    }),
    ("strflocaltime", 1, |_, input, arguments| {
        formatted(&input, &arguments[0], "strflocaltime/1", "UTC")
    }),
    ("strptime", 1, parsed),
];

/// A moment taken apart, as C's `struct tm`, with the whole year.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Moment {
    pub(super) year: i64,
    /// From 0.
    pub(super) month: i64,
    /// From 1.
    pub(super) day: i64,
    pub(super) hour: i64,
    pub(super) minute: i64,
    pub(super) second: i64,
}

impl Moment {
    pub(super) fn from_seconds(seconds: i64) -> Self {
        let (days, rest) = (seconds.div_euclid(86_400), seconds.rem_euclid(86_400));
        let (year, month, day) = date_of(days);
        Moment {
            year,
            month,
            day,
            hour: rest / 3_600,
            minute: rest / 60 % 60,
            second: rest % 60,
        }
    }

    /// Seconds since 1970; fields out of their range carry over.
    pub(super) fn seconds(&self) -> i64 {
        self.days() * 86_400 + self.hour * 3_600 + self.minute * 60 + self.second
    }

    fn days(&self) -> i64 {
        days_before(
            self.year + self.month.div_euclid(12),
            self.month.rem_euclid(12),
        ) + self.day
            - 1
    }

    /// From 0 for Sunday.
    pub(super) fn weekday(&self) -> i64 {
        (self.days() + 4).rem_euclid(7)
    }

    /// From 0 for the first of January.
    pub(super) fn day_of_year(&self) -> i64 {
        self.days() - days_before(self.year, 0)
    }
}

/// Days from 1970 to the first of a month, by the Gregorian calendar.
fn days_before(year: i64, month: i64) -> i64 {
    // Years that begin in March have their leap day at the end.
    let (year, month) = if month < 2 {
        (year - 1, month + 10)
    } else {
        (year, month - 2)
    };
    let (era, of_era) = (year.div_euclid(400), year.rem_euclid(400));
    era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + (153 * month + 2) / 5 - 719_468
}

/// Year, month from 0 and day from 1 of a day counted from 1970.
fn date_of(days: i64) -> (i64, i64, i64) {
    let days = days + 719_468;
    let (era, of_era) = (days.div_euclid(146_097), days.rem_euclid(146_097));
    let year = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year + year / 4 - year / 100);
    let month = (5 * of_year + 2) / 153;
    let day = of_year - (153 * month + 2) / 5 + 1;
    let year = year + era * 400;
    if month < 10 {
        (year, month + 2, day)
    } else {
        (year + 1, month - 10, day)
    }
}

/// Seconds whose year still fits what jq counts years with.
const SECONDS: std::ops::Range<f64> = -67_768_040_609_740_800.0..67_768_036_191_676_800.0;

fn moment(seconds: f64) -> Result<Moment, Stop> {
    if !SECONDS.contains(&seconds) {
        return Err(Stop::error(
            "error converting number of seconds since epoch to datetime",
        ));
    }
    Ok(Moment::from_seconds(seconds.floor() as i64))
}

fn broken_down(input: &Value, name: &str) -> Done {
    let Value::Number(number) = input else {
        return Err(Stop::error(format!("{name}() requires numeric inputs")));
    };
    let seconds = number.value();
    let moment = moment(seconds)?;
    let second = moment.second as f64 + (seconds - seconds.floor());
    array(&moment, second, moment.weekday(), moment.day_of_year(), "")
}

fn array(moment: &Moment, second: f64, weekday: i64, day_of_year: i64, rest: &str) -> Done {
    let whole = |field: i64| Value::number(field as f64);
    let mut fields = vec![
        whole(moment.year),
        whole(moment.month),
        whole(moment.day),
        whole(moment.hour),
        whole(moment.minute),
        Value::number(second),
        whole(weekday),
        whole(day_of_year),
    ];
    if !rest.is_empty() {
        fields.push(Value::string(rest)?);
    }
    Ok(Value::array(fields)?)
}

/// A moment from an array of its fields; the year 1900 and zeros where some are missing.
fn fields(input: &Value, name: &str) -> Result<Moment, Stop> {
    let wrong = || Stop::error(format!("{name} requires parsed datetime inputs"));
    let Value::Array(array) = input else {
        return Err(wrong());
    };
    let mut fields = [1900, 0, 0, 0, 0, 0];
    for (field, item) in fields.iter_mut().zip(array.items()) {
        let Value::Number(number) = item else {
            return Err(wrong());
        };
        // Far outside any date, but small enough to be calculated with.
        *field = number.value().clamp(-1e10, 1e10) as i64;
    }
    if !array
        .items()
        .iter()
        .take(8)
        .all(|item| matches!(item, Value::Number(_)))
    {
        return Err(wrong());
    }
    let [year, month, day, hour, minute, second] = fields;
    Ok(Moment {
        year,
        month,
        day,
        hour,
        minute,
        second,
    })
}

fn formatted(input: &Value, format: &Value, name: &str, zone: &str) -> Done {
    let moment = match input {
        Value::Number(number) => moment(number.value())?,
        Value::Array(_) => Moment::from_seconds(fields(input, name)?.seconds()),
        _ => {
            return Err(Stop::error(format!(
                "{name} requires parsed datetime inputs"
            )));
        }
    };
    let Value::String(format) = format else {
        return Err(Stop::error(format!("{name} requires a string format")));
    };
    Ok(Value::string(strftime(format.as_str(), &moment, zone)?)?)
}

/// What `strptime` gives where the text says nothing of the weekday or the day of the year.
const UNKNOWN_WEEKDAY: i64 = 8;
const UNKNOWN_DAY: i64 = 367;

fn parsed(_: &Context, input: Value, arguments: &[Value]) -> Done {
    let (Value::String(text), Value::String(format)) = (&input, &arguments[0]) else {
        return Err(Stop::error(
            "strptime/1 requires string inputs and arguments",
        ));
    };
    let parsed = strptime(format.as_str(), text.as_str());
    // What is left over must be something of its own.
    let ends_well = |rest: &str| {
        rest.chars()
            .next()
            .is_none_or(|next| next.is_ascii_whitespace())
    };
    let Some(Parsed {
        moment,
        weekday,
        rest,
    }) = parsed.filter(|parsed| ends_well(parsed.rest))
    else {
        let (date, format) = (text.as_str(), format.as_str());
        return Err(Stop::error(format!(
            "date \"{date}\" does not match format \"{format}\""
        )));
    };
    let is_date = moment.day > 0;
    let weekday = if is_date {
        moment.weekday()
    } else {
        weekday.unwrap_or(UNKNOWN_WEEKDAY)
    };
    let day_of_year = if is_date {
        moment.day_of_year()
    } else {
        UNKNOWN_DAY
    };
    array(&moment, moment.second as f64, weekday, day_of_year, rest)
}
