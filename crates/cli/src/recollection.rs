//! Recall over the kinds of this house: the index and the models, opened when someone first asks.
//!
//! A command that only writes opens neither. A process that stays watches the folders instead of
//! looking at every file each time. One that is in a hurry does not read for long before it answers.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};

use memory_core::{
    Address, Cadence, Code, Done, Error, Flaw, Kind, Progress, Question, Recall, Recalled,
    Rehearsal, Report, Result, Silent, Span, Task, Timestamp,
};
use memory_files::{Files, Spot};
use memory_index::{Index, Recaller, SecondLook, Status};
use memory_models::{Chosen, Embed, Reranker, StaticModel};

/// How many sources are read for someone in a hurry: about 40 ms.
const HASTE: usize = 500;
/// Held by the process that reads what someone in a hurry could not.
const CATCHING_UP: &str = ".catching-up.lock";
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
    /// Whether it would take too long to answer.
    declines: AtomicBool,
    opened: OnceLock<Opened>,
    /// The kinds whose memories come with the files of the working directory.
    project_kinds: Vec<&'static str>,
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
        let (stays, declines, opened) = (
            AtomicBool::new(false),
            AtomicBool::new(false),
            OnceLock::new(),
        );
        let choose = Box::new(choose);
        let project_kinds = Vec::new();
        Recollection {
            files,
            folder,
            kinds,
            choose,
            stays,
            declines,
            opened,
            project_kinds,
        }
    }

    /// Marks the memories of these kinds as those of the project: a prompt must not present them as the user's words.
    pub(crate) fn with_project_kinds(self, project_kinds: Vec<&'static str>) -> Self {
        Recollection {
            project_kinds,
            ..self
        }
    }

    /// Says that this process stays, before anyone asks.
    pub(crate) fn stay(&self) {
        self.stays.store(true, Ordering::Relaxed);
    }

    /// Hears that this process can't wait: if there is much to read first, nothing is answered. Says
    /// whether that is so.
    pub(crate) fn hurry(&self) -> bool {
        let is_behind = self.unread() > HASTE;
        self.declines.store(is_behind, Ordering::Relaxed);
        is_behind
    }

    /// Returns how many files have to be read before the next answer.
    pub(crate) fn unread(&self) -> usize {
        self.opened().index.unread()
    }

    /// Reads what has changed, unless another process is doing so. Models that take time are not asked.
    pub(crate) fn catch_up(&self, now: Timestamp) -> Result<()> {
        self.files.ensure_folder(&self.folder)?;
        if let Some(_turn) = self.files.try_lock(&self.folder.join(CATCHING_UP))? {
            self.opened().index.look(now, &Silent);
        }
        Ok(())
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

    /// Reads every byte of the index; returns how many of its files are damaged.
    pub(crate) fn damaged(&self) -> usize {
        self.opened().index.verify()
    }

    /// Reads all that has changed or is damaged in the index, and has the models read what they have not.
    pub(crate) fn sync(&self, now: Timestamp, progress: &dyn Progress) -> Result<Status> {
        let opened = self.opened();
        opened.index.verify();
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
        self.opened()
            .index
            .status()
            .models
            .first()
            .map_or(0, |model| model.missing)
    }

    fn opened(&self) -> &Opened {
        self.opened.get_or_init(|| self.open())
    }

    fn open(&self) -> Opened {
        let chosen = (self.choose)();
        let models = models_of(chosen.embedder);
        let index = Index::new(
            self.files.clone(),
            self.folder.clone(),
            self.kinds.clone(),
            models.clone(),
        );
        let index = Arc::new(if self.stays.load(Ordering::Relaxed) {
            index.watching()
        } else {
            index
        });
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
        Opened {
            index,
            recaller,
            is_slow,
            troubles: chosen.troubles,
        }
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
        if self.declines.load(Ordering::Relaxed) {
            return Err(Error::new(
                Code::Conflict,
                "The index is too far behind to answer immediately",
            ));
        }
        let opened = self.opened();
        let mut answer = opened.recaller.recall(question, now)?;
        let troubles = opened
            .troubles
            .iter()
            .map(|error| Flaw::new("models", error.message.clone()));
        answer.flaws.extend(troubles);
        for hit in &mut answer.hits {
            if self.project_kinds.contains(&hit.address.kind.as_str()) {
                hit.source = format!("project files: {}", hit.source);
            }
        }
        Ok(answer)
    }

    fn record_access(&self, delivered: &[Address]) {
        for kind in &self.kinds {
            let own = delivered
                .iter()
                .filter(|address| address.kind == kind.name());
            let ids: Vec<&str> = own.map(|address| address.id.as_str()).collect();
            if !ids.is_empty() {
                kind.record_access(&ids);
            }
        }
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
        let waiting = if opened.is_slow {
            recollection.waiting()
        } else {
            0
        };
        if waiting == 0 {
            return Ok(Done::read(Report::default()));
        }
        let left = opened.index.embed_missing(0, ROUND, &Silent)?;
        let line = format!(
            "Embedded {} memories; {left} are left",
            waiting.saturating_sub(left)
        );
        Ok(Done::read(Report::of(vec![line])))
    })
}

#[cfg(test)]
mod tests {
    use memory_core::{Document, Ids, Source, Step, Survey, Tool};
    use memory_files::RealDisk;
    use memory_testkit::{Home, clock};

    use super::*;

    /// A kind with so many files, each of which says its name.
    struct Many(usize);

    impl Kind for Many {
        fn name(&self) -> &'static str {
            "many"
        }

        fn tools(&self) -> Vec<Tool> {
            vec![]
        }

        fn tasks(&self) -> Vec<Task> {
            vec![]
        }

        fn documents(&self, _: Timestamp) -> Survey<Document> {
            Survey::default()
        }

        fn sources(&self) -> Survey<Source> {
            let source = |n: usize| Source {
                name: n.to_string(),
                state: 1,
                is_fresh: false,
            };
            Survey {
                good: (0..self.0).map(source).collect(),
                flaws: vec![],
            }
        }

        fn repair(&self, _: Timestamp, _: Rehearsal) -> Result<Vec<Flaw>> {
            Ok(vec![])
        }

        fn steps(&self) -> Survey<Step> {
            Survey::default()
        }

        fn undo(
            &self,
            _: &Step,
            _: memory_core::Actor,
            _: Timestamp,
        ) -> Result<Option<memory_core::Undone>> {
            Ok(None)
        }
    }

    fn recollection(home: &Home, files: usize) -> Recollection {
        let disk = Files::new(Arc::new(RealDisk::default()), Ids::random());
        let folder = Spot::anchor(home.path()).join("recall");
        let choose = || Chosen {
            embedder: None,
            reranker: Reranker::None,
            troubles: vec![],
        };
        Recollection::new(disk, folder, vec![Arc::new(Many(files))], choose)
    }

    fn answers(recollection: &Recollection) -> bool {
        recollection
            .recall(&Question::default(), clock().now())
            .is_ok()
    }

    #[test]
    fn whoever_is_in_a_hurry_is_not_kept_by_an_index_that_is_behind() {
        let home = Home::new();
        let hurrying = |files| {
            let recollection = recollection(&home, files);
            recollection.hurry();
            recollection
        };
        assert!(answers(&hurrying(HASTE)));
        assert!(!answers(&hurrying(2 * HASTE + 1)));
        recollection(&home, 2 * HASTE + 1)
            .catch_up(clock().now())
            .unwrap();
        assert!(
            answers(&hurrying(2 * HASTE + 1)),
            "another process has read it meanwhile"
        );
    }

    #[test]
    fn one_process_catches_up_at_a_time() {
        let home = Home::new();
        let recollection = recollection(&home, 3);
        recollection
            .files
            .ensure_folder(&recollection.folder)
            .unwrap();
        let turn = recollection
            .files
            .lock(&recollection.folder.join(CATCHING_UP))
            .unwrap();
        recollection.catch_up(clock().now()).unwrap();
        assert_eq!(recollection.unread(), 3);
        drop(turn);
        recollection.catch_up(clock().now()).unwrap();
        assert_eq!(recollection.unread(), 0);
    }
}
