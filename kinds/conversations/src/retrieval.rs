//! The read path: which memories answer a question (section 3), and by which numbers. Ranking is recall's.

use memory_core::{Address, Call, Hit, Question, Recalled, Strictness, Tuning, instant};

use crate::document::{KIND, conversation_label, role_label};
use crate::entry::Role;
use crate::error::Failed;
use crate::store::{Settings, Store};
use crate::tools::search::{Found, Numbers, Tuned};
use crate::{ConversationError, ConversationId, limits};

/// The longest question that is asked, in characters: what a user pasted is no better a question whole.
const QUESTION_CHARACTERS: usize = 4_000;

/// Asks what is relevant, in one conversation and the one that all see, or in all of them; texts that the
/// caller has already are no answer.
pub(crate) fn retrieve(
    store: &Store,
    call: &Call<'_>,
    text: &str,
    conversation: Option<&ConversationId>,
    tuned: Tuned,
    (strictness, except): (Strictness, Vec<String>),
) -> Result<Recalled, ConversationError> {
    let question = Question {
        strictness,
        except,
        ..question(&store.settings, text, conversation, tuned)?
    };
    match call.recall {
        Some(recall) if question.limit > 0 && !question.text.trim().is_empty() => {
            Ok(recall.recall(&question, call.now).map_err(Failed)?)
        }
        _ => Ok(Recalled::default()),
    }
}

fn question(
    settings: &Settings,
    text: &str,
    conversation: Option<&ConversationId>,
    tuned: Tuned,
) -> Result<Question, ConversationError> {
    let limit = tuned.top_k.unwrap_or(settings.top_k);
    let scopes = scopes(conversation);
    let score_threshold = tuned.score_threshold.or(settings.score_threshold);
    Ok(Question {
        text: text.chars().take(QUESTION_CHARACTERS).collect(),
        kinds: vec![KIND.to_owned()],
        any_label: scopes
            .iter()
            .map(|id| conversation_label(id.as_str()))
            .collect(),
        without: vec![role_label(Role::Summary)],
        limit,
        tuning: Tuning {
            // Step 1: of each scope by itself.
            candidates: Some(limit.saturating_mul(limits::CANDIDATES_EACH)),
            recency_weight: Some(part(
                "recency_weight",
                tuned.recency_weight.unwrap_or(settings.recency_weight),
            )?),
            threshold: score_threshold
                .map(|value| part("score_threshold", value))
                .transpose()?,
            // Step 2: the specification's threshold is one of a cross-encoder, and means nothing elsewhere.
            cross_encoder_threshold: Some(limits::SCORE_THRESHOLD),
            mmr_lambda: Some(part(
                "mmr_lambda",
                tuned.mmr_lambda.unwrap_or(settings.mmr_lambda),
            )?),
        },
        ..Question::default()
    })
}

/// Section 3, step 1: the conversation's own and the global one; none means all.
fn scopes(conversation: Option<&ConversationId>) -> Vec<ConversationId> {
    let global = ConversationId::global();
    match conversation {
        None => vec![],
        Some(id) if *id == global => vec![global],
        Some(id) => vec![id.clone(), global],
    }
}

fn part(name: &str, value: f32) -> Result<f32, ConversationError> {
    if (0.0..=1.0).contains(&value) {
        Ok(value)
    } else {
        Err(ConversationError::bad(format!(
            "{name} is between 0 and 1, not {value}"
        )))
    }
}

/// Returns the numbers that a retrieval went by.
pub(crate) fn numbers(
    settings: &Settings,
    conversation: Option<&ConversationId>,
    tuned: Tuned,
    recalled: &Recalled,
) -> Numbers {
    let top_k = tuned.top_k.unwrap_or(settings.top_k);
    Numbers {
        top_k,
        scopes: scopes(conversation)
            .iter()
            .map(ConversationId::to_string)
            .collect(),
        candidates: top_k.saturating_mul(limits::CANDIDATES_EACH),
        searched: recalled.searched,
        score_threshold: recalled.threshold,
        recency_weight: tuned.recency_weight.unwrap_or(settings.recency_weight),
        mmr_lambda: tuned.mmr_lambda.unwrap_or(settings.mmr_lambda),
        models: recalled.models.clone(),
    }
}

/// Returns a hit as callers see it.
pub(crate) fn found(hit: Hit, explain: bool) -> Found {
    let labelled = |name: &str| {
        let label = hit
            .labels
            .iter()
            .find_map(|label| label.strip_prefix(name)?.strip_prefix(':'));
        label.unwrap_or_default().to_owned()
    };
    let (role, conversation_id) = (labelled("role"), labelled("conversation"));
    let Address { kind, id } = hit.address;
    Found {
        kind,
        id,
        text: hit.text,
        score: hit.score,
        source: hit.source,
        created_at: instant(hit.created_at),
        role,
        conversation_id,
        explain: explain.then_some(hit.explain),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(conversation: Option<&str>, tuned: Tuned) -> Question {
        let id = conversation.map(|id| ConversationId::parse(id).unwrap());
        question(&Settings::default(), "where?", id.as_ref(), tuned).unwrap()
    }

    #[test]
    fn a_question_has_the_numbers_of_the_specification() {
        let question = asked(Some("work"), Tuned::default());
        assert_eq!(question.limit, 5);
        assert_eq!(
            question.any_label,
            ["conversation:work", "conversation:global"]
        );
        assert_eq!(question.without, ["role:summary"]);
        let tuning = Tuning {
            candidates: Some(5 * 3),
            recency_weight: Some(0.2),
            threshold: None,
            cross_encoder_threshold: Some(0.35),
            mmr_lambda: Some(0.7),
        };
        assert_eq!(question.tuning, tuning);
    }

    #[test]
    fn every_number_can_be_set_for_one_request() {
        let tuned = Tuned {
            top_k: Some(2),
            recency_weight: Some(0.0),
            score_threshold: Some(1.0),
            mmr_lambda: Some(0.5),
        };
        let question = asked(Some("global"), tuned);
        assert_eq!((question.limit, question.any_label.len()), (2, 1));
        let tuning = Tuning {
            candidates: Some(6),
            recency_weight: Some(0.0),
            threshold: Some(1.0),
            cross_encoder_threshold: Some(0.35),
            mmr_lambda: Some(0.5),
        };
        assert_eq!(question.tuning, tuning);
        assert!(asked(None, tuned).any_label.is_empty());
    }

    #[test]
    fn what_is_configured_holds_unless_a_request_says_otherwise() {
        let settings = Settings {
            top_k: 7,
            recency_weight: 0.1,
            score_threshold: Some(0.6),
            mmr_lambda: 0.9,
            ..Settings::default()
        };
        let configured = question(&settings, "where?", None, Tuned::default()).unwrap();
        let Tuning {
            candidates,
            recency_weight,
            threshold,
            mmr_lambda,
            ..
        } = configured.tuning;
        assert_eq!((configured.limit, candidates), (7, Some(21)));
        assert_eq!(
            (recency_weight, threshold, mmr_lambda),
            (Some(0.1), Some(0.6), Some(0.9))
        );
        let tuned = Tuned {
            score_threshold: Some(0.2),
            ..Tuned::default()
        };
        let asked = question(&settings, "where?", None, tuned).unwrap();
        assert_eq!((asked.limit, asked.tuning.threshold), (7, Some(0.2)));
    }

    #[test]
    fn a_number_that_is_no_part_of_one_is_refused() {
        for value in [-0.1, 1.1, f32::NAN] {
            let tuned = Tuned {
                recency_weight: Some(value),
                ..Tuned::default()
            };
            assert!(
                question(&Settings::default(), "x", None, tuned).is_err(),
                "{value}"
            );
        }
    }
}
