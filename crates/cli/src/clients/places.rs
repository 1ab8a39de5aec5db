//! Where each client keeps its configuration, for the user or for a project.

use std::path::{Path, PathBuf};

use memory_files::{Files, Spot};

use super::Client;
use crate::environment::Environment;

/// Where our journal is in Claude Code's folder, unless it was put elsewhere.
const JOURNAL: [&str; 2] = ["agents", "memories"];

/// The files of a client that concern us.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Places {
    /// Where it keeps its MCP servers.
    pub(crate) server: PathBuf,
    /// Another file that it reads servers from as well.
    twin: Option<PathBuf>,
    /// Where it keeps its hooks, if it has hooks that we can serve.
    pub(crate) hooks: Option<PathBuf>,
    /// Whether there is any sign of it on this machine.
    pub(crate) is_found: bool,
    /// The project whose files these are, if they are not the user's.
    pub(super) project: Option<PathBuf>,
}

impl Places {
    /// Returns every file in which our server may stand; new entries go to the first.
    pub(super) fn server_files(&self) -> impl Iterator<Item = &PathBuf> {
        [&self.server].into_iter().chain(&self.twin)
    }

    /// Returns every file that we may write.
    pub(crate) fn all_files(&self) -> impl Iterator<Item = &PathBuf> {
        self.server_files().chain(&self.hooks)
    }
}

/// Finds a client's files; none when it has none there.
pub(crate) fn find(
    client: Client,
    environment: &Environment,
    files: &Files,
    project: Option<&Path>,
) -> Option<Places> {
    let (server, hooks) = match project {
        Some(project) => in_project(client, project)?,
        None => of_user(client, environment)?,
    };
    let (server, twin) = if client == Client::Opencode {
        endings(server, files)
    } else {
        (server, None)
    };
    let is_found = project.is_some()
        || has_files(client, &server, hooks.as_deref(), environment, files)
        || client
            .command()
            .is_some_and(|command| environment.find_program(command, files).is_some());
    Some(Places {
        server,
        twin,
        hooks,
        is_found,
        project: project.map(Path::to_owned),
    })
}

/// Says whether a client has left anything where its files would be.
fn has_files(
    client: Client,
    server: &Path,
    hooks: Option<&Path>,
    environment: &Environment,
    files: &Files,
) -> bool {
    let is_there = |path: &Path| {
        files
            .stamp(&Spot::anchor(path))
            .is_ok_and(|there| there.is_some())
    };
    let folder = server
        .parent()
        .filter(|folder| Some(*folder) != environment.home.as_deref());
    let is_sign = |folder: &Path| {
        is_there(folder) && !(client == Client::ClaudeCode && has_only_our_journal(folder, files))
    };
    is_there(server)
        || folder.is_some_and(is_sign)
        || hooks.and_then(|hooks| hooks.parent()).is_some_and(is_sign)
}

/// The journal of this memory lies in Claude Code's folder whether there is a Claude Code or not.
fn has_only_our_journal(folder: &Path, files: &Files) -> bool {
    let [agents, memories] = JOURNAL;
    let has_only = |folder: &Spot, name: &str| {
        let items = files.list(folder).unwrap_or_default();
        !items.is_empty() && items.iter().all(|item| item.name == name)
    };
    let folder = Spot::anchor(folder);
    has_only(&folder, agents) && has_only(&folder.join(agents), memories)
}

type Pair = (PathBuf, Option<PathBuf>);

fn of_user(client: Client, environment: &Environment) -> Option<Pair> {
    let home = environment.home.clone()?;
    let foreign = &environment.clients;
    let config = environment
        .config_home
        .clone()
        .unwrap_or_else(|| home.join(".config"));
    let applications = if cfg!(target_os = "macos") {
        home.join("Library/Application Support")
    } else {
        config.clone()
    };
    Some(match client {
        Client::ClaudeCode => match &foreign.claude {
            Some(folder) => (
                folder.join(".claude.json"),
                Some(folder.join("settings.json")),
            ),
            None => (
                home.join(".claude.json"),
                Some(home.join(".claude/settings.json")),
            ),
        },
        Client::Codex => {
            let folder = foreign.codex.clone().unwrap_or_else(|| home.join(".codex"));
            (folder.join("config.toml"), Some(folder.join("hooks.json")))
        }
        Client::Gemini => {
            let settings = foreign
                .gemini
                .clone()
                .unwrap_or(home)
                .join(".gemini/settings.json");
            (settings.clone(), Some(settings))
        }
        Client::Copilot => {
            let folder = foreign
                .copilot
                .clone()
                .unwrap_or_else(|| home.join(".copilot"));
            (folder.join("mcp-config.json"), None)
        }
        Client::Opencode => (config.join("opencode/opencode.json"), None),
        Client::Cursor => (home.join(".cursor/mcp.json"), None),
        Client::Vscode => (applications.join("Code/User/mcp.json"), None),
        Client::ClaudeDesktop => (applications.join("Claude/claude_desktop_config.json"), None),
    })
}

fn in_project(client: Client, project: &Path) -> Option<Pair> {
    let at = |path: &str| project.join(path);
    Some(match client {
        Client::ClaudeCode => (at(".mcp.json"), Some(at(".claude/settings.json"))),
        Client::Codex => (at(".codex/config.toml"), Some(at(".codex/hooks.json"))),
        Client::Gemini => (
            at(".gemini/settings.json"),
            Some(at(".gemini/settings.json")),
        ),
        Client::Opencode => (at("opencode.json"), None),
        Client::Cursor => (at(".cursor/mcp.json"), None),
        Client::Vscode => (at(".vscode/mcp.json"), None),
        Client::Copilot | Client::ClaudeDesktop => return None,
    })
}

/// OpenCode reads both endings and merges them, the one with comments last.
fn endings(plain: PathBuf, files: &Files) -> (PathBuf, Option<PathBuf>) {
    let with_comments = plain.with_extension("jsonc");
    match files.stamp(&Spot::anchor(&with_comments)) {
        Ok(Some(_)) => (with_comments, Some(plain)),
        _ => (plain, None),
    }
}
