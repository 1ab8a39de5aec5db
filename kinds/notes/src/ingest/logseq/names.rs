//! What a page is called: from its file's name, or from the day of its journal.

use jiff::civil::Date;

use super::config::Config;
use crate::ingest::links::decode_percent;

/// Returns the title of a page. The parts of a namespace are joined by `/`.
pub(super) fn page_title(stem: &str, config: &Config) -> String {
    let stem = stem.replace("___", "/");
    let stem = if config.dots_are_slashes {
        stem.replace('.', "/")
    } else {
        stem
    };
    decode_percent(&stem)
}

/// Returns the title of a journal as Logseq links to it, by the pattern of the settings.
pub(super) fn journal_title(day: Date, pattern: &str) -> String {
    let mut title = String::new();
    let mut rest = pattern;
    while let Some(first) = rest.chars().next() {
        let length = if rest.starts_with("do") {
            2
        } else {
            rest.find(|c| c != first).unwrap_or(rest.len())
        };
        title.push_str(&part(day, &rest[..length]));
        rest = &rest[length..];
    }
    title
}

fn part(day: Date, pattern: &str) -> String {
    let number = day.day();
    match pattern {
        "yyyy" => day.strftime("%Y").to_string(),
        "yy" => day.strftime("%y").to_string(),
        "MMMM" => day.strftime("%B").to_string(),
        "MMM" => day.strftime("%b").to_string(),
        "MM" => day.strftime("%m").to_string(),
        "M" => day.month().to_string(),
        "do" => format!("{number}{}", ordinal_ending(number)),
        "dd" => day.strftime("%d").to_string(),
        "d" => number.to_string(),
        "EEEE" => day.strftime("%A").to_string(),
        "EEE" | "EE" | "E" => day.strftime("%a").to_string(),
        other => other.to_owned(),
    }
}

fn ordinal_ending(number: i8) -> &'static str {
    match (number % 10, number) {
        (_, 11..=13) => "th",
        (1, _) => "st",
        (2, _) => "nd",
        (3, _) => "rd",
        _ => "th",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn namespaces_are_read_as_each_version_wrote_them() {
        let newer = Config::default();
        let older = Config {
            dots_are_slashes: true,
            ..Config::default()
        };
        assert_eq!(page_title("a___b%3A c", &newer), "a/b: c");
        assert_eq!(page_title("v1.2", &newer), "v1.2");
        assert_eq!(page_title("a%2Fb", &older), "a/b");
        assert_eq!(page_title("a.b", &older), "a/b");
        assert_eq!(page_title("项目___计划", &newer), "项目/计划");
    }

    #[test]
    fn a_journal_is_called_by_its_day() {
        let check = |day: i8, pattern: &str, title: &str| {
            assert_eq!(
                journal_title(jiff::civil::date(2026, 5, day), pattern),
                title
            );
        };
        check(7, "MMM do, yyyy", "May 7th, 2026");
        check(1, "do MMMM yy", "1st May 26");
        check(12, "do", "12th");
        check(23, "EEEE, dd.MM.yyyy", "Saturday, 23.05.2026");
        check(7, "yyyy年M月d日", "2026年5月7日");
    }
}
