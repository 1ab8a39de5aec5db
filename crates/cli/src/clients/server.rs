//! Our entry among a client's MCP servers: where it stands and which shape it has there.

use serde_json::{Map, Value, json};

use super::program::is_our_server;
use super::{Client, Program};
use crate::splice::{self, Refusal, Step, look_up};

/// The name under which clients know us.
const NAME: &str = "memory";

/// What a client's file says about a server with our name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Entry {
    None,
    /// Ours, and what it starts.
    Ours(Vec<String>),
    /// Somebody else's.
    Foreign(String),
}

/// Looks our entry up in the text of a client's file.
pub(super) fn find(client: Client, text: &str) -> Result<Entry, Refusal> {
    let found = match client {
        Client::Codex => splice::read_toml(text, ["mcp_servers", NAME])?,
        _ => look_up(&splice::read(text)?, &place(client)).cloned(),
    };
    let Some(found) = found else { return Ok(Entry::None) };
    let words = words(&found);
    let borrowed: Vec<&str> = words.iter().map(String::as_str).collect();
    Ok(match is_our_server(&borrowed) {
        true => Entry::Ours(words),
        false => Entry::Foreign(if words.is_empty() { found.to_string() } else { words.join(" ") }),
    })
}

/// Returns the words that an entry starts its server with.
fn words(entry: &Value) -> Vec<String> {
    let texts = |value: &Value| match value {
        Value::String(text) => vec![text.clone()],
        Value::Array(items) => items.iter().filter_map(|item| Some(item.as_str()?.to_owned())).collect(),
        _ => vec![],
    };
    [texts(&entry["command"]), texts(&entry["args"])].concat()
}

/// Returns the text with our entry. Fields that the user added to it stay.
pub(super) fn put(client: Client, text: &str, program: &Program) -> Result<String, Refusal> {
    if find(client, text)? == Entry::None {
        return match client {
            Client::Codex => splice::put_toml(text, ["mcp_servers", NAME], &essentials(client, program)),
            _ => splice::put(text, &place(client), &whole(client, program)),
        };
    }
    let fields = essentials(client, program);
    if client == Client::Codex {
        return splice::put_toml(text, ["mcp_servers", NAME], &fields);
    }
    fields.iter().try_fold(text.to_owned(), |text, (name, value)| {
        let field = [place(client), vec![Step::Key(name.clone())]].concat();
        let is_so = look_up(&splice::read(&text)?, &field) == Some(value);
        if is_so { Ok(text) } else { splice::put(&text, &field, value) }
    })
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
pub(super) fn whole(client: Client, program: &Program) -> Value {
    let (command, arguments) = (program.path(), program.server_arguments());
    match client {
        Client::ClaudeCode => json!({"type": "stdio", "command": command, "args": arguments, "env": {}}),
        Client::Copilot => json!({"type": "local", "command": command, "args": arguments, "tools": ["*"]}),
        Client::Vscode => json!({"type": "stdio", "command": command, "args": arguments}),
        Client::Opencode => {
            json!({"type": "local", "command": opencode_words(program), "enabled": true})
        }
        _ => json!({"command": command, "args": arguments}),
    }
}

/// Returns the fields without which the entry would not start us.
fn essentials(client: Client, program: &Program) -> Map<String, Value> {
    let fields = match client {
        Client::Opencode => json!({"command": opencode_words(program)}),
        _ => json!({"command": program.path(), "args": program.server_arguments()}),
    };
    fields.as_object().cloned().unwrap_or_default()
}

fn opencode_words(program: &Program) -> Vec<String> {
    [program.path().to_owned()].into_iter().chain(program.server_arguments()).collect()
}
