//! Pushing a reminder to the desktop, by the program that the system has for it.

use std::io;
use std::process::{Command, ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use crate::config::{Method, Notification};
use crate::environment::Environment;

/// How long a program may take before it is given up.
const PATIENCE: Duration = Duration::from_secs(3);
const PAUSE: Duration = Duration::from_millis(10);

/// How reminders are pushed on this machine.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Notifier {
    Osascript,
    NotifySend {
        /// The user asked for it, and is told when it does not work.
        is_asked_for: bool,
    },
    /// `pending.md` alone.
    File,
}

impl Notifier {
    /// Chooses what works here, or what the configuration names.
    pub(crate) fn choose(settings: &Notification, environment: &Environment) -> Self {
        if !settings.enabled {
            return Notifier::File;
        }
        match settings.method {
            Method::File => Notifier::File,
            Method::Desktop if cfg!(target_os = "macos") => Notifier::Osascript,
            Method::Desktop => Notifier::NotifySend { is_asked_for: true },
            Method::Osascript | Method::Auto if cfg!(target_os = "macos") => Notifier::Osascript,
            Method::Osascript | Method::Auto if environment.has_desktop => Notifier::NotifySend {
                is_asked_for: false,
            },
            Method::Osascript | Method::Auto => Notifier::File,
        }
    }

    /// Shows a notification; says what went wrong if that is worth knowing.
    pub(crate) fn push(self, title: &str, text: &str) -> Result<(), String> {
        let ended = match self {
            Notifier::File => return Ok(()),
            Notifier::Osascript => run(osascript(title, text)),
            Notifier::NotifySend { .. } => run(notify_send(title, text)),
        };
        match (ended, self) {
            (Ok(status), _) if status.success() => Ok(()),
            (
                _,
                Notifier::NotifySend {
                    is_asked_for: false,
                },
            ) => Ok(()),
            (Ok(status), _) => Err(status.to_string()),
            (Err(error), _) => Err(error.to_string()),
        }
    }
}

/// Title and text are arguments of the script, never part of it.
fn osascript(title: &str, text: &str) -> Command {
    let mut command = Command::new("osascript");
    command.args(["-e", "on run argv"]);
    command.args([
        "-e",
        "display notification (item 2 of argv) with title (item 1 of argv)",
    ]);
    command.args(["-e", "end run", "--", title, text]);
    command
}

fn notify_send(title: &str, text: &str) -> Command {
    let mut command = Command::new("notify-send");
    command.args(["--app-name=memory", "--", title, text]);
    command
}

fn run(mut command: Command) -> io::Result<ExitStatus> {
    command
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    let mut child = command.spawn()?;
    let started = Instant::now();
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(status);
        }
        if started.elapsed() > PATIENCE {
            let _ = child.kill();
            let _ = child.wait();
            return Err(io::Error::new(
                io::ErrorKind::TimedOut,
                "the notification program did not end",
            ));
        }
        thread::sleep(PAUSE);
    }
}
