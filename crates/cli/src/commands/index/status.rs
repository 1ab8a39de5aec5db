//! `index status`: how much recall knows, and which models take part.

use std::fmt::Write as _;

use memory_core::Result;
use memory_index::{ModelStatus, Status as IndexStatus};
use serde::Serialize;

use super::recollection;
use crate::render::size::size;
use crate::shell::{Shell, Speech, Status};

/// Show the size of the index and the active models
///
/// Indexes changed files first, so that the numbers are current.
///
/// Example: memory index status
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Args {}

#[derive(Debug, Serialize)]
struct Shown {
    folder: String,
    documents: usize,
    bytes: usize,
    #[serde(flatten)]
    index: IndexStatus,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    troubles: Vec<String>,
}

pub(crate) fn run(_: Args, shell: &Shell) -> Result<Status> {
    let recollection = recollection(shell)?;
    let status = recollection.status(shell.registry().clock().now());
    show(status, shell)
}

/// Shows what an index consists of.
pub(super) fn show(index: IndexStatus, shell: &Shell) -> Result<Status> {
    let recollection = recollection(shell)?;
    let vectors: usize = index
        .models
        .iter()
        .map(|model| model.bytes + model.piece_bytes)
        .sum();
    let shown = Shown {
        folder: recollection.folder().path().display().to_string(),
        documents: index.segments.iter().map(|segment| segment.alive).sum(),
        bytes: index
            .segments
            .iter()
            .map(|segment| segment.bytes)
            .sum::<usize>()
            + vectors,
        index,
        troubles: recollection
            .troubles()
            .iter()
            .map(|error| error.message.clone())
            .collect(),
    };
    match shell.speech {
        Speech::Json => shell.show(&shown),
        Speech::People => {
            shown
                .troubles
                .iter()
                .for_each(|trouble| shell.warn(trouble));
            shell.print(&lines(&shown))
        }
    }
}

fn lines(shown: &Shown) -> String {
    let mut text = format!(
        "{} memories, {} in {}\n",
        shown.documents,
        size(shown.bytes as u64),
        shown.folder
    );
    if shown.index.models.is_empty() {
        text.push_str("by words only: no model is active\n");
    }
    for (place, model) in shown.index.models.iter().enumerate() {
        let role = if place == 0 {
            "active model"
        } else {
            "until it has embedded all memories"
        };
        let _ = writeln!(
            text,
            "{role}: {} ({} dimensions), {}",
            model.id,
            model.dimensions,
            progress(model)
        );
    }
    if shown
        .index
        .models
        .first()
        .is_some_and(|model| model.missing > 0)
    {
        text.push_str(
            "'memory index sync' embeds the rest now; 'memory serve' embeds it in the background\n",
        );
    }
    text
}

fn progress(model: &ModelStatus) -> String {
    let left = match model.missing {
        0 => String::new(),
        missing => format!(", {missing} are left"),
    };
    let pieces = match model.piece_bytes {
        0 => String::new(),
        bytes => format!(
            "; {} of token vectors for late interaction",
            size(bytes as u64)
        ),
    };
    format!("has embedded {} memories{left}{pieces}", model.vectors)
}
