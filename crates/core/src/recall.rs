//! What can be asked of all memories at once, and what is answered.
//!
//! Whoever keeps the index implements [`Recall`]; a tool that needs it finds it in its
//! [`Call`](crate::Call), so that no kind has to know who that is.

use serde::{Deserialize, Serialize, Serializer};

use crate::{Address, Flaw, Result, Timestamp};

/// Finds what is relevant to a question in everything that is remembered.
pub trait Recall: Send + Sync {
    /// Answers a question. Finding nothing that is relevant is an answer.
    fn recall(&self, question: &Question, now: Timestamp) -> Result<Recalled>;

    /// Counts one access for each of these memories: they were returned to a caller or put into a prompt.
    fn record_access(&self, _delivered: &[Address]) {}
}

/// A question, and which memories may answer it.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Question {
    pub text: String,
    /// Only memories of these kinds; of all when empty.
    pub kinds: Vec<String>,
    /// Only memories that have all of these labels.
    pub labels: Vec<String>,
    /// Only memories that have at least one of these labels, unless empty.
    pub any_label: Vec<String>,
    /// No memory that has one of these labels.
    pub without: Vec<String>,
    /// No memory with one of these texts, but for spaces around them: the caller has them already.
    pub except: Vec<String>,
    /// Only memories that this agent may see: those for all agents, and its own (`scope:agent:NAME`).
    pub agent: Option<String>,
    /// Only memories from this time on, and before that one.
    pub since: Option<Timestamp>,
    pub until: Option<Timestamp>,
    /// Whether memories answer that maintenance made from others ([`DERIVED`](crate::DERIVED)).
    pub includes_derived: bool,
    /// Whether archived memories are returned that answer better than every current one.
    pub searches_archive: bool,
    /// How much must speak for a memory before it is returned.
    pub strictness: Strictness,
    /// At most so many hits.
    pub limit: usize,
    /// At most so many tokens in all hits together.
    pub budget: Option<usize>,
    pub tuning: Tuning,
}

/// How much of a question is read, in bytes: some hundreds of words. The rest is ignored.
const QUESTION_BYTES: usize = 4_096;

/// Returns the part of a question that is read: its first words.
pub fn asked_part(question: &str) -> &str {
    let question = question.trim_start();
    if question.len() <= QUESTION_BYTES {
        return question;
    }
    let part = &question[..question.floor_char_boundary(QUESTION_BYTES)];
    let is_cut = question[part.len()..].starts_with(|c: char| !c.is_whitespace());
    match part.rfind(char::is_whitespace) {
        Some(end) if is_cut => part[..end].trim_end(),
        _ => part.trim_end(),
    }
}

/// How much must speak for a memory before it is returned.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Strictness {
    /// For memories that nobody asked for, such as those that a hook adds to a prompt.
    #[default]
    Strict,
    /// For a question that someone asked: an answer that is left out costs more than a weak hit.
    Lenient,
}

/// Numbers that a caller may set; what is none follows from what was measured to be best.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Tuning {
    /// How many candidates go on from the first look; with several of `any_label`, of each by itself.
    pub candidates: Option<usize>,
    /// What age weighs beside relevance: final = (1 − w)·relevance + w·recency.
    pub recency_weight: Option<f32>,
    /// The relevance below which a memory is left out, whoever judged it.
    pub threshold: Option<f32>,
    /// The same for a cross-encoder's judgement alone, where `threshold` says nothing.
    pub cross_encoder_threshold: Option<f32>,
    /// What relevance weighs beside being unlike those before, 1 being relevance alone.
    pub mmr_lambda: Option<f32>,
}

/// The memories that answer a question, the best first.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Recalled {
    pub hits: Vec<Hit>,
    /// The models that took part, such as `built-in` or `none`.
    pub models: Vec<String>,
    /// How many memories were looked at.
    pub searched: usize,
    /// The relevance below which memories were left out; none when it was asked instead which ones stand out.
    pub threshold: Option<f32>,
    /// What could not be looked at.
    pub flaws: Vec<Flaw>,
}

/// Writes a score with four decimals: further digits differ between machines.
pub fn serialize_score<S: Serializer>(
    score: &f32,
    serializer: S,
) -> std::result::Result<S::Ok, S::Error> {
    serializer.serialize_f64((f64::from(*score) * 1e4).round() / 1e4)
}

/// A memory that answers a question.
#[derive(Debug, Clone, PartialEq)]
pub struct Hit {
    pub address: Address,
    pub title: String,
    pub text: String,
    pub labels: Vec<String>,
    pub source: String,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
    /// How well it answers, between 0 and 1.
    pub score: f32,
    /// Whether it is archived: it answers better than every current memory.
    pub is_archived: bool,
    /// The places in the text, as bytes, of words that the question has too.
    pub marks: Vec<(usize, usize)>,
    pub explain: Explain,
}

/// How a score came about.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct Explain {
    /// By words: BM25.
    pub lexical: f32,
    /// By meaning: the cosine of the model's vectors; none when no model had a vote.
    pub dense: Option<f32>,
    /// By a reranking model, if one took part.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub rerank: Option<f32>,
    /// All of that as one number between 0 and 1.
    pub relevance: f32,
    /// exp(−age in days / 30).
    pub recency: f32,
    /// (1 − w)·relevance + w·recency.
    #[serde(rename = "final")]
    pub total: f32,
    /// What it was chosen by, if being unlike the others counted.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub mmr: Option<f32>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_question_is_read_as_far_as_its_first_words() {
        assert_eq!(asked_part(" what tea? "), "what tea? ");
        let long = "tea ".repeat(2_000);
        assert_eq!(asked_part(&long), "tea ".repeat(1_024).trim_end());
        let cut = format!("tea {}", "x".repeat(5_000));
        assert_eq!(asked_part(&cut), "tea");
        assert_eq!(
            asked_part(&"茶".repeat(5_000)).chars().count(),
            QUESTION_BYTES / 3
        );
    }
}
