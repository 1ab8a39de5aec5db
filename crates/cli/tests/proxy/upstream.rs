//! A scripted OpenAI-compatible server on the loopback, and a client that sends one request.

use std::io::{BufRead, BufReader, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::Arc;
use std::thread;

use serde_json::{Value, json};

/// What it says to be an error of its own.
pub(crate) const BROKEN: &str = "broken";

/// What it is asked, by a client or by the proxy itself.
pub(crate) enum Asked {
    Client(String),
    /// For facts in what a user said.
    Facts(String),
    /// For what new facts do to those that are there, with their small numbers.
    Reconcile {
        existing: Vec<(String, String)>,
        new: Vec<String>,
    },
    /// For a summary of facts.
    Summary,
}

/// A server that runs as long as the test.
pub(crate) struct Upstream {
    pub(crate) address: SocketAddr,
}

impl Upstream {
    pub(crate) fn begin(script: impl Fn(Asked) -> String + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port is free");
        let address = listener.local_addr().unwrap();
        let script = Arc::new(script);
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let script = script.clone();
                thread::spawn(move || answer(stream, script.as_ref()));
            }
        });
        Upstream { address }
    }
}

fn answer(mut stream: TcpStream, script: &dyn Fn(Asked) -> String) -> Option<()> {
    let (_, body) = read(&mut BufReader::new(stream.try_clone().ok()?))?;
    let text = script(asked(&serde_json::from_str(&body).ok()?));
    let (status, body) = match text.as_str() {
        BROKEN => (
            "500 Internal Server Error",
            json!({ "error": { "message": BROKEN } }),
        ),
        text => {
            let message = json!({ "role": "assistant", "content": text });
            (
                "200 OK",
                json!({ "id": "r", "choices": [{ "index": 0, "message": message }] }),
            )
        }
    };
    let body = body.to_string();
    let head = format!(
        "HTTP/1.1 {status}\r\ncontent-type: application/json\r\ncontent-length: {}\r\nconnection: close\r\n\r\n",
        body.len()
    );
    stream.write_all(format!("{head}{body}").as_bytes()).ok()
}

/// Tells from the prompt what is wanted.
fn asked(request: &Value) -> Asked {
    let text = |n: usize| {
        request["messages"][n]["content"]
            .as_str()
            .unwrap_or_default()
            .to_owned()
    };
    if request["messages"][0]["role"] != "system" {
        return Asked::Client(text(0).rsplit("\n\n").next().unwrap_or_default().to_owned());
    }
    let prompt = text(0);
    if prompt.starts_with(memory_conversations::facts::PROMPT) {
        return Asked::Facts(text(1));
    }
    if !prompt.starts_with(memory_conversations::RECONCILE_PROMPT) {
        return Asked::Summary;
    }
    let shown: Value = serde_json::from_str(&text(1)).expect("memories and facts");
    let word = |value: &Value| value.as_str().unwrap().to_owned();
    let existing = shown["existing_memories"].as_array().unwrap().iter();
    Asked::Reconcile {
        existing: existing
            .map(|memory| (word(&memory["id"]), word(&memory["text"])))
            .collect(),
        new: shown["new_facts"]
            .as_array()
            .unwrap()
            .iter()
            .map(word)
            .collect(),
    }
}

/// Sends a request and returns status and body.
pub(crate) fn post(
    address: &str,
    path: &str,
    headers: &[(&str, &str)],
    body: &Value,
) -> (u16, String) {
    let mut stream = TcpStream::connect(address).expect("it listens");
    let body = body.to_string();
    let more: String = headers
        .iter()
        .map(|(name, value)| format!("{name}: {value}\r\n"))
        .collect();
    let head = format!(
        "POST {path} HTTP/1.1\r\nhost: {address}\r\ncontent-length: {}\r\nconnection: close\r\n{more}\r\n",
        body.len()
    );
    stream
        .write_all(format!("{head}{body}").as_bytes())
        .expect("it is read");
    let (status, body) = read(&mut BufReader::new(stream)).expect("it answers");
    (status.split(' ').nth(1).unwrap().parse().unwrap(), body)
}

/// Reads a message: its first line and its body.
fn read(stream: &mut impl BufRead) -> Option<(String, String)> {
    let mut first = String::new();
    stream.read_line(&mut first).ok()?;
    let mut length = 0;
    loop {
        let mut line = String::new();
        stream.read_line(&mut line).ok().filter(|read| *read > 0)?;
        match line.trim().to_ascii_lowercase().split_once(": ") {
            Some(("content-length", value)) => length = value.parse().ok()?,
            Some(_) => {}
            None => break,
        }
    }
    let mut body = vec![0; length];
    stream.read_exact(&mut body).ok()?;
    Some((first.trim().to_owned(), String::from_utf8(body).ok()?))
}
