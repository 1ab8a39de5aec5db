//! The folders that there are to look at, and those that should be there and have no place.

use std::path::PathBuf;

use memory_core::Error;
use memory_files::{Found, Spot, UntrustedDisk};

use super::check::Check;
use crate::house::House;
use crate::places;

/// The one that all of us need.
pub(super) const NOTES: &str = "notes";
const GIT: &str = ".git";

/// The folder of a kind, with all that is in it.
pub(super) struct Store {
    pub(super) name: &'static str,
    pub(super) root: Spot,
    pub(super) found: Vec<Found>,
}

impl Store {
    /// Returns what is ours in it: access to a history is Git's own, and whoever may not enter the store
    /// does not get there.
    pub(super) fn ours(&self) -> impl Iterator<Item = &Found> {
        self.found.iter().filter(|one| !is_below(one, GIT))
    }
}

/// Returns the stores that have a place.
pub(super) fn all(house: &House) -> Vec<Store> {
    let is_used = |name: &str| {
        house
            .ground
            .untrusted()
            .existing()
            .all(|(other, _)| other != name)
    };
    let there = named(house)
        .into_iter()
        .filter_map(|(name, root, _)| Some((name, root?)));
    let there = there.filter(|(name, _)| is_used(name));
    let store = |(name, root): (_, Spot)| Store {
        name,
        found: house.ground.files.walk(&root),
        root,
    };
    there.map(store).collect()
}

/// Reports the stores that are not used because of who owns them.
pub(super) fn untrusted(house: &House) -> Vec<Check> {
    let check = |(name, disk): (&'static str, &UntrustedDisk)| {
        let error = Error::from(disk.error());
        Check::warn(name, error.message, error.hint.unwrap_or_default())
    };
    house.ground.untrusted().existing().map(check).collect()
}

/// Tells which stores have none, and what would give them one.
pub(super) fn homeless(house: &House) -> Vec<Check> {
    let without = named(house)
        .into_iter()
        .filter(|(_, root, _)| root.is_none());
    let told = |(name, _, remedy): Named| {
        let level = if name == NOTES {
            Check::bad
        } else {
            Check::warn
        };
        Some(level(name, "HOME is not set", remedy?))
    };
    without.filter_map(told).collect()
}

type Named = (&'static str, Option<Spot>, Option<&'static str>);

/// Returns every store by name, where it is, and what to do when that is nowhere.
fn named(house: &House) -> Vec<Named> {
    let (environment, config) = (&house.ground.environment, &house.config);
    let notes = places::notes_root(environment, &house.ground.flags, config);
    let project = house.ground.project.as_deref().map(places::project_banks);
    let anchored = |path: Option<PathBuf>| path.map(Spot::anchor);
    vec![
        (
            NOTES,
            anchored(notes),
            Some("Set HOME or MEMORY_ROOT, or pass --root DIR"),
        ),
        (
            "banks",
            places::user_banks(environment, config),
            Some("Set HOME or MEMORY_BANKS_DIR"),
        ),
        ("project banks", project, None),
        (
            "journal",
            anchored(places::journal(environment, config)),
            Some("Set HOME or MEMORY_DIR"),
        ),
        (
            "conversations",
            places::conversations(environment, config),
            None,
        ),
    ]
}

/// Says whether something lies in a folder of that name.
pub(super) fn is_below(one: &Found, folder: &str) -> bool {
    one.at
        .path()
        .components()
        .any(|part| part.as_os_str() == folder)
}
