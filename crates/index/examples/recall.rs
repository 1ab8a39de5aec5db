//! Runs recall over a data set as a user gets it, and writes what was found.
//!
//! ```text
//! recall SET_FOLDER RUN_FILE [--model none|built-in|MODEL_FOLDER] [--late] [--home FOLDER] [--elsewhere] [--unasked]
//!        [--queries N]
//! ```
//!
//! The folder has `corpus.jsonl` and `queries.jsonl`. Every line of the corpus is a memory; turns of a session
//! are a thread. With `--unasked` the stricter threshold of hooks applies. With `--elsewhere` each question is asked
//! of another group, where it has no answer. `--home` keeps the index, so that a model is asked only once.
//! `bench/recall/run.py` does all of this.

#![allow(
    clippy::print_stdout,
    clippy::disallowed_methods,
    clippy::unwrap_used,
    clippy::panic
)]

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

use memory_core::{
    Address, Document, Flaw, Ids, Kind, Question, Rehearsal, Result, Silent, Source, Step,
    Strictness, Survey, Task, Thread, Timestamp, Tool,
};
use memory_files::{Files, RealDisk, Spot};
use memory_index::{Index, Recaller, SecondLook};
use memory_models::{Embed, ModelName, ModelStore, StaticModel, WholeTexts};
use serde_json::Value;

/// How deep a ranking is written.
const DEPTH: usize = 100;

fn main() {
    let arguments = Arguments::read();
    let corpus = lines(&arguments.set.join("corpus.jsonl"));
    let kind = Arc::new(Corpus {
        documents: corpus.iter().enumerate().map(document).collect(),
    });
    let home = tempfile::tempdir().unwrap();
    let home = arguments
        .home
        .clone()
        .unwrap_or_else(|| home.path().to_owned());
    std::fs::create_dir_all(&home).unwrap();
    let files = Files::new(Arc::new(RealDisk::default()), Ids::random());
    let models = arguments.models(&files, &home);
    let index = Index::new(
        files,
        Spot::anchor(&home).join("index"),
        vec![kind.clone()],
        models.clone(),
    );
    let start = Instant::now();
    index.look(Timestamp::UNIX_EPOCH, &Silent);
    println!(
        "indexed {} memories in {:.2} s",
        kind.documents.len(),
        start.elapsed().as_secs_f64()
    );
    for number in 0..models.len() {
        let start = Instant::now();
        while index.embed_missing(number, usize::MAX, &Silent).unwrap() > 0 {}
        println!("embedded in {:.1} s", start.elapsed().as_secs_f64());
    }
    let mut recaller = Recaller::new(Arc::new(index), models.clone());
    if arguments.late {
        recaller = recaller.with_second_look(SecondLook::LateInteraction(models[0].clone()));
    }
    arguments.ask(&recaller, &kind);
}

struct Arguments {
    set: PathBuf,
    run: PathBuf,
    model: String,
    home: Option<PathBuf>,
    late: bool,
    elsewhere: bool,
    strictness: Strictness,
    most: usize,
}

impl Arguments {
    fn read() -> Self {
        let all: Vec<String> = std::env::args().skip(1).collect();
        let value = |flag: &str| {
            all.iter()
                .position(|a| a == flag)
                .and_then(|at| all.get(at + 1))
                .cloned()
        };
        let has = |flag: &str| all.iter().any(|a| a == flag);
        let [set, run, ..] = all.as_slice() else {
            panic!("recall SET_FOLDER RUN_FILE …: see the file's head")
        };
        Arguments {
            set: set.into(),
            run: run.into(),
            model: value("--model").unwrap_or_else(|| "built-in".to_owned()),
            home: value("--home").map(PathBuf::from),
            late: has("--late"),
            elsewhere: has("--elsewhere"),
            strictness: if has("--unasked") {
                Strictness::Strict
            } else {
                Strictness::Lenient
            },
            most: value("--queries")
                .and_then(|n| n.parse().ok())
                .unwrap_or(usize::MAX),
        }
    }

    fn models(&self, files: &Files, home: &std::path::Path) -> Vec<Arc<dyn Embed>> {
        match self.model.as_str() {
            "none" => vec![],
            "built-in" => vec![Arc::new(StaticModel::built_in().unwrap())],
            folder => {
                let store = ModelStore::new(files.clone(), &Spot::anchor(home).join("models"));
                // The name tells the family: how it pools, and what its questions begin with.
                let name = PathBuf::from(folder)
                    .file_name()
                    .unwrap()
                    .to_string_lossy()
                    .into_owned();
                let name = ModelName::parse(&name).unwrap();
                if store.installed().unwrap_or_default().is_empty() {
                    store.install_folder(&name, folder.as_ref()).unwrap();
                }
                let model: Arc<dyn Embed> = Arc::new(store.embedder(&name).unwrap());
                let model = if self.late {
                    model
                } else {
                    Arc::new(WholeTexts(model))
                };
                // As in the program, the table stands behind.
                vec![model, Arc::new(StaticModel::built_in().unwrap())]
            }
        }
    }

    fn ask(&self, recaller: &Recaller, kind: &Corpus) {
        let groups = kind.groups();
        let (mut run, mut times, mut silent, mut asked) = (String::new(), Vec::new(), 0, 0);
        for query in lines(&self.set.join("queries.jsonl"))
            .iter()
            .take(self.most)
        {
            let (group, now) = self.meant(query, &groups);
            let question = Question {
                text: text(query, "text").to_owned(),
                labels: vec![format!("group:{group}")],
                limit: DEPTH,
                strictness: self.strictness,
                ..Question::default()
            };
            let start = Instant::now();
            let recalled = recaller.answer(&question, now, &Silent);
            times.push(start.elapsed().as_secs_f64() * 1e3);
            asked += 1;
            silent += usize::from(recalled.hits.is_empty());
            for (n, hit) in recalled.hits.iter().enumerate() {
                let id = text(query, "_id");
                writeln!(
                    run,
                    "{id}\tQ0\t{}\t{}\t{:.6}\tmemory",
                    hit.address.id,
                    n + 1,
                    hit.score
                )
                .unwrap();
            }
        }
        std::fs::write(&self.run, run).unwrap();
        times.sort_by(f64::total_cmp);
        let at = |share: f64| {
            times
                .get((times.len() as f64 * share) as usize)
                .copied()
                .unwrap_or_default()
        };
        println!(
            "asked {asked}, nothing relevant {silent}, median {:.2} ms, p99 {:.2} ms",
            at(0.5),
            at(0.99)
        );
    }

    /// Returns the group that is asked, and when.
    fn meant(&self, query: &Value, groups: &BTreeMap<String, Timestamp>) -> (String, Timestamp) {
        let mut group = text(query, "group").to_owned();
        if self.elsewhere {
            let names: Vec<&String> = groups.keys().collect();
            let own = names
                .iter()
                .position(|name| **name == group)
                .unwrap_or_default();
            group = names[(own + 1) % names.len()].clone();
        }
        let now = time(query, "asked_at")
            .or_else(|| groups.get(&group).copied())
            .unwrap_or_default();
        (group, now)
    }
}

fn lines(path: &std::path::Path) -> Vec<Value> {
    let text =
        std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    text.lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

fn text<'a>(line: &'a Value, field: &str) -> &'a str {
    line.get(field).and_then(Value::as_str).unwrap_or_default()
}

fn time(line: &Value, field: &str) -> Option<Timestamp> {
    format!("{}Z", line.get(field)?.as_str()?.trim_end_matches('Z'))
        .parse()
        .ok()
}

fn document((n, line): (usize, &Value)) -> Document {
    let group = text(line, "group");
    let session = line
        .get("session")
        .map(|session| format!("{group}/{session}"));
    let at = time(line, "created_at").unwrap_or_default();
    Document {
        address: Address::new("corpus", text(line, "_id")),
        title: String::new(),
        text: text(line, "text").to_owned(),
        labels: vec![format!("group:{group}")],
        source: text(line, "speaker").to_owned(),
        created_at: at,
        updated_at: at,
        expiry: None,
        thread: session.map(|name| Thread {
            name,
            place: n as u64,
        }),
        weight: 1.0,
    }
}

/// A kind of memory that is a data set.
struct Corpus {
    documents: Vec<Document>,
}

impl Corpus {
    /// Returns the groups, each with the time of its last memory.
    fn groups(&self) -> BTreeMap<String, Timestamp> {
        let mut groups = BTreeMap::new();
        for document in &self.documents {
            let name = document.labels[0].trim_start_matches("group:").to_owned();
            let last = groups.entry(name).or_insert(document.created_at);
            *last = document.created_at.max(*last);
        }
        groups
    }
}

impl Kind for Corpus {
    fn name(&self) -> &'static str {
        "corpus"
    }

    fn tools(&self) -> Vec<Tool> {
        vec![]
    }

    fn tasks(&self) -> Vec<Task> {
        vec![]
    }

    fn documents(&self, _: Timestamp) -> Survey<Document> {
        Survey {
            good: self.documents.clone(),
            flaws: vec![],
        }
    }

    fn sources(&self) -> Survey<Source> {
        let all = Source {
            name: "all".to_owned(),
            state: self.documents.len() as u64,
            is_fresh: false,
        };
        Survey {
            good: vec![all],
            flaws: vec![],
        }
    }

    fn documents_of(&self, _: &str) -> Survey<Document> {
        self.documents(Timestamp::UNIX_EPOCH)
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
