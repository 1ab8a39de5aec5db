//! Hooks of users who do not write Rust: commands of the configuration, told in JSON.
//!
//! A command gets one JSON object on standard input. `hooks.before` refuses the call by ending with
//! 2, its output being the reason; `hooks.after` may print another reply; `hooks.event` is only told,
//! and nobody waits for it. A command that fails otherwise or takes too long changes nothing: a broken
//! hook must not take the memory away. Where it was to refuse, that is told, or the call is refused if
//! `hooks.before_fails` says so.

mod command;
mod telling;

use std::io::{self, Write as _};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use memory_core::{Code, Error, Event, Heard, Hook, Listener, Result, printable};
use serde_json::Value;
use serde_json::value::RawValue;

use crate::config;
use command::{Ended, run_within};
use telling::Telling;

/// The status by which a command refuses.
const REFUSED: i32 = 2;
/// Most of a reason that is told, in characters.
const REASON_CHARS: usize = 500;

/// The commands, and how long each may take.
#[derive(Debug, Clone)]
pub(crate) struct CommandHooks {
    settings: config::Hooks,
    events: Option<Arc<Telling>>,
    /// Set once it was told that a guard has failed.
    has_warned: Arc<AtomicBool>,
}

impl CommandHooks {
    /// Returns the hooks; none when no command is named.
    pub(crate) fn of(settings: &config::Hooks) -> Option<Self> {
        let is_named =
            settings.before.is_some() || settings.after.is_some() || settings.event.is_some();
        let patience = patience(settings);
        let events = settings
            .event
            .clone()
            .map(|command| Arc::new(Telling::to(command, patience)));
        let has_warned = Arc::default();
        is_named.then(|| CommandHooks {
            settings: settings.clone(),
            events,
            has_warned,
        })
    }

    fn run(&self, command: &str, told: String) -> Option<Ended> {
        run_within(command, told, patience(&self.settings))
    }

    /// Decides about a call whose guard has failed.
    fn failed(&self, tool: &str, how: &str) -> Result<()> {
        match self.settings.before_fails {
            config::BeforeFails::Open => {
                self.warn(how);
                Ok(())
            }
            config::BeforeFails::Closed => {
                let message = format!("'{tool}' was refused, because hooks.before {how}");
                Err(Error::new(Code::PermissionDenied, message)
                    .hint("Fix the command of hooks.before, or set hooks.before_fails to open")
                    .with("tool", tool))
            }
        }
    }

    /// Tells once that nothing is refused, since nobody who relies on a guard should believe that it looks on.
    fn warn(&self, how: &str) {
        if !self.has_warned.swap(true, Ordering::Relaxed) {
            let _ = writeln!(
                io::stderr(),
                "warning: hooks.before {how}; the call was not refused"
            );
        }
    }
}

impl Hook for CommandHooks {
    fn before(&self, tool: &str, parameters: &RawValue) -> Result<()> {
        let Some(command) = &self.settings.before else {
            return Ok(());
        };
        let ended = self.run(
            command,
            told("before_tool_call", tool, "params", parameters),
        );
        match ended {
            Some(ended) if ended.status.code() == Some(REFUSED) => Err(refused(tool, &ended)),
            Some(ended) if ended.status.success() => Ok(()),
            Some(ended) => self.failed(
                tool,
                &match ended.status.code() {
                    Some(code) => format!("ended with {code}"),
                    None => "was terminated by a signal".to_owned(),
                },
            ),
            None => self.failed(tool, "could not be run, or timed out"),
        }
    }

    fn after(&self, tool: &str, reply: Box<RawValue>) -> Box<RawValue> {
        let Some(command) = &self.settings.after else {
            return reply;
        };
        let ended = self.run(command, told("after_tool_call", tool, "result", &reply));
        let ended = ended.filter(|ended| ended.status.success());
        // What not every client could read is no reply.
        let is_reply = |ended: &Ended| serde_json::from_str::<Value>(&ended.output).is_ok();
        let ended = ended.filter(is_reply);
        let changed =
            ended.and_then(|ended| RawValue::from_string(ended.output.trim().to_owned()).ok());
        changed.unwrap_or(reply)
    }
}

impl Listener for CommandHooks {
    fn hear(&self, event: &Event<'_>) {
        if let Some(events) = &self.events
            && let Ok(told) = serde_json::to_string(&Heard::of(event))
        {
            events.tell(told);
        }
    }
}

fn patience(settings: &config::Hooks) -> Duration {
    Duration::from_secs(settings.timeout.as_seconds())
}

/// What a command is told; parameters and replies as they came, so that their numbers keep their digits.
fn told(event: &str, tool: &str, name: &str, value: &RawValue) -> String {
    format!(
        r#"{{"event":"{event}","tool":{},"{name}":{}}}"#,
        Value::from(tool),
        value.get()
    )
}

fn refused(tool: &str, ended: &Ended) -> Error {
    let said = [&ended.complaint, &ended.output]
        .into_iter()
        .find(|text| !text.trim().is_empty());
    let reason: String = said
        .map(|text| printable(text.trim()).chars().take(REASON_CHARS).collect())
        .unwrap_or_default();
    let message = if reason.is_empty() {
        format!("A hook refused '{tool}'")
    } else {
        format!("A hook refused '{tool}': {reason}")
    };
    Error::new(Code::PermissionDenied, message)
        .hint("'memory config get hooks.before' shows the command")
        .with("tool", tool)
}

#[cfg(test)]
mod tests {
    use memory_core::Span;

    use super::*;

    fn hooks(before: &str, after: &str) -> CommandHooks {
        let some = |text: &str| Some(text.to_owned()).filter(|text| !text.is_empty());
        let timeout = Span::seconds(20);
        let settings = config::Hooks {
            before: some(before),
            after: some(after),
            timeout,
            ..config::Hooks::default()
        };
        CommandHooks::of(&settings).unwrap()
    }

    fn raw(text: &str) -> Box<RawValue> {
        RawValue::from_string(text.to_owned()).unwrap()
    }

    #[test]
    fn a_command_refuses_with_two_and_its_reason_is_told() {
        let strict = hooks(
            "grep -q secret && { echo 'no secrets here' >&2; exit 2; }; exit 0",
            "",
        );
        assert!(
            strict
                .before("memory_write", &raw(r#"{"content":"fine"}"#))
                .is_ok()
        );
        let error = strict
            .before("memory_write", &raw(r#"{"content":"secret"}"#))
            .unwrap_err();
        assert_eq!(
            error.message,
            "A hook refused 'memory_write': no secrets here"
        );
        assert_eq!(error.code, Code::PermissionDenied);
    }

    #[test]
    fn a_command_that_fails_or_is_not_there_changes_nothing() {
        assert!(
            hooks("exit 1", "")
                .before("memory_list", &raw("{}"))
                .is_ok()
        );
        assert!(
            hooks("/no/such/program", "")
                .before("memory_list", &raw("{}"))
                .is_ok()
        );
        let kept = hooks("", "echo not json").after("memory_list", raw("{}"));
        assert_eq!(kept.get(), "{}");
    }

    #[test]
    fn a_guard_that_fails_refuses_if_that_is_wanted() {
        for command in ["exit 1", "/no/such/program", "kill -9 $$"] {
            let mut guard = hooks(command, "");
            guard.settings.before_fails = config::BeforeFails::Closed;
            let error = guard.before("memory_list", &raw("{}")).unwrap_err();
            assert_eq!(error.code, Code::PermissionDenied);
            assert!(
                error.hint.unwrap().contains("hooks.before_fails"),
                "{command}"
            );
        }
        let mut guard = hooks("exit 0", "");
        guard.settings.before_fails = config::BeforeFails::Closed;
        assert!(guard.before("memory_list", &raw("{}")).is_ok());
    }

    #[test]
    fn a_command_may_put_another_reply_in_the_place_of_ours() {
        let changed =
            hooks("", r#"cat > /dev/null; echo '{"total": 0}'"#).after("memory_list", raw("{}"));
        assert_eq!(changed.get(), r#"{"total": 0}"#);
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
            assert_eq!(
                hooks("", told).after("memory_list", raw("{}")).get(),
                "{}",
                "{told}"
            );
        }
    }
}
