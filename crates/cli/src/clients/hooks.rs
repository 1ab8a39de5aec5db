//! Our hooks in a client's file: `memory hook` when a session begins and when a prompt is sent.

use serde_json::{Value, json};

use super::program::split;
use super::{Client, Program};
use crate::splice::{self, Refusal, Step, look_up};

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
    pub(super) line: String,
    pub(super) words: Vec<String>,
}

/// Finds our handlers of an event.
pub(super) fn find(text: &str, event: &str, program: &Program) -> Result<Vec<Found>, Refusal> {
    let root = splice::read(text)?;
    let groups = root["hooks"][event].as_array().cloned().unwrap_or_default();
    let found = groups.iter().enumerate().flat_map(|(group, of)| {
        let handlers = of["hooks"].as_array().cloned().unwrap_or_default();
        handlers
            .into_iter()
            .enumerate()
            .filter_map(move |(handler, entry)| {
                let line = entry["command"].as_str()?.to_owned();
                let words = split(&line);
                program.is_our_hook(&words).then_some(Found {
                    group,
                    handler,
                    line,
                    words,
                })
            })
    });
    Ok(found.collect())
}

/// Returns the text with our handler of an event. What the user added to its line stays.
pub(super) fn put(
    client: Client,
    text: &str,
    event: &str,
    program: &Program,
) -> Result<String, Refusal> {
    let found = find(text, event, program)?;
    if found
        .iter()
        .any(|found| program.is_hooked_by(&found.words, agent(client)))
    {
        return Ok(text.to_owned());
    }
    match found.first() {
        Some(found) => {
            let place = [handler_place(event, found), Step::keys(&["command"])].concat();
            splice::put(text, &place, &line(client, program).into())
        }
        None => {
            let count = splice::read(text)?["hooks"][event]
                .as_array()
                .map_or(0, Vec::len);
            splice::put(
                text,
                &group_place(event, count),
                &group(client, event, program),
            )
        }
    }
}

/// Returns the text without our handlers of an event.
pub(super) fn take(text: &str, event: &str, program: &Program) -> Result<String, Refusal> {
    // The last one first: those before it stay where they are.
    find(text, event, program)?
        .iter()
        .rev()
        .try_fold(text.to_owned(), |text, found| {
            let handlers = look_up(&splice::read(&text)?, &handlers_place(event, found)).cloned();
            match handlers.and_then(|handlers| Some(handlers.as_array()?.len())) {
                Some(2..) => splice::take(&text, &handler_place(event, found)),
                _ => splice::take(&text, &group_place(event, found.group)),
            }
        })
}

/// Returns the line that the client gives to its shell.
pub(super) fn line(client: Client, program: &Program) -> String {
    program.hook_line(agent(client))
}

/// Returns the name by which the hook knows who asks.
pub(super) fn agent(client: Client) -> &'static str {
    match client {
        Client::Codex => "codex",
        Client::Gemini => "gemini",
        _ => "claude",
    }
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

fn handlers_place(event: &str, found: &Found) -> Vec<Step> {
    [group_place(event, found.group), Step::keys(&["hooks"])].concat()
}

fn handler_place(event: &str, found: &Found) -> Vec<Step> {
    [
        handlers_place(event, found),
        vec![Step::Index(found.handler)],
    ]
    .concat()
}

#[cfg(test)]
mod tests {
    use super::super::program::tests::program;
    use super::*;

    #[test]
    fn a_handler_comes_moves_and_goes_among_those_of_others() {
        let old = program("/old/memory", &[]);
        let new = program("/new/memory", &[]);
        let before = "{\n  \"hooks\": {\n    \"UserPromptSubmit\": [\n      {\"hooks\": [{\"type\": \"command\", \"command\": \"x\"}]}\n    ]\n  }\n}\n";
        let put = |text: &str, program| {
            put(Client::ClaudeCode, text, "UserPromptSubmit", program).unwrap()
        };
        let first = put(before, &old);
        assert_eq!(put(&first, &old), first, "again");
        let moved = put(&first, &new);
        assert_eq!(moved, first.replace("/old/", "/new/"));
        assert_eq!(take(&moved, "UserPromptSubmit", &new).unwrap(), before);
    }

    #[test]
    fn a_handler_that_the_user_moved_into_a_group_of_theirs_goes_alone() {
        let text = r#"{"hooks": {"SessionStart": [{"hooks": [{"command": "x"}, {"command": "memory hook"}]}]}}"#;
        let after = take(text, "SessionStart", &program("/bin/memory", &[])).unwrap();
        assert_eq!(
            after,
            r#"{"hooks": {"SessionStart": [{"hooks": [{"command": "x"}]}]}}"#
        );
    }

    #[test]
    fn all_of_our_handlers_go_wherever_they_stand() {
        let text = r#"{"hooks": {"Stop": [{"hooks": [{"command": "/a/memory hook"}]}, {"hooks": [{"command": "memory hook"}, {"command": "x"}, {"command": "/b/memory-2 hook --agent claude"}]}, {"hooks": [{"command": "/c/memory hook"}, {"command": "/d/memory hook"}]}]}}"#;
        let after = take(text, "Stop", &program("/bin/memory", &[])).unwrap();
        assert_eq!(
            after,
            r#"{"hooks": {"Stop": [{"hooks": [{"command": "x"}]}]}}"#
        );
    }

    #[test]
    fn what_the_user_added_to_our_line_stays() {
        let program = program("/bin/memory", &[]);
        let text = r#"{"hooks": {"BeforeAgent": [{"hooks": [{"command": "/bin/memory hook --agent gemini 2>>/tmp/log"}]}]}}"#;
        assert_eq!(
            put(Client::Gemini, text, "BeforeAgent", &program).unwrap(),
            text
        );
    }

    #[test]
    fn each_client_has_its_own_shape() {
        let program = program("/bin/memory", &[]);
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
