//! Sizes as people say them.

/// Renders a size: `312 B`, `4.2 KB`, `1.0 GB`.
pub(crate) fn size(bytes: u64) -> String {
    let units = ["KB", "MB", "GB", "TB"];
    if bytes < 1024 {
        return format!("{bytes} B");
    }
    let mut amount = bytes as f64 / 1024.0;
    let mut unit = 0;
    while amount >= 1024.0 && unit + 1 < units.len() {
        amount /= 1024.0;
        unit += 1;
    }
    format!("{amount:.1} {}", units[unit])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_read_as_people_say_them() {
        assert_eq!(
            [0, 1023, 1024, 1_500_000, 3 << 40].map(size),
            ["0 B", "1023 B", "1.0 KB", "1.4 MB", "3.0 TB"]
        );
    }
}
