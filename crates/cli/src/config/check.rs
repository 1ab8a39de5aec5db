//! Whether a file's text is a configuration: known settings, each with a value that it takes.
//!
//! Pure: text in, values or the first problem out. Which file it was is the caller's to say.

use std::path::Path;

use super::Config;
use super::table::{self, Setting, Who};
use super::yaml::{self, Body, Flaw, Node};

/// How much of a wrong value is shown.
const SHOWN_CHARS: usize = 60;

/// A setting that a file gives, as it is written there.
#[derive(Debug, Clone)]
pub(super) struct Written {
    pub(super) setting: &'static Setting,
    pub(super) text: String,
}

/// What is wrong with a configuration, and where.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Problem {
    pub(super) what: String,
    pub(super) line: usize,
    pub(super) key: Option<String>,
    pub(super) hint: Option<String>,
}

impl From<Flaw> for Problem {
    fn from(flaw: Flaw) -> Problem {
        Problem {
            what: flaw.what,
            line: flaw.line,
            ..Problem::default()
        }
    }
}

/// Puts a file's settings into the configuration; returns what the file gives.
pub(super) fn apply(
    config: &mut Config,
    text: &str,
    whose: Who,
    home: Option<&Path>,
) -> Result<Vec<Written>, Problem> {
    let mut given = vec![];
    for node in &yaml::parse(text.strip_prefix('\u{feff}').unwrap_or(text))?.nodes {
        let Some(setting) = setting_of(node)? else {
            continue;
        };
        if whose == Who::Project && setting.who == Who::User {
            return Err(not_for_projects(node));
        }
        match &node.body {
            Body::Nothing(_) => {}
            Body::Text(text, ..) => {
                let put = setting.takes.put(config, text.trim(), home);
                put.map_err(|_| wrong(node, setting, whose, &format!("'{}'", shortened(text))))?;
                given.push(Written {
                    setting,
                    text: text.trim().to_owned(),
                });
            }
            Body::List(_) => return Err(wrong(node, setting, whose, "a list")),
            Body::Block | Body::Braces(_) => return Err(wrong(node, setting, whose, "a section")),
        }
    }
    Ok(given)
}

/// Returns the setting of a node; none when it is a section with nothing wrong about it.
fn setting_of(node: &Node) -> Result<Option<&'static Setting>, Problem> {
    let is_open = matches!(node.body, Body::Nothing(_) | Body::Block | Body::Braces(_));
    let key = &node.key;
    match table::find(key) {
        Some(setting) => Ok(Some(setting)),
        None if !table::is_section(key) => {
            let what = format!("'{}' is not a setting", shortened(key));
            Err(Problem {
                hint: Some(table::meant(key)),
                ..problem(node, what)
            })
        }
        None if is_open => Ok(None),
        None => Err(problem(
            node,
            format!("'{key}' is a section; name one of its settings"),
        )),
    }
}

fn wrong(node: &Node, setting: &Setting, whose: Who, found: &str) -> Problem {
    let key = setting.key;
    let meant = match &node.body {
        Body::Text(text, ..) => setting
            .takes
            .meant(text)
            .map(|meant| format!("Did you mean '{meant}'?")),
        _ => None,
    };
    // What mends the user's file does nothing for the project's.
    let mend = (whose == Who::User).then(|| match node.body {
        Body::Block | Body::Braces(_) => format!("'memory config unset {key}' removes it"),
        _ => format!(
            "'memory config set {key} VALUE' corrects it, 'memory config unset {key}' removes it"
        ),
    });
    let what = format!(
        "{key} cannot be {found}; expected {}",
        setting.takes.expected()
    );
    Problem {
        hint: meant.or(mend),
        ..problem(node, what)
    }
}

fn not_for_projects(node: &Node) -> Problem {
    let what = format!("{} can only be set by the user, not by a project", node.key);
    let hint = format!(
        "Remove the line; 'memory config set {} VALUE' sets it for your user",
        node.key
    );
    Problem {
        hint: Some(hint),
        ..problem(node, what)
    }
}

fn problem(node: &Node, what: String) -> Problem {
    Problem {
        what,
        line: node.line,
        key: Some(node.key.clone()),
        hint: None,
    }
}

fn shortened(text: &str) -> String {
    match text.char_indices().nth(SHOWN_CHARS) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use memory_core::Span;

    use super::*;
    use crate::config::Method;

    fn read(text: &str) -> Result<Config, Problem> {
        let mut config = Config::default();
        apply(&mut config, text, Who::User, Some(Path::new("/home/me"))).map(|_| config)
    }

    #[track_caller]
    fn check(text: &str, what: &str, line: usize, hint: &str) {
        let found = read(text).unwrap_err();
        assert_eq!((found.what.as_str(), found.line), (what, line));
        assert_eq!(found.hint.as_deref().unwrap_or_default(), hint);
    }

    #[test]
    fn the_specification_s_example_is_read() {
        let config = read(include_str!("../../tests/specification_001.yaml")).unwrap();
        assert_eq!(config.storage.root, Some("/home/me/.memory".into()));
        assert_eq!(config.storage.short_term_ttl, Span::seconds(7 * 86_400));
        assert_eq!(config.daemon, Config::default().daemon);
        assert_eq!(config.notification.method, Method::Osascript);
        assert_eq!(config.time_zone().iana_name(), Some("Asia/Shanghai"));
        assert_eq!(
            config.ingestion.obsidian.path,
            Some("/home/me/my-vault".into())
        );
    }

    #[test]
    fn what_says_nothing_is_the_default() {
        for text in [
            "",
            "# nothing\n",
            "---\n",
            "\u{feff}",
            "banks:\n",
            "banks: {}\n",
            "banks:\n  user_dir:\n",
        ] {
            assert_eq!(read(text), Ok(Config::default()), "{text:?}");
        }
    }

    #[test]
    fn a_byte_order_mark_and_foreign_line_ends_do_no_harm() {
        let config =
            read("\u{feff}# mine\r\nbanks:\r\n  compress: true\r\n  user_dir: ~/b\r\n").unwrap();
        assert_eq!(
            (config.banks.compress, config.banks.user_dir),
            (true, Some("/home/me/b".into()))
        );
    }

    #[test]
    fn an_unknown_name_is_told_with_its_line_and_what_was_meant() {
        let unknown = |name: &str| format!("'{name}' is not a setting");
        check(
            "banks:\n  compres: true\n",
            &unknown("banks.compres"),
            2,
            "Did you mean 'banks.compress'?",
        );
        check(
            "\ndeamon:\n  interval: 5s\n",
            &unknown("deamon"),
            2,
            "Did you mean 'daemon'?",
        );
        check(
            "ingestion:\n  logseq:\n    path: a\n  obsidian:\n    pat: b\n",
            &unknown("ingestion.obsidian.pat"),
            5,
            "Did you mean 'ingestion.obsidian.path'?",
        );
        check(
            "storage: 3\n",
            "'storage' is a section; name one of its settings",
            1,
            "",
        );
    }

    #[test]
    fn a_wrong_value_is_told_with_its_line_and_what_it_can_be() {
        let mend = |key: &str| {
            format!(
                "'memory config set {key} VALUE' corrects it, 'memory config unset {key}' removes it"
            )
        };
        check(
            "daemon:\n  # often\n  interval: 60\n",
            "daemon.interval cannot be '60'; expected a duration such as 60s, 2h30m or 30d",
            3,
            &mend("daemon.interval"),
        );
        check(
            "notification: {method: fil}\n",
            "notification.method cannot be 'fil'; expected auto, osascript, desktop or file",
            1,
            "Did you mean 'file'?",
        );
        check(
            "timezone: Asia/Shangai\n",
            "timezone cannot be 'Asia/Shangai'; expected a time zone such as Europe/Berlin",
            1,
            "Did you mean 'Asia/Shanghai'?",
        );
        let not_bool = "expected true or false";
        check(
            "ingestion:\n  logseq:\n    enabled: true\n  obsidian:\n    enabled: maybe\n",
            &format!("ingestion.obsidian.enabled cannot be 'maybe'; {not_bool}"),
            5,
            &mend("ingestion.obsidian.enabled"),
        );
        check(
            "banks: {compress: [1]}\n",
            &format!("banks.compress cannot be a list; {not_bool}"),
            1,
            &mend("banks.compress"),
        );
        check(
            "banks:\n  compress:\n    x: 1\n",
            &format!("banks.compress cannot be a section; {not_bool}"),
            2,
            "'memory config unset banks.compress' removes it",
        );
        let long = format!("banks:\n  compress: {}\n", "x".repeat(500));
        assert!(
            read(&long).unwrap_err().what.chars().count() < 120,
            "a long value is shortened"
        );
    }

    #[test]
    fn a_project_chooses_no_paths() {
        let mut config = Config::default();
        let mut project = |text| apply(&mut config, text, Who::Project, None);
        assert_eq!(
            project("banks:\n  compress: true\n").map(|given| given.len()),
            Ok(1)
        );
        for text in [
            "storage:\n  root: /x\n",
            "banks:\n  user_dir:\n",
            "ingestion: {\n logseq: {path: /x}}\n",
        ] {
            let found = project(text).unwrap_err();
            assert!(
                found
                    .what
                    .ends_with("can only be set by the user, not by a project"),
                "{found:?}"
            );
            assert_eq!(found.line, 2);
        }
    }
}
