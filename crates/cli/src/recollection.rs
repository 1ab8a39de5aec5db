//! Recall over the kinds of this house: the index and the models, opened when someone first asks.
//!
//! A command that only writes opens neither. A process that stays watches the folders instead of
//! looking at every file each time.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};

use memory_core::{
    Cadence, Done, Error, Flaw, Kind, Progress, Question, Recall, Recalled, Rehearsal, Report, Result,
    Silent, Span, Task, Timestamp,
};
use memory_files::{Files, Spot};
use memory_index::{Index, Recaller, SecondLook, Status};
use memory_models::{Chosen, Embed, Reranker, StaticModel};

/// How many of them the daemon has read in one round.
const ROUND: usize = 500;
/// How often the daemon looks whether there is something to read.
const PAUSE: Span = Span::seconds(60);

/// Answers questions from all kinds.
pub(crate) struct Recollection {
    files: Files,
    folder: Spot,
    kinds: Vec<Arc<dyn Kind>>,
    choose: Box<dyn Fn() -> Chosen + Send + Sync>,
    stays: AtomicBool,
    opened: OnceLock<Opened>,
}

/// The index with its models.
struct Opened {
    index: Arc<Index>,
    recaller: Recaller,
    /// Whether the first of the models takes time to read a memory.
    is_slow: bool,
    troubles: Vec<Error>,
}

impl Recollection {
    /// Returns the recollection of these kinds, kept in a folder that may be deleted at any time.
    pub(crate) fn new(
        files: Files,
        folder: Spot,
        kinds: Vec<Arc<dyn Kind>>,
        choose: impl Fn() -> Chosen + Send + Sync + 'static,
    ) -> Self {
        let (stays, opened) = (AtomicBool::new(false), OnceLock::new());
        Recollection { files, folder, kinds, choose: Box::new(choose), stays, opened }
    }

    /// Says that this process stays, before anyone asks.
    pub(crate) fn stay(&self) {
        self.stays.store(true, Ordering::Relaxed);
    }

    /// Where the index is.
    pub(crate) fn folder(&self) -> &Spot {
        &self.folder
    }

    /// Reads what has changed, and says what the index consists of then.
    pub(crate) fn status(&self, now: Timestamp) -> Status {
        let opened = self.opened();
        opened.index.look(now, &Silent);
        opened.index.status()
    }

    /// Wishes about models that could not be met, and why.
    pub(crate) fn troubles(&self) -> &[Error] {
        &self.opened().troubles
    }

    /// Reads all that has changed, and has the models read what they have not.
    pub(crate) fn sync(&self, now: Timestamp, progress: &dyn Progress) -> Result<Status> {
        let opened = self.opened();
        opened.index.look(now, progress);
        if opened.is_slow {
            opened.index.embed_missing(0, usize::MAX, progress)?;
        }
        Ok(opened.index.status())
    }

    /// Forgets everything, and reads it again.
    pub(crate) fn rebuild(&self, now: Timestamp, progress: &dyn Progress) -> Result<Status> {
        self.opened().index.clear()?;
        self.sync(now, progress)
    }

    /// How many memories the first model has not read.
    fn waiting(&self) -> usize {
        self.opened().index.status().models.first().map_or(0, |model| model.missing)
    }

    fn opened(&self) -> &Opened {
        self.opened.get_or_init(|| self.open())
    }

    fn open(&self) -> Opened {
        let chosen = (self.choose)();
        let models = models_of(chosen.embedder);
        let index = Index::new(self.files.clone(), self.folder.clone(), self.kinds.clone(), models.clone());
        let index = Arc::new(if self.stays.load(Ordering::Relaxed) { index.watching() } else { index });
        let is_slow = models.first().is_some_and(|model| !model.is_instant());
        let recaller = Recaller::new(index.clone(), models.clone());
        let second = match (chosen.reranker, models.into_iter().next()) {
            (Reranker::Cross(model), _) => Some(SecondLook::CrossEncoder(model)),
            (Reranker::Late, Some(model)) => Some(SecondLook::LateInteraction(model)),
            _ => None,
        };
        let recaller = match second {
            Some(second) => recaller.with_second_look(second),
            None => recaller,
        };
        Opened { index, recaller, is_slow, troubles: chosen.troubles }
    }
}

/// The chosen model, and behind one that takes its time the table that has read everything at once.
fn models_of(chosen: Option<Arc<dyn Embed>>) -> Vec<Arc<dyn Embed>> {
    let is_slow = chosen.as_ref().is_some_and(|model| !model.is_instant());
    let mut models: Vec<Arc<dyn Embed>> = chosen.into_iter().collect();
    if let (true, Ok(table)) = (is_slow, StaticModel::built_in()) {
        models.push(Arc::new(table));
    }
    models
}

impl Recall for Recollection {
    fn recall(&self, question: &Question, now: Timestamp) -> Result<Recalled> {
        let opened = self.opened();
        let mut answer = opened.recaller.recall(question, now)?;
        let troubles = opened.troubles.iter().map(|error| Flaw::new("models", error.message.clone()));
        answer.flaws.extend(troubles);
        Ok(answer)
    }
}

/// Upkeep of the index: what was edited by hand is read, and read by the models.
pub(crate) fn upkeep(recollection: Arc<Recollection>) -> Task {
    Task::new("index", Cadence::Every(PAUSE), move |now, how| {
        if how == Rehearsal::Dry {
            return Ok(Done::read(Report::default()));
        }
        let opened = recollection.opened();
        opened.index.look(now, &Silent);
        let waiting = if opened.is_slow { recollection.waiting() } else { 0 };
        if waiting == 0 {
            return Ok(Done::read(Report::default()));
        }
        let left = opened.index.embed_missing(0, ROUND, &Silent)?;
        let line = format!("The model read {} memories; {left} are left", waiting.saturating_sub(left));
        Ok(Done::read(Report::of(vec![line])))
    })
}
