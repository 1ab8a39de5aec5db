//! Times as people read them: in their zone, to the minute.

use jiff::tz::TimeZone;
use memory_core::parse_instant;

/// Renders a time of a reply in a zone: `2026-05-08 09:00`.
pub(crate) fn when(instant: &str, zone: &TimeZone) -> String {
    match parse_instant(instant) {
        Some(at) => at.to_zoned(zone.clone()).strftime("%Y-%m-%d %H:%M").to_string(),
        None => instant.to_owned(),
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
}
