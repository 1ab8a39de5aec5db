//! The folders of ours: whether they are there, whether only the user can see them, and the trash.

use memory_files::{Found, ItemKind};

use super::check::{Check, first_of};
use super::stores::{self, Store, is_below};
use super::{Patient, access};
use crate::render::size::size;

/// From this size on the trash is worth a word.
const LARGE_TRASH: u64 = 1 << 30;
const TRASH: &str = ".trash";
const HISTORY: &str = memory_storage::HISTORY;
/// Where the notes are that maintenance removed from their categories.
const ARCHIVE: &str = "archive";

pub(super) fn check(patient: &Patient<'_>) -> Vec<Check> {
    let mut checks = stores::homeless(&patient.house);
    checks.extend(stores::untrusted(&patient.house));
    for store in &patient.stores {
        checks.extend(standing(store, patient));
        checks.extend(access::check(store, patient));
        checks.extend((!store.found.is_empty()).then(|| permissions(store, patient.fixes)));
    }
    checks
}

/// Tells where a store is and what is in it; nothing of one that can't be looked into.
fn standing(store: &Store, patient: &Patient<'_>) -> Option<Check> {
    let path = store.root.path();
    let files = store.found.iter().filter(|one| one.kind == ItemKind::File);
    let bytes = size(files.clone().map(|file| file.size).sum());
    let count = match files.count() {
        1 => "1 file".to_owned(),
        many => format!("{many} files"),
    };
    match store.found.first() {
        None => Some(absent(store, patient)),
        Some(root) if root.kind != ItemKind::Folder => Some(Check::bad(
            store.name,
            format!("{} is not a directory", path.display()),
            "Move it",
        )),
        Some(root) if root.is_closed() => None,
        Some(_) => {
            let archived = archived(store);
            Some(Check::ok(
                store.name,
                format!("{}: {count}, {bytes}{archived}", path.display()),
            ))
        }
    }
}

/// Says how many notes are archived, if there are any.
fn archived(store: &Store) -> String {
    let archive = store.root.path().join(ARCHIVE);
    let is_note = |one: &&Found| {
        one.kind == ItemKind::File
            && one.name().ends_with(".md")
            && one.at.path().starts_with(&archive)
    };
    match store.found.iter().filter(is_note).count() {
        some if some > 0 && store.name == stores::NOTES => format!("; {some} archived"),
        _ => String::new(),
    }
}

fn absent(store: &Store, patient: &Patient<'_>) -> Check {
    let path = store.root.path();
    // Conversations are kept where someone works, and a doctor may be asked anywhere.
    if store.name == "conversations" || patient.house.ground.files.can_make(&store.root) {
        return Check::ok(
            store.name,
            format!(
                "{} does not exist yet; the first write creates it",
                path.display()
            ),
        );
    }
    let detail = format!("{} does not exist and cannot be created", path.display());
    Check::bad(
        store.name,
        detail,
        "Check the permissions of its parent directory",
    )
}

fn permissions(store: &Store, fixes: bool) -> Check {
    let title = format!("{} private", store.name);
    let open: Vec<&Found> = store.ours().filter(|one| one.is_open_to_others()).collect();
    if open.is_empty() {
        return Check::ok(title, "Accessible only to you");
    }
    let which = first_of(&open, |one| one.at.path().display().to_string());
    if !fixes {
        return Check::bad(
            title,
            format!("Accessible to other users: {which}"),
            "'memory doctor --fix' makes files 0600 and folders 0700",
        );
    }
    match open.iter().try_for_each(|one| one.make_private()) {
        Ok(()) => Check::fixed(title, format!("Removed access of other users: {which}")),
        Err(error) => Check::bad(
            title,
            format!("Accessible to other users: {which}: {error}"),
            "Check its owner",
        ),
    }
}

/// Tells how much of what was removed is still there.
pub(super) fn trash(patient: &Patient<'_>) -> Vec<Check> {
    let bytes: u64 = patient
        .stores
        .iter()
        .map(|store| trash_size(&store.found))
        .sum();
    let steps = patient.house.registry.steps().good.len();
    let detail = match steps {
        0 => "Empty".to_owned(),
        1 => format!("1 undo step, {}", size(bytes)),
        many => format!("{many} undo steps, {}", size(bytes)),
    };
    vec![if bytes > LARGE_TRASH {
        Check::warn(
            "history",
            detail,
            "'memory trash empty' removes deleted memories permanently",
        )
    } else {
        Check::ok("history", detail)
    }]
}

/// Returns how many bytes of a store are in its trash.
pub(crate) fn trash_size(found: &[Found]) -> u64 {
    found
        .iter()
        .filter(|one| is_below(one, TRASH) || is_below(one, HISTORY))
        .map(|one| one.size)
        .sum()
}
