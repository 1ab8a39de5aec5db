//! What a client says when it calls: the shapes of Claude Code, Codex and Gemini CLI in one.

use serde::de::IgnoredAny;
use serde::{Deserialize, Deserializer};
use serde_json::Value;

/// The JSON on standard input, as far as it matters; what else is there is passed over, and so is what
/// is no text where a text belongs.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Input {
    #[serde(deserialize_with = "text")]
    hook_event_name: Option<String>,
    /// Why a session begins: startup, resume, clear, compact.
    #[serde(deserialize_with = "text")]
    source: Option<String>,
    #[serde(deserialize_with = "text")]
    prompt: Option<String>,
    /// Only Gemini CLI says when.
    timestamp: Option<IgnoredAny>,
    /// Only Codex counts turns.
    turn_id: Option<IgnoredAny>,
}

fn text<'de, D: Deserializer<'de>>(value: D) -> Result<Option<String>, D::Error> {
    Ok(match Value::deserialize(value)? {
        Value::String(text) => Some(text),
        _ => None,
    })
}

/// What has happened.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Event {
    /// A session begins that does not know anything yet.
    Start,
    Prompt(String),
}

impl Input {
    /// Returns what the client calls it.
    pub(super) fn name(&self) -> &str {
        self.hook_event_name.as_deref().unwrap_or_default()
    }

    /// Returns what has happened; none when there is nothing for us to say.
    pub(super) fn event(&self) -> Option<Event> {
        match self.name() {
            // What was told before is still in a session that goes on.
            "SessionStart" if matches!(self.source.as_deref(), Some("resume" | "fork")) => None,
            "SessionStart" => Some(Event::Start),
            "UserPromptSubmit" | "BeforeAgent" => self.prompt.clone().map(Event::Prompt),
            _ => None,
        }
    }

    /// Guesses who asks, when the command line does not say.
    pub(super) fn agent(&self) -> &'static str {
        match (self.name(), &self.timestamp, &self.turn_id) {
            ("BeforeAgent", ..) | (_, Some(_), _) => "gemini",
            (_, _, Some(_)) => "codex",
            _ => "claude",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(input: &str, agent: &str, event: Option<Event>) {
        let input: Input = serde_json::from_str(input).unwrap();
        assert_eq!((input.agent(), input.event()), (agent, event));
    }

    #[test]
    fn the_shapes_of_three_clients_are_understood() {
        let prompt = || Some(Event::Prompt("hi".into()));
        check(
            r#"{"hook_event_name":"SessionStart","source":"startup","cwd":"/x"}"#,
            "claude",
            Some(Event::Start),
        );
        check(
            r#"{"hook_event_name":"UserPromptSubmit","prompt":"hi","session_id":"1"}"#,
            "claude",
            prompt(),
        );
        check(
            r#"{"hook_event_name":"UserPromptSubmit","prompt":"hi","turn_id":"1","model":"o"}"#,
            "codex",
            prompt(),
        );
        check(
            r#"{"hook_event_name":"BeforeAgent","prompt":"hi","timestamp":"2026-05-07T10:00:00Z"}"#,
            "gemini",
            prompt(),
        );
    }

    #[test]
    fn what_is_of_another_type_hides_nothing_else() {
        let prompt = || Some(Event::Prompt("hi".into()));
        check(
            r#"{"hook_event_name":"UserPromptSubmit","prompt":"hi","turn_id":7,"source":[]}"#,
            "codex",
            prompt(),
        );
        check(
            r#"{"hook_event_name":"BeforeAgent","prompt":"hi","timestamp":1778148000}"#,
            "gemini",
            prompt(),
        );
        check(
            r#"{"hook_event_name":"SessionStart","source":{},"turn_id":null}"#,
            "claude",
            Some(Event::Start),
        );
        check(
            r#"{"hook_event_name":"UserPromptSubmit","prompt":["hi"]}"#,
            "claude",
            None,
        );
        check(r#"{"hook_event_name":1}"#, "claude", None);
    }

    #[test]
    fn there_is_nothing_to_say_to_other_events() {
        check(
            r#"{"hook_event_name":"SessionStart","source":"resume"}"#,
            "claude",
            None,
        );
        check(r#"{"hook_event_name":"Stop"}"#, "claude", None);
        check("{}", "claude", None);
    }
}
