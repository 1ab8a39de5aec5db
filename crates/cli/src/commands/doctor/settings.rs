//! Settings: whether they can be read, and whether the machine has what they ask for.

use std::path::PathBuf;

use memory_core::Error;
use memory_files::Spot;

use super::Patient;
use super::check::{Check, whole};
use crate::notifier::Notifier;

pub(super) fn configuration(problem: Option<&Error>, patient: &Patient<'_>) -> Vec<Check> {
    let ground = &patient.house.ground;
    let is_there = |path: &PathBuf| {
        ground
            .files
            .stamp(&Spot::anchor(path))
            .is_ok_and(|there| there.is_some())
    };
    let flaw = patient.house.warnings().project_flaw();
    let ignored = flaw.map(|flaw| Check::warn("project settings", flaw, "Fix it with an editor"));
    let user = match problem {
        None => Check::ok(
            "settings",
            match ground.config_file().filter(is_there) {
                Some(path) => format!("{} is valid", path.display()),
                None => "All defaults".to_owned(),
            },
        ),
        Some(error) => {
            let remedy = error
                .hint
                .clone()
                .unwrap_or_else(|| "Fix it with an editor".to_owned());
            Check::bad("settings", whole(error), remedy)
        }
    };
    std::iter::once(user).chain(ignored).collect()
}

pub(super) fn time_zone(patient: &Patient<'_>) -> Vec<Check> {
    let zone = patient.house.config.time_zone();
    vec![match (zone.is_unknown(), zone.iana_name()) {
        (true, _) => Check::warn(
            "time zone",
            "The system's time zone is not known; UTC is used",
            "'memory config set timezone Europe/Berlin', or wherever you are",
        ),
        (false, Some(name)) => Check::ok("time zone", name),
        (false, None) => Check::ok("time zone", "The system's"),
    }]
}

pub(super) fn notifications(patient: &Patient<'_>) -> Vec<Check> {
    let ground = &patient.house.ground;
    let program = match Notifier::choose(&patient.house.config.notification, &ground.environment) {
        Notifier::File => {
            return vec![Check::ok("notifications", "Reminders appear in pending.md")];
        }
        Notifier::Osascript => "osascript",
        Notifier::NotifySend { .. } => "notify-send",
    };
    vec![
        match ground.environment.find_program(program, &ground.files) {
            Some(path) => Check::ok(
                "notifications",
                format!("{} shows reminders", path.display()),
            ),
            None => Check::warn(
                "notifications",
                format!("Program {program} was not found: reminders appear in pending.md only"),
                format!("Install {program}, or 'memory config set notification.method file'"),
            ),
        },
    ]
}
