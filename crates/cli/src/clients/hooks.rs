//! Our hooks in a client's file: `memory hook` when a session begins and when a prompt is sent.

use serde_json::{Value, json};

use super::program::is_our_hook;
use super::{Client, Program};
use crate::splice::{self, Refusal, Step};

/// How long a client waits for us, although we never take that long, in seconds.
const TIMEOUT: u64 = 5;
/// Not when a session is resumed: what was told then is still in it.
const STARTS: &str = "startup|clear|compact";

/// Returns the events that we answer.
pub(super) fn events(client: Client) -> &'static [&'static str] {
    match client {
        Client::ClaudeCode | Client::Codex => &["SessionStart", "UserPromptSubmit"],
        Client::Gemini => &["SessionStart", "BeforeAgent"],
        _ => &[],
    }
}

/// Where a handler of ours stands: in which group, and which it is there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Found {
    group: usize,
    handler: usize,
    is_alone: bool,
    pub(super) line: String,
}

/// Finds our handler of an event.
pub(super) fn find(text: &str, event: &str) -> Result<Option<Found>, Refusal> {
    let root = splice::read(text)?;
    let groups = root["hooks"][event].as_array().cloned().unwrap_or_default();
    let found = groups.iter().enumerate().find_map(|(group, of)| {
        let handlers = of["hooks"].as_array()?;
        handlers.iter().enumerate().find_map(|(handler, entry)| {
            let line = entry["command"].as_str().filter(|line| is_our_hook(line))?.to_owned();
            Some(Found { group, handler, is_alone: handlers.len() == 1, line })
        })
    });
    Ok(found)
}

/// Returns the text with our handler of an event.
pub(super) fn put(client: Client, text: &str, event: &str, program: &Program) -> Result<String, Refusal> {
    let line = line(client, program);
    match find(text, event)? {
        Some(found) if found.line == line => Ok(text.to_owned()),
        Some(found) => {
            let place = [handler_place(event, &found), Step::keys(&["command"])].concat();
            splice::put(text, &place, &line.into())
        }
        None => {
            let count = splice::read(text)?["hooks"][event].as_array().map_or(0, Vec::len);
            splice::put(text, &group_place(event, count), &group(client, event, program))
        }
    }
}

/// Returns the text without our handler of an event.
pub(super) fn take(text: &str, event: &str) -> Result<String, Refusal> {
    match find(text, event)? {
        None => Ok(text.to_owned()),
        Some(found) if found.is_alone => splice::take(text, &group_place(event, found.group)),
        Some(found) => splice::take(text, &handler_place(event, &found)),
    }
}

/// Returns the line that the client gives to its shell.
pub(super) fn line(client: Client, program: &Program) -> String {
    program.hook_line(match client {
        Client::Codex => "codex",
        Client::Gemini => "gemini",
        _ => "claude",
    })
}

fn group(client: Client, event: &str, program: &Program) -> Value {
    let line = line(client, program);
    let handler = match client {
        Client::Gemini => {
            json!({"name": "memory", "type": "command", "command": line, "timeout": TIMEOUT * 1000})
        }
        _ => json!({"type": "command", "command": line, "timeout": TIMEOUT}),
    };
    match (client, event) {
        // Gemini compares a matcher whole: none means every start, and the hook sorts them itself.
        (Client::ClaudeCode | Client::Codex, "SessionStart") => {
            json!({"matcher": STARTS, "hooks": [handler]})
        }
        _ => json!({"hooks": [handler]}),
    }
}

fn group_place(event: &str, group: usize) -> Vec<Step> {
    [Step::keys(&["hooks", event]), vec![Step::Index(group)]].concat()
}

fn handler_place(event: &str, found: &Found) -> Vec<Step> {
    [group_place(event, found.group), Step::keys(&["hooks"]), vec![Step::Index(found.handler)]].concat()
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    #[test]
    fn a_handler_comes_moves_and_goes_among_those_of_others() {
        let old = Program::new(Path::new("/old/memory"), vec![]);
        let new = Program::new(Path::new("/new/memory"), vec![]);
        let before = "{\n  \"hooks\": {\n    \"UserPromptSubmit\": [\n      {\"hooks\": [{\"type\": \"command\", \"command\": \"x\"}]}\n    ]\n  }\n}\n";
        let put = |text: &str, program| put(Client::ClaudeCode, text, "UserPromptSubmit", program).unwrap();
        let first = put(before, &old);
        assert_eq!(put(&first, &old), first, "again");
        let moved = put(&first, &new);
        assert_eq!(moved, first.replace("/old/", "/new/"));
        assert_eq!(take(&moved, "UserPromptSubmit").unwrap(), before);
    }

    #[test]
    fn a_handler_that_the_user_moved_into_a_group_of_theirs_goes_alone() {
        let text =
            r#"{"hooks": {"SessionStart": [{"hooks": [{"command": "x"}, {"command": "memory hook"}]}]}}"#;
        let after = take(text, "SessionStart").unwrap();
        assert_eq!(after, r#"{"hooks": {"SessionStart": [{"hooks": [{"command": "x"}]}]}}"#);
    }

    #[test]
    fn each_client_has_its_own_shape() {
        let program = Program::new(Path::new("/bin/memory"), vec![]);
        let shown = |client, event| group(client, event, &program).to_string();
        assert_eq!(
            shown(Client::ClaudeCode, "SessionStart"),
            r#"{"matcher":"startup|clear|compact","hooks":[{"type":"command","command":"/bin/memory hook --agent claude","timeout":5}]}"#
        );
        assert_eq!(
            shown(Client::Gemini, "BeforeAgent"),
            r#"{"hooks":[{"name":"memory","type":"command","command":"/bin/memory hook --agent gemini","timeout":5000}]}"#
        );
    }
}
