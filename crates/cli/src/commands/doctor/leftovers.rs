//! What a crash has left: drafts that never became files, and changes that were not finished.

use std::path::PathBuf;

use memory_core::Error;
use memory_files::{Found, ItemKind, Spot};

use super::Patient;
use super::check::{Check, whole};
use super::stores::Store;
use crate::clients::{Client, abandoned_drafts};
use crate::commands::connect;
use crate::places;

/// A draft that is younger may be somebody's work, in seconds.
const YOUNG: i64 = 600;
const PLAN: &str = ".plan.json";
/// The locks that guard plans: of all notes, and of one conversation.
const NOTES_LOCK: &str = ".notes.lock";
const CONVERSATION_LOCK: &str = ".conversation.lock";

pub(super) fn check(patient: &Patient<'_>) -> Vec<Check> {
    let now = patient.house.ground.environment.clock.now().as_second();
    let mut checks = Vec::new();
    for Store { name, found, .. } in &patient.stores {
        let drafts: Vec<&Found> = found
            .iter()
            .filter(|one| is_draft(one) && now - one.modified > YOUNG)
            .collect();
        let plan = found
            .iter()
            .find(|one| one.name() == PLAN && now - one.modified > YOUNG);
        checks.extend((!drafts.is_empty()).then(|| clear(name, &drafts, patient)));
        checks.extend(plan.and_then(|plan| Some(finish(name, &plan.at.parent()?, patient))));
    }
    checks.extend(outside_of_stores(patient));
    if checks.is_empty() {
        vec![Check::ok("leftovers", "No leftover files")]
    } else {
        checks
    }
}

/// Returns the drafts of files that are in no store of ours: of clients' files and of the compartments.
fn outside_of_stores(patient: &Patient<'_>) -> Option<Check> {
    let house = &patient.house;
    let places = Client::ALL
        .into_iter()
        .filter_map(|client| connect::places(client, patient.shell));
    let mut paths: Vec<PathBuf> = places
        .flat_map(|p| p.all_files().cloned().collect::<Vec<_>>())
        .collect();
    paths.extend(places::compartments_file(&house.ground, &house.config));
    paths.sort();
    paths.dedup();
    let drafts: Vec<Spot> = paths
        .iter()
        .flat_map(|path| abandoned_drafts(&house.ground.files, path))
        .collect();
    let first = drafts.first()?.path();
    let detail = match drafts.len() {
        1 => format!("A leftover temporary file: {}", first.display()),
        many => format!(
            "{many} leftover temporary files, such as {}",
            first.display()
        ),
    };
    if !patient.fixes {
        return Some(Check::warn(
            "leftovers",
            detail,
            "'memory doctor --fix' removes it; nothing was lost",
        ));
    }
    Some(
        match drafts
            .iter()
            .try_for_each(|at| house.ground.files.remove(at))
        {
            Ok(()) => Check::fixed("leftovers", format!("Removed: {detail}")),
            Err(error) => Check::warn(
                "leftovers",
                format!("{detail}: {error}"),
                "Remove it by hand",
            ),
        },
    )
}

/// Says whether something is a draft of a file, or is in a step of the trash that was not put in its place.
fn is_draft(one: &Found) -> bool {
    let is_file =
        one.kind == ItemKind::File && one.name().starts_with('.') && one.name().contains(".tmp-");
    is_file || is_unfinished_step(one)
}

fn is_unfinished_step(one: &Found) -> bool {
    one.kind == ItemKind::Folder && one.name().starts_with('.') && one.name().ends_with(".tmp")
}

fn clear(name: &str, drafts: &[&Found], patient: &Patient<'_>) -> Check {
    let title = format!("{name} leftovers");
    let detail = match drafts {
        [one] => format!("A leftover temporary file: {}", one.at.path().display()),
        many => format!(
            "{} leftover temporary files, such as {}",
            many.len(),
            many[0].at.path().display()
        ),
    };
    if !patient.fixes {
        return Check::warn(
            title,
            detail,
            "'memory doctor --fix' removes it; nothing was lost",
        );
    }
    let remove = |one: &&Found| {
        if is_unfinished_step(one) {
            patient.house.ground.files.remove_folder(&one.at)
        } else {
            patient.house.ground.files.remove(&one.at)
        }
    };
    match drafts.iter().try_for_each(remove) {
        Ok(()) => Check::fixed(title, format!("Removed: {detail}")),
        Err(error) => Check::warn(title, format!("{detail}: {error}"), "Remove it by hand"),
    }
}

fn finish(name: &str, room: &Spot, patient: &Patient<'_>) -> Check {
    let title = format!("{name} unfinished");
    let detail = "A change was interrupted by a crash";
    if !patient.fixes {
        return Check::warn(
            title,
            detail,
            "The next command completes it, as does 'memory doctor --fix'",
        );
    }
    let files = &patient.house.ground.files;
    let lock = if name == "conversations" {
        CONVERSATION_LOCK
    } else {
        NOTES_LOCK
    };
    let finished = files
        .try_lock(&room.join(lock))
        .and_then(|held| match held {
            Some(held) => held.finish_plan(room).map(|_| ()),
            None => Ok(()),
        });
    match finished.map_err(Error::from) {
        Ok(()) => Check::fixed(title, "Completed a change that a crash had interrupted"),
        Err(error) => Check::bad(
            title,
            format!("{detail}: {}", whole(&error)),
            "Check the disk",
        ),
    }
}
