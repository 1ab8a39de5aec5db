//! What has happened to kinds, so that a process that stays need not look at all of their sources.
//!
//! A kind is quiet if its folders are watched, nothing has happened in them since before its last
//! sweep, and that sweep saw all of it. Where something has, the watch names the files, and a kind that
//! can tell which sources they belong to is asked about those alone. A watch does not see everything
//! (another machine's writes to a shared disk): after a while everything is looked at again.

use std::collections::BTreeSet;
use std::path::PathBuf;

use memory_core::{Kind, Source, Timestamp};
use memory_files::{Files, News, Watch};

use crate::index::Ground;
use crate::limits;
use crate::sweep::Sweep;

/// What is watched, by the number of the kind.
#[derive(Debug, Default)]
pub(crate) struct Watching {
    watched: Vec<Option<Watched>>,
    swept_at: Option<Timestamp>,
    /// Whether news were taken that no one has acted upon yet.
    is_under_way: bool,
}

/// The folders of a kind.
#[derive(Debug)]
struct Watched {
    watch: Watch,
    folders: Vec<PathBuf>,
}

/// What has happened to a kind since the last look.
#[derive(Debug)]
pub(crate) enum Since {
    Nothing,
    /// These sources may be others, or gone; all else is as it was.
    Sources(Vec<(String, Option<Source>)>),
    Anything,
}

impl Watching {
    /// Says what has happened to each kind, and watches anew where that can't be told.
    pub(crate) fn begin(&mut self, ground: &Ground, now: Timestamp) -> Vec<Since> {
        let since = self
            .swept_at
            .map(|at| (now.as_second() - at.as_second()).abs());
        if since.is_none_or(|seconds| seconds > limits::WATCHED_SECONDS) || self.is_under_way {
            self.forget();
            self.swept_at = Some(now);
        }
        self.watched.resize_with(ground.kinds.len(), || None);
        let mut all = Vec::with_capacity(ground.kinds.len());
        for (kind, watched) in ground.kinds.iter().zip(&mut self.watched) {
            let since = watched
                .as_ref()
                .map_or(Since::Anything, |watched| watched.since(kind.as_ref()));
            if matches!(since, Since::Anything) {
                *watched = Watched::of(kind.as_ref(), &ground.files);
            }
            all.push(since);
        }
        self.is_under_way = !all.iter().all(|since| matches!(since, Since::Nothing));
        all
    }

    /// Hears what a sweep could see: a kind with flaws is looked at again, and so is one in which something had just
    /// changed. Of what the watch itself has named, it names the next change, too.
    pub(crate) fn end(&mut self, sweep: &Sweep, flawed_readings: bool) {
        let has_fresh = |n: usize| {
            sweep
                .changed
                .iter()
                .any(|of| of.kind == n && of.source.is_fresh)
        };
        let is_seen =
            |(n, is_flawless): &&(usize, bool)| *is_flawless && !has_fresh(*n) && !flawed_readings;
        let unseen = sweep
            .is_flawless
            .iter()
            .filter(|of| !is_seen(of))
            .map(|(n, _)| n);
        let misread: &[usize] = if flawed_readings { &sweep.in_part } else { &[] };
        for n in unseen.chain(misread) {
            if let Some(watched) = self.watched.get_mut(*n) {
                *watched = None;
            }
        }
        self.is_under_way = false;
    }

    /// Takes no kind for quiet any more.
    pub(crate) fn forget(&mut self) {
        self.watched.clear();
    }
}

impl Watched {
    fn of(kind: &dyn Kind, files: &Files) -> Option<Self> {
        let folders = kind.folders()?;
        Some(Watched {
            watch: files.watch(&folders)?,
            folders,
        })
    }

    /// Asks until there are no news but those that the kind was asked about: what it has told then is of one
    /// moment, even if it changes several files as one.
    fn since(&self, kind: &dyn Kind) -> Since {
        let (mut files, mut sources) = (BTreeSet::new(), None);
        for _ in 0..limits::NEWS {
            let News::Files(more) = self.watch.news() else {
                return Since::Anything;
            };
            if more.is_empty() {
                return sources.map_or(Since::Nothing, Since::Sources);
            }
            files.extend(more.into_iter().map(|(n, name)| self.folders[n].join(name)));
            if files.len() > limits::NAMED_FILES {
                return Since::Anything;
            }
            sources = kind.sources_at(&files.iter().cloned().collect::<Vec<_>>());
            if sources.is_none() {
                return Since::Anything;
            }
        }
        Since::Anything
    }
}
