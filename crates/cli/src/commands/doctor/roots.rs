//! The folders of ours: whether they are there, whether only the user can see them, and the trash.

use memory_files::ItemKind;

use super::Patient;
use super::check::Check;
use memory_files::Found;

use crate::render::size::size;

/// From this size on the trash is worth a word.
const LARGE_TRASH: u64 = 1 << 30;
const TRASH: &str = ".trash";
const GIT: &str = ".git";

pub(super) fn check(patient: &Patient<'_>) -> Vec<Check> {
    if patient.stores.is_empty() {
        let remedy = "Set HOME or MEMORY_ROOT, or say --root DIR";
        return vec![Check::bad("root", "There is no place for memories", remedy)];
    }
    let mut checks = Vec::new();
    for (name, root, found) in &patient.stores {
        let path = root.path();
        let Some(first) = found.first() else {
            checks.push(Check::ok(
                *name,
                format!("{} is not there yet; the first write makes it", path.display()),
            ));
            continue;
        };
        let files = found.iter().filter(|one| one.kind == ItemKind::File);
        let bytes = size(files.clone().map(|file| file.size).sum());
        checks.push(match first.kind {
            ItemKind::Folder => {
                let count = match files.count() {
                    1 => "1 file".to_owned(),
                    many => format!("{many} files"),
                };
                Check::ok(*name, format!("{}: {count}, {bytes}", path.display()))
            }
            _ => Check::bad(*name, format!("{} is no folder", path.display()), "Move it away"),
        });
        checks.push(permissions(name, found, patient.fixes));
    }
    checks
}

fn permissions(name: &str, found: &[Found], fixes: bool) -> Check {
    let title = format!("{name} private");
    // Access to a history is Git's own; whoever may not enter the store does not get there.
    let of_ours = found.iter().filter(|one| !is_below(one, GIT));
    let open: Vec<&Found> = of_ours.filter(|one| one.is_open_to_others()).collect();
    let Some(first) = open.first() else { return Check::ok(title, "Nobody else can look into it") };
    let more = match open.len() {
        1 => String::new(),
        several => format!(" and {} more", several - 1),
    };
    let which = format!("{}{more}", first.at.path().display());
    if !fixes {
        return Check::bad(
            title,
            format!("Others may look at {which}"),
            "'memory doctor --fix' makes files 0600 and folders 0700",
        );
    }
    match open.iter().try_for_each(|one| one.make_private()) {
        Ok(()) => Check::ok(title, format!("Made private: {which}")),
        Err(error) => {
            Check::bad(title, format!("Others may look at {which}: {error}"), "Find out who owns it")
        }
    }
}

/// Tells how much of what was removed is still there.
pub(super) fn trash(patient: &Patient<'_>) -> Vec<Check> {
    let bytes: u64 = patient.stores.iter().map(|(_, _, found)| trash_size(found)).sum();
    let steps = patient.house.registry.steps().good.len();
    let detail = match steps {
        0 => "Empty".to_owned(),
        1 => format!("1 step that can be taken back, {}", size(bytes)),
        many => format!("{many} steps that can be taken back, {}", size(bytes)),
    };
    vec![match bytes > LARGE_TRASH {
        true => Check::warn("trash", detail, "'memory trash empty' removes what was deleted for good"),
        false => Check::ok("trash", detail),
    }]
}

/// Returns how many bytes of a store are in its trash.
pub(crate) fn trash_size(found: &[Found]) -> u64 {
    found.iter().filter(|one| is_below(one, TRASH)).map(|one| one.size).sum()
}

fn is_below(one: &Found, folder: &str) -> bool {
    one.at.path().components().any(|part| part.as_os_str() == folder)
}
