//! What follows a change once it is safe: the snapshot of hashes, and a commit if they are asked for.

use memory_core::{Flaw, Timestamp};

use crate::ConversationError;
use crate::store::Store;

/// What Git does not need to know: all of it is derived, or gone in a moment.
const IGNORED: &str = "chroma/\nmemory_index.json\n.trash/\n.pending/\n.plan.json\n*.lock\n.*.tmp-*\n";

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
            flaws.push(Flaw::new(".git", error.to_string()));
        }
        flaws
    }

    /// Section 2.4: a repository at the root, and a commit of everything that has changed.
    fn commit_to_git(&self, what: &str, now: Timestamp) -> Result<(), ConversationError> {
        // Nothing is kept here yet: there is no folder to make a repository of.
        if self.files.stamp(&self.root)?.is_none() {
            return Ok(());
        }
        let ignored = self.root.join(".gitignore");
        if self.files.stamp(&ignored)?.is_none() {
            self.files.replace(&ignored, IGNORED.as_bytes())?;
        }
        // Someone else who commits takes our changes along.
        let Some(_turn) = self.files.try_lock(&self.root.join(".git.lock"))? else { return Ok(()) };
        self.files.git_commit(&self.root, what, now)?;
        Ok(())
    }
}
