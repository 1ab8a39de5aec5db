//! A year of daily use: whatever maintenance does, everything that was remembered can be recalled.
//!
//! Each day a session begins, a prompt is sent and a question is asked, an agent or a person writes a note
//! now and then, and the daemon runs every task that it has, dreams included.

#![allow(clippy::disallowed_methods)] // a test makes the vault by itself

use std::collections::BTreeSet;
use std::sync::Arc;

use memory_core::{Clock, Ids, Recall as _, Rehearsal, Silent, Timestamp};
use memory_files::{Disk, LookingDisk, RealDisk};
use memory_testkit::{Home, clock};
use serde_json::{Value, json};

use crate::commands::hook;
use crate::environment::Environment;
use crate::house::{House, build_in};

const DAY: i64 = 86_400;
const DAYS: i64 = 365;
/// So many of the notes are asked for again and again; the others by nobody.
const USED: usize = 7;

/// Notes with a question that each one answers, and the words of it that must be in the answer. A note without a
/// category goes to the inbox. One is written every third day.
const NOTES: [(&str, &str, &str, &str); 60] = [
    (
        "preferences",
        "The user prefers dark mode in every editor.",
        "which editor theme?",
        "dark mode",
    ),
    (
        "preferences",
        "User prefers tabs of four columns in Go code.",
        "tab width in Go",
        "four columns",
    ),
    (
        "preferences",
        "Answers should be short and without emoji.",
        "style of answers emoji",
        "without emoji",
    ),
    (
        "preferences",
        "用户喜欢用中文写提交说明。",
        "提交说明用什么语言",
        "中文",
    ),
    (
        "preferences",
        "The user dislikes ORMs and wants plain SQL.",
        "ORM or plain SQL?",
        "plain SQL",
    ),
    (
        "decisions",
        "We decided to deploy from the release branch only.",
        "which branch do we deploy",
        "release branch",
    ),
    (
        "decisions",
        "Decided: billing runs on PostgreSQL 16, not on MySQL.",
        "database of billing",
        "PostgreSQL 16",
    ),
    (
        "decisions",
        "# Weekly meeting of the platform team, minutes by Ann, room 4.12, present: Ann, Bob, Carol, Dave and Erin\n\n\
         The cache is going to be Redis.",
        "what did the platform team decide about the cache",
        "Redis",
    ),
    (
        "decisions",
        "# Weekly meeting of the platform team, minutes by Ann, room 4.12, present: Ann, Bob, Carol, Dave and Erin\n\n\
         The cache is not going to be Redis; we take Memcached.",
        "Memcached instead of Redis",
        "Memcached",
    ),
    (
        "decisions",
        "我们决定每周三发布新版本。",
        "每周几发布新版本",
        "周三",
    ),
    (
        "decisions",
        "API errors use RFC 9457 problem documents.",
        "format of API errors",
        "RFC 9457",
    ),
    (
        "lessons",
        "Learned that migrations must be reversible after the outage in March.",
        "are migrations reversible",
        "reversible",
    ),
    (
        "lessons",
        "Lesson: never restart the ingest workers while a backfill runs.",
        "restart ingest workers during backfill",
        "never restart",
    ),
    (
        "lessons",
        "The staging certificate expires every 90 days and nobody is warned.",
        "staging certificate expiry",
        "90 days",
    ),
    (
        "lessons",
        "Flaky test test_checkout was caused by a shared tmp folder.",
        "why was test_checkout flaky",
        "shared tmp folder",
    ),
    (
        "knowledge",
        "The telemetry service listens on port 4317.",
        "telemetry port",
        "4317",
    ),
    (
        "knowledge",
        "Customer exports are stored in the bucket acme-exports-eu.",
        "bucket of customer exports",
        "acme-exports-eu",
    ),
    (
        "knowledge",
        "The nightly build starts at two o'clock in Frankfurt.",
        "when does the nightly build start",
        "two o'clock",
    ),
    (
        "knowledge",
        "Feature flags live in config/flags.toml.",
        "where are feature flags",
        "flags.toml",
    ),
    (
        "knowledge",
        "The monorepo needs Node 22 and pnpm 10.",
        "which Node version",
        "Node 22",
    ),
    (
        "knowledge",
        "Invoices are numbered per country, for example DE-2026-00017.",
        "how are invoices numbered",
        "per country",
    ),
    (
        "knowledge",
        "数据库备份保存在杭州机房。",
        "数据库备份在哪里",
        "杭州",
    ),
    (
        "knowledge",
        "The search index is rebuilt with make reindex.",
        "rebuild the search index",
        "make reindex",
    ),
    (
        "people",
        "Ann Keller owns the payments service.",
        "who owns payments",
        "Ann Keller",
    ),
    (
        "people",
        "Bob is on parental leave until autumn; ask Carol instead.",
        "who replaces Bob",
        "Carol",
    ),
    (
        "people",
        "Dr. Okafor is the contact at the hospital project.",
        "contact of the hospital project",
        "Okafor",
    ),
    ("people", "王伟负责移动端。", "谁负责移动端", "王伟"),
    (
        "project",
        "Project Heron replaces the old importer by the end of the year.",
        "what does Heron replace",
        "importer",
    ),
    (
        "project",
        "Project Lynx is the mobile app for couriers.",
        "what is Lynx",
        "couriers",
    ),
    (
        "project",
        "Heron reads CSV, Parquet and fixed-width files.",
        "which files does Heron read",
        "Parquet",
    ),
    (
        "feedback",
        "The reviewer said that functions in the parser are too long.",
        "review of the parser functions",
        "too long",
    ),
    (
        "feedback",
        "Users complain that the login page is slow on trains.",
        "complaints about the login page",
        "slow on trains",
    ),
    (
        "habits",
        "The user starts the day with the error dashboard.",
        "start of the day dashboard",
        "error dashboard",
    ),
    (
        "habits",
        "Releases are tagged on Fridays before lunch.",
        "when are releases tagged",
        "Fridays",
    ),
    (
        "skills",
        "To profile, run cargo flamegraph --bin ingest.",
        "how to profile ingest",
        "flamegraph",
    ),
    (
        "skills",
        "A stuck lease is released with leasectl drop NAME.",
        "release a stuck lease",
        "leasectl drop",
    ),
    (
        "soul",
        "Be honest when you are not sure.",
        "honest when not sure",
        "honest",
    ),
    (
        "character",
        "The assistant is called Juniper in this team.",
        "name of the assistant",
        "Juniper",
    ),
    (
        "",
        "The coffee machine on floor three takes only coins.",
        "coffee machine coins",
        "only coins",
    ),
    (
        "",
        "Look into why the thumbnails are rotated.",
        "rotated thumbnails",
        "rotated",
    ),
    (
        "",
        "The vendor's support number ends with 7788.",
        "support number of the vendor",
        "7788",
    ),
    (
        "",
        "Try the zstd dictionary for small payloads.",
        "zstd dictionary",
        "small payloads",
    ),
    ("", "打印机在二楼的会议室旁边。", "打印机在哪里", "二楼"),
    (
        "",
        "The spare key for the rack is at the reception.",
        "spare key of the rack",
        "reception",
    ),
    (
        "",
        "Maybe use sqlite for the offline mode of Lynx.",
        "offline mode of Lynx",
        "sqlite",
    ),
    (
        "",
        "The Thursday sync with Lisbon moved to eleven.",
        "sync with Lisbon",
        "eleven",
    ),
    (
        "",
        "Someone should document the rate limiter.",
        "rate limiter documentation",
        "rate limiter",
    ),
    (
        "",
        "GPU quota in europe-west4 was raised to 16.",
        "GPU quota",
        "16",
    ),
    (
        "",
        "Check whether gRPC keepalive breaks behind the old proxy.",
        "gRPC keepalive",
        "old proxy",
    ),
    (
        "",
        "The wifi of the guest network is called heron-guest.",
        "guest wifi name",
        "heron-guest",
    ),
    (
        "",
        "Ask legal about the licence of the font Quill.",
        "licence of the font",
        "Quill",
    ),
    (
        "",
        "The demo account is number 90210.",
        "demo account number",
        "90210",
    ),
    (
        "",
        "Cold starts went from 900 ms to 240 ms after trimming imports.",
        "cold starts after trimming imports",
        "240 ms",
    ),
    (
        "",
        "Rotate the API gateway logs hourly.",
        "how often to rotate gateway logs",
        "hourly",
    ),
    (
        "",
        "The old wiki is read-only at wiki-archive.internal.",
        "address of the old wiki",
        "wiki-archive",
    ),
    (
        "",
        "Lunch with the design team was about icon sizes.",
        "design team lunch",
        "icon sizes",
    ),
    (
        "",
        "Timezone bugs come from the legacy scheduler.",
        "source of timezone bugs",
        "legacy scheduler",
    ),
    (
        "",
        "The build cache key must contain the lockfile hash.",
        "build cache key",
        "lockfile hash",
    ),
    (
        "",
        "Webhook retries stop after the fifth attempt.",
        "webhook retries",
        "fifth attempt",
    ),
    (
        "",
        "A printer driver crashed the kiosk twice.",
        "kiosk crash",
        "printer driver",
    ),
];

/// Pages of a vault that is ingested each week, with questions as above.
const PAGES: [(&str, &str, &str, &str); 6] = [
    (
        "Sourdough",
        "Feed the starter with rye flour. See [[Kitchen]].",
        "what flour feeds the starter",
        "rye",
    ),
    (
        "Kitchen",
        "The oven runs 15 degrees too hot.",
        "how hot does the oven run",
        "15 degrees",
    ),
    (
        "Books to read",
        "- The Art of Unix Programming\n- Piranesi",
        "books to read Piranesi",
        "Piranesi",
    ),
    (
        "Bicycle",
        "The rear tyre has the size 40-622.",
        "tyre size of the bicycle",
        "40-622",
    ),
    (
        "Lisbon 2025",
        "We stayed in Alfama near the tram 28.",
        "where did we stay in Lisbon",
        "Alfama",
    ),
    (
        "Dentist",
        "The dentist is Dr. Marques, second floor.",
        "name of the dentist",
        "Marques",
    ),
];

struct Year {
    home: Home,
}

impl Year {
    fn new() -> Self {
        let home = Home::new();
        std::fs::create_dir(home.path().join("work")).expect("a folder");
        std::fs::create_dir(home.path().join("vault")).expect("a folder");
        for (name, text, ..) in PAGES {
            std::fs::write(home.path().join(format!("vault/{name}.md")), text).expect("a page");
        }
        Year { home }
    }

    /// Opens the memories as a process that is started so many seconds after the beginning of the year.
    fn open(&self, seconds: i64, disk: Arc<dyn Disk>) -> House {
        let now = Timestamp::from_second(clock().now().as_second() + seconds).expect("a time");
        let environment = Environment {
            home: Some(self.home.path().to_owned()),
            directory: Some(self.home.path().join("work")),
            clock: Clock::fixed(now),
            ids: Ids::random(),
            ..Environment::default()
        };
        build_in(environment, disk).expect("the program starts")
    }

    /// Sends an event of a client to the hook, and counts what it has delivered.
    fn send_to_hook(&self, day: &House, seconds: i64, input: &Value) {
        let house = self.open(seconds, Arc::new(LookingDisk::default()));
        if let Some(answer) = hook::answer_in(house, &input.to_string()) {
            day.recollection
                .as_ref()
                .expect("there is an index")
                .record_access(&answer.delivered);
        }
    }
}

fn ask(house: &House, toolset: &str, tool: &str, params: &Value) -> Value {
    house
        .registry
        .ask(toolset, tool, params, &Silent)
        .expect("the tool answers")
}

/// Returns what recall answers, one text for all hits.
fn recall(house: &House, question: &str) -> String {
    let reply = ask(
        house,
        "recall",
        "memory_recall",
        &json!({ "query": question, "limit": 5 }),
    );
    let hits = reply["hits"].as_array().expect("hits").iter();
    hits.filter_map(|hit| hit["text"].as_str())
        .collect::<Vec<_>>()
        .join("\n---\n")
}

fn run_daemon(house: &House) {
    for (_, task) in house.registry.tasks() {
        house
            .registry
            .run_task(task, Rehearsal::Real)
            .expect("the task succeeds");
    }
}

fn steps(house: &House) -> BTreeSet<String> {
    house
        .registry
        .steps()
        .good
        .into_iter()
        .map(|step| step.id)
        .collect()
}

#[test]
fn after_a_year_of_daily_use_everything_can_be_recalled_and_nothing_was_purged() {
    let year = Year::new();
    let mut known_steps = BTreeSet::new();
    for day in 0..DAYS {
        let house = year.open(day * DAY, Arc::new(RealDisk::default()));
        let number = usize::try_from(day).expect("a small number");
        if day % 3 == 0
            && let Some((category, text, ..)) = NOTES.get(number / 3)
        {
            let category = (!category.is_empty()).then_some(category);
            ask(
                &house,
                "notes",
                "memory_write",
                &json!({ "content": text, "category": category }),
            );
        }
        if day % 7 == 0 {
            let vault = json!({ "source": "obsidian", "path": year.home.path().join("vault") });
            ask(&house, "notes", "ingest", &json!({ "sources": [vault] }));
        }
        let start = json!({ "hook_event_name": "SessionStart", "source": "startup" });
        year.send_to_hook(&house, day * DAY, &start);
        let question = NOTES[number % USED].2;
        let prompt = json!({ "hook_event_name": "UserPromptSubmit", "prompt": question });
        year.send_to_hook(&house, day * DAY, &prompt);
        recall(&house, question);
        run_daemon(&house);
        let steps = steps(&house);
        assert!(
            known_steps.is_subset(&steps),
            "day {day}: a step that could be undone was purged"
        );
        known_steps = steps;
    }

    let house = year.open(DAYS * DAY, Arc::new(RealDisk::default()));
    let is_lost =
        |(_, _, question, answer): &&(_, _, &str, &str)| !recall(&house, question).contains(answer);
    let lost: Vec<&str> = NOTES
        .iter()
        .chain(&PAGES)
        .filter(is_lost)
        .map(|(_, _, question, _)| *question)
        .collect();
    assert!(lost.is_empty(), "recall does not answer: {lost:#?}");
    let listed = ask(&house, "notes", "memory_list", &json!({}));
    let current: Vec<&str> = listed["memories"]
        .as_array()
        .expect("notes")
        .iter()
        .filter_map(|note| note["content"].as_str())
        .collect();
    for (_, text, ..) in &NOTES[..USED] {
        assert!(
            current.iter().any(|content| content.contains(text)),
            "a note in daily use was archived: {text}"
        );
    }
    assert!(
        listed["archived"].as_u64() > Some(0),
        "maintenance had nothing to do"
    );
}
