//! The daemon: whether it runs, or has left its socket behind.

use std::os::unix::net::UnixStream;

use memory_files::{ItemKind, Spot};

use super::Patient;
use super::check::Check;

const SOCKET: &str = "memory.sock";
/// Holds the daemon's process id.
const LOCK: &str = ".daemon.lock";

pub(super) fn check(patient: &Patient<'_>) -> Vec<Check> {
    let notes = patient.stores.iter().find(|(name, ..)| *name == "notes");
    let Some((_, root, found)) = notes else { return vec![] };
    let at = root.join(SOCKET);
    let is_there = found.iter().any(|one| one.kind == ItemKind::Other && one.at == at);
    let answers = UnixStream::connect(at.path()).is_ok();
    vec![match (is_there, answers) {
        (_, true) => Check::ok("daemon", format!("Runs{}", process(root, patient))),
        (false, false) => Check::ok("daemon", "Does not run; 'memory serve' starts it"),
        (true, false) => stale(&at, patient),
    }]
}

fn process(root: &Spot, patient: &Patient<'_>) -> String {
    let seen = patient.house.ground.files.read(&root.join(LOCK), 64).ok().flatten();
    let text = seen.map(|seen| String::from_utf8_lossy(&seen.bytes).trim().to_owned());
    text.filter(|text| !text.is_empty()).map(|id| format!(" as process {id}")).unwrap_or_default()
}

fn stale(at: &Spot, patient: &Patient<'_>) -> Check {
    let detail = format!("Nobody answers at {}: a daemon has died", at.path().display());
    if !patient.fixes {
        return Check::warn("daemon", detail, "'memory serve' and 'memory doctor --fix' remove the socket");
    }
    match patient.house.ground.files.remove(at) {
        Ok(()) => Check::ok("daemon", "Does not run; the socket of one that died is removed"),
        Err(error) => Check::warn("daemon", format!("{detail}: {error}"), "Remove it by hand"),
    }
}
