//! The table of settings: each declared once, for reading, checking, setting, listing and help.
//!
//! A row names the field of [`Config`](super::Config) that it fills, so that a setting can't be
//! known here and lost there. The defaults are written as a user would; a test holds them against
//! the typed ones.

use memory_compartments::PlanScope;
use memory_core::{Code, Error, nearest};

use super::takes::Takes;
use super::{BeforeFails, Config, Method};

/// One setting.
#[derive(Debug)]
pub(crate) struct Setting {
    pub(crate) key: &'static str,
    pub(crate) takes: Takes,
    /// The default as people read it. That of a path may depend on the machine.
    pub(crate) default: &'static str,
    pub(crate) about: &'static str,
    pub(crate) who: Who,
}

/// Whose configuration may say it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Who {
    /// The user's alone: a repository sets no lifecycle, notification, path, program or address for its user.
    User,
    /// The user's, and a project's before it.
    Project,
}

/// Every setting, section by section.
pub(crate) static SETTINGS: &[Setting] = &[
    Setting {
        key: "storage.root",
        takes: Takes::Path(|config| &mut config.storage.root),
        default: "~/.memory",
        about: "Directory of the notes and of the recall index",
        who: Who::User,
    },
    Setting {
        key: "storage.short_term_ttl",
        takes: Takes::Length(|config| &mut config.storage.short_term_ttl),
        default: "168h",
        about: "How long a note stays in the inbox before it is archived",
        who: Who::User,
    },
    Setting {
        key: "daemon.interval",
        takes: Takes::Length(|config| &mut config.daemon.interval),
        default: "60s",
        about: "Interval of the maintenance that 'serve' runs",
        who: Who::User,
    },
    Setting {
        key: "daemon.decay_threshold",
        takes: Takes::Length(|config| &mut config.daemon.decay_threshold),
        default: "720h",
        about: "How long a categorized note that was never used stays before it is archived",
        who: Who::User,
    },
    Setting {
        key: "daemon.upgrade_access_threshold",
        takes: Takes::Number(|config| &mut config.daemon.upgrade_access_threshold),
        default: "3",
        about: "Number of uses after which a note leaves the inbox for a category",
        who: Who::User,
    },
    Setting {
        key: "notification.enabled",
        takes: Takes::Switch(|config| &mut config.notification.enabled),
        default: "true",
        about: "Whether due reminders are shown",
        who: Who::User,
    },
    Setting {
        key: "notification.method",
        takes: Takes::Choice(&["auto", "osascript", "desktop", "file"], put_method),
        default: "auto",
        about: "How due reminders are shown: osascript, desktop, file, or auto (the first that works)",
        who: Who::User,
    },
    Setting {
        key: "timezone",
        takes: Takes::Zone(|config| &mut config.timezone),
        default: "the system's",
        about: "Time zone of times in notes and questions, such as Europe/Berlin",
        who: Who::Project,
    },
    Setting {
        key: "ingestion.logseq.path",
        takes: Takes::Path(|config| &mut config.ingestion.logseq.path),
        default: "none",
        about: "Directory of a Logseq graph",
        who: Who::User,
    },
    Setting {
        key: "ingestion.logseq.enabled",
        takes: Takes::Switch(|config| &mut config.ingestion.logseq.enabled),
        default: "true",
        about: "Whether 'ingest --source all' reads the Logseq graph",
        who: Who::User,
    },
    Setting {
        key: "ingestion.obsidian.path",
        takes: Takes::Path(|config| &mut config.ingestion.obsidian.path),
        default: "none",
        about: "Directory of an Obsidian vault",
        who: Who::User,
    },
    Setting {
        key: "ingestion.obsidian.enabled",
        takes: Takes::Switch(|config| &mut config.ingestion.obsidian.enabled),
        default: "true",
        about: "Whether 'ingest --source all' reads the Obsidian vault",
        who: Who::User,
    },
    Setting {
        key: "hooks.before",
        takes: Takes::Command(|config| &mut config.hooks.before),
        default: "none",
        about: "Command that runs before each tool call and can refuse it",
        who: Who::User,
    },
    Setting {
        key: "hooks.before_fails",
        takes: Takes::Choice(&["open", "closed"], put_before_fails),
        default: "open",
        about: "Whether a call is made (open) or refused (closed) if hooks.before fails or times out",
        who: Who::User,
    },
    Setting {
        key: "hooks.after",
        takes: Takes::Command(|config| &mut config.hooks.after),
        default: "none",
        about: "Command that runs after each tool call and can replace its result",
        who: Who::User,
    },
    Setting {
        key: "hooks.event",
        takes: Takes::Command(|config| &mut config.hooks.event),
        default: "none",
        about: "Command that receives every event",
        who: Who::User,
    },
    Setting {
        key: "hooks.timeout",
        takes: Takes::Length(|config| &mut config.hooks.timeout),
        default: "5s",
        about: "Time limit of hooks.before and hooks.after",
        who: Who::User,
    },
    Setting {
        key: "banks.user_dir",
        takes: Takes::Path(|config| &mut config.banks.user_dir),
        default: "~/.config/slop-mcp/memory",
        about: "Directory of the user's banks",
        who: Who::User,
    },
    Setting {
        key: "banks.compress",
        takes: Takes::Switch(|config| &mut config.banks.compress),
        default: "false",
        about: "Whether a bank of more than 1 MB is stored as NAME.json.gz",
        who: Who::Project,
    },
    Setting {
        key: "journal.path",
        takes: Takes::Path(|config| &mut config.journal.path),
        default: "~/.claude/agents/memories",
        about: "Directory of the journal",
        who: Who::User,
    },
    Setting {
        key: "conversations.path",
        takes: Takes::Path(|config| &mut config.conversations.path),
        default: "./memory_db",
        about: "Directory of the conversations",
        who: Who::User,
    },
    Setting {
        key: "conversations.openai_base_url",
        takes: Takes::Address(|config| &mut config.conversations.openai_base_url),
        default: "none",
        about: "Upstream server of 'proxy', such as http://127.0.0.1:11434/v1",
        who: Who::User,
    },
    Setting {
        key: "conversations.default_top_k",
        takes: Takes::Number(|config| &mut config.conversations.default_top_k),
        default: "5",
        about: "Number of memories that are recalled for a message",
        who: Who::Project,
    },
    Setting {
        key: "conversations.max_entries",
        takes: Takes::Number(|config| &mut config.conversations.max_entries),
        default: "500",
        about: "Number of facts and turns that a conversation holds",
        who: Who::User,
    },
    Setting {
        key: "conversations.mmr_lambda",
        takes: Takes::Share(|config| &mut config.conversations.mmr_lambda),
        default: "0.7",
        about: "Weight of relevance against diversity: 1 ignores diversity",
        who: Who::Project,
    },
    Setting {
        key: "conversations.recency_weight",
        takes: Takes::Share(|config| &mut config.conversations.recency_weight),
        default: "0.2",
        about: "Weight of recency against relevance: 0 ignores the age",
        who: Who::Project,
    },
    Setting {
        key: "conversations.score_threshold",
        takes: Takes::Threshold(|config| &mut config.conversations.score_threshold),
        default: "0.35",
        about: "Minimum relevance of a memory; the default applies to cross-encoders only",
        who: Who::Project,
    },
    Setting {
        key: "conversations.enable_summarization",
        takes: Takes::Switch(|config| &mut config.conversations.enable_summarization),
        default: "true",
        about: "Whether conversations are summarized",
        who: Who::Project,
    },
    Setting {
        key: "conversations.enable_git_versioning",
        takes: Takes::Switch(|config| &mut config.conversations.enable_git_versioning),
        default: "false",
        about: "Whether changes are committed to a Git repository in the directory",
        who: Who::User,
    },
    Setting {
        key: "conversations.start_watcher",
        takes: Takes::Switch(|config| &mut config.conversations.start_watcher),
        default: "false",
        about: "Whether 'serve' updates memory_index.json after edits by other programs",
        who: Who::User,
    },
    Setting {
        key: "llm.model",
        takes: Takes::Word("gpt-5-mini", |config| &mut config.llm.model),
        default: "none",
        about: "Language model that extracts facts and summarizes; \
                if not set, the one that the client requests, or gpt-4o-mini at llm.base_url",
        who: Who::User,
    },
    Setting {
        key: "compartments.storage_path",
        takes: Takes::Path(|config| &mut config.compartments.storage_path),
        default: "memory.json in the working directory",
        about: "Compartment file",
        who: Who::User,
    },
    Setting {
        key: "compartments.max_size_per_compartment",
        takes: Takes::Number(|config| &mut config.compartments.max_size),
        default: "10000",
        about: "Number of characters that a compartment holds",
        who: Who::Project,
    },
    Setting {
        key: "compartments.plan_scope",
        takes: Takes::Choice(&["session", "run"], put_plan_scope),
        default: "session",
        about: "Whether plans are shared (session) or belong to one run (run)",
        who: Who::Project,
    },
    Setting {
        key: "embedding.model",
        takes: Takes::Text(|config| &mut config.embedding.model),
        default: "auto",
        about: "Embedding model: auto, built-in, none, the name of an installed model, or openai:NAME",
        who: Who::User,
    },
    Setting {
        key: "embedding.base_url",
        takes: Takes::Address(|config| &mut config.embedding.base_url),
        default: "none",
        about: "OpenAI-compatible server of the embedding model openai:NAME",
        who: Who::User,
    },
    Setting {
        key: "embedding.api_key_env",
        takes: Takes::Text(|config| &mut config.embedding.api_key_env),
        default: "OPENAI_API_KEY",
        about: "Environment variable that holds the key of embedding.base_url",
        who: Who::User,
    },
    Setting {
        key: "embedding.hub_url",
        takes: Takes::Text(|config| &mut config.embedding.hub_url),
        default: "https://huggingface.co",
        about: "Server from which 'model install' downloads models",
        who: Who::User,
    },
    Setting {
        key: "retrieval.reranker",
        takes: Takes::Text(|config| &mut config.retrieval.reranker),
        default: "auto",
        about: "Reranker: auto, none, late, or the name of an installed cross-encoder",
        who: Who::Project,
    },
    Setting {
        key: "llm.base_url",
        takes: Takes::Address(|config| &mut config.llm.base_url),
        default: "none",
        about: "OpenAI-compatible server of the language model",
        who: Who::User,
    },
    Setting {
        key: "llm.api_key_env",
        takes: Takes::Text(|config| &mut config.llm.api_key_env),
        default: "OPENAI_API_KEY",
        about: "Environment variable that holds the key of llm.base_url",
        who: Who::User,
    },
    Setting {
        key: "llm.timeout",
        takes: Takes::Length(|config| &mut config.llm.timeout),
        default: "60s",
        about: "Time limit of one request to the language model",
        who: Who::User,
    },
];

fn put_method(config: &mut Config, name: &str) {
    config.notification.method = match name {
        "osascript" => Method::Osascript,
        "desktop" => Method::Desktop,
        "file" => Method::File,
        _ => Method::Auto,
    };
}

fn put_before_fails(config: &mut Config, name: &str) {
    config.hooks.before_fails = match name {
        "closed" => BeforeFails::Closed,
        _ => BeforeFails::Open,
    };
}

fn put_plan_scope(config: &mut Config, name: &str) {
    config.compartments.plan_scope = match name {
        "run" => PlanScope::Run,
        _ => PlanScope::Session,
    };
}

/// Returns the setting of a key.
pub(crate) fn find(key: &str) -> Option<&'static Setting> {
    SETTINGS.iter().find(|setting| setting.key == key)
}

/// Says whether there are settings below a name.
pub(crate) fn is_section(name: &str) -> bool {
    SETTINGS.iter().any(|setting| is_below(setting.key, name))
}

/// Says whether a key stands below a section.
pub(super) fn is_below(key: &str, section: &str) -> bool {
    key.strip_prefix(section)
        .is_some_and(|rest| rest.starts_with('.'))
}

/// Returns what may have been meant by a name that is neither a setting nor a section.
pub(super) fn meant(name: &str) -> String {
    let keys = || SETTINGS.iter().map(|setting| setting.key);
    let last = |key: &'static str| key.rsplit('.').next().unwrap_or(key);
    let like_whole = || nearest(name, sections().chain(keys()));
    let like_last = || {
        let word = nearest(name.rsplit('.').next()?, keys().map(last))?;
        let mut having = keys().filter(|key| last(key) == word);
        let first = having.next()?;
        having.next().is_none().then_some(first)
    };
    match like_whole().or_else(like_last) {
        Some(meant) => format!("Did you mean '{meant}'?"),
        None => "'memory config list' shows every setting".to_owned(),
    }
}

/// Returns the names that have settings below them.
fn sections() -> impl Iterator<Item = &'static str> {
    SETTINGS.iter().flat_map(|setting| {
        setting
            .key
            .match_indices('.')
            .map(|(dot, _)| &setting.key[..dot])
    })
}

/// Says that a key which a user named is no setting.
pub(crate) fn unknown(key: &str) -> Error {
    if !is_section(key) {
        return Error::new(Code::InvalidArgument, format!("'{key}' is not a setting"))
            .hint(meant(key))
            .with("key", key);
    }
    let below: Vec<&str> = SETTINGS
        .iter()
        .map(|s| s.key)
        .filter(|known| is_below(known, key))
        .collect();
    Error::new(
        Code::InvalidArgument,
        format!("'{key}' is a section; name one of its settings"),
    )
    .hint(format!("Its settings are {}", below.join(", ")))
    .with("key", key)
}

/// Describes every setting for a help page.
pub(crate) fn help() -> String {
    let width = SETTINGS
        .iter()
        .map(|setting| setting.key.len())
        .max()
        .unwrap_or_default()
        + 2;
    let row = |setting: &Setting| {
        format!(
            "  {:width$}{} ({})\n",
            setting.key, setting.about, setting.default
        )
    };
    format!(
        "Settings (and their defaults):\n{}",
        SETTINGS.iter().map(row).collect::<String>()
    )
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    #[test]
    fn the_defaults_of_the_table_are_those_of_the_types() {
        let mut config = Config::default();
        let written = |setting: &&Setting| {
            let takes = &setting.takes;
            !matches!(
                takes,
                Takes::Path(_)
                    | Takes::Zone(_)
                    | Takes::Command(_)
                    | Takes::Address(_)
                    | Takes::Word(..)
                    | Takes::Threshold(_)
            )
        };
        for setting in SETTINGS.iter().filter(written) {
            setting
                .takes
                .put(&mut config, setting.default, None)
                .unwrap();
        }
        assert_eq!(config, Config::default());
    }

    #[test]
    fn every_row_fills_a_field_of_its_own() {
        let home = Some(Path::new("/home/me"));
        let other = |takes: &Takes| match takes {
            Takes::Length(_) => "5m",
            Takes::Number(_) => "7",
            Takes::Path(_) => "~/x",
            Takes::Zone(_) => "Asia/Shanghai",
            Takes::Command(_) => "true",
            Takes::Text(_) => "other",
            Takes::Address(_) => "http://127.0.0.1:8080/v1",
            Takes::Share(_) | Takes::Threshold(_) => "0.5",
            Takes::Word(example, _) => example,
            Takes::Choice(names, _) => names[1],
            Takes::Switch(_) => "",
        };
        for setting in SETTINGS {
            let mut config = Config::default();
            let value = match (other(&setting.takes), setting.default) {
                ("", "true") => "false",
                ("", _) => "true",
                (other, _) => other,
            };
            setting.takes.put(&mut config, value, home).unwrap();
            assert_ne!(config, Config::default(), "{}", setting.key);
        }
    }

    #[test]
    fn what_was_meant_is_found_by_the_whole_key_by_a_section_or_by_its_last_word() {
        assert_eq!(meant("banks.compres"), "Did you mean 'banks.compress'?");
        assert_eq!(meant("deamon"), "Did you mean 'daemon'?");
        assert_eq!(
            meant("ingestion.obsidan"),
            "Did you mean 'ingestion.obsidian'?"
        );
        assert_eq!(meant("interval"), "Did you mean 'daemon.interval'?");
        assert_eq!(
            meant("notes.ttl"),
            "'memory config list' shows every setting"
        );
        assert_eq!(meant("enabled"), "'memory config list' shows every setting");
    }
}
