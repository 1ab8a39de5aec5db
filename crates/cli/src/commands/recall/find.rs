//! `recall`: what is relevant to a question, ranked, with the reasons.

use memory_core::{Explain, Result, Timestamp, parse_instant, printable};
use memory_index::tools::{HitView, Reply};

use super::{QuestionArgs, ask};
use crate::render::text::{cut, marked_excerpt};
use crate::render::time::age;
use crate::shell::{Shell, Speech, Status};

/// Find relevant memories of all kinds
///
/// Searches by words and by meaning, offline, and reports if nothing is relevant.
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

/// Longest title that is shown, in characters.
const TITLE: usize = 76;

pub(crate) fn run(args: Args, shell: &Shell) -> Result<Status> {
    let reply = ask(shell, &args.question.params())?;
    if shell.speech == Speech::Json {
        return shell.show(&reply);
    }
    if reply.hits.is_empty() {
        let looked = match reply.searched {
            0 => "there are no memories".to_owned(),
            1 => "searched 1 memory".to_owned(),
            many => format!("searched {many} memories"),
        };
        return shell.print(&format!("No relevant memory was found ({looked})\n"));
    }
    let now = shell.registry().clock().now();
    let shown: String = reply
        .hits
        .iter()
        .enumerate()
        .map(|(n, hit)| lines(n + 1, hit, now, shell))
        .collect();
    let legend = if args.question.explain {
        legend(&reply)
    } else {
        String::new()
    };
    shell.print_long(&format!("{shown}{legend}"))
}

/// Renders a hit: its title, the passage that answers unless the title is all of it, and what is known about it.
fn lines(rank: usize, hit: &HitView, now: Timestamp, shell: &Shell) -> String {
    let passage = marked_excerpt(&hit.text, &hit.marks);
    let title = printable(&cut(hit.title.trim(), TITLE));
    let is_title_enough = title.is_empty() || is_same(&hit.title, &hit.text);
    let heading = if is_title_enough {
        passage.clone()
    } else {
        format!("\u{1b}[1m{title}\u{1b}[0m")
    };
    let body = if is_title_enough {
        String::new()
    } else {
        format!("    {passage}\n")
    };
    let about = about(hit, now, shell).join(" · ");
    let why = hit.explain.as_ref().map(why).unwrap_or_default();
    format!("{rank:>2}. {heading}\n{body}    \u{1b}[2m{about}\u{1b}[0m\n{why}")
}

/// Returns what is shown about a hit: category, date, age, the name that other commands take, tags, score.
fn about(hit: &HitView, now: Timestamp, shell: &Shell) -> Vec<String> {
    let mut parts: Vec<String> = hit
        .category
        .iter()
        .map(|category| printable(category))
        .collect();
    if let Some(at) = parse_instant(&hit.created_at) {
        let date = at.to_zoned(shell.zone()).date();
        parts.push(format!("{date} ({})", age(at, now)));
    }
    parts.push(printable(&name(hit)));
    parts.extend(hit.tags.iter().map(|tag| format!("#{}", printable(tag))));
    if hit.archived {
        parts.push("archived".to_owned());
    }
    parts.push(format!("{:.2}", hit.score));
    parts
}

/// Returns the name that other commands take: `notes 7f8d9e00`, `banks project/session/context`.
fn name(hit: &HitView) -> String {
    format!("{} {}", hit.kind, short(&hit.id))
}

/// Returns the first part of a UUID, and any other id whole.
fn short(id: &str) -> &str {
    let is_uuid = id.len() == 36 && id.bytes().filter(|byte| *byte == b'-').count() == 4;
    let first = if is_uuid { id.get(..8) } else { None };
    first.unwrap_or(id)
}

/// Returns whether a title says all that the text says.
fn is_same(title: &str, text: &str) -> bool {
    let words = text
        .split_whitespace()
        .map(|word| word.trim_start_matches('#'));
    title
        .split_whitespace()
        .eq(words.filter(|word| !word.is_empty()))
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

/// Explains the numbers of `--explain`.
fn legend(reply: &Reply) -> String {
    let models = if reply.models.is_empty() {
        "none".to_owned()
    } else {
        reply.models.join(", ")
    };
    format!(
        "\nSearched {} memories; embedding models: {models}\n\
         words      match of the words, 0 to 1, rare words count more\n\
         meaning    cosine similarity of question and memory\n\
         rerank     score of the reranker, if one is active\n\
         relevance  words, meaning and rerank combined\n\
         recency    1 for a new memory, halved about every three weeks\n\
         final      relevance and recency combined\n\
         mmr        final score, lowered by the similarity to hits that were chosen before\n",
        reply.searched
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_uuid_is_shortened_and_an_id_that_only_looks_like_one_is_not() {
        assert_eq!(short("7f8d9e00-1111-4222-8333-444455556666"), "7f8d9e00");
        assert_eq!(short("user/notes/a-b-c-d-e"), "user/notes/a-b-c-d-e");
        // As long as a UUID, but byte 8 is inside of a character.
        let id = "user/b/深-色-模-式-很好的键x";
        assert_eq!((id.len(), short(id)), (36, id));
    }

    #[test]
    fn a_title_that_is_the_whole_text_is_shown_once() {
        assert!(is_same("Deploying", "# Deploying\n"));
        assert!(!is_same(
            "Deploying",
            "# Deploying\nFrom the release branch"
        ));
    }
}
