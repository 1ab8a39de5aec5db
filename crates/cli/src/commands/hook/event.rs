//! What a client says when it calls: the shapes of Claude Code, Codex and Gemini CLI in one.

use serde::Deserialize;

/// The JSON on standard input, as far as it matters; what else is there is passed over.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Input {
    pub(super) hook_event_name: String,
    /// Why a session begins: startup, resume, clear, compact.
    source: Option<String>,
    prompt: Option<String>,
    /// Only Gemini CLI says when.
    timestamp: Option<String>,
    /// Only Codex counts turns.
    turn_id: Option<String>,
}

/// What has happened.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Event {
    /// A session begins that does not know anything yet.
    Start,
    Prompt(String),
}

impl Input {
    /// Returns what has happened; none when there is nothing for us to say.
    pub(super) fn event(&self) -> Option<Event> {
        match self.hook_event_name.as_str() {
            // What was told before is still in a session that goes on.
            "SessionStart" if matches!(self.source.as_deref(), Some("resume" | "fork")) => None,
            "SessionStart" => Some(Event::Start),
            "UserPromptSubmit" | "BeforeAgent" => self.prompt.clone().map(Event::Prompt),
            _ => None,
        }
    }

    /// Guesses who asks, when the command line does not say.
    pub(super) fn agent(&self) -> &'static str {
        match (self.hook_event_name.as_str(), &self.timestamp, &self.turn_id) {
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
        check(r#"{"hook_event_name":"UserPromptSubmit","prompt":"hi","session_id":"1"}"#, "claude", prompt());
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
    fn there_is_nothing_to_say_to_other_events() {
        check(r#"{"hook_event_name":"SessionStart","source":"resume"}"#, "claude", None);
        check(r#"{"hook_event_name":"Stop"}"#, "claude", None);
        check("{}", "claude", None);
    }
}
