//! Which kinds have been quiet, so that a process that stays need not look at all of their sources.
//!
//! A kind is quiet if its folders are watched, nothing has happened in them since before its last
//! sweep, and that sweep saw all of it. A watch does not see everything (another machine's writes to a
//! shared disk): after a while everything is looked at again.

use memory_core::Timestamp;
use memory_files::{Files, Watch};

use crate::index::Ground;
use crate::limits;
use crate::sweep::Sweep;

/// What is watched, by the number of the kind.
#[derive(Debug, Default)]
pub(crate) struct Watching {
    watches: Vec<Option<Watch>>,
    swept_at: Option<Timestamp>,
}

impl Watching {
    /// Says which kinds are quiet, and watches the others from now on.
    pub(crate) fn begin(&mut self, ground: &Ground, now: Timestamp) -> Vec<bool> {
        let since = self.swept_at.map(|at| (now.as_second() - at.as_second()).abs());
        if since.is_none_or(|seconds| seconds > limits::WATCHED_SECONDS) {
            self.forget();
            self.swept_at = Some(now);
        }
        self.watches.resize_with(ground.kinds.len(), || None);
        let is_quiet: Vec<bool> =
            self.watches.iter().map(|watch| watch.as_ref().is_some_and(|watch| !watch.has_seen())).collect();
        for (n, kind) in ground.kinds.iter().enumerate().filter(|(n, _)| !is_quiet[*n]) {
            self.watches[n] = kind.folders().and_then(|folders| Files::watch(&ground.files, &folders));
        }
        is_quiet
    }

    /// Hears what a sweep could see: a kind with flaws is looked at again.
    pub(crate) fn end(&mut self, sweep: &Sweep, flawed_readings: bool) {
        for (n, is_flawless) in &sweep.is_flawless {
            let has_fresh = sweep.changed.iter().any(|changed| changed.kind == *n && changed.source.is_fresh);
            if (!is_flawless || has_fresh || flawed_readings)
                && let Some(watch) = self.watches.get_mut(*n)
            {
                *watch = None;
            }
        }
    }

    /// Takes no kind for quiet any more.
    pub(crate) fn forget(&mut self) {
        self.watches.clear();
    }
}
