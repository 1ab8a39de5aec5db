//! The daemon as a process: writers at once, a sudden death, a signal to stop.

#![allow(clippy::disallowed_methods)] // a test looks behind the door's back

use std::io::{BufRead, BufReader, Write};
use std::os::unix::net::UnixStream;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::thread;

use memory_testkit::Home;
use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};

struct Daemon {
    process: Child,
    socket: PathBuf,
}

impl Daemon {
    /// Starts a daemon and waits until it says that it listens.
    fn start(home: &Home) -> Self {
        let mut process = memory(home, &["serve"])
            .stderr(Stdio::piped())
            .spawn()
            .expect("it starts");
        let mut lines = BufReader::new(process.stderr.take().expect("a pipe")).lines();
        let said = lines.by_ref().find(|line| {
            line.as_ref()
                .is_ok_and(|line| line.contains("Listening at"))
        });
        assert!(said.is_some(), "the daemon has ended");
        // Whoever does not read its log would stop it one day.
        thread::spawn(move || lines.for_each(drop));
        Daemon {
            process,
            socket: home.path().join(".memory/memory.sock"),
        }
    }

    fn client(&self) -> BufReader<UnixStream> {
        BufReader::new(UnixStream::connect(&self.socket).expect("it listens"))
    }
}

impl Drop for Daemon {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

fn memory(home: &Home, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_memory"));
    command
        .args(arguments)
        .env_clear()
        .env("HOME", home.path())
        .current_dir(home.path());
    command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null());
    command
}

/// Asks for one thing; none when the daemon is gone.
fn ask(client: &mut BufReader<UnixStream>, method: &str, params: Value) -> Option<Value> {
    let line = json!({ "id": 1, "method": method, "params": params });
    writeln!(client.get_mut(), "{line}").ok()?;
    let mut reply = String::new();
    client.read_line(&mut reply).ok()?;
    serde_json::from_str(&reply).ok()
}

/// Writes notes until `count` are acknowledged or the daemon is gone; returns their ids.
fn write_notes(client: &mut BufReader<UnixStream>, writer: usize, count: usize) -> Vec<String> {
    let mut ids = Vec::new();
    for n in 0..count {
        let content = format!("writer {writer} has written note {n}");
        let Some(reply) = ask(client, "memory_write", json!({ "content": content })) else {
            break;
        };
        ids.push(reply["result"]["id"].as_str().expect("an id").to_owned());
    }
    ids
}

fn known_ids(home: &Home) -> Vec<String> {
    let listed = memory(home, &["list", "--json"]).output().expect("it runs");
    let listed: Value = serde_json::from_slice(&listed.stdout).expect("it speaks JSON");
    let memories = listed["memories"].as_array().expect("a list");
    memories
        .iter()
        .map(|note| note["id"].as_str().expect("an id").to_owned())
        .collect()
}

#[test]
fn sixteen_clients_write_at_once_and_nothing_is_lost() {
    let home = Home::new();
    let daemon = Daemon::start(&home);
    let written: Vec<String> = thread::scope(|scope| {
        let writers: Vec<_> = (0..16)
            .map(|n| (n, daemon.client()))
            .map(|(n, mut client)| scope.spawn(move || write_notes(&mut client, n, 10)))
            .collect();
        let joined = writers
            .into_iter()
            .flat_map(|writer| writer.join().expect("ended"));
        joined.collect()
    });
    assert_eq!(written.len(), 160);
    let known = known_ids(&home);
    assert!(written.iter().all(|id| known.contains(id)));
    assert_eq!(known.len(), 160);
}

#[test]
fn a_killed_daemon_loses_nothing_that_it_acknowledged_and_blocks_no_one() {
    let home = Home::new();
    let mut daemon = Daemon::start(&home);
    let mut clients: Vec<_> = (0..4).map(|_| daemon.client()).collect();
    let first = write_notes(&mut clients[0], 99, 5);
    let acknowledged: Vec<String> = thread::scope(|scope| {
        let writing = clients.iter_mut().enumerate();
        let writers: Vec<_> = writing
            .map(|(n, client)| scope.spawn(move || write_notes(client, n, 10_000)))
            .collect();
        daemon.process.kill().expect("it can be killed");
        writers
            .into_iter()
            .flat_map(|writer| writer.join().expect("ended"))
            .collect()
    });
    let known = known_ids(&home);
    assert!(
        first
            .iter()
            .chain(&acknowledged)
            .all(|id| known.contains(id))
    );
    let next = Daemon::start(&home);
    assert!(ask(&mut next.client(), "memory_list", json!({})).is_some());
}

#[test]
fn a_signal_ends_it_well_and_only_one_runs() {
    let home = Home::new();
    let mut daemon = Daemon::start(&home);
    let status = memory(&home, &["serve", "--status", "--json"])
        .output()
        .expect("it runs");
    let said: Value = serde_json::from_slice(&status.stdout).expect("it speaks JSON");
    assert_eq!(
        (said["running"].as_bool(), said["pid"].as_u64()),
        (Some(true), Some(daemon.process.id().into()))
    );
    assert_eq!(
        memory(&home, &["serve"]).status().expect("it runs").code(),
        Some(4)
    );
    kill_process(Pid::from_child(&daemon.process), Signal::TERM).expect("it gets the signal");
    assert_eq!(daemon.process.wait().expect("it ends").code(), Some(0));
    assert!(!daemon.socket.exists());
    let status = memory(&home, &["serve", "--status"])
        .status()
        .expect("it runs");
    assert_eq!(status.code(), Some(3));
}

#[test]
fn memory_cli_mcp_starts_the_server_of_memory() {
    let home = Home::new();
    let request = json!({
        "jsonrpc": "2.0", "id": 1, "method": "initialize",
        "params": {
            "protocolVersion": "2025-06-18", "capabilities": {},
            "clientInfo": { "name": "test", "version": "1" },
        },
    });
    let mut command = Command::new(env!("CARGO_BIN_EXE_memory-cli"));
    command
        .arg("mcp")
        .env_clear()
        .env("HOME", home.path())
        .current_dir(home.path());
    let mut process = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("it starts");
    writeln!(process.stdin.take().expect("a pipe"), "{request}").expect("it reads");
    let output = process.wait_with_output().expect("it ends");
    let reply: Value = serde_json::from_slice(&output.stdout).expect("one line of JSON");
    assert_eq!(reply["result"]["serverInfo"]["name"], "memory");
}
