//! The daemon: whether it runs and answers, or has left something behind.
//!
//! Its lock says whether there is one, as for `serve --status`; its socket, whether it can be asked.

use std::io::{Read, Write};
use std::os::unix::net::UnixStream;
use std::path::PathBuf;
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use memory_files::{Holder, ItemKind, Spot};
use memory_serve::{DAEMON_LOCK, SOCKET};

use super::Patient;
use super::check::Check;
use super::stores;

/// A daemon that has not answered by then does not.
const PATIENCE: Duration = Duration::from_secs(2);
/// Any answer will do.
const QUESTION: &[u8] = b"{\"id\":1,\"method\":\"tools/list\",\"params\":{}}\n";

/// What is at the place of the socket.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Socket {
    Absent,
    /// Something else stands there.
    Foreign,
    /// Nobody listens any more.
    Dead,
    /// Someone listens, and does not answer.
    Silent,
    Answers,
}

pub(super) fn check(patient: &Patient<'_>) -> Vec<Check> {
    let Some(notes) = patient
        .stores
        .iter()
        .find(|store| store.name == stores::NOTES)
    else {
        return vec![];
    };
    let at = notes.root.join(SOCKET);
    let there = notes
        .found
        .iter()
        .find(|one| one.at == at)
        .map(|one| one.kind);
    let holder = patient
        .shell
        .files()
        .holder(&notes.root.join(DAEMON_LOCK))
        .ok()
        .flatten();
    vec![standing(holder.as_ref(), socket(there, &at), &at, patient)]
}

fn standing(holder: Option<&Holder>, socket: Socket, at: &Spot, patient: &Patient<'_>) -> Check {
    let path = at.path();
    let path = path.display();
    let bad = |detail: String, remedy: String| Check::bad("daemon", detail, remedy);
    match (holder, socket) {
        (holder, Socket::Answers) => Check::ok(
            "daemon",
            format!("Running{}", process(holder, " as process ")),
        ),
        (None, Socket::Absent) => Check::ok("daemon", "Not running; 'memory serve' starts it"),
        (None, Socket::Dead) => stale(at, patient),
        (_, Socket::Foreign) => bad(
            format!("{path} is not a socket, but the daemon needs this path"),
            "Move it, then start the daemon again".to_owned(),
        ),
        (None, Socket::Silent) => bad(
            format!("A process listens at {path} but does not respond"),
            "Stop that process; 'memory serve' starts a daemon".to_owned(),
        ),
        (Some(_), Socket::Absent | Socket::Dead) => bad(
            format!(
                "Running{}, but its socket {path} does not exist",
                process(holder, " as process ")
            ),
            restart(holder),
        ),
        (Some(_), Socket::Silent) => bad(
            format!(
                "Running{}, but not responding",
                process(holder, " as process ")
            ),
            restart(holder),
        ),
    }
}

fn restart(holder: Option<&Holder>) -> String {
    format!(
        "Restart it: stop{}, then run 'memory serve'",
        process(holder, " process ")
    )
}

fn process(holder: Option<&Holder>, words: &str) -> String {
    holder
        .and_then(|holder| holder.pid)
        .map(|pid| format!("{words}{pid}"))
        .unwrap_or_default()
}

fn socket(there: Option<ItemKind>, at: &Spot) -> Socket {
    match there {
        None => Socket::Absent,
        Some(ItemKind::File | ItemKind::Folder) => Socket::Foreign,
        Some(ItemKind::Other) => ask(at.path(), PATIENCE),
    }
}

/// Asks whoever listens; even to connect may take forever, so another thread does it.
fn ask(path: PathBuf, patience: Duration) -> Socket {
    let (sender, answer) = mpsc::channel();
    thread::spawn(move || {
        let mut first = [0];
        let heard = match UnixStream::connect(path) {
            Err(_) => Socket::Dead,
            Ok(mut stream) => match stream
                .write_all(QUESTION)
                .and_then(|()| stream.read_exact(&mut first))
            {
                Ok(()) => Socket::Answers,
                Err(_) => Socket::Silent,
            },
        };
        sender.send(heard)
    });
    answer.recv_timeout(patience).unwrap_or(Socket::Silent)
}

fn stale(at: &Spot, patient: &Patient<'_>) -> Check {
    let detail = format!(
        "No process answers at {}: a daemon has crashed",
        at.path().display()
    );
    if !patient.fixes {
        return Check::warn(
            "daemon",
            detail,
            "'memory serve' and 'memory doctor --fix' remove the socket",
        );
    }
    match patient.house.ground.files.remove(at) {
        Ok(()) => Check::fixed(
            "daemon",
            "Not running; removed the socket of a crashed daemon",
        ),
        Err(error) => Check::warn("daemon", format!("{detail}: {error}"), "Remove it by hand"),
    }
}

#[cfg(test)]
mod tests {
    use std::io::{BufRead, BufReader};
    use std::os::unix::net::UnixListener;

    use memory_testkit::Home;

    use super::*;

    #[test]
    fn only_who_answers_is_said_to_run() {
        let home = Home::new();
        let path = home.path().join("s");
        let listener = UnixListener::bind(&path).unwrap();
        // Nobody accepts: however long this waited, it would end the same way.
        assert_eq!(ask(path.clone(), Duration::from_millis(20)), Socket::Silent);
        thread::spawn(move || {
            for mut stream in listener.incoming().flatten() {
                // Whoever closes with a question unread takes the answer away again.
                let _ = BufReader::new(&stream).read_line(&mut String::new());
                let _ = stream.write_all(b"{}\n");
            }
        });
        assert_eq!(ask(path, PATIENCE), Socket::Answers);
        let dead = home.path().join("dead");
        drop(UnixListener::bind(&dead).unwrap());
        assert_eq!(ask(dead.clone(), PATIENCE), Socket::Dead);
        let at = Spot::anchor(dead);
        assert_eq!(socket(Some(ItemKind::File), &at), Socket::Foreign);
        assert_eq!(socket(None, &at), Socket::Absent);
    }
}
