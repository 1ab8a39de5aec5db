//! `journal query`: the records that there are.

use memory_core::{Result, printable};
use memory_journal::tools::query::{Params, Reply};
use memory_journal::{Importance, JournalError, Sort, Status as TaskStatus, Type};

use super::{Shown, ask, count, short, warn_of, word};
use crate::render::table::table;
use crate::render::text::cut;
use crate::render::time::when;
use crate::shell::{Shell, Speech, Status};

/// Find records, most recent first
///
/// Results count as accessed: learnings without access for 90 days are archived.
///
/// Examples:
///   memory journal query --tags python
///   memory journal query --type task --status blocked
///   memory journal query --text "black formatting" --limit 5
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Args {
    /// Only this type: core, learning or task
    #[arg(long = "type", value_name = "TYPE", value_parser = word(Type::parse))]
    kind: Option<Type>,
    /// Only this category
    #[arg(short, long)]
    category: Option<String>,
    /// Only records with all of these tags
    #[arg(short, long, value_delimiter = ',', value_name = "TAG,…")]
    tags: Vec<String>,
    /// Match any of the tags instead of all
    #[arg(long, requires = "tags")]
    any_tag: bool,
    /// Only this importance: high, medium or low
    #[arg(short, long, value_parser = word(Importance::parse))]
    importance: Option<Importance>,
    /// Only records that contain all of these words
    #[arg(long)]
    text: Option<String>,
    /// Only tasks with this status: completed, in-progress or blocked
    #[arg(long, value_parser = word(TaskStatus::parse))]
    status: Option<TaskStatus>,
    /// Search the archive instead
    #[arg(long)]
    archived: bool,
    /// created_at, updated_at, accessed_at or access_count (default: created_at)
    #[arg(long, value_parser = word(sort))]
    sort: Option<Sort>,
    /// Maximum number of results (default: 50)
    #[arg(short = 'n', long)]
    limit: Option<usize>,
    /// Number of records to skip
    #[arg(long)]
    offset: Option<usize>,
}

fn sort(name: &str) -> std::result::Result<Sort, JournalError> {
    Sort::parse(name)
}

pub(crate) fn run(args: Args, shell: &Shell) -> Result<Status> {
    let offset = args.offset.unwrap_or(0);
    let params = Params {
        kind: args.kind,
        category: args.category,
        tags: args.tags,
        any_tag: args.any_tag,
        importance: args.importance,
        text: args.text,
        status: args.status,
        archived: args.archived,
        sort: args.sort,
        limit: args.limit,
        offset: args.offset,
    };
    let reply: Reply = ask(shell, "query_memories", &params)?;
    if shell.speech == Speech::Json {
        return shell.show(&reply);
    }
    warn_of(shell, &reply.flaws);
    if reply.records.is_empty() {
        return shell.print("No records match\n");
    }
    let records = reply
        .records
        .iter()
        .map(Shown::of)
        .collect::<Result<Vec<Shown>>>()?;
    let more = if reply.has_more {
        format!(
            "{} of {}; --offset {} shows more\n",
            records.len(),
            reply.total,
            offset + records.len()
        )
    } else {
        format!("{}\n", count(reply.total, "record"))
    };
    shell.print_long(&format!("{}\n{more}", rows(&records, shell)))
}

fn rows(records: &[Shown], shell: &Shell) -> String {
    let zone = shell.zone();
    let row = |record: &Shown| {
        let title = cut(record.content.trim().lines().next().unwrap_or_default(), 72);
        let tags: Vec<String> = record
            .tags
            .iter()
            .map(|tag| format!("#{}", printable(tag)))
            .collect();
        vec![
            short(&record.id).to_owned(),
            record.standing(),
            when(&record.created_at, &zone),
            title,
            tags.join(" "),
        ]
    };
    table(
        &["ID", "WHAT", "WHEN", "RECORD", "TAGS"],
        &records.iter().map(row).collect::<Vec<_>>(),
    )
}
