//! Hooks of users who do not write Rust: commands of the configuration, told in JSON.
//!
//! A command gets one JSON object on standard input. `hooks.before` refuses the call by ending with
//! 2, its output being the reason; `hooks.after` may print another reply; `hooks.event` is only told.
//! A command that fails otherwise or takes too long changes nothing: a broken hook must not take
//! the memory away.

use std::io::{Read, Write};
use std::os::unix::process::CommandExt;
use std::process::{Command, ExitStatus, Stdio};
use std::sync::{Arc, Mutex, PoisonError, mpsc};
use std::thread;
use std::time::Duration;

use memory_core::{Code, Error, Event, Heard, Hook, Listener, Result, printable};
use rustix::process::{Pid, Signal, kill_process_group};
use serde_json::Value;
use serde_json::value::RawValue;

use crate::config;

/// The status by which a command refuses.
const REFUSED: i32 = 2;
/// Most of what a command prints that is read.
const MOST_BYTES: u64 = 16 << 20;
/// What a command has printed is there so long after its end; what others print into its pipes later is not.
const LAST_WORDS: Duration = Duration::from_millis(100);
/// Most of a reason that is told, in characters.
const REASON_CHARS: usize = 500;

/// The commands, and how long each may take.
#[derive(Debug, Clone)]
pub(crate) struct CommandHooks {
    settings: config::Hooks,
}

/// How a command ended, and what it printed.
struct Ended {
    status: ExitStatus,
    output: String,
    complaint: String,
}

impl CommandHooks {
    /// Returns the hooks; none when no command is named.
    pub(crate) fn of(settings: &config::Hooks) -> Option<Self> {
        let is_named = settings.before.is_some() || settings.after.is_some() || settings.event.is_some();
        is_named.then(|| CommandHooks { settings: settings.clone() })
    }

    fn run(&self, command: &str, told: String) -> Option<Ended> {
        let patience = Duration::from_secs(self.settings.timeout.as_seconds());
        run_within(command, told, patience)
    }
}

impl Hook for CommandHooks {
    fn before(&self, tool: &str, parameters: &RawValue) -> Result<()> {
        let Some(command) = &self.settings.before else { return Ok(()) };
        let ended = self.run(command, told("before_tool_call", tool, "params", parameters));
        match ended.filter(|ended| ended.status.code() == Some(REFUSED)) {
            None => Ok(()),
            Some(ended) => Err(refused(tool, &ended)),
        }
    }

    fn after(&self, tool: &str, reply: Box<RawValue>) -> Box<RawValue> {
        let Some(command) = &self.settings.after else { return reply };
        let ended = self.run(command, told("after_tool_call", tool, "result", &reply));
        let ended = ended.filter(|ended| ended.status.success());
        // What not every client could read is no reply.
        let is_reply = |ended: &Ended| serde_json::from_str::<Value>(&ended.output).is_ok();
        let ended = ended.filter(is_reply);
        let changed = ended.and_then(|ended| RawValue::from_string(ended.output.trim().to_owned()).ok());
        changed.unwrap_or(reply)
    }
}

impl Listener for CommandHooks {
    fn hear(&self, event: &Event<'_>) {
        if let Some(command) = &self.settings.event
            && let Ok(told) = serde_json::to_string(&Heard::of(event))
        {
            self.run(command, told);
        }
    }
}

/// What a command is told; parameters and replies as they came, so that their numbers keep their digits.
fn told(event: &str, tool: &str, name: &str, value: &RawValue) -> String {
    format!(r#"{{"event":"{event}","tool":{},"{name}":{}}}"#, Value::from(tool), value.get())
}

fn refused(tool: &str, ended: &Ended) -> Error {
    let said = [&ended.complaint, &ended.output].into_iter().find(|text| !text.trim().is_empty());
    let reason: String =
        said.map(|text| printable(text.trim()).chars().take(REASON_CHARS).collect()).unwrap_or_default();
    let message = match reason.is_empty() {
        true => format!("A hook refused '{tool}'"),
        false => format!("A hook refused '{tool}': {reason}"),
    };
    Error::new(Code::PermissionDenied, message)
        .hint("'memory config get hooks.before' shows the command that decides")
        .with("tool", tool)
}

/// Runs a command with a text on its standard input; none when it can't be run or takes too long.
///
/// It has ended when its shell has, whoever it has left behind to hold its pipes. One that takes too long
/// goes with all that it has started.
fn run_within(command: &str, input: String, patience: Duration) -> Option<Ended> {
    let mut child = Command::new("sh")
        .args(["-c", command])
        .process_group(0)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .ok()?;
    let (mut stdin, stdout, stderr) = (child.stdin.take()?, child.stdout.take()?, child.stderr.take()?);
    // Each pipe has a thread of its own, so that none of them can fill up and stop the others.
    thread::spawn(move || stdin.write_all(input.as_bytes()));
    let (output, complaint) = (Reading::of(stdout), Reading::of(stderr));
    let group = Pid::from_child(&child);
    let (sender, receiver) = mpsc::channel();
    thread::spawn(move || sender.send(child.wait()));
    match receiver.recv_timeout(patience) {
        Ok(status) => {
            Some(Ended { status: status.ok()?, output: output.text(), complaint: complaint.text() })
        }
        Err(_) => {
            let _ = kill_process_group(group, Signal::KILL);
            None
        }
    }
}

/// What comes out of a pipe, as far as it has come.
struct Reading {
    bytes: Arc<Mutex<Vec<u8>>>,
    ended: mpsc::Receiver<()>,
}

impl Reading {
    fn of(pipe: impl Read + Send + 'static) -> Self {
        let bytes = Arc::new(Mutex::new(Vec::new()));
        let (end, ended) = mpsc::channel();
        let read = bytes.clone();
        thread::spawn(move || {
            read_into(&read, pipe);
            let _ = end.send(());
        });
        Reading { bytes, ended }
    }

    /// Returns what a command that has ended has printed.
    fn text(&self) -> String {
        let _ = self.ended.recv_timeout(LAST_WORDS);
        let bytes = self.bytes.lock().unwrap_or_else(PoisonError::into_inner);
        String::from_utf8_lossy(&bytes).into_owned()
    }
}

fn read_into(bytes: &Mutex<Vec<u8>>, pipe: impl Read) {
    let mut pipe = pipe.take(MOST_BYTES);
    let mut chunk = [0; 8 << 10];
    while let Ok(count @ 1..) = pipe.read(&mut chunk) {
        bytes.lock().unwrap_or_else(PoisonError::into_inner).extend_from_slice(&chunk[..count]);
    }
}

#[cfg(test)]
mod tests {
    use memory_core::Span;

    use super::*;

    fn hooks(before: &str, after: &str) -> CommandHooks {
        let some = |text: &str| Some(text.to_owned()).filter(|text| !text.is_empty());
        let timeout = Span::seconds(20);
        let settings = config::Hooks { before: some(before), after: some(after), event: None, timeout };
        CommandHooks::of(&settings).unwrap()
    }

    fn raw(text: &str) -> Box<RawValue> {
        RawValue::from_string(text.to_owned()).unwrap()
    }

    #[test]
    fn a_command_refuses_with_two_and_its_reason_is_told() {
        let strict = hooks("grep -q secret && { echo 'no secrets here' >&2; exit 2; }; exit 0", "");
        assert!(strict.before("memory_write", &raw(r#"{"content":"fine"}"#)).is_ok());
        let error = strict.before("memory_write", &raw(r#"{"content":"secret"}"#)).unwrap_err();
        assert_eq!(error.message, "A hook refused 'memory_write': no secrets here");
        assert_eq!(error.code, Code::PermissionDenied);
    }

    #[test]
    fn a_command_that_fails_or_is_not_there_changes_nothing() {
        assert!(hooks("exit 1", "").before("memory_list", &raw("{}")).is_ok());
        assert!(hooks("/no/such/program", "").before("memory_list", &raw("{}")).is_ok());
        let kept = hooks("", "echo not json").after("memory_list", raw("{}"));
        assert_eq!(kept.get(), "{}");
    }

    #[test]
    fn a_command_may_put_another_reply_in_the_place_of_ours() {
        let changed = hooks("", r#"cat > /dev/null; echo '{"total": 0}'"#).after("memory_list", raw("{}"));
        assert_eq!(changed.get(), r#"{"total": 0}"#);
    }

    #[test]
    fn a_command_that_hangs_is_ended_with_all_that_it_has_started() {
        let soon = Duration::from_millis(50);
        assert!(run_within("sleep 60", String::new(), soon).is_none());
        assert!(run_within("exec >&- 2>&-; sleep 60", String::new(), soon).is_none());
        let dir = tempfile::tempdir().unwrap();
        let pipe = dir.path().join("pipe");
        // Whoever opens a pipe waits for the other end, which is closed when the last one has gone.
        let command = format!("mkfifo {0}; sleep 60 > {0}; true", pipe.display());
        let waits = thread::spawn(move || run_within(&command, String::new(), Duration::from_secs(1)));
        while std::fs::metadata(&pipe).is_err() {
            thread::yield_now();
        }
        assert_eq!(std::fs::read(&pipe).unwrap(), b"");
        assert!(waits.join().unwrap().is_none());
    }

    #[test]
    fn a_command_has_ended_when_its_shell_has_whoever_holds_its_pipes() {
        let guard = hooks("sleep 60 & echo no >&2; exit 2", "");
        let error = guard.before("memory_write", &raw("{}")).unwrap_err();
        assert_eq!(error.message, "A hook refused 'memory_write': no");
    }

    #[test]
    fn a_reply_that_not_everyone_can_read_is_none() {
        for told in [r#"echo '{"a":"\ud83d"}'"#, "echo 1e400", "true"] {
            assert_eq!(hooks("", told).after("memory_list", raw("{}")).get(), "{}", "{told}");
        }
    }
}
