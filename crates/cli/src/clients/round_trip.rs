//! A live round trip: starts a server as a client would, says hello, and asks for its tools.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

/// How long a server may take to answer both questions.
pub(crate) const PATIENCE: Duration = Duration::from_secs(10);
/// How long it may take to end once nobody speaks to it any more.
const FAREWELL: Duration = Duration::from_secs(2);
/// Longest line that is read.
const LINE_BYTES: u64 = 16 << 20;
const PROTOCOL: &str = "2025-06-18";

/// What a server said.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Answer {
    pub(crate) name: String,
    pub(crate) version: String,
    pub(crate) tools: usize,
}

/// Starts a server and speaks to it; says in a sentence why it did not answer.
pub(crate) fn try_server(
    program: &str,
    arguments: &[String],
    patience: Duration,
) -> Result<Answer, String> {
    let mut command = Command::new(program);
    command
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let mut child = command
        .spawn()
        .map_err(|error| format!("could not be started: {error}"))?;
    let answer = converse(&mut child, Instant::now() + patience);
    drop(child.stdin.take());
    let status = farewell(&mut child);
    answer.map_err(|problem| match (problem, status) {
        (Silence::Gone, Some(status)) if !status.success() => {
            format!("ended with {status}{}", complaint(&mut child))
        }
        (Silence::Gone, _) => "ended without a response".to_owned(),
        (Silence::TooLong, _) => format!("did not respond within {} seconds", patience.as_secs()),
        (Silence::Refused(what), _) => format!("responded with an error: {what}"),
    })
}

enum Silence {
    Gone,
    TooLong,
    Refused(String),
}

fn converse(child: &mut Child, until: Instant) -> Result<Answer, Silence> {
    let lines = listen(child.stdout.take().ok_or(Silence::Gone)?);
    let mut say = |message: &Value| {
        let stdin = child.stdin.as_mut().ok_or(Silence::Gone)?;
        writeln!(stdin, "{message}")
            .and_then(|()| stdin.flush())
            .map_err(|_| Silence::Gone)
    };
    let hello = json!({
        "protocolVersion": PROTOCOL,
        "capabilities": {},
        "clientInfo": {"name": "memory connect", "version": env!("CARGO_PKG_VERSION")},
    });
    say(&json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": hello}))?;
    let server = reply(&lines, 1, until)?["serverInfo"].clone();
    say(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}))?;
    say(&json!({"jsonrpc": "2.0", "id": 2, "method": "tools/list", "params": {}}))?;
    let tools = reply(&lines, 2, until)?["tools"]
        .as_array()
        .map_or(0, Vec::len);
    let text = |name: &str| server[name].as_str().unwrap_or("?").to_owned();
    Ok(Answer {
        name: text("name"),
        version: text("version"),
        tools,
    })
}

/// Hands over the lines of a stream as they come.
fn listen(stream: impl Read + Send + 'static) -> Receiver<String> {
    let (sender, lines) = mpsc::channel();
    thread::spawn(move || {
        let mut reader = BufReader::new(stream);
        loop {
            let mut line = Vec::new();
            let read = reader
                .by_ref()
                .take(LINE_BYTES)
                .read_until(b'\n', &mut line);
            let is_over = read.is_err() || line.is_empty();
            if is_over
                || sender
                    .send(String::from_utf8_lossy(&line).into_owned())
                    .is_err()
            {
                break;
            }
        }
    });
    lines
}

/// Waits for the answer to one request; whatever else the server says is passed over.
fn reply(lines: &Receiver<String>, id: u64, until: Instant) -> Result<Value, Silence> {
    loop {
        let left = until.saturating_duration_since(Instant::now());
        let line = lines.recv_timeout(left).map_err(|error| match error {
            RecvTimeoutError::Timeout => Silence::TooLong,
            RecvTimeoutError::Disconnected => Silence::Gone,
        })?;
        let message: Value = serde_json::from_str(&line).unwrap_or_default();
        if message["id"] != id {
            continue;
        }
        return match message["error"]["message"].as_str() {
            Some(what) => Err(Silence::Refused(what.to_owned())),
            None => Ok(message["result"].clone()),
        };
    }
}

/// Waits a little for the end, and then makes it.
fn farewell(child: &mut Child) -> Option<std::process::ExitStatus> {
    let until = Instant::now() + FAREWELL;
    while Instant::now() < until {
        if let Ok(Some(status)) = child.try_wait() {
            return Some(status);
        }
        thread::sleep(Duration::from_millis(5));
    }
    let _ = child.kill();
    child.wait().ok()
}

/// Returns the first line that a server which has ended complained with.
fn complaint(child: &mut Child) -> String {
    let mut said = String::new();
    let read = |stream: &mut dyn Read, said: &mut String| -> io::Result<usize> {
        stream.take(4096).read_to_string(said)
    };
    if let Some(stream) = child.stderr.as_mut() {
        let _ = read(stream, &mut said);
    }
    let line = said.lines().map(str::trim).find(|line| !line.is_empty());
    line.map(|line| format!(" ({line})")).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn script(text: &str) -> Result<Answer, String> {
        try_server("sh", &["-c".into(), text.into()], Duration::from_secs(5))
    }

    const HELLO: &str = r#"read _; echo 'a line of a log'
        echo '{"jsonrpc":"2.0","method":"notifications/message"}'
        echo '{"jsonrpc":"2.0","id":1,"result":{"serverInfo":{"name":"memory","version":"9"}}}'"#;

    #[test]
    fn a_server_that_answers_is_told_with_its_tools() {
        let rest = r#"read _; read _; echo '{"jsonrpc":"2.0","id":2,"result":{"tools":[{},{}]}}'; cat > /dev/null"#;
        let answer = script(&format!("{HELLO}\n{rest}")).unwrap();
        assert_eq!(
            answer,
            Answer {
                name: "memory".into(),
                version: "9".into(),
                tools: 2
            }
        );
    }

    #[test]
    fn a_server_that_does_not_is_told_with_the_reason() {
        assert_eq!(
            script("echo 'error: no such command' >&2; exit 2").unwrap_err(),
            "ended with exit status: 2 (error: no such command)"
        );
        assert_eq!(script("exit 0").unwrap_err(), "ended without a response");
        let refuses =
            r#"read _; echo '{"jsonrpc":"2.0","id":1,"error":{"code":-1,"message":"no"}}'"#;
        assert_eq!(script(refuses).unwrap_err(), "responded with an error: no");
        let missing = try_server("/no/such/program", &[], PATIENCE).unwrap_err();
        assert!(missing.starts_with("could not be started"), "{missing}");
    }

    #[test]
    fn a_server_that_says_nothing_is_given_up() {
        let ended = try_server(
            "sh",
            &["-c".into(), "cat > /dev/null".into()],
            Duration::from_millis(50),
        );
        assert_eq!(ended.unwrap_err(), "did not respond within 0 seconds");
    }
}
