//! Locks that someone keeps: whoever wants to write waits for them.

use std::thread;
use std::time::Duration;

use memory_files::{Files, Found, ItemKind, LockHolder};
use memory_serve::DAEMON_LOCK;

use super::Patient;
use super::check::Check;

/// A write holds its lock for less than this.
const PAUSE: Duration = Duration::from_millis(200);

pub(super) fn check(patient: &Patient<'_>) -> Vec<Check> {
    let files = &patient.house.ground.files;
    let held = |one: &&Found| is_lock(one) && files.lock_holder(&one.at).is_some();
    let held: Vec<&Found> = patient
        .stores
        .iter()
        .flat_map(|store| &store.found)
        .filter(held)
        .collect();
    if !held.is_empty() {
        thread::sleep(PAUSE);
    }
    let checks: Vec<Check> = held.iter().filter_map(|one| told(one, files)).collect();
    if patient.fixes {
        checks.iter().for_each(|check| {
            patient
                .shell
                .tell(&format!("{}; waiting for it", check.detail))
        });
    }
    checks
}

/// The daemon keeps its own for as long as it runs.
fn is_lock(one: &Found) -> bool {
    one.kind == ItemKind::File && one.name().ends_with(".lock") && one.name() != DAEMON_LOCK
}

fn told(one: &Found, files: &Files) -> Option<Check> {
    let by = files.lock_holder(&one.at)?;
    let detail = format!("{} is locked by {}", one.at.path().display(), named(&by));
    Some(Check::warn(
        "locks",
        detail,
        "Writers wait for the lock; if it is not released, stop that process",
    ))
}

/// Returns what people call a process.
fn named(holder: &LockHolder) -> String {
    match (holder.pid, &holder.program) {
        (Some(pid), Some(program)) => format!("process {pid} ({program})"),
        (Some(pid), None) => format!("process {pid}"),
        (None, _) => "another process".to_owned(),
    }
}
