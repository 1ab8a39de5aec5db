//! The configuration as commands use it: typed, checked, every setting with a value.
//!
//! `table.rs` declares every setting once; `load.rs` fills this from the files. A new setting is a
//! field here and a row there. Nothing in this file reads or parses.

mod check;
mod edit;
mod effect;
mod keep;
mod load;
mod project;
mod share;
mod table;
mod takes;
mod yaml;

use std::path::PathBuf;

use jiff::tz::TimeZone;
use memory_compartments::PlanScope;
use memory_core::Span;
use memory_notes::ingest;

pub(crate) use effect::{Effective, in_effect};
pub(crate) use keep::{set, unset};
pub(crate) use load::{Loaded, Source, load};
pub(crate) use share::Share;
pub(crate) use table::{SETTINGS, Setting, find, help, is_section, unknown};
#[cfg(test)]
pub(crate) use {table::Who, takes::Takes};

/// Every setting, as the files say or as it is by default.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Config {
    pub(crate) storage: Storage,
    pub(crate) daemon: Daemon,
    pub(crate) notification: Notification,
    /// The zone in which reminders are read; the system's when none is set.
    pub(crate) timezone: Option<TimeZone>,
    pub(crate) ingestion: Ingestion,
    pub(crate) hooks: Hooks,
    pub(crate) banks: Banks,
    pub(crate) journal: Journal,
    pub(crate) conversations: Conversations,
    pub(crate) compartments: Compartments,
    pub(crate) embedding: Embedding,
    pub(crate) retrieval: Retrieval,
    pub(crate) llm: Llm,
}

impl Config {
    /// Returns the zone in which reminders are read.
    pub(crate) fn time_zone(&self) -> TimeZone {
        self.timezone.clone().unwrap_or_else(TimeZone::system)
    }
}

/// Where notes are, and how long new ones stay in the inbox.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Storage {
    /// Ask `places::notes_root`, which also knows flags and variables.
    pub(crate) root: Option<PathBuf>,
    pub(crate) short_term_ttl: Span,
}

impl Default for Storage {
    fn default() -> Self {
        Storage {
            root: None,
            short_term_ttl: hours(168),
        }
    }
}

/// How `serve` looks after the notes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Daemon {
    pub(crate) interval: Span,
    pub(crate) decay_threshold: Span,
    pub(crate) upgrade_access_threshold: u64,
}

impl Default for Daemon {
    fn default() -> Self {
        Daemon {
            interval: Span::seconds(60),
            decay_threshold: hours(720),
            upgrade_access_threshold: 3,
        }
    }
}

/// Whether and how reminders are told.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Notification {
    pub(crate) enabled: bool,
    pub(crate) method: Method,
}

impl Default for Notification {
    fn default() -> Self {
        Notification {
            enabled: true,
            method: Method::Auto,
        }
    }
}

/// The way a reminder takes to its reader.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Method {
    /// Whatever works on this machine.
    Auto,
    Osascript,
    Desktop,
    File,
}

/// Which notes of other programs are taken in.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Ingestion {
    pub(crate) logseq: Vault,
    pub(crate) obsidian: Vault,
}

impl Ingestion {
    /// Says whether files of a program are taken in when all are asked for.
    pub(crate) fn includes(&self, source: ingest::Source) -> bool {
        match source {
            ingest::Source::Logseq => self.logseq.enabled,
            ingest::Source::Obsidian => self.obsidian.enabled,
            _ => true,
        }
    }
}

/// A folder of another program's notes. Without a path there is nothing to take in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Vault {
    pub(crate) path: Option<PathBuf>,
    pub(crate) enabled: bool,
}

impl Default for Vault {
    fn default() -> Self {
        Vault {
            path: None,
            enabled: true,
        }
    }
}

/// The user's own programs that look on while tools are called.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Hooks {
    pub(crate) before: Option<String>,
    pub(crate) before_fails: BeforeFails,
    pub(crate) after: Option<String>,
    pub(crate) event: Option<String>,
    pub(crate) timeout: Span,
}

/// What becomes of a call when the command that may refuse it fails or takes too long.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum BeforeFails {
    /// It is made.
    Open,
    /// It is refused.
    Closed,
}

impl Default for Hooks {
    fn default() -> Self {
        Hooks {
            before: None,
            before_fails: BeforeFails::Open,
            after: None,
            event: None,
            timeout: Span::seconds(5),
        }
    }
}

/// How banks are kept.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Banks {
    /// Where the user's banks are.
    pub(crate) user_dir: Option<PathBuf>,
    /// Whether banks of more than a megabyte are compressed.
    pub(crate) compress: bool,
}

/// Where the journal is kept.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Journal {
    /// Ask `places::journal`, which also knows the variable.
    pub(crate) path: Option<PathBuf>,
}

/// How conversations are kept and recalled (specification 002, section 6).
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Conversations {
    /// Ask `places::conversations`, which also knows the directory.
    pub(crate) path: Option<PathBuf>,
    pub(crate) openai_base_url: Option<String>,
    pub(crate) default_top_k: u64,
    pub(crate) max_entries: u64,
    pub(crate) mmr_lambda: Share,
    pub(crate) recency_weight: Share,
    /// None when 0.35 of a cross-encoder will do.
    pub(crate) score_threshold: Option<Share>,
    pub(crate) enable_summarization: bool,
    pub(crate) enable_git_versioning: bool,
    pub(crate) start_watcher: bool,
}

impl Default for Conversations {
    fn default() -> Self {
        Conversations {
            path: None,
            openai_base_url: None,
            default_top_k: 5,
            max_entries: 500,
            mmr_lambda: Share::of_hundred(70),
            recency_weight: Share::of_hundred(20),
            score_threshold: None,
            enable_summarization: true,
            enable_git_versioning: false,
            start_watcher: false,
        }
    }
}

/// How compartments are kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Compartments {
    /// Ask `places::compartments_file`, which also knows flags and the directory.
    pub(crate) storage_path: Option<PathBuf>,
    /// Characters that one compartment holds.
    pub(crate) max_size: u64,
    pub(crate) plan_scope: PlanScope,
}

impl Default for Compartments {
    fn default() -> Self {
        Compartments {
            storage_path: None,
            max_size: memory_compartments::limits::COMPARTMENT_CHARACTERS as u64,
            plan_scope: PlanScope::default(),
        }
    }
}

/// Which model makes vectors, and where it is found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Embedding {
    /// `auto`, `built-in`, `none`, the name of an installed model, or `openai:NAME`.
    pub(crate) model: String,
    pub(crate) base_url: Option<String>,
    /// The variable that holds the key; the key itself is in no file of ours.
    pub(crate) api_key_env: String,
    /// Where models are loaded from.
    pub(crate) hub_url: String,
}

impl Default for Embedding {
    fn default() -> Self {
        Embedding {
            model: "auto".to_owned(),
            base_url: None,
            api_key_env: KEY_VARIABLE.to_owned(),
            hub_url: "https://huggingface.co".to_owned(),
        }
    }
}

/// How what was found is put in order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Retrieval {
    /// `auto`, `none`, `late`, or the name of an installed cross-encoder.
    pub(crate) reranker: String,
}

impl Default for Retrieval {
    fn default() -> Self {
        Retrieval {
            reranker: "auto".to_owned(),
        }
    }
}

/// Which language model is asked, if any.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Llm {
    /// None when no language model is asked.
    pub(crate) base_url: Option<String>,
    /// None when the one that a client asks for will do.
    pub(crate) model: Option<String>,
    pub(crate) api_key_env: String,
    pub(crate) timeout: Span,
}

impl Default for Llm {
    fn default() -> Self {
        Llm {
            base_url: None,
            model: None,
            api_key_env: KEY_VARIABLE.to_owned(),
            timeout: Span::seconds(60),
        }
    }
}

const KEY_VARIABLE: &str = "OPENAI_API_KEY";

const fn hours(hours: u64) -> Span {
    Span::seconds(hours * 3_600)
}
