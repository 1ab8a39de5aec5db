//! What a setting is in the end, and who says so: flag, variable, project, file or default.

use std::path::Path;

use serde_json::{Value, json};

use super::load::{Loaded, Source};
use super::table::Setting;
use super::takes::{Takes, expand};
use crate::house::Ground;
use crate::places;

/// A setting's value in effect.
#[derive(Debug)]
pub(crate) struct Effective {
    pub(crate) key: &'static str,
    /// As people read it; none when there is no value.
    pub(crate) text: Option<String>,
    /// As programs read it.
    pub(crate) value: Value,
    pub(crate) source: Source,
}

impl Effective {
    /// Renders it for programs.
    pub(crate) fn to_json(&self) -> Value {
        json!({ "key": self.key, "value": self.value, "source": self.source.to_string() })
    }
}

/// Returns what a setting is now. Paths are shown whole.
pub(crate) fn in_effect(setting: &'static Setting, loaded: &Loaded, ground: &Ground) -> Effective {
    let written = loaded.written(setting.key);
    let source = overriding(setting.key, ground).or(written.map(|(_, source)| source));
    let text = match (setting.key, setting.takes, written) {
        ("storage.root", ..) => {
            let root = places::notes_root(&ground.environment, &ground.flags, &loaded.config);
            root.as_deref().map(shown)
        }
        ("banks.user_dir", ..) => {
            places::user_banks(&ground.environment, &loaded.config).map(|spot| shown(&spot.path()))
        }
        ("journal.path", ..) => places::journal(&ground.environment, &loaded.config)
            .as_deref()
            .map(shown),
        ("conversations.path", ..) => places::conversations(&ground.environment, &loaded.config)
            .map(|spot| shown(&spot.path())),
        ("conversations.openai_base_url", ..) if ground.environment.openai_base_url.is_some() => {
            ground.environment.openai_base_url.clone()
        }
        ("timezone", _, None) => loaded.config.time_zone().iana_name().map(str::to_owned),
        (_, Takes::Path(_), written) => written
            .and_then(|(text, _)| expand(text, ground.environment.home.as_deref()))
            .as_deref()
            .map(shown),
        (_, Takes::Command(_) | Takes::Word(..) | Takes::Address(_), None) => None,
        (_, _, Some((text, _))) => Some(text.to_owned()),
        (_, _, None) => Some(setting.default.to_owned()),
    };
    let value = text
        .as_deref()
        .map_or(Value::Null, |text| setting.takes.to_json(text));
    Effective {
        key: setting.key,
        text,
        value,
        source: source.unwrap_or(Source::Default),
    }
}

/// Returns the flag or variable that goes before the files.
fn overriding(key: &str, ground: &Ground) -> Option<Source> {
    match key {
        "storage.root" if ground.flags.root.is_some() => Some(Source::Flag("--root")),
        "storage.root" => ground
            .environment
            .root
            .as_ref()
            .map(|_| Source::Variable("MEMORY_ROOT")),
        "banks.user_dir" => ground
            .environment
            .banks_dir
            .as_ref()
            .map(|_| Source::Variable("MEMORY_BANKS_DIR")),
        "conversations.openai_base_url" => ground
            .environment
            .openai_base_url
            .as_ref()
            .map(|_| Source::Variable("OPENAI_BASE_URL")),
        "journal.path" => ground
            .environment
            .journal_dir
            .as_ref()
            .map(|_| Source::Variable("MEMORY_DIR")),
        _ => None,
    }
}

fn shown(path: &Path) -> String {
    path.display().to_string()
}
