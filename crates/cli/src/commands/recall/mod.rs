//! One question over all kinds: `recall` for people, `context` for prompts.

pub(crate) mod context;
pub(crate) mod find;

use memory_core::Result;
use memory_index::tools::{Params, Reply, TOOL, TOOLSET};

use crate::shell::{Shell, Speech};

/// The question and which memories may answer it, which both commands take.
#[derive(Debug, clap::Args)]
pub(crate) struct QuestionArgs {
    /// A question or words
    #[arg(required = true)]
    query: Vec<String>,
    /// Only these kinds: notes, banks, conversations, journal, compartments
    #[arg(long = "kind", value_delimiter = ',', value_name = "KIND,…")]
    kinds: Vec<String>,
    /// Maximum number of results (default: 10)
    #[arg(short = 'k', long, value_name = "N")]
    limit: Option<usize>,
    /// Only memories visible to this agent: global ones and its own
    #[arg(long, value_name = "NAME")]
    agent: Option<String>,
    /// Only memories of this category; 'reminders' includes those created by dreams
    #[arg(long, value_name = "CATEGORY")]
    category: Option<String>,
    /// Only memories with all of these tags
    #[arg(long, value_delimiter = ',', value_name = "TAG,…")]
    tags: Vec<String>,
    /// Match any of the tags instead of all
    #[arg(long, requires = "tags")]
    any_tag: bool,
    /// Only memories since this day: 2026-05-07, or 7d for a week ago
    #[arg(long, value_name = "DAY")]
    since: Option<String>,
    /// Only memories up to this day
    #[arg(long, value_name = "DAY")]
    until: Option<String>,
    /// Maximum number of tokens of all results together
    #[arg(long, value_name = "TOKENS")]
    budget: Option<usize>,
    /// Show the components of each score
    #[arg(long)]
    explain: bool,
}

impl QuestionArgs {
    fn params(&self) -> Params {
        Params {
            query: self.query.join(" "),
            kinds: self.kinds.clone(),
            tags: self.tags.clone(),
            any_tag: self.any_tag,
            since: self.since.clone(),
            until: self.until.clone(),
            limit: self.limit,
            budget: self.budget,
            agent: self.agent.clone(),
            category: self.category.clone(),
            explain: self.explain,
        }
    }
}

/// Asks, and tells people of what could not be looked at.
fn ask(shell: &Shell, params: &Params) -> Result<Reply> {
    let reply: Reply = shell.ask(TOOLSET, TOOL, params)?;
    if shell.speech == Speech::People {
        reply
            .flaws
            .iter()
            .for_each(|flaw| shell.warn(&format!("{}: {}", flaw.place, flaw.problem)));
    }
    Ok(reply)
}
