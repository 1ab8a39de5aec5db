//! Days and times as other programs write them.

use jiff::civil::{Date, DateTime};
use jiff::tz::TimeZone;
use memory_core::{Timestamp, parse_instant};

/// Reads a time of a property: RFC 3339, or a day with or without an hour, in the zone.
pub(super) fn time(text: &str, zone: &TimeZone) -> Option<Timestamp> {
    let text = text
        .trim()
        .trim_start_matches("[[")
        .trim_end_matches("]]")
        .replace('/', "-");
    let time = parse_instant(&text).or_else(|| in_zone(text.parse().ok()?, zone))?;
    Timestamp::from_second(time.as_second()).ok()
}

/// Reads the day that names a daily note: `2026-05-07` or `2026_05_07`, and nothing else.
pub(super) fn day_of_name(stem: &str) -> Option<Date> {
    let shape: String = stem
        .chars()
        .map(|c| if c.is_ascii_digit() { '0' } else { c })
        .collect();
    match shape.as_str() {
        "0000-00-00" | "0000_00_00" => stem.replace('_', "-").parse().ok(),
        _ => None,
    }
}

/// Returns when a day begins in the zone.
pub(super) fn start_of(day: Date, zone: &TimeZone) -> Option<Timestamp> {
    in_zone(day.to_datetime(jiff::civil::Time::midnight()), zone)
}

fn in_zone(time: DateTime, zone: &TimeZone) -> Option<Timestamp> {
    zone.to_timestamp(time).ok()
}

#[cfg(test)]
mod tests {
    use jiff::tz;

    use super::*;

    #[track_caller]
    fn check(text: &str, time_in_utc: &str) {
        let shanghai = TimeZone::fixed(tz::offset(8));
        assert_eq!(
            time(text, &shanghai).unwrap().to_string(),
            time_in_utc,
            "{text}"
        );
    }

    #[test]
    fn times_are_read_in_the_zone_unless_they_name_one() {
        check("2026-05-07", "2026-05-06T16:00:00Z");
        check("2026-05-07 10:30", "2026-05-07T02:30:00Z");
        check("2026-05-07T10:30:05.7", "2026-05-07T02:30:05Z");
        check("2026-05-07T10:30:05+02:00", "2026-05-07T08:30:05Z");
        check(" [[2026/05/07]] ", "2026-05-06T16:00:00Z");
    }

    #[test]
    fn what_is_no_day_is_none() {
        for text in ["", "soon", "2026-13-01", "2026"] {
            assert_eq!(time(text, &TimeZone::UTC), None, "{text}");
        }
        for stem in ["2026-05-07 notes", "2026-02-30", "20260507", "٢٠٢٦-٠٥-٠٧"] {
            assert_eq!(day_of_name(stem), None, "{stem}");
        }
        assert_eq!(day_of_name("2026_05_07"), day_of_name("2026-05-07"));
    }
}
