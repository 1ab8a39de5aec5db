//! The index of recall: whether there is room for it, and how much of the memories it has read.
//!
//! All of it can be made again, and damage in it is mended by whoever looks next.

use memory_files::{ItemKind, Spot};

use super::Patient;
use super::check::{Check, whole};
use crate::recollection::Recollection;

pub(super) fn check(patient: &Patient<'_>) -> Vec<Check> {
    let Some(recollection) = &patient.house.recollection else {
        return vec![];
    };
    let standing = match in_its_place(recollection, patient) {
        Some(at) => displaced(&at, patient),
        None => match recollection.damaged() {
            0 => unread(recollection.unread()),
            damaged => broken(damaged, recollection, patient),
        },
    };
    let mut troubles: Vec<String> = recollection.troubles().iter().map(whole).collect();
    troubles.dedup();
    let remedy = "'memory model list' lists the installed models";
    let told = troubles
        .into_iter()
        .map(|trouble| Check::warn("models", trouble, remedy));
    std::iter::once(standing).chain(told).collect()
}

/// Returns what stands where a folder of the index belongs.
fn in_its_place(recollection: &Recollection, patient: &Patient<'_>) -> Option<Spot> {
    let folders = [
        recollection.folder().parent(),
        Some(recollection.folder().clone()),
    ];
    let found = patient.stores.iter().flat_map(|store| &store.found);
    let mut others = found.filter(|one| one.kind != ItemKind::Folder);
    others
        .find(|one| folders.iter().flatten().any(|folder| *folder == one.at))
        .map(|one| one.at.clone())
}

fn displaced(at: &Spot, patient: &Patient<'_>) -> Check {
    let detail = format!("{} is not a directory", at.path().display());
    if !patient.fixes {
        return Check::bad(
            "index",
            detail,
            "'memory doctor --fix' removes it; the index is derived and will be rebuilt",
        );
    }
    match patient.house.ground.files.remove(at) {
        Ok(()) => Check::fixed(
            "index",
            format!("Removed {}, which was not a directory", at.path().display()),
        ),
        Err(error) => Check::bad("index", format!("{detail}: {error}"), "Remove it by hand"),
    }
}

fn broken(files: usize, recollection: &Recollection, patient: &Patient<'_>) -> Check {
    let detail = if files == 1 {
        "1 file is damaged".to_owned()
    } else {
        format!("{files} files are damaged")
    };
    if !patient.fixes {
        return Check::warn(
            "index",
            detail,
            "'memory doctor --fix' reindexes the memories in it",
        );
    }
    recollection.status(patient.house.ground.environment.clock.now());
    match recollection.damaged() {
        0 => Check::fixed(
            "index",
            format!("{detail}; the memories in it were reindexed"),
        ),
        _ => Check::bad("index", detail, "'memory index rebuild' rebuilds it"),
    }
}

fn unread(files: usize) -> Check {
    Check::ok(
        "index",
        match files {
            0 => "Up to date".to_owned(),
            1 => "1 file is not indexed yet; the next recall indexes it".to_owned(),
            many => format!(
                "{many} files are not indexed yet; the next recall or 'memory index sync' indexes them"
            ),
        },
    )
}
