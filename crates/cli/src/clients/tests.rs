//! A client's files from end to end: connected, looked at, and given back as they were.

#![allow(clippy::disallowed_methods)] // a test looks behind the door's back

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use memory_core::Ids;
use memory_files::{Files, RealDisk};
use memory_testkit::{Home, clock};

use super::*;
use crate::environment::Environment;

const CONNECT: Wish = Wish::Connect { hooks: true };
const REMOVE: Wish = Wish::Remove { hooks: true };

/// A home with a program and the clients' folders in it.
struct World {
    home: Home,
    files: Files,
    program: Program,
}

impl World {
    fn new() -> Self {
        World::with_program("bin/memory")
    }

    fn with_program(name: &str) -> Self {
        let home = Home::new();
        let files = Files::new(Arc::new(RealDisk::default()), Ids::seeded(1));
        for folder in [
            "bin",
            ".claude",
            ".codex",
            ".gemini",
            ".cursor",
            ".config/opencode",
        ] {
            fs::create_dir_all(home.path().join(folder)).unwrap();
        }
        let path = home.path().join(name);
        fs::write(&path, "").unwrap();
        let program = Program::new(&path, vec![], Finder::new(&Environment::default(), &files));
        World {
            home,
            files,
            program,
        }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.home.path().join(name)
    }

    fn write(&self, name: &str, text: &str) {
        fs::write(self.path(name), text).unwrap();
    }

    fn read(&self, name: &str) -> Option<String> {
        fs::read_to_string(self.path(name)).ok()
    }

    fn places(&self, client: Client, project: Option<&Path>) -> Places {
        let environment = Environment {
            home: Some(self.home.path().to_owned()),
            ..Environment::default()
        };
        find_places(client, &environment, &self.files, project).unwrap()
    }

    fn plan(&self, client: Client, wish: Wish) -> Plan {
        let places = &self.places(client, None);
        let (program, files) = (&self.program, &self.files);
        Intent {
            client,
            places,
            program,
            files,
            wish,
            is_shared: false,
        }
        .plan()
    }

    /// Carries a wish out; returns how many files it changed.
    #[track_caller]
    fn fulfil(&self, client: Client, wish: Wish) -> usize {
        let plan = self.plan(client, wish);
        assert!(plan.problem.is_none(), "{:?}", plan.problem);
        plan.drafts
            .iter()
            .for_each(|draft| drop(draft.write(&self.files, clock().now()).unwrap()));
        plan.drafts.len()
    }

    fn look(&self, client: Client) -> Standing {
        look(
            client,
            &self.places(client, None),
            &self.program,
            &self.files,
        )
    }
}

#[test]
fn a_program_of_any_name_knows_what_it_has_registered() {
    for name in ["bin/memory", "bin/renamed"] {
        let world = World::with_program(name);
        for client in [Client::ClaudeCode, Client::Codex, Client::Gemini] {
            assert!(world.fulfil(client, CONNECT) > 0);
            assert_eq!(world.fulfil(client, CONNECT), 0, "{client:?} again");
            let standing = world.look(client);
            assert_eq!(
                (standing.server, standing.hooks),
                (ServerStanding::Current, HookStanding::Present)
            );
            assert!(world.fulfil(client, REMOVE) > 0);
            assert_eq!(world.fulfil(client, REMOVE), 0, "{client:?} again");
        }
    }
}

#[test]
fn a_file_is_given_back_as_it_was() {
    for before in [
        Some(""),
        Some("{}"),
        Some("{\"mcpServers\": {}}"),
        Some("{\n  \"hooks\": {\n    \"SessionStart\": []\n  },\n  \"mcpServers\": {}\n}"),
        Some("// mine\n{\"mcpServers\": {\"x\": {}}}\n"),
        None,
    ] {
        for client in [Client::Gemini, Client::Cursor] {
            let world = World::new();
            let file = if client == Client::Gemini {
                ".gemini/settings.json"
            } else {
                ".cursor/mcp.json"
            };
            before.into_iter().for_each(|text| world.write(file, text));
            world.fulfil(client, CONNECT);
            world.fulfil(client, REMOVE);
            assert_eq!(world.read(file).as_deref(), before, "{client:?}");
        }
    }
}

#[test]
fn what_was_changed_since_is_kept_when_a_file_is_given_back() {
    let world = World::new();
    world.write(".cursor/mcp.json", "{\"mcpServers\": {}}");
    world.fulfil(Client::Cursor, CONNECT);
    let text = world.read(".cursor/mcp.json").unwrap();
    world.write(
        ".cursor/mcp.json",
        &text.replacen('{', "{\"theirs\": 1, ", 1),
    );
    world.fulfil(Client::Cursor, REMOVE);
    assert!(world.read(".cursor/mcp.json").unwrap().contains("theirs"));
}

#[test]
fn a_file_that_we_made_goes_though_the_program_has_moved_since() {
    let mut world = World::new();
    world.fulfil(Client::Cursor, CONNECT);
    let moved = world.path("bin/moved");
    fs::rename(world.program.path(), &moved).unwrap();
    world.program = Program::new(
        &moved,
        vec![],
        Finder::new(&Environment::default(), &world.files),
    );
    assert_eq!(world.fulfil(Client::Cursor, CONNECT), 1);
    world.fulfil(Client::Cursor, REMOVE);
    assert_eq!(world.read(".cursor/mcp.json"), None);
}

#[test]
fn hooks_stay_when_only_the_server_goes() {
    let world = World::new();
    world.fulfil(Client::Gemini, CONNECT);
    world.fulfil(Client::Gemini, Wish::Remove { hooks: false });
    let standing = world.look(Client::Gemini);
    assert_eq!(
        (standing.server, standing.hooks),
        (ServerStanding::Absent, HookStanding::Present)
    );
}

#[test]
fn a_file_that_can_not_be_read_hinders_no_other() {
    let world = World::new();
    world.fulfil(Client::ClaudeCode, CONNECT);
    world.write(".claude/settings.json", "{");
    assert!(matches!(
        world.look(Client::ClaudeCode).hooks,
        HookStanding::Unreadable(_)
    ));
    let plan = world.plan(Client::ClaudeCode, REMOVE);
    assert!(plan.problem.is_some());
    assert_eq!(plan.drafts.len(), 1, "the server goes all the same");
    assert_eq!(
        world.fulfil(Client::ClaudeCode, Wish::Remove { hooks: false }),
        1
    );
    assert_eq!(world.read(".claude.json"), None);
}

#[test]
fn a_hook_whose_program_is_gone_is_told() {
    let world = World::new();
    let line = |program: &str| {
        let event = format!(r#"[{{"hooks": [{{"command": "{program} hook --agent claude"}}]}}]"#);
        world.write(
            ".claude/settings.json",
            &format!(r#"{{"hooks": {{"SessionStart": {event}, "UserPromptSubmit": {event}}}}}"#),
        );
        world.look(Client::ClaudeCode).hooks
    };
    assert!(matches!(line("/gone/memory"), HookStanding::Gone(_)));
    assert!(matches!(line("/bin/sh"), HookStanding::Other(_)));
    assert_eq!(line(world.program.path()), HookStanding::Present);
}

#[test]
fn an_entry_tells_what_it_starts_word_by_word() {
    let world = World::new();
    let program = world.program.path().to_owned();
    let server = |words: &str| {
        world.write(
            ".cursor/mcp.json",
            &format!(r#"{{"mcpServers": {{"memory": {words}}}}}"#),
        );
        world.look(Client::Cursor).server
    };
    let detour = program.replace("/bin/", "/bin/./");
    let current = server(&format!(
        r#"{{"command": "{detour}", "args": ["mcp", "--tools", "all"]}}"#
    ));
    assert_eq!(current, ServerStanding::Current);
    let rooted = server(&format!(
        r#"{{"command": "{program}", "args": ["--root", "/a mcp/b", "mcp"]}}"#
    ));
    assert_eq!(
        rooted,
        ServerStanding::Differs(vec![
            program,
            "--root".into(),
            "/a mcp/b".into(),
            "mcp".into()
        ])
    );
    let gone = server(r#"{"command": "/gone/memory", "args": ["--root", "/r", "mcp"]}"#);
    assert!(matches!(gone, ServerStanding::Gone(_)), "{gone:?}");
    let off = server(r#"{"command": "/gone/memory", "args": ["mcp"], "disabled": true}"#);
    assert_eq!(off, ServerStanding::Off);
}

#[test]
fn both_files_of_opencode_are_looked_at() {
    let world = World::new();
    let [plain, commented] = [
        ".config/opencode/opencode.json",
        ".config/opencode/opencode.jsonc",
    ];
    world.fulfil(Client::Opencode, CONNECT);
    let registered = world.read(plain).unwrap();
    world.write(commented, "{} // mine\n");
    assert_eq!(world.look(Client::Opencode).server, ServerStanding::Current);
    assert_eq!(
        world.fulfil(Client::Opencode, CONNECT),
        0,
        "it stands in one of them"
    );
    world.write(commented, &registered);
    assert_eq!(world.fulfil(Client::Opencode, REMOVE), 2);
    assert_eq!(world.look(Client::Opencode).server, ServerStanding::Absent);
    let project = world.path("project");
    fs::create_dir(&project).unwrap();
    fs::write(project.join("opencode.jsonc"), "{}").unwrap();
    assert_eq!(
        world.places(Client::Opencode, Some(&project)).server,
        project.join("opencode.jsonc")
    );
}

#[test]
fn a_link_stays_a_link_though_it_leads_nowhere_yet() {
    let world = World::new();
    fs::create_dir(world.path("dotfiles")).unwrap();
    symlink("../dotfiles/mcp.json", world.path(".cursor/mcp.json")).unwrap();
    world.fulfil(Client::Cursor, CONNECT);
    assert!(
        world
            .read("dotfiles/mcp.json")
            .unwrap()
            .contains("mcpServers")
    );
    world.fulfil(Client::Cursor, REMOVE);
    assert!(
        fs::symlink_metadata(world.path(".cursor/mcp.json"))
            .unwrap()
            .is_symlink()
    );
    assert_eq!(world.read("dotfiles/mcp.json").as_deref(), Some("{}\n"));
}

#[test]
fn our_own_journal_is_no_sign_of_claude_code() {
    let world = World::new();
    assert!(world.places(Client::ClaudeCode, None).is_found);
    fs::create_dir_all(world.path(".claude/agents/memories")).unwrap();
    assert!(!world.places(Client::ClaudeCode, None).is_found);
    world.write(".claude/agents/theirs.md", "");
    assert!(world.places(Client::ClaudeCode, None).is_found);
}
