//! A command that gets a text and may take so long: how it ended, and what it printed.

use std::io::{Read, Write};
use std::os::unix::process::CommandExt;
use std::process::{Command, ExitStatus, Stdio};
use std::sync::{Arc, Mutex, PoisonError, mpsc};
use std::thread;
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process_group};

/// Most of what a command prints that is read.
const MOST_BYTES: u64 = 16 << 20;
/// What a command has printed is there so long after its end; what others print into its pipes later is not.
const LAST_WORDS: Duration = Duration::from_millis(100);

/// How a command ended, and what it printed.
pub(super) struct Ended {
    pub(super) status: ExitStatus,
    pub(super) output: String,
    pub(super) complaint: String,
}

/// Runs a command with a line of text on its standard input; returns `None` if it cannot be run or takes too long.
///
/// It has ended when its shell has, whoever it has left behind to hold its pipes. One that takes too long
/// goes with all that it has started.
pub(super) fn run_within(command: &str, mut input: String, patience: Duration) -> Option<Ended> {
    input.push('\n');
    let mut child = Command::new("sh")
        .args(["-c", command])
        .process_group(0)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .ok()?;
    let (mut stdin, stdout, stderr) = (
        child.stdin.take()?,
        child.stdout.take()?,
        child.stderr.take()?,
    );
    // Each pipe has a thread of its own, so that none of them can fill up and stop the others.
    thread::spawn(move || stdin.write_all(input.as_bytes()));
    let (output, complaint) = (Reading::of(stdout), Reading::of(stderr));
    let group = Pid::from_child(&child);
    let (sender, receiver) = mpsc::channel();
    thread::spawn(move || sender.send(child.wait()));
    match receiver.recv_timeout(patience) {
        Ok(status) => Some(Ended {
            status: status.ok()?,
            output: output.text(),
            complaint: complaint.text(),
        }),
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
        bytes
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .extend_from_slice(&chunk[..count]);
    }
}

#[cfg(test)]
#[allow(clippy::disallowed_methods)] // a test looks behind the door's back
mod tests {
    use memory_testkit::Home;

    use super::*;

    #[test]
    fn a_command_that_hangs_is_ended_with_all_that_it_has_started() {
        let soon = Duration::from_millis(50);
        assert!(run_within("sleep 60", String::new(), soon).is_none());
        assert!(run_within("exec >&- 2>&-; sleep 60", String::new(), soon).is_none());
        let home = Home::new();
        let pipe = home.path().join("pipe");
        // Whoever opens a pipe waits for the other end, which is closed when the last one has gone.
        let command = format!("mkfifo {0}; sleep 60 > {0}; true", pipe.display());
        let waits =
            thread::spawn(move || run_within(&command, String::new(), Duration::from_secs(1)));
        let (sender, closed) = mpsc::channel();
        thread::spawn(move || {
            while std::fs::metadata(&pipe).is_err() {
                thread::yield_now();
            }
            sender.send(std::fs::read(&pipe))
        });
        let read = closed
            .recv_timeout(Duration::from_secs(30))
            .expect("the pipe is closed");
        assert_eq!(read.unwrap(), b"");
        assert!(waits.join().unwrap().is_none());
    }
}
