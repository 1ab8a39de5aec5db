//! The proxy as a process, between a client and a scripted upstream: what a model finds is on the disk,
//! and neither a sudden death nor a crowd loses or doubles anything.

#![allow(clippy::disallowed_methods, clippy::unwrap_used)] // a test looks behind the door's back

mod upstream;

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex};
use std::thread;

use memory_testkit::Home;
use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};

use upstream::{Asked, Upstream, post};

/// A proxy that runs.
struct Proxy {
    process: Child,
    address: String,
    /// What it has logged.
    said: Arc<Mutex<Vec<String>>>,
}

impl Proxy {
    /// Starts a proxy and waits until it says where it listens.
    fn start(home: &Home, upstream: &Upstream, flags: &[&str]) -> Self {
        let base = format!("http://{}/v1", upstream.address);
        let mut command = Command::new(env!("CARGO_BIN_EXE_memory"));
        command
            .args(["proxy", "--port", "0", "--openai-base-url", &base])
            .args(flags);
        command
            .env_clear()
            .env("HOME", home.path())
            .current_dir(home.path());
        let mut process = command
            .stdin(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .expect("it starts");
        let mut lines = BufReader::new(process.stderr.take().expect("a pipe"))
            .lines()
            .map_while(Result::ok);
        let begun = lines
            .by_ref()
            .find(|line| line.contains("Proxy at http://"))
            .expect("it listens");
        let address = begun
            .split("http://")
            .nth(1)
            .and_then(|rest| rest.split('/').next())
            .unwrap();
        let said: Arc<Mutex<Vec<String>>> = Arc::default();
        let heard = said.clone();
        thread::spawn(move || lines.for_each(|line| heard.lock().unwrap().push(line)));
        Proxy {
            process,
            address: address.to_owned(),
            said,
        }
    }

    /// Says something in a conversation; returns what was answered.
    fn chat(&self, conversation: &str, said: &str, headers: &[(&str, &str)]) -> String {
        let messages = json!([{ "role": "user", "content": said }]);
        let body = json!({ "model": "m", "memory_id": conversation, "messages": messages });
        let (status, reply) = post(&self.address, "/v1/chat/completions", headers, &body);
        assert_eq!(status, 200, "{reply}");
        let reply: Value = serde_json::from_str(&reply).unwrap();
        reply["choices"][0]["message"]["content"]
            .as_str()
            .unwrap()
            .to_owned()
    }

    /// Lets it finish; returns what it has logged.
    fn finish(mut self) -> Vec<String> {
        kill_process(Pid::from_child(&self.process), Signal::TERM).expect("it gets the signal");
        assert_eq!(self.process.wait().expect("it ends").code(), Some(0));
        self.said.lock().unwrap().clone()
    }
}

impl Drop for Proxy {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// Every file below a part of the store, in the order of their names, with its text.
fn files(home: &Home, below: &str) -> Vec<(PathBuf, String)> {
    let root = home.path().join("memory_db/entries").join(below);
    let all = home
        .snapshot()
        .into_iter()
        .filter(|(path, _)| path.starts_with(&root));
    all.map(|(path, bytes)| (path, String::from_utf8(bytes).unwrap()))
        .collect()
}

/// The contents of the entries below a part of the store.
fn contents(home: &Home, below: &str) -> Vec<String> {
    let body = |text: String| {
        text.splitn(3, "---\n")
            .nth(2)
            .unwrap_or_default()
            .trim()
            .to_owned()
    };
    files(home, below)
        .into_iter()
        .map(|(_, text)| body(text))
        .collect()
}

/// How many files of a conversation say that something still has to be done.
fn waiting(home: &Home, conversation: &str) -> usize {
    let below = files(home, &format!("{conversation}/.pending"));
    below
        .iter()
        .filter(|(_, text)| !text.trim().is_empty())
        .count()
}

fn id_of(path: &Path) -> String {
    path.file_stem()
        .unwrap()
        .to_string_lossy()
        .split("__")
        .nth(1)
        .unwrap()
        .to_owned()
}

#[test]
fn what_a_model_finds_reconciles_and_sums_up_is_on_the_disk_when_the_proxy_has_ended() {
    let home = Home::new();
    let upstream = Upstream::begin(|asked| match asked {
        Asked::Facts(said) if said.contains("hobby") => {
            let fact = |n| {
                format!(
                    "The user's hobby number {n} is {}",
                    "collecting rare old stamps ".repeat(6)
                )
            };
            json!([fact(1), fact(2), fact(3)]).to_string()
        }
        Asked::Facts(said) => json!([said.replace("I ", "The user ")]).to_string(),
        Asked::Reconcile { existing, new } => {
            let old = existing.iter().map(|(id, text)| {
                if text.contains("loves pizza") {
                    json!({ "id": id, "text": new[0], "event": "UPDATE" })
                } else {
                    json!({ "id": id, "text": text, "event": "NONE" })
                }
            });
            let is_update = existing
                .iter()
                .any(|(_, text)| text.contains("loves pizza"));
            let added = new.iter().enumerate().map(
                |(n, text)| json!({ "id": (100 + n).to_string(), "text": text, "event": "ADD" }),
            );
            let mut memories: Vec<Value> = old.collect();
            if !is_update {
                memories.extend(added);
            }
            Value::from(memories).to_string()
        }
        Asked::Summary => "The user collects stamps.".to_owned(),
        Asked::Client(said) => format!("Answer to {said}"),
    });
    let proxy = Proxy::start(&home, &upstream, &[]);
    assert_eq!(
        proxy.chat("c", "I loves pizza", &[]),
        "Answer to I loves pizza"
    );
    proxy.chat("c", "I hates pizza", &[]);
    proxy.chat("c", "my hobby", &[]);
    let log = proxy.finish();
    let facts = contents(&home, "c/facts");
    assert_eq!(facts.len(), 4, "{facts:?}");
    assert_eq!(facts[0], "The user hates pizza");
    let (grave, text) = files(&home, "c/deleted/facts").remove(0);
    let (new, _) = files(&home, "c/facts").remove(0);
    assert!(
        text.ends_with("The user loves pizza\n"),
        "{}",
        grave.display()
    );
    assert!(
        text.contains(&format!("replaced_by: {}\n", id_of(&new))),
        "{text}"
    );
    let (_, summary) = files(&home, "c/summaries/L3").remove(0);
    assert!(
        summary.ends_with("---\nThe user collects stamps.\n"),
        "{summary}"
    );
    assert!(
        summary.contains("summary_level: brief\n") && summary.contains("output_tokens: "),
        "{summary}"
    );
    assert_eq!(waiting(&home, "c"), 0);
    assert!(!log.iter().any(|line| line.contains(" warn ")), "{log:?}");
}

#[test]
fn a_model_that_fails_is_told_in_the_log_and_rules_do_its_work() {
    let home = Home::new();
    let upstream = Upstream::begin(|asked| match asked {
        Asked::Client(said) => format!("Answer to {said}"),
        _ => upstream::BROKEN.to_owned(),
    });
    let proxy = Proxy::start(&home, &upstream, &[]);
    proxy.chat("c", "I live in Oslo", &[]);
    let log = proxy.finish();
    assert_eq!(contents(&home, "c/facts"), ["The user lives in Oslo"]);
    let told = log
        .iter()
        .filter(|line| line.contains("The model failed"))
        .count();
    assert_eq!(told, 1, "{log:?}");
}

#[test]
fn a_proxy_that_is_killed_between_reply_and_afterwork_loses_nothing_and_doubles_nothing() {
    let home = Home::new();
    let gate = Arc::new(Mutex::new(()));
    let closed = gate.lock().unwrap();
    let model = gate.clone();
    let upstream = Upstream::begin(move |asked| match asked {
        Asked::Facts(said) => {
            drop(model.lock());
            json!([said.replace("I live", "The user lives")]).to_string()
        }
        Asked::Client(said) => format!("Answer to {said}"),
        _ => "[]".to_owned(),
    });
    let mut proxy = Proxy::start(&home, &upstream, &[]);
    proxy.chat("c", "I live in Oslo", &[]);
    proxy.process.kill().expect("it can be killed");
    proxy.process.wait().expect("it is gone");
    assert_eq!(contents(&home, "c/turns/user"), ["I live in Oslo"]);
    assert_eq!(
        contents(&home, "c/turns/assistant"),
        ["Answer to I live in Oslo"]
    );
    assert_eq!((files(&home, "c/facts").len(), waiting(&home, "c")), (0, 1));
    drop(closed);
    let next = Proxy::start(&home, &upstream, &[]);
    next.chat("other", "hello", &[]);
    next.finish();
    assert_eq!(contents(&home, "c/facts"), ["The user lives in Oslo"]);
    assert_eq!((files(&home, "c/turns").len(), waiting(&home, "c")), (2, 0));
}

#[test]
fn a_client_that_tries_again_is_answered_twice_and_kept_once() {
    let home = Home::new();
    let count = Mutex::new(0);
    let upstream = Upstream::begin(move |_| {
        let mut count = count.lock().unwrap();
        *count += 1;
        format!("Answer {count}")
    });
    let proxy = Proxy::start(&home, &upstream, &["--no-llm"]);
    assert_eq!(proxy.chat("c", "hello", &[]), "Answer 1");
    // The first answer never arrived.
    assert_eq!(
        proxy.chat("c", "hello", &[("x-stainless-retry-count", "1")]),
        "Answer 2"
    );
    proxy.finish();
    assert_eq!(contents(&home, "c/turns/user"), ["hello"]);
    assert_eq!(contents(&home, "c/turns/assistant"), ["Answer 2"]);
    assert_eq!(contents(&home, "c/deleted/turns/assistant"), ["Answer 1"]);
}

#[test]
fn a_name_that_no_conversation_can_have_is_refused_with_a_hint_and_nothing_is_asked() {
    let home = Home::new();
    let upstream = Upstream::begin(|_| panic!("nobody is asked"));
    let proxy = Proxy::start(&home, &upstream, &["--no-llm"]);
    for name in ["a\nb".to_owned(), " ".to_owned(), "x".repeat(513)] {
        let body =
            json!({ "memory_id": name, "messages": [{ "role": "user", "content": "hello" }] });
        let (status, reply) = post(&proxy.address, "/v1/chat/completions", &[], &body);
        let error = &serde_json::from_str::<Value>(&reply).unwrap()["error"];
        assert_eq!(
            (status, &error["type"], &error["param"]),
            (400, &json!("invalid_request_error"), &json!("memory_id"))
        );
        let message = error["message"].as_str().unwrap();
        assert!(
            message.ends_with(
                "is not a valid conversation name. A name has 1 to 512 characters and no control characters"
            ),
            "{message}"
        );
    }
    proxy.finish();
    assert!(files(&home, "").is_empty());
}

#[test]
fn the_repository_is_made_at_the_start_and_one_of_others_is_left_alone() {
    let upstream = Upstream::begin(|_| "hello".to_owned());
    let home = Home::new();
    let proxy = Proxy::start(&home, &upstream, &["--no-llm", "--git-versioning"]);
    assert!(home.path().join("memory_db/.git/HEAD").is_file());
    proxy.finish();
    let home = Home::new();
    let git = |arguments: &[&str]| {
        let output = Command::new("git")
            .args(arguments)
            .current_dir(home.path())
            .output()
            .unwrap();
        String::from_utf8(output.stdout).unwrap()
    };
    git(&["init", "--quiet", "memory_db"]);
    git(&["-C", "memory_db", "config", "user.name", "somebody"]);
    let proxy = Proxy::start(&home, &upstream, &["--no-llm", "--git-versioning"]);
    assert_eq!(proxy.chat("c", "hello", &[]), "hello");
    proxy.finish();
    assert_eq!(git(&["-C", "memory_db", "log", "--all"]), "");
    assert_eq!(contents(&home, "c/turns/user"), ["hello"]);
}

#[test]
fn the_key_may_stand_in_a_file_and_one_without_encryption_is_warned_of() {
    let home = Home::new();
    std::fs::write(home.path().join("key"), "sk-own\n").unwrap();
    let run = |flags: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_memory"));
        command
            .args(["proxy", "--port", "0", "--openai-api-key-file"])
            .args(flags);
        command
            .env_clear()
            .env("HOME", home.path())
            .current_dir(home.path());
        command
            .stdin(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap()
    };
    let mut process = run(&["key", "--openai-base-url", "http://192.0.2.1/v1"]);
    let lines = BufReader::new(process.stderr.take().unwrap())
        .lines()
        .map_while(Result::ok);
    let said: Vec<String> = lines
        .take_while(|line| !line.contains("Proxy at"))
        .collect();
    process.kill().unwrap();
    process.wait().unwrap();
    assert!(
        said.iter().any(|line| line.contains("without encryption")),
        "{said:?}"
    );
    let missing = run(&["missing", "--openai-base-url", "http://127.0.0.1:1/v1"])
        .wait_with_output()
        .unwrap();
    assert_eq!(missing.status.code(), Some(3));
    assert!(String::from_utf8_lossy(&missing.stderr).contains("does not contain a key"));
}

#[test]
fn a_token_that_others_could_read_is_replaced() {
    use std::os::unix::fs::PermissionsExt;
    let (home, upstream) = (Home::new(), Upstream::begin(|_| "hello".to_owned()));
    let path = home.path().join(".memory/.mcp-token");
    let token = || std::fs::read_to_string(&path).unwrap();
    Proxy::start(&home, &upstream, &["--no-llm"]).finish();
    let first = token();
    Proxy::start(&home, &upstream, &["--no-llm"]).finish();
    assert_eq!(token(), first);
    std::fs::set_permissions(&path, PermissionsExt::from_mode(0o644)).unwrap();
    Proxy::start(&home, &upstream, &["--no-llm"]).finish();
    assert_ne!(token(), first);
    assert_eq!(
        std::fs::metadata(&path).unwrap().permissions().mode() & 0o777,
        0o600
    );
}

#[test]
fn fifty_chats_at_once_through_two_proxies_on_one_store_are_all_kept_once() {
    let home = Home::new();
    let upstream = Upstream::begin(|asked| match asked {
        Asked::Client(said) => format!("Answer to {said}"),
        _ => "[]".to_owned(),
    });
    let proxies = [(); 2].map(|()| Proxy::start(&home, &upstream, &["--no-llm"]));
    thread::scope(|scope| {
        for n in 0..50 {
            let proxy = &proxies[n % 2];
            scope.spawn(move || {
                proxy.chat(
                    &format!("c{}", n % 5),
                    &format!("My number {n} is lucky"),
                    &[],
                )
            });
        }
    });
    proxies.into_iter().for_each(|proxy| drop(proxy.finish()));
    let mut said = Vec::new();
    for c in 0..5 {
        let users = contents(&home, &format!("c{c}/turns/user"));
        let mut answers = contents(&home, &format!("c{c}/turns/assistant"));
        answers.sort();
        let mut expected: Vec<String> = users
            .iter()
            .map(|user| format!("Answer to {user}"))
            .collect();
        expected.sort();
        assert_eq!(answers, expected);
        assert_eq!(waiting(&home, &format!("c{c}")), 0);
        said.extend(users);
    }
    said.sort();
    said.dedup();
    assert_eq!(said.len(), 50);
}
