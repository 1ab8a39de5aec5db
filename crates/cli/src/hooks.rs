//! Hooks of users who do not write Rust: commands of the configuration, told in JSON.
//!
//! A command gets one JSON object on standard input. `hooks.before` refuses the call by ending with
//! 2, its output being the reason; `hooks.after` may print another reply; `hooks.event` is only told.
//! A command that fails otherwise or takes too long changes nothing: a broken hook must not take
//! the memory away.

use std::io::{Read, Write};
use std::process::{Command, ExitStatus, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use memory_core::{Code, Error, Event, Heard, Hook, Listener, Result, printable};
use serde_json::Value;
use serde_json::value::RawValue;

use crate::config;

/// The status by which a command refuses.
const REFUSED: i32 = 2;
/// Most of what a command prints that is read.
const MOST_BYTES: u64 = 16 << 20;
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
fn run_within(command: &str, input: String, patience: Duration) -> Option<Ended> {
    let mut child = Command::new("sh")
        .args(["-c", command])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .ok()?;
    let (mut stdin, stdout, stderr) = (child.stdin.take()?, child.stdout.take()?, child.stderr.take()?);
    // Each pipe has a thread of its own, so that none of them can fill up and stop the others.
    thread::spawn(move || stdin.write_all(input.as_bytes()));
    let (sender, receiver) = mpsc::channel();
    thread::spawn(move || {
        let complaint = thread::spawn(move || read(stderr));
        let output = read(stdout);
        let _ = sender.send((output, complaint.join().unwrap_or_default()));
    });
    let printed = receiver.recv_timeout(patience).ok();
    if printed.is_none() {
        let _ = child.kill();
    }
    let status = child.wait().ok()?;
    printed.map(|(output, complaint)| Ended { status, output, complaint })
}

fn read(pipe: impl Read) -> String {
    let mut bytes = Vec::new();
    let _ = pipe.take(MOST_BYTES).read_to_end(&mut bytes);
    String::from_utf8_lossy(&bytes).into_owned()
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
    fn a_command_that_hangs_is_left_behind() {
        assert!(run_within("sleep 60", String::new(), Duration::from_millis(50)).is_none());
    }
}
