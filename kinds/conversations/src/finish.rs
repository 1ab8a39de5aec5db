//! What follows a change once it is safe: the snapshot of hashes, and a commit if they are asked for.

use memory_core::{Error, Flaw, Rehearsal, Result, Timestamp};
use memory_files::{DiskError, Files, GIT_IGNORE, Held, IGNORE_ALL, Spot};

use crate::ConversationError;
use crate::store::Store;

const GIT: &str = ".git";
const IGNORE_BYTES: u64 = 1 << 20;
/// What Git does not need to know: all of it is derived, or gone in a moment.
const IGNORED: &str =
    "chroma/\nmemory_index.json\n.trash/\n.pending/\n.plan.json\n*.lock\n.*.tmp-*\n";

impl Store {
    /// Does what follows a change. A listener can't fail a finished change: what goes wrong is told.
    pub(crate) fn finish(&self, what: &str, now: Timestamp) -> Vec<Flaw> {
        let mut flaws = Vec::new();
        if !self.snapshot.put_off()
            && let Err(error) = self.refresh_snapshot()
        {
            flaws.push(Flaw::new("memory_index.json", error.to_string()));
        }
        if self.settings.git
            && let Err(error) = self.commit_to_git(what, now)
        {
            flaws.push(flaw(error.into()));
        }
        flaws
    }

    /// Section 2.4: a repository at the root, and a commit of everything that has changed.
    fn commit_to_git(&self, what: &str, now: Timestamp) -> Result<(), ConversationError> {
        // Nothing is kept here yet: there is no folder to make a repository of.
        if self.files.stamp(&self.root)?.is_none() {
            return Ok(());
        }
        // Another process that commits takes our changes along.
        let Some(_held) = lock(&self.files, &self.root)? else {
            return Ok(());
        };
        ignore(&self.files, &self.root)?;
        self.files.git_commit(&self.root, what, now)?;
        Ok(())
    }

    /// Looks for lock files that a killed snapshot has left in the repository, and removes them.
    pub(crate) fn repair_git(&self, now: Timestamp, how: Rehearsal) -> Vec<Flaw> {
        let locks = match self.files.git_stale_locks(&self.root, now) {
            Ok(locks) => locks,
            Err(error) if self.settings.git => return vec![flaw(error.into())],
            Err(_) => vec![],
        };
        let removed = |lock: &Spot| {
            let remedy = match how {
                Rehearsal::Dry => Some("it is removed".to_owned()),
                Rehearsal::Real => self
                    .files
                    .remove(lock)
                    .is_ok()
                    .then(|| "removed".to_owned()),
            };
            let at = format!("{GIT}/{}", lock.name().display());
            Flaw {
                remedy,
                ..Flaw::new(at, "This Git lock was left by an interrupted snapshot")
            }
        };
        locks.iter().map(removed).collect()
    }
}

/// Makes the repository of the conversations at `root` if there is none, and checks that it may be used.
pub fn prepare_git(files: &Files, root: &Spot, now: Timestamp) -> Result<()> {
    files.ensure_folder(root)?;
    let Some(_held) = lock(files, root).map_err(Error::from)? else {
        return Ok(());
    };
    ignore(files, root)?;
    Ok(files.git_prepare(root, now)?)
}

fn flaw(error: Error) -> Flaw {
    let hint = error
        .hint
        .map(|hint| format!(". {hint}"))
        .unwrap_or_default();
    Flaw::new(GIT, format!("{}{hint}", error.message))
}

fn lock<'a>(files: &'a Files, root: &Spot) -> Result<Option<Held<'a>>, DiskError> {
    files.try_lock(&root.join(".git.lock"))
}

fn ignore(files: &Files, root: &Spot) -> Result<(), DiskError> {
    let ignored = root.join(GIT_IGNORE);
    // The one that leaves everything out is for a repository around this folder, not for the one in it.
    match files.read(&ignored, IGNORE_BYTES)? {
        Some(seen) if seen.bytes != IGNORE_ALL => Ok(()),
        _ => files.replace(&ignored, IGNORED.as_bytes()),
    }
}
