//! `recall`: what is relevant to a question, ranked, with the reasons.

use memory_core::{Explain, Result, Timestamp, parse_instant, printable};
use memory_index::tools::HitView;

use super::{QuestionArgs, ask};
use crate::render::text::marked_excerpt;
use crate::render::time::age;
use crate::shell::{Shell, Speech, Status};

/// Find what is relevant to a question in all kinds of memory
///
/// Finds by words and by meaning, offline. When nothing is relevant it says so.
///
/// Examples:
///   memory recall "what did we decide about the database?"
///   memory recall 部署流程 --kind notes,journal -k 3
///   memory recall "failing tests" --since 7d --explain
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Args {
    #[command(flatten)]
    question: QuestionArgs,
}

pub(crate) fn run(args: Args, shell: &Shell) -> Result<Status> {
    let reply = ask(shell, &args.question.params())?;
    if shell.speech == Speech::Json {
        return shell.show(&reply);
    }
    if reply.hits.is_empty() {
        let looked = match reply.searched {
            0 => "there was no memory to look at".to_owned(),
            1 => "looked at one memory".to_owned(),
            many => format!("looked at {many} memories"),
        };
        return shell.print(&format!("Nothing relevant is remembered ({looked})\n"));
    }
    let now = shell.registry().clock().now();
    let shown: String = reply.hits.iter().enumerate().map(|(n, hit)| lines(n + 1, hit, now)).collect();
    let models = match args.question.explain {
        true => format!("\nsearched {} memories; by meaning: {}\n", reply.searched, reply.models.join(", ")),
        false => String::new(),
    };
    shell.print_styled(&format!("{shown}{models}"))
}

fn lines(rank: usize, hit: &HitView, now: Timestamp) -> String {
    let tags: String = hit.tags.iter().map(|tag| format!("  #{}", printable(tag))).collect();
    let age = parse_instant(&hit.created_at).map(|at| age(at, now)).unwrap_or_default();
    let place = printable(&short(hit));
    let archived = if hit.archived { "  archived" } else { "" };
    let text = marked_excerpt(&hit.text, &hit.marks);
    let why = hit.explain.as_ref().map(why).unwrap_or_default();
    format!(
        "{rank:>2}. \u{1b}[1m{place}\u{1b}[0m  {age}{tags}{archived}  \u{1b}[2m{:.2}\u{1b}[0m\n    {text}\n{why}",
        hit.score
    )
}

/// The name that other commands take: `notes 7f8d9e00`, `banks project/session/context`.
fn short(hit: &HitView) -> String {
    let is_uuid = hit.id.len() == 36 && hit.id.bytes().filter(|byte| *byte == b'-').count() == 4;
    let id = if is_uuid { &hit.id[..8] } else { &hit.id };
    format!("{} {id}", hit.kind)
}

fn why(explain: &Explain) -> String {
    let mut parts = vec![format!("words {:.2}", explain.lexical)];
    parts.extend(explain.dense.map(|cosine| format!("meaning {cosine:.2}")));
    parts.extend(explain.rerank.map(|score| format!("rerank {score:.2}")));
    parts.push(format!("relevance {:.2}", explain.relevance));
    parts.push(format!("recency {:.2}", explain.recency));
    parts.push(format!("final {:.2}", explain.total));
    parts.extend(explain.mmr.map(|mmr| format!("mmr {mmr:.2}")));
    format!("    \u{1b}[2m{}\u{1b}[0m\n", parts.join(" · "))
}
