//! The programs that can have this memory: who they are, where their files are, what stands there.
//!
//! A new client is a variant here, its files in `places.rs` and the shape of its entry in
//! `server.rs`. Nothing in this folder prints or asks.

mod change;
mod finder;
mod foreign;
mod hooks;
mod places;
mod program;
mod restore;
pub(crate) mod round_trip;
mod server;
mod standing;

pub(crate) use change::{Draft, Intent, Plan, Wish, abandoned_drafts};
pub(crate) use finder::Finder;
pub(crate) use places::{Places, find as find_places};
pub(crate) use program::{NAME as PROGRAM, Program};
pub(crate) use standing::{HookStanding, ServerStanding, Standing, look};

/// A program that speaks MCP.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Client {
    ClaudeCode,
    Codex,
    Gemini,
    Copilot,
    Opencode,
    Cursor,
    Vscode,
    ClaudeDesktop,
}

impl Client {
    pub(crate) const ALL: [Client; 8] = [
        Client::ClaudeCode,
        Client::Codex,
        Client::Gemini,
        Client::Copilot,
        Client::Opencode,
        Client::Cursor,
        Client::Vscode,
        Client::ClaudeDesktop,
    ];

    /// Returns the name by which commands know it.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Client::ClaudeCode => "claude-code",
            Client::Codex => "codex",
            Client::Gemini => "gemini",
            Client::Copilot => "copilot",
            Client::Opencode => "opencode",
            Client::Cursor => "cursor",
            Client::Vscode => "vscode",
            Client::ClaudeDesktop => "claude-desktop",
        }
    }

    /// Returns the name by which people know it.
    pub(crate) fn title(self) -> &'static str {
        match self {
            Client::ClaudeCode => "Claude Code",
            Client::Codex => "Codex",
            Client::Gemini => "Gemini CLI",
            Client::Copilot => "Copilot CLI",
            Client::Opencode => "OpenCode",
            Client::Cursor => "Cursor",
            Client::Vscode => "VS Code",
            Client::ClaudeDesktop => "Claude Desktop",
        }
    }

    /// Returns the command that it is started by; none for a program without one.
    fn command(self) -> Option<&'static str> {
        match self {
            Client::ClaudeCode => Some("claude"),
            Client::Codex => Some("codex"),
            Client::Gemini => Some("gemini"),
            Client::Copilot => Some("copilot"),
            Client::Opencode => Some("opencode"),
            Client::Cursor => Some("cursor"),
            Client::Vscode => Some("code"),
            Client::ClaudeDesktop => None,
        }
    }
}

#[cfg(test)]
mod tests;
