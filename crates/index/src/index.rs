//! The index as its users hold it: look, and what is found is the truth of the files at that moment.
//!
//! Writers tell the index nothing. Each look compares what every kind has with what is known, reads
//! what is different and puts it on top; whoever gets the lock then keeps it for others. A disk that
//! is full, read-only or someone else's makes the next look slower and nothing else.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use memory_core::{Kind, Progress, Result, Timestamp};
use memory_files::{Files, Spot};
use memory_models::Embed;

use crate::embedding;
use crate::fold;
use crate::manifest::Manifest;
use crate::stack::{Member, Stack};
use crate::status::Status;
use crate::sweep::Sweep;
use crate::view::View;
use crate::watching::Watching;
use crate::{loading, reading};

/// How often a look is taken again because something turned out to be damaged.
pub(crate) const LOOKS: usize = 3;
/// A look takes for seen what someone has counted so recently.
const COUNTED_FOR: Duration = Duration::from_millis(200);

/// The index over the documents of all kinds.
pub struct Index {
    pub(crate) ground: Ground,
    state: Mutex<State>,
    /// Whether folders are watched between looks.
    is_watching: bool,
}

/// What an index stands on.
pub(crate) struct Ground {
    pub(crate) files: Files,
    pub(crate) folder: Spot,
    pub(crate) kinds: Vec<Arc<dyn Kind>>,
    pub(crate) models: Vec<Arc<dyn Embed>>,
}

/// What is known in this process.
#[derive(Debug, Default)]
pub(crate) struct State {
    pub(crate) stack: Stack,
    pub(crate) manifest: Manifest,
    /// The sum of the manifest that the stack was opened with or kept as; none when there was none.
    pub(crate) sum: Option<u64>,
    pub(crate) is_open: bool,
    /// Whether the places that the manifest names as used are on the disk as well.
    pub(crate) has_kept_places: bool,
    watching: Watching,
    /// The last view, for as long as nothing happens.
    view: Option<Arc<View>>,
    /// What someone has seen who has only counted, and when.
    counted: Option<(Instant, Sweep)>,
}

impl State {
    /// Sees to it that the next look makes a new view.
    pub(crate) fn forget_view(&mut self) {
        self.view = None;
    }
}

impl Index {
    /// Returns the index in a folder. Nothing is read before someone looks.
    ///
    /// The models are those by which documents are compared; callers name them by their number here.
    pub fn new(
        files: Files,
        folder: Spot,
        kinds: Vec<Arc<dyn Kind>>,
        models: Vec<Arc<dyn Embed>>,
    ) -> Self {
        Index {
            ground: Ground {
                files,
                folder,
                kinds,
                models,
            },
            state: Mutex::default(),
            is_watching: false,
        }
    }

    /// Watches the folders of kinds between looks, for a process that stays: a look at kinds in which
    /// nothing has happened then costs next to nothing.
    #[must_use]
    pub fn watching(mut self) -> Self {
        self.is_watching = true;
        self
    }

    /// Returns all documents as they are now, and keeps what it had to read to find out.
    pub fn look(&self, now: Timestamp, progress: &dyn Progress) -> Arc<View> {
        let mut state = self.state();
        let mut view = self.look_once(&mut state, now, progress);
        for _ in 1..LOOKS {
            if !view.is_damaged() {
                break;
            }
            view = self.look_once(&mut state, now, progress);
        }
        view
    }

    fn look_once(&self, state: &mut State, now: Timestamp, progress: &dyn Progress) -> Arc<View> {
        let is_other = loading::refresh(&self.ground, state);
        let mut counted = state.counted.take();
        if state.stack.drop_broken_grasps() {
            state.forget_view();
        }
        if state.stack.drop_damaged() || is_other {
            state.watching.forget();
            counted = None;
        }
        let since = if self.is_watching {
            state.watching.begin(&self.ground, now)
        } else {
            Vec::new()
        };
        let counted = counted.filter(|(when, _)| !self.is_watching && when.elapsed() < COUNTED_FOR);
        let sweep = match counted {
            Some((_, sweep)) => sweep,
            None => Sweep::of(&self.ground.kinds, since, &state.stack),
        };
        if let Some(view) = &state.view
            && sweep.is_idle()
        {
            state.watching.end(&sweep, false);
            return view.clone();
        }
        let mut flaws = reading::read(&self.ground.kinds, &sweep, &mut state.stack, progress);
        state.watching.end(&sweep, !flaws.is_empty());
        flaws.splice(0..0, sweep.flaws.iter().cloned());
        embedding::attach(&self.ground, &mut state.stack);
        if !self.is_watching || state.sum.is_none() || !fold::can_wait(&state.stack) {
            fold::fold(&self.ground, state, &sweep, now);
        }
        let view = Arc::new(View::new(
            &state.stack,
            &sweep,
            flaws,
            state.view.as_deref(),
        ));
        state.view = Some(view.clone());
        view
    }

    /// Returns how many sources the next look has to read. Nothing is read but their states, which a look
    /// that follows at once does not ask for again.
    pub fn unread(&self) -> usize {
        let mut state = self.state();
        loading::refresh(&self.ground, &mut state);
        let sweep = Sweep::of(&self.ground.kinds, Vec::new(), &state.stack);
        let unread = sweep.changed.len();
        state.counted = Some((Instant::now(), sweep));
        unread
    }

    /// Reads every byte of what is kept; returns how many files are damaged. The next look makes them again.
    pub fn verify(&self) -> usize {
        let mut state = self.state();
        loading::refresh(&self.ground, &mut state);
        let members = &state.stack.members;
        let is_damaged = |member: &&Member| !member.segment.verify();
        let unopened = state.manifest.segments.len().saturating_sub(members.len());
        let damaged = members.iter().filter(is_damaged).count() + unopened;
        if damaged > 0 {
            state.forget_view();
        }
        let of_models = state
            .stack
            .members
            .iter()
            .map(|member| embedding::damaged_files(&self.ground, member));
        damaged
            + of_models.sum::<usize>()
            + usize::from(Manifest::is_damaged(
                &self.ground.files,
                &self.ground.folder,
            ))
    }

    /// Asks a model for vectors that are missing, up to `most` of them; returns how many are still
    /// missing then. What is there is used meanwhile, and no lock is held while the model works.
    pub fn embed_missing(
        &self,
        model: usize,
        most: usize,
        progress: &dyn Progress,
    ) -> Result<usize> {
        embedding::embed_missing(self, model, most, progress)
    }

    /// Has a model read what is missing, if that is so little that someone who asks can wait for it; says
    /// whether it read anything.
    pub fn embed_at_once(&self, model: usize) -> Result<bool> {
        embedding::embed_at_once(self, model)
    }

    /// Forgets everything, so that the next look reads all sources again.
    pub fn clear(&self) -> Result<()> {
        let mut state = self.state();
        *state = State::default();
        Ok(fold::clear(&self.ground)?)
    }

    /// Returns what the index consists of, as of the last look.
    pub fn status(&self) -> Status {
        Status::of(&self.ground, &self.state())
    }

    /// A panic elsewhere leaves a state that is at worst too old: the next look mends it.
    pub(crate) fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
