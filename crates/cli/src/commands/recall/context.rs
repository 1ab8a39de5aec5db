//! `context`: what is relevant to a question as text for a prompt, fenced as data.

use memory_core::{Context, Piece, Result};
use memory_index::tools::{HitView, Params};
use memory_text::tokens;
use serde::Serialize;

use super::{QuestionArgs, ask};
use crate::shell::{Shell, Speech, Status};

/// What a text for a prompt has at the most when nobody says, in characters.
const CHARACTERS: usize = 8_000;

/// Print relevant memories as text for a prompt
///
/// States the source and date of each memory. A random marker, which no memory can contain, fences the
/// text as data.
///
/// Examples:
///   memory context "how do we deploy?" --budget 1000
///   claude -p "$(memory context 'release steps') Prepare the next release"
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Args {
    #[command(flatten)]
    question: QuestionArgs,
}

#[derive(Debug, Serialize)]
struct Reply {
    hits: Vec<HitView>,
    text: String,
}

pub(crate) fn run(args: Args, shell: &Shell) -> Result<Status> {
    let params = args.question.params();
    let mut found = ask(shell, &params)?;
    let text = fenced(&mut found.hits, params.budget, shell);
    if shell.speech == Speech::Json {
        return shell.show(&Reply {
            hits: found.hits,
            text: text.unwrap_or_default(),
        });
    }
    match (text, params.budget) {
        (Some(text), _) => shell.print(&format!("{text}\n")),
        (None, Some(budget)) if is_any_relevant(&args, shell)? => shell.print(&format!(
            "Relevant memories exist, but none fits into {budget} tokens.\n"
        )),
        (None, _) => shell.print("No relevant memory was found.\n"),
    }
}

/// Returns whether anything answers, however large it is.
fn is_any_relevant(args: &Args, shell: &Shell) -> Result<bool> {
    let params = Params {
        budget: None,
        limit: Some(1),
        ..args.question.params()
    };
    Ok(!ask(shell, &params)?.hits.is_empty())
}

/// Fences the hits; the last are left out until all of it fits into the budget, the fence included.
fn fenced(hits: &mut Vec<HitView>, budget: Option<usize>, shell: &Shell) -> Option<String> {
    let most = if budget.is_some() {
        usize::MAX
    } else {
        CHARACTERS
    };
    loop {
        let context = Context {
            pieces: hits.iter().map(piece).collect(),
        };
        let text = context.fenced(&shell.ground().environment.ids, most)?;
        if budget.is_none_or(|budget| tokens::count(&text) <= budget) {
            return Some(text);
        }
        hits.pop();
    }
}

fn piece(hit: &HitView) -> Piece {
    Piece {
        kind: hit.kind.clone(),
        id: hit.id.clone(),
        text: hit.text.clone(),
        score: hit.score,
        source: hit.source.clone(),
        created_at: hit.created_at.clone(),
        archived: hit.archived,
    }
}
