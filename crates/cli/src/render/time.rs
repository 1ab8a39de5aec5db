//! Times as people read them: in their zone, to the minute.

use jiff::tz::TimeZone;
use memory_core::{Timestamp, parse_instant};

/// Renders a time of a reply in a zone: `2026-05-08 09:00`.
pub(crate) fn when(instant: &str, zone: &TimeZone) -> String {
    match parse_instant(instant) {
        Some(at) => at
            .to_zoned(zone.clone())
            .strftime("%Y-%m-%d %H:%M")
            .to_string(),
        None => instant.to_owned(),
    }
}

/// Tells how long ago a time was, as roughly as people do: `3 days ago`.
pub(crate) fn age(at: Timestamp, now: Timestamp) -> String {
    const UNITS: [(i64, &str); 6] = [
        (365 * 86_400, "year"),
        (30 * 86_400, "month"),
        (7 * 86_400, "week"),
        (86_400, "day"),
        (3_600, "hour"),
        (60, "minute"),
    ];
    let seconds = now.as_second() - at.as_second();
    let unit = UNITS.iter().find(|(length, _)| seconds.abs() >= *length);
    match unit.map(|(length, name)| (seconds / length, name)) {
        None => "just now".to_owned(),
        Some((1, name)) => format!("1 {name} ago"),
        Some((many @ 2.., name)) => format!("{many} {name}s ago"),
        Some((ahead, name)) => {
            format!("in {} {name}{}", -ahead, if ahead == -1 { "" } else { "s" })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_is_told_in_the_readers_zone() {
        let shanghai = TimeZone::get("Asia/Shanghai").unwrap();
        assert_eq!(when("2026-05-08T01:00:00Z", &shanghai), "2026-05-08 09:00");
        assert_eq!(when("soon", &TimeZone::UTC), "soon");
    }

    #[test]
    fn an_age_is_told_in_one_unit() {
        let now = parse_instant("2026-05-08T10:00:00Z").unwrap();
        let check = |at: &str, told: &str| assert_eq!(age(parse_instant(at).unwrap(), now), told);
        check("2026-05-08T09:59:30Z", "just now");
        check("2026-05-08T09:00:00Z", "1 hour ago");
        check("2026-05-05T09:00:00Z", "3 days ago");
        check("2024-05-01T09:00:00Z", "2 years ago");
        check("2026-05-10T10:00:00Z", "in 2 days");
    }
}
