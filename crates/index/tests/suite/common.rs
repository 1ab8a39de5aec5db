//! A kind whose store is in memory, a model that counts letters, and the one way to ask.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use memory_core::{
    Address, Document, Flaw, Ids, Kind, Rehearsal, Result, Silent, Source, Step, Survey, Task,
    Thread, Timestamp, Tool, parse_instant,
};
use memory_files::{Disk, Files, RealDisk};
use memory_index::{DocumentId, Filter, Index, Scores, View, Weighing};
use memory_models::{Embed, TokenVectors, Tokens};
use memory_testkit::{Home, NOW};

/// The parts of a store, each with its state and its documents.
#[derive(Debug, Default)]
pub(crate) struct Store {
    pub(crate) parts: BTreeMap<String, (u64, bool, Vec<Document>)>,
    pub(crate) is_unreadable: bool,
}

/// A kind of memory that others change behind its back.
#[derive(Debug, Default)]
pub(crate) struct Fake {
    pub(crate) store: Mutex<Store>,
    pub(crate) reads: AtomicUsize,
    pub(crate) place: String,
    /// The folder that is watched for it.
    pub(crate) folder: Option<PathBuf>,
    /// Whether it can tell which part a file there belongs to: that of the same name.
    pub(crate) names_files: bool,
    pub(crate) surveys: AtomicUsize,
}

impl Fake {
    /// Puts documents into a part, as a write that changes its state does.
    pub(crate) fn put(&self, part: &str, documents: Vec<Document>) {
        let mut store = self.store.lock().unwrap();
        let state = store.parts.get(part).map_or(1, |(state, ..)| state + 1);
        store
            .parts
            .insert(part.to_owned(), (state, false, documents));
    }

    /// Puts one document with a text into a part.
    pub(crate) fn say(&self, part: &str, text: &str) {
        self.put(part, vec![document(part, text)]);
    }

    pub(crate) fn remove(&self, part: &str) {
        self.store.lock().unwrap().parts.remove(part);
    }

    /// How often all of its parts were looked at since this was last asked.
    pub(crate) fn surveys(&self) -> usize {
        self.surveys.swap(0, Ordering::SeqCst)
    }

    pub(crate) fn reads(&self) -> usize {
        self.reads.swap(0, Ordering::SeqCst)
    }
}

impl Kind for Fake {
    fn name(&self) -> &'static str {
        "fake"
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
        self.surveys.fetch_add(1, Ordering::SeqCst);
        let store = self.store.lock().unwrap();
        let mut survey = Survey::default();
        if store.is_unreadable {
            survey.flaws.push(Flaw::new("store", "it can't be listed"));
            return survey;
        }
        survey.good = store
            .parts
            .iter()
            .map(|(name, (state, is_fresh, _))| Source {
                name: name.clone(),
                state: *state,
                is_fresh: *is_fresh,
            })
            .collect();
        survey
    }

    fn sources_at(&self, files: &[PathBuf]) -> Option<Vec<(String, Option<Source>)>> {
        let all = self.names_files.then(|| self.sources().good)?;
        self.surveys.fetch_sub(1, Ordering::SeqCst);
        let name = |file: &PathBuf| file.file_name().unwrap().to_string_lossy().into_owned();
        let named = |name: String| {
            (
                name.clone(),
                all.iter().find(|source| source.name == name).cloned(),
            )
        };
        Some(
            files
                .iter()
                .map(name)
                .filter(|name| !name.starts_with('.'))
                .map(named)
                .collect(),
        )
    }

    fn documents_of(&self, source: &str) -> Survey<Document> {
        self.reads.fetch_add(1, Ordering::SeqCst);
        let store = self.store.lock().unwrap();
        let good = store
            .parts
            .get(source)
            .map(|(_, _, documents)| documents.clone())
            .unwrap_or_default();
        Survey {
            good,
            flaws: vec![],
        }
    }

    fn place(&self) -> String {
        self.place.clone()
    }

    fn folders(&self) -> Option<Vec<PathBuf>> {
        self.folder.clone().map(|folder| vec![folder])
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

pub(crate) fn document(id: &str, text: &str) -> Document {
    Document {
        address: Address::new("fake", id),
        title: text.chars().take(10).collect(),
        text: text.to_owned(),
        labels: vec![format!("first:{}", text.chars().next().unwrap_or('-'))],
        source: "test".into(),
        created_at: now(),
        updated_at: now(),
        expiry: None,
        thread: None,
        weight: 1.0,
    }
}

pub(crate) fn turn(id: &str, thread: &str, place: u64, text: &str) -> Document {
    Document {
        thread: Some(Thread {
            name: thread.into(),
            place,
        }),
        ..document(id, text)
    }
}

pub(crate) fn now() -> Timestamp {
    parse_instant(NOW).unwrap()
}

/// A model that counts letters, and is told how often it was asked.
#[derive(Debug)]
pub(crate) struct Letters {
    pub(crate) id: &'static str,
    pub(crate) is_instant: bool,
    pub(crate) asked: AtomicUsize,
    /// Whether it compares word by word, too, and how many texts it has read for that alone.
    pub(crate) has_pieces: bool,
    pub(crate) asked_late: AtomicUsize,
}

impl Letters {
    pub(crate) fn new(id: &'static str, is_instant: bool) -> Arc<Self> {
        let (asked, asked_late) = (AtomicUsize::new(0), AtomicUsize::new(0));
        Arc::new(Letters {
            id,
            is_instant,
            asked,
            has_pieces: false,
            asked_late,
        })
    }

    pub(crate) fn with_pieces(id: &'static str) -> Arc<Self> {
        let (asked, asked_late) = (AtomicUsize::new(0), AtomicUsize::new(0));
        Arc::new(Letters {
            id,
            is_instant: false,
            asked,
            has_pieces: true,
            asked_late,
        })
    }
}

impl Embed for Letters {
    fn id(&self) -> &str {
        self.id
    }

    fn dimensions(&self) -> usize {
        26
    }

    fn can_read(&self, text: &str) -> bool {
        text.bytes().any(|b| b.is_ascii_lowercase())
    }

    fn question(&self, text: &str) -> Result<Vec<f32>> {
        let mut vector = [0.0_f32; 26];
        for letter in text.bytes().filter(u8::is_ascii_lowercase) {
            vector[usize::from(letter - b'a')] += 1.0;
        }
        let length = vector.iter().map(|v| v * v).sum::<f32>().sqrt();
        Ok(vector.iter().map(|v| v / length).collect())
    }

    fn documents(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>> {
        self.asked.fetch_add(texts.len(), Ordering::SeqCst);
        texts.iter().map(|text| self.question(text)).collect()
    }

    fn is_instant(&self) -> bool {
        self.is_instant
    }

    fn tokens(&self) -> Option<&dyn Tokens> {
        self.has_pieces.then_some(self)
    }
}

impl Tokens for Letters {
    fn question_tokens(&self, text: &str) -> Result<TokenVectors> {
        let mut values = Vec::new();
        for word in text.split(' ').filter(|word| self.can_read(word)) {
            values.extend(
                self.question(word)?
                    .iter()
                    .map(|value| (value * 127.0) as i8),
            );
        }
        Ok(TokenVectors {
            dimensions: 26,
            values,
        })
    }

    fn document_tokens(&self, texts: &[&str]) -> Result<Vec<TokenVectors>> {
        self.asked_late.fetch_add(texts.len(), Ordering::SeqCst);
        texts
            .iter()
            .map(|text| self.question_tokens(text))
            .collect()
    }

    fn documents_and_tokens(&self, texts: &[&str]) -> Result<Vec<(Vec<f32>, TokenVectors)>> {
        let vectors = self.documents(texts)?.into_iter();
        vectors
            .zip(texts)
            .map(|(vector, text)| Ok((vector, self.question_tokens(text)?)))
            .collect()
    }
}

pub(crate) fn files(disk: Arc<dyn Disk>) -> Files {
    Files::new(disk, Ids::random())
}

/// Opens an index over kinds with one instant model.
pub(crate) fn open_on(disk: Arc<dyn Disk>, home: &Home, kinds: &[&Arc<Fake>]) -> Index {
    open_with(disk, home, kinds, vec![Letters::new("letters", true)])
}

pub(crate) fn open(home: &Home, kinds: &[&Arc<Fake>]) -> Index {
    open_on(Arc::new(RealDisk::default()), home, kinds)
}

pub(crate) fn open_with(
    disk: Arc<dyn Disk>,
    home: &Home,
    kinds: &[&Arc<Fake>],
    models: Vec<Arc<Letters>>,
) -> Index {
    let kinds = kinds
        .iter()
        .map(|kind| Arc::clone(kind) as Arc<dyn Kind>)
        .collect();
    let models = models
        .into_iter()
        .map(|model| model as Arc<dyn Embed>)
        .collect();
    Index::new(
        files(disk),
        home.spot().join(".index").join("recall"),
        kinds,
        models,
    )
}

pub(crate) fn look(index: &Index) -> Arc<View> {
    index.look(now(), &Silent)
}

fn named(view: &View, id: DocumentId) -> String {
    view.record(id).unwrap().id.to_owned()
}

/// Everything that can be seen of a view, without the numbers by which it knows its documents.
#[derive(Debug, PartialEq)]
pub(crate) struct Seen {
    documents: BTreeMap<String, Document>,
    lexical: Vec<BTreeMap<String, u32>>,
    dense: Vec<BTreeMap<String, u32>>,
    neighbours: BTreeMap<String, Vec<String>>,
    labelled: Vec<String>,
}

pub(crate) fn see(view: &View) -> Seen {
    let allowed = view.allowed(&Filter::default(), now());
    let scores = |found: Scores| {
        found
            .iter()
            .map(|(id, score)| (named(view, id), score.to_bits()))
            .collect()
    };
    let questions = ["a", "b c", "d e f g", "aa bb"];
    let lexical = questions.iter().map(|question| {
        let terms: Vec<(&str, f32)> = question.split(' ').map(|term| (term, 1.0)).collect();
        scores(view.lexical(&terms, &allowed, Weighing::default()))
    });
    let letters = Letters::new("letters", true);
    let dense = questions
        .iter()
        .map(|question| scores(view.dense(0, &letters.question(question).unwrap(), &allowed)));
    let filter = Filter {
        any_label: vec!["first:a".into(), "first:b".into()],
        ..Filter::default()
    };
    let some = view.allowed(&filter, now());
    let mut labelled: Vec<String> = view
        .lexical(&[("a", 1.0), ("b", 1.0)], &some, Weighing::default())
        .iter()
        .map(|(id, _)| named(view, id))
        .collect();
    labelled.sort();
    Seen {
        documents: view
            .all()
            .map(|id| (named(view, id), view.document(id).unwrap()))
            .collect(),
        lexical: lexical.collect(),
        dense: dense.collect(),
        neighbours: view
            .all()
            .map(|id| {
                (
                    named(view, id),
                    view.neighbours(id, 1, 2)
                        .iter()
                        .map(|n| named(view, *n))
                        .collect(),
                )
            })
            .collect(),
        labelled,
    }
}

/// What a new index sees, in a place of its own.
pub(crate) fn see_fresh(kinds: &[&Arc<Fake>]) -> Seen {
    let home = Home::new();
    see(&look(&open(&home, kinds)))
}

/// Says which documents have a word.
pub(crate) fn with(view: &View, term: &str) -> Vec<String> {
    let mut found: Vec<String> = view
        .with_term(&memory_text::terms::terms(term)[0])
        .iter()
        .map(|(id, _)| named(view, *id))
        .collect();
    found.sort();
    found
}
