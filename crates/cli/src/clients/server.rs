//! Our entry among a client's MCP servers: where it stands and which shape it has there.

use serde_json::{Map, Value, json};

use super::{Client, Program, foreign};
use crate::splice::{self, Refusal, Step, look_up};

/// The name under which clients know us.
const NAME: &str = "memory";

/// What a client's file says about a server with our name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Entry {
    None,
    Ours(Ours),
    /// Somebody else's, as it may be shown.
    Foreign(String),
}

/// An entry of ours.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Ours {
    /// What it starts.
    pub(super) words: Vec<String>,
    /// The user has told the client not to start it.
    pub(super) is_off: bool,
}

/// Looks our entry up in the text of a client's file.
pub(super) fn find(client: Client, text: &str, program: &Program) -> Result<Entry, Refusal> {
    let found = match client {
        Client::Codex => splice::read_toml(text, ["mcp_servers", NAME])?,
        _ => look_up(&splice::read(text)?, &place(client)).cloned(),
    };
    let Some(found) = found else {
        return Ok(Entry::None);
    };
    let words = words(&found);
    let is_off = found["enabled"] == false || found["disabled"] == true;
    Ok(if program.is_our_server(&words) {
        Entry::Ours(Ours { words, is_off })
    } else {
        Entry::Foreign(foreign::shown(&found, &words))
    })
}

/// Returns the words that an entry starts its server with.
fn words(entry: &Value) -> Vec<String> {
    let texts = |value: &Value| match value {
        Value::String(text) => vec![text.clone()],
        Value::Array(items) => items
            .iter()
            .filter_map(|item| Some(item.as_str()?.to_owned()))
            .collect(),
        _ => vec![],
    };
    [texts(&entry["command"]), texts(&entry["args"])].concat()
}

/// Returns the text with our entry. What the user added to it stays.
pub(super) fn put(client: Client, text: &str, program: &Program) -> Result<String, Refusal> {
    let entry = find(client, text, program)?;
    let arguments = arguments(&entry, program);
    let fields = essentials(client, program, &arguments);
    match entry {
        Entry::Ours(ours) if program.is_served_by(&ours.words) => Ok(text.to_owned()),
        _ if client == Client::Codex => splice::put_toml(text, ["mcp_servers", NAME], &fields),
        Entry::None => splice::put(text, &place(client), &whole(client, program, &arguments)),
        _ => fields
            .iter()
            .try_fold(text.to_owned(), |text, (name, value)| {
                let field = [place(client), vec![Step::Key(name.clone())]].concat();
                let is_so = look_up(&splice::read(&text)?, &field) == Some(value);
                if is_so {
                    Ok(text)
                } else {
                    splice::put(&text, &field, value)
                }
            }),
    }
}

/// Returns the arguments of our entry: those that it has, if it has all that it needs.
pub(super) fn arguments(entry: &Entry, program: &Program) -> Vec<String> {
    let needed = program.server_arguments();
    match entry {
        Entry::Ours(ours) => match ours.words.split_first() {
            Some((_, there)) if there.starts_with(&needed) => there.to_vec(),
            _ => needed,
        },
        _ => needed,
    }
}

/// Returns the text without our entry.
pub(super) fn take(client: Client, text: &str) -> Result<String, Refusal> {
    match client {
        Client::Codex => splice::take_toml(text, ["mcp_servers", NAME]),
        _ => splice::take(text, &place(client)),
    }
}

/// Returns the way to our entry, as people read it.
pub(super) fn shown_place(client: Client) -> String {
    splice::shown(&place(client))
}

fn place(client: Client) -> Vec<Step> {
    let list = match client {
        Client::Codex => "mcp_servers",
        Client::Opencode => "mcp",
        Client::Vscode => "servers",
        _ => "mcpServers",
    };
    Step::keys(&[list, NAME])
}

/// Returns our entry as the client itself would write it.
pub(super) fn whole(client: Client, program: &Program, arguments: &[String]) -> Value {
    let command = program.path();
    match client {
        Client::ClaudeCode => {
            json!({"type": "stdio", "command": command, "args": arguments, "env": {}})
        }
        Client::Copilot => {
            json!({"type": "local", "command": command, "args": arguments, "tools": ["*"]})
        }
        Client::Vscode => json!({"type": "stdio", "command": command, "args": arguments}),
        Client::Opencode => {
            json!({"type": "local", "command": opencode_words(program, arguments), "enabled": true})
        }
        _ => json!({"command": command, "args": arguments}),
    }
}

/// Returns the fields without which the entry would not start us.
fn essentials(client: Client, program: &Program, arguments: &[String]) -> Map<String, Value> {
    let fields = match client {
        Client::Opencode => json!({"command": opencode_words(program, arguments)}),
        _ => json!({"command": program.path(), "args": arguments}),
    };
    fields.as_object().cloned().unwrap_or_default()
}

fn opencode_words(program: &Program, arguments: &[String]) -> Vec<String> {
    [program.path().to_owned()]
        .into_iter()
        .chain(arguments.iter().cloned())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::super::program::tests::program;
    use super::*;

    #[test]
    fn arguments_that_the_user_added_stay() {
        let program = program("/bin/memory", &[]);
        let json = r#"{"mcpServers": {"memory": {"command": "/bin/memory", "args": ["mcp", "--tools", "all"]}}}"#;
        assert_eq!(put(Client::Cursor, json, &program).unwrap(), json);
        let toml =
            "[mcp_servers.memory]\ncommand = '/bin/memory'\nargs = ['mcp', '--tools', 'all']\n";
        assert_eq!(put(Client::Codex, toml, &program).unwrap(), toml);
        let moved = put(Client::Cursor, &json.replace("/bin/", "/old/"), &program).unwrap();
        assert_eq!(moved, json, "the program has moved");
    }

    #[test]
    fn an_entry_may_be_switched_off() {
        let program = program("/bin/memory", &[]);
        let is_off = |client, text: &str| match find(client, text, &program).unwrap() {
            Entry::Ours(ours) => ours.is_off,
            other => panic!("{other:?}"),
        };
        let toml = "[mcp_servers.memory]\ncommand = '/bin/memory'\nargs = ['mcp']\n";
        assert!(!is_off(Client::Codex, toml));
        assert!(is_off(Client::Codex, &format!("{toml}enabled = false\n")));
        let json = r#"{"mcp": {"memory": {"command": ["/bin/memory", "mcp"], "enabled": false}}}"#;
        assert!(is_off(Client::Opencode, json));
    }
}
