//! `memory stats`: how much is remembered, of what kind, and what happened last.

use std::collections::BTreeMap;

use memory_banks::tools::list::{Banks, Params as BankParams};
use memory_compartments::Compartment;
use memory_compartments::tools::sizes;
use memory_conversations::tools::list as conversations;
use memory_core::{Result, instant, printable};
use memory_files::{ItemKind, Spot};
use memory_journal::tools::stats as journal;
use memory_journal::{ByType, Statistics};
use memory_notes::Category;
use memory_notes::tools::list;
use serde::Serialize;

use super::doctor::trash_size;
use crate::places;
use crate::render::size::size;
use crate::render::table::table;
use crate::render::time::when;
use crate::shell::{Shell, Speech, Status};

/// Show counts and sizes
///
/// Example: memory stats --json
#[derive(Debug, clap::Args)]
pub(crate) struct Args {}

/// How many of the last changes are shown.
const LAST: usize = 5;

#[derive(Debug, Default, Serialize)]
struct Stats {
    notes: NoteStats,
    banks: BankStats,
    journal: Statistics,
    conversations: ConversationStats,
    compartments: CompartmentStats,
    trash: TrashStats,
    /// What was written or taken away last, newest first.
    last: Vec<Event>,
}

#[derive(Debug, Default, Serialize)]
struct NoteStats {
    total: usize,
    by_phase: BTreeMap<&'static str, usize>,
    by_category: BTreeMap<&'static str, usize>,
    archived: usize,
    bytes: u64,
}

#[derive(Debug, Default, Serialize)]
struct BankStats {
    total: usize,
    keys: usize,
    bytes: u64,
}

#[derive(Debug, Default, Serialize)]
struct ConversationStats {
    total: usize,
    facts: usize,
    turns: usize,
    summaries: usize,
    bytes: u64,
}

#[derive(Debug, Default, Serialize)]
struct CompartmentStats {
    total: usize,
    run: usize,
    session: usize,
    plan: usize,
    bytes: u64,
}

#[derive(Debug, Default, Serialize)]
struct TrashStats {
    steps: usize,
    bytes: u64,
}

#[derive(Debug, Serialize)]
struct Event {
    at: String,
    what: String,
}

pub(crate) fn run(_: Args, shell: &Shell) -> Result<Status> {
    let mut stats = Stats::default();
    count_notes(&mut stats, shell)?;
    count_banks(&mut stats, shell)?;
    count_journal(&mut stats, shell)?;
    count_conversations(&mut stats, shell)?;
    count_compartments(&mut stats, shell);
    count_trash(&mut stats, shell);
    stats.last.sort_by(|a, b| b.at.cmp(&a.at));
    stats.last.truncate(LAST);
    match shell.speech {
        Speech::Json => shell.show(&stats),
        Speech::People => shell.print(&lines(&stats, shell)),
    }
}

fn count_notes(stats: &mut Stats, shell: &Shell) -> Result<()> {
    let ground = shell.ground();
    let Some(root) = places::notes_root(&ground.environment, &ground.flags, shell.config()) else {
        return Ok(());
    };
    let params = list::Params {
        brief: true,
        ..Default::default()
    };
    let reply: list::Reply = shell.ask("notes", "memory_list", &params)?;
    stats.notes.total = reply.total;
    stats.notes.archived = reply.archived.unwrap_or_default();
    for listed in reply.memories {
        let list::Listed::Line(line) = listed else {
            continue;
        };
        let phase = if line.category == Category::Inbox {
            "inbox"
        } else {
            "organized"
        };
        *stats.notes.by_phase.entry(phase).or_default() += 1;
        *stats
            .notes
            .by_category
            .entry(line.category.as_str())
            .or_default() += 1;
        if stats.last.len() < LAST {
            stats.last.push(Event {
                at: line.created_at,
                what: format!("note '{}'", line.title),
            });
        }
    }
    let folders = ["categories", "archive"].map(|folder| Spot::anchor(&root).join(folder));
    let found = folders.iter().flat_map(|folder| shell.files().walk(folder));
    stats.notes.bytes = found.map(|one| one.size).sum();
    Ok(())
}

fn count_banks(stats: &mut Stats, shell: &Shell) -> Result<()> {
    let params = BankParams {
        bank: None,
        scope: None,
        verbose: false,
    };
    let reply: Banks = shell.ask("banks", "memory_list", &params)?;
    stats.banks.total = reply.banks.len();
    stats.banks.keys = reply.banks.iter().map(|bank| bank.key_count).sum();
    stats.banks.bytes = reply.banks.iter().map(|bank| bank.size_bytes).sum();
    let changed = reply.banks.into_iter();
    stats.last.extend(changed.map(|bank| Event {
        at: bank.updated_at,
        what: format!("bank '{}'", bank.name),
    }));
    Ok(())
}

fn count_journal(stats: &mut Stats, shell: &Shell) -> Result<()> {
    if shell
        .registry()
        .kinds()
        .any(|kind| kind.name() == "journal")
    {
        let reply: journal::Reply =
            shell.ask("journal", "get_memory_stats", &journal::Params {})?;
        stats.journal = reply.statistics;
    }
    Ok(())
}

fn count_conversations(stats: &mut Stats, shell: &Shell) -> Result<()> {
    let ground = shell.ground();
    let Some(root) = places::conversations(&ground.environment, shell.config()) else {
        return Ok(());
    };
    let reply: conversations::Reply = shell.ask(
        "conversations",
        "conversation_list",
        &conversations::Params {},
    )?;
    let counted = &mut stats.conversations;
    counted.total = reply.conversations.len();
    for listed in reply.conversations {
        counted.facts += listed.facts;
        counted.turns += listed.turns;
        counted.summaries += listed.summaries;
        let what = format!("conversation '{}'", printable(&listed.id));
        stats.last.push(Event {
            at: listed.updated_at,
            what,
        });
    }
    let files = ground.conversation_files();
    let found = files.walk(&root.join("entries"));
    counted.bytes = found
        .iter()
        .filter(|one| one.kind == ItemKind::File)
        .map(|one| one.size)
        .sum();
    Ok(())
}

fn count_compartments(stats: &mut Stats, shell: &Shell) {
    if !shell
        .registry()
        .kinds()
        .any(|kind| kind.name() == "compartments")
    {
        return;
    }
    let asked: Result<sizes::Reply> = shell.ask("compartments", "sizes", &sizes::Params::default());
    // A damaged file, or another program's of the same name, hides no other kind.
    let reply = asked.unwrap_or_else(|error| {
        shell.warn(&error.message);
        sizes::Reply::default()
    });
    stats.compartments.bytes = reply.bytes;
    for size in reply.compartments {
        let counted = &mut stats.compartments;
        counted.total += size.entries;
        *match size.compartment {
            Compartment::Run => &mut counted.run,
            Compartment::Session => &mut counted.session,
            Compartment::Plan => &mut counted.plan,
        } = size.entries;
        let changed = size
            .updated_at
            .map(|at| (instant(at), format!("{} memory", size.compartment)));
        stats
            .last
            .extend(changed.map(|(at, what)| Event { at, what }));
    }
}

fn count_trash(stats: &mut Stats, shell: &Shell) {
    let ground = shell.ground();
    let notes =
        places::notes_root(&ground.environment, &ground.flags, shell.config()).map(Spot::anchor);
    let banks = places::user_banks(&ground.environment, shell.config());
    let journal = places::journal(&ground.environment, shell.config()).map(Spot::anchor);
    let conversations = places::conversations(&ground.environment, shell.config());
    let roots = [notes, banks, journal, conversations].into_iter().flatten();
    stats.trash.bytes = roots
        .map(|root| trash_size(&shell.files().walk(&root)))
        .sum();
    let steps = shell.registry().steps().good;
    stats.trash.steps = steps.len();
    stats.last.extend(steps.into_iter().map(|step| Event {
        at: instant(step.at),
        what: step.what,
    }));
}

fn lines(stats: &Stats, shell: &Shell) -> String {
    let NoteStats {
        total,
        by_phase,
        by_category,
        archived,
        bytes,
    } = &stats.notes;
    let of = |phase: &str| by_phase.get(phase).copied().unwrap_or_default();
    let mut rows = vec![vec![
        "notes".to_owned(),
        total.to_string(),
        size(*bytes),
        format!(
            "{} in the inbox, {} organized; {archived} archived",
            of("inbox"),
            of("organized")
        ),
    ]];
    let categories = by_category.iter();
    rows.extend(categories.map(|(name, count)| {
        vec![
            format!("  {name}"),
            count.to_string(),
            String::new(),
            String::new(),
        ]
    }));
    let banks = &stats.banks;
    rows.push(vec![
        "banks".into(),
        banks.total.to_string(),
        size(banks.bytes),
        format!("keys: {}", banks.keys),
    ]);
    let journal = &stats.journal;
    let ByType {
        core,
        learning,
        task,
    } = journal.by_type;
    rows.push(vec![
        "journal".into(),
        journal.total_memories.to_string(),
        size(journal.total_storage_bytes),
        format!(
            "{core} core, {learning} learnings, {task} tasks; {} archived",
            journal.archived_count
        ),
    ]);
    let conversations = &stats.conversations;
    rows.push(vec![
        "conversations".into(),
        conversations.total.to_string(),
        size(conversations.bytes),
        format!(
            "{} facts, {} turns, {} summaries",
            conversations.facts, conversations.turns, conversations.summaries
        ),
    ]);
    let compartments = &stats.compartments;
    rows.push(vec![
        "compartments".into(),
        compartments.total.to_string(),
        size(compartments.bytes),
        format!(
            "{} run, {} session, {} plan",
            compartments.run, compartments.session, compartments.plan
        ),
    ]);
    let trash = &stats.trash;
    rows.push(vec![
        "history".into(),
        trash.steps.to_string(),
        size(trash.bytes),
        "steps that can be undone".into(),
    ]);
    let mut shown = table(&["WHAT", "COUNT", "SIZE", ""], &rows);
    if !stats.last.is_empty() {
        let zone = shell.zone();
        let last: Vec<Vec<String>> = stats
            .last
            .iter()
            .map(|event| vec![when(&event.at, &zone), event.what.clone()])
            .collect();
        shown.push_str(&format!("\n{}", table(&["WHEN", "LAST"], &last)));
    }
    shown
}
