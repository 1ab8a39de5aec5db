//! Changing the user's file: one setting at a time, and nothing else in it.

use std::path::Path;

use memory_core::{Code, Error, Result};
use memory_files::{Files, Spot};

use super::check::Problem;
use super::edit::{self, Refusal};
use super::{Config, Setting, load};
use crate::house::Ground;

/// Sets one setting in the user's file.
///
/// A file with other mistakes can be mended this way, one after the other.
pub(crate) fn set(ground: &Ground, path: &Path, setting: &Setting, value: &str) -> Result<()> {
    let takes = setting.takes;
    let put = takes.put(
        &mut Config::default(),
        value,
        ground.environment.home.as_deref(),
    );
    put.map_err(|_| {
        let sentence = format!(
            "{} cannot be '{value}'; expected {}",
            setting.key,
            takes.expected()
        );
        let error = Error::new(Code::InvalidArgument, sentence).with("key", setting.key);
        match takes.meant(value) {
            Some(meant) => error.hint(format!("Did you mean '{meant}'?")),
            None => error,
        }
    })?;
    change(&ground.files, path, |text| {
        edit::set(text, setting.key, value).map(Some)
    })
    .map(drop)
}

/// Takes one name out of the user's file; returns whether it was there.
pub(crate) fn unset(ground: &Ground, path: &Path, key: &str) -> Result<bool> {
    match load::read(&ground.files, path)? {
        Some(_) => change(&ground.files, path, |text| edit::unset(text, key)),
        None => Ok(false),
    }
}

/// Changes the file under its lock and makes the change durable; returns whether there was one.
///
/// # Invariants
///
/// - A reader sees the file before the change or after it, never between.
/// - When `edit` refuses, the file is as it was.
/// - A new file is private, and so are the folders made for it; one that was there keeps its
///   permissions, and a link to it stays a link.
fn change(
    files: &Files,
    path: &Path,
    edit: impl FnOnce(&str) -> Result<Option<String>, Refusal>,
) -> Result<bool> {
    let (Some(folder), Some(name)) = (path.parent(), path.file_name()) else {
        return Err(Error::new(
            Code::InvalidArgument,
            format!("{} is not a file", path.display()),
        ));
    };
    let folder = Spot::anchor(folder);
    files.ensure_folder(&folder)?;
    let lock = folder.join(format!(".{}.lock", name.to_string_lossy()));
    let held = files.lock(&lock)?;
    let before = load::read(files, path)?;
    let edited = edit(before.as_deref().unwrap_or_default()).map_err(|refusal| told(path, refusal));
    let written = edited.and_then(|after| match (&before, &after) {
        (_, None) => Ok(false),
        (Some(_), Some(text)) => Ok(files.replace_named(path, text.as_bytes()).map(|()| true)?),
        (None, Some(text)) => Ok(files
            .replace(&folder.join(name), text.as_bytes())
            .map(|()| true)?),
    });
    // Whoever waits for this lock sees that its file is gone, and makes it anew.
    let _ = files.remove_derived(&lock);
    drop(held);
    written
}

fn told(path: &Path, refusal: Refusal) -> Error {
    match refusal {
        Refusal::Broken(flaw) => load::flawed(path, Problem::from(flaw)),
        Refusal::ByHand { line, why } => {
            let file = path.display();
            Error::new(
                Code::InvalidArgument,
                format!("{file} was not changed: line {line}: {why}"),
            )
            .hint("Change it with an editor")
            .with("file", file.to_string())
            .with("line", line)
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use memory_core::Ids;
    use memory_files::{Breakage, Brittle};

    use super::*;

    #[test]
    fn a_change_whose_sync_fails_is_reported() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("config.yaml");
        let set = |disk: Arc<Brittle>, value: &str| {
            let files = Files::new(disk, Ids::random());
            change(&files, &path, |text| {
                edit::set(text, "timezone", value).map(Some)
            })
        };
        let whole = Arc::new(Brittle::new(Breakage::Fails, usize::MAX));
        set(whole.clone(), "UTC").unwrap();
        // The last step removes the lock, which the change does not depend on.
        for step in 0..whole.taken() - 1 {
            let disk = Arc::new(Brittle::new(Breakage::Fails, step));
            assert!(
                set(disk, "Europe/Berlin").is_err(),
                "step {step} of {}",
                whole.taken()
            );
        }
    }
}
