//! The few settings of a graph (`logseq/config.edn`) that say how its files are named.

/// How a graph names its files.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Config {
    /// Whether a dot in a file's name stands for `/`, as it did in older graphs.
    pub dots_are_slashes: bool,
    /// The folder of the journals.
    pub journals: String,
    /// How a journal's day is written in its title, such as `MMM do, yyyy`.
    pub journal_title: String,
}

impl Default for Config {
    /// What is so for a folder of pages without any settings.
    fn default() -> Self {
        Config {
            dots_are_slashes: false,
            journals: "journals".to_owned(),
            journal_title: "MMM do, yyyy".to_owned(),
        }
    }
}

/// Reads the settings; what is not there is as Logseq has it by default.
pub(super) fn parse(edn: &str) -> Config {
    let edn: String = edn
        .lines()
        .map(|line| without_comment(line).to_owned() + "\n")
        .collect();
    let usual = Config::default();
    Config {
        dots_are_slashes: value(&edn, ":file/name-format") != Some(":triple-lowbar"),
        journals: value(&edn, ":journals-directory").map_or(usual.journals, str::to_owned),
        journal_title: value(&edn, ":journal/page-title-format")
            .map_or(usual.journal_title, str::to_owned),
    }
}

/// A semicolon begins a comment, unless it stands in a text.
fn without_comment(line: &str) -> &str {
    let mut in_text = false;
    for (at, c) in line.char_indices() {
        match c {
            '"' => in_text = !in_text,
            ';' if !in_text => return &line[..at],
            _ => {}
        }
    }
    line
}

/// Returns what follows a key: the inside of a text, or a word.
fn value<'a>(edn: &'a str, key: &str) -> Option<&'a str> {
    let (at, _) = edn
        .match_indices(key)
        .find(|(at, _)| edn[at + key.len()..].starts_with([' ', '\n', '\t', '"', ':']))?;
    let rest = edn[at + key.len()..].trim_start();
    match rest.strip_prefix('"') {
        Some(text) => text.split('"').next(),
        None => rest
            .split(|c: char| c.is_whitespace() || matches!(c, '}' | ','))
            .next(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_settings_that_name_files_are_found() {
        let config = parse(
            "{:meta/version 1\n ;; :file/name-format :legacy\n :file/name-format :triple-lowbar ; new\n :journals-directory \"diary\"\n :journal/page-title-format \"yyyy-MM-dd; EEE\"}",
        );
        assert_eq!(
            config,
            Config {
                dots_are_slashes: false,
                journals: "diary".into(),
                journal_title: "yyyy-MM-dd; EEE".into()
            }
        );
    }

    #[test]
    fn a_graph_that_does_not_say_is_an_older_one() {
        assert_eq!(
            parse("{}"),
            Config {
                dots_are_slashes: true,
                ..Config::default()
            }
        );
        assert!(!parse("{:file/name-format :triple-lowbar}").dots_are_slashes);
    }

    proptest::proptest! {
        #[test]
        fn no_settings_make_it_panic(edn in "[:\";{}a中\n ]{0,20}(:file/name-format)?[:\";{}a中\n ]{0,9}") {
            parse(&edn);
        }
    }
}
