//! How fast the index is: `measure COUNT [FOLDER]`.
//!
//! Makes COUNT short memories, indexes them, opens the index again as a new process would, and asks.
//! Prints one line for each figure. What depends on files is measured by the project's benchmark.

#![allow(clippy::disallowed_methods, clippy::print_stdout, clippy::unwrap_used)] // a tool for developers

use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use memory_core::{
    Address, Document, Flaw, Ids, Kind, Rehearsal, Result, Silent, Source, Step, Survey, Task,
    Timestamp, Tool,
};
use memory_files::{Files, RealDisk, Spot};
use memory_index::{Filter, Index, Weighing};
use memory_models::Embed;

/// Memories that are made up as they are asked for.
struct Made {
    states: Mutex<Vec<u64>>,
}

/// A word of a made-up language, the lower the commoner.
fn word(n: u64) -> String {
    const PARTS: [&str; 16] = [
        "ka", "lo", "mi", "te", "ru", "sa", "no", "vi", "pe", "du", "ga", "ho", "ji", "be", "zu",
        "fy",
    ];
    let mut word = String::new();
    let mut left = n + 1;
    while left > 0 {
        word.push_str(PARTS[(left % 16) as usize]);
        left /= 16;
    }
    word
}

fn random(seed: &mut u64) -> u64 {
    *seed ^= *seed << 13;
    *seed ^= *seed >> 7;
    *seed ^= *seed << 17;
    *seed
}

/// Words as languages have them: few are common, most are rare.
fn text(seed: u64, words: usize) -> String {
    let mut seed = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let mut text = String::new();
    for _ in 0..words {
        let share = (random(&mut seed) % 1_000_000) as f64 / 1_000_000.0;
        text.push_str(&word((60_000_f64.powf(share) - 1.0) as u64));
        text.push(' ');
    }
    text
}

impl Kind for Made {
    fn name(&self) -> &'static str {
        "made"
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
        let states = self.states.lock().unwrap();
        let source = |(n, state): (usize, &u64)| Source {
            name: n.to_string(),
            state: *state,
            is_fresh: false,
        };
        Survey {
            good: states.iter().enumerate().map(source).collect(),
            flaws: vec![],
        }
    }
    fn documents_of(&self, source: &str) -> Survey<Document> {
        let n: usize = source.parse().unwrap();
        let state = self.states.lock().unwrap()[n];
        let at = Timestamp::from_second(1_700_000_000 + n as i64).unwrap();
        let document = Document {
            address: Address::new("made", source),
            title: format!("memory {n}"),
            text: text(n as u64 + state * 1_000_003, 30),
            labels: vec![format!("category:{}", n % 14)],
            source: "measure".into(),
            created_at: at,
            updated_at: at,
            expiry: None,
            thread: None,
            weight: 1.0,
        };
        Survey {
            good: vec![document],
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

/// Vectors that cost as little as a table look-up for each word.
struct Table;

impl Embed for Table {
    fn id(&self) -> &str {
        "table"
    }
    fn dimensions(&self) -> usize {
        256
    }
    fn can_read(&self, _: &str) -> bool {
        true
    }
    fn question(&self, text: &str) -> Result<Vec<f32>> {
        let mut vector = vec![0.0_f32; 256];
        for word in text.split(' ') {
            let mut seed = word
                .bytes()
                .fold(7, |seed: u64, b| seed.wrapping_mul(31) + u64::from(b))
                | 1;
            for value in vector.chunks_mut(8) {
                let bits = random(&mut seed);
                value
                    .iter_mut()
                    .enumerate()
                    .for_each(|(n, v)| *v += (bits >> (n * 8) & 0xff) as f32 - 127.5);
            }
        }
        let length = vector.iter().map(|v| v * v).sum::<f32>().sqrt();
        Ok(vector.iter().map(|v| v / length).collect())
    }
    fn documents(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>> {
        texts.iter().map(|text| self.question(text)).collect()
    }
    fn is_instant(&self) -> bool {
        true
    }
}

fn timed<T>(work: impl FnOnce() -> T) -> (T, Duration) {
    let begun = Instant::now();
    let done = work();
    (done, begun.elapsed())
}

fn say(what: &str, time: Duration) {
    println!("{what:32} {:10.3} ms", time.as_secs_f64() * 1000.0);
}

fn main() {
    let mut arguments = std::env::args().skip(1);
    let count: usize = arguments
        .next()
        .and_then(|n| n.parse().ok())
        .unwrap_or(10_000);
    let folder = arguments
        .next()
        .unwrap_or_else(|| format!("/tmp/memory-measure-{}", std::process::id()));
    let _ = std::fs::create_dir_all(&folder);
    let kind = Arc::new(Made {
        states: Mutex::new(vec![1; count]),
    });
    let open = |models: Vec<Arc<dyn Embed>>| {
        let files = Files::new(Arc::new(RealDisk::default()), Ids::random());
        Index::new(
            files,
            Spot::anchor(&folder).join("index"),
            vec![kind.clone()],
            models,
        )
    };
    let now = Timestamp::from_second(1_800_000_000).unwrap();
    let (_, made) = timed(|| (0..count).map(|n| text(n as u64, 30).len()).sum::<usize>());
    let (_, first) = timed(|| open(vec![]).look(now, &Silent));
    say("index, words alone", first.saturating_sub(made));
    println!(
        "{:32} {:10.0} documents/s",
        "",
        count as f64 / first.saturating_sub(made).as_secs_f64()
    );
    let (_, second) = timed(|| open(vec![Arc::new(Table)]).look(now, &Silent));
    say("vectors for all", second);
    let index = open(vec![Arc::new(Table)]);
    let (view, cold) = timed(|| index.look(now, &Silent));
    say("open and compare all sources", cold);
    println!("{:32} {:10.1} MB", "memory", memory());
    ask(&view, now);
    println!("{:32} {:10.1} MB", "memory, after questions", memory());
    let (_, warm) = timed(|| index.look(now, &Silent));
    say("compare all sources again", warm);
    let writes = (0..50).map(|n| {
        kind.states.lock().unwrap()[n * 7 % count] += 1;
        timed(|| open(vec![Arc::new(Table)]).look(now, &Silent)).1
    });
    percentiles("a write, then open and look", writes.collect());
    let status = index.status();
    println!("{status:?}");
    let _ = std::fs::remove_dir_all(folder);
}

fn ask(view: &memory_index::View, now: Timestamp) {
    let questions: Vec<String> = (0..300).map(|n| text(n * 31 + 5, 8)).collect();
    let (mut lexical, mut dense) = (Vec::new(), Vec::new());
    let mut filtered = Vec::new();
    for question in &questions {
        let (allowed, time) = timed(|| view.allowed(&Filter::default(), now));
        filtered.push(time);
        let terms = memory_text::terms::terms(question);
        let terms: Vec<(&str, f32)> = terms.iter().map(|term| (term.as_str(), 1.0)).collect();
        lexical.push(timed(|| view.lexical(&terms, &allowed, Weighing::default())).1);
        let vector = Table.question(question).unwrap();
        dense.push(timed(|| view.dense(0, &vector, &allowed)).1);
    }
    percentiles("filter", filtered);
    percentiles("question by words", lexical);
    percentiles("question by vectors", dense);
}

fn percentiles(what: &str, mut times: Vec<Duration>) {
    times.sort();
    let at = |share: usize| times[(times.len() - 1) * share / 100].as_secs_f64() * 1000.0;
    println!("{what:32} p50 {:8.3} ms   p99 {:8.3} ms", at(50), at(99));
}

/// The memory of this process that is in use, in megabytes.
fn memory() -> f64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.and_then(|line| line.trim().strip_suffix(" kB")?.parse::<f64>().ok())
        .unwrap_or_default()
        / 1024.0
}
