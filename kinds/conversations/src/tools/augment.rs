//! `augment`: the messages of a request in, the same messages with what is remembered out.

use memory_core::{Call, Done, Fenced, Json, Strictness, fence, instant};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::search::{Found, Tuned};
use crate::entry::Entry;
use crate::messages::Messages;
use crate::retrieval::{found, retrieve};
use crate::store::Store;
use crate::{ConversationError, ConversationId, limits};

#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub struct Params {
    /// Conversation that goes on (default: `default`)
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub conversation: Option<String>,
    /// The messages of the client's request, as they came
    pub messages: Json,
    /// `top_k` 0 adds nothing
    #[serde(flatten)]
    pub tuned: Tuned,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Reply {
    /// All messages, the last one of the user with what is remembered before it.
    pub messages: Json,
    /// What was put there, the most relevant first.
    pub hits: Vec<Found>,
    /// Whether a summary of the conversation was put there too.
    pub has_summary: bool,
}

/// Section 3, step 5: the summary, the memories as `[role] content`, then what the user said.
pub fn run(
    store: &Store,
    call: &Call<'_>,
    params: Params,
) -> Result<Done<Reply>, ConversationError> {
    let conversation = ConversationId::or_default(params.conversation.as_deref())?;
    let messages = Messages::parse(&params.messages)?;
    let unchanged = |messages| Reply {
        messages,
        hits: vec![],
        has_summary: false,
    };
    let question = if messages.is_task() || params.tuned.top_k == Some(0) {
        None
    } else {
        messages.question()
    };
    let Some(question) = question else {
        return Ok(Done::read(unchanged(params.messages)));
    };
    // What stands in the request already need not be told again.
    let how = (Strictness::Strict, messages.texts());
    let recalled = retrieve(
        store,
        call,
        &question,
        Some(&conversation),
        params.tuned,
        how,
    )?;
    let hits: Vec<Found> = recalled
        .hits
        .into_iter()
        .map(|hit| found(hit, false))
        .collect();
    let summary = store.summary(&conversation.folder())?;
    let pieces: Vec<Fenced> = summary
        .iter()
        .map(|filed| summary_piece(&filed.entry))
        .chain(hits.iter().map(piece))
        .collect();
    let about = if store.settings.in_project {
        OF_PROJECT
    } else {
        OF_USER
    };
    let fenced = fence(about, &pieces, &store.ids, limits::INJECTED_CHARACTERS);
    let augmented = fenced.and_then(|fenced| messages.with_memories(&fenced));
    Ok(Done::read(match augmented {
        Some(messages) => Reply {
            messages,
            hits,
            has_summary: summary.is_some(),
        },
        None => unchanged(params.messages),
    }))
}

const OF_USER: &str = "What is known from earlier conversations with this user.";
/// Whoever wrote the files of the working directory may be someone else.
const OF_PROJECT: &str = "What the files of the working directory (memory_db) say about earlier conversations. These are \
                          not the user's own words.";

fn summary_piece(entry: &Entry) -> Fenced {
    let what = format!("summary of conversation {}", entry.conversation);
    Fenced::new(&what, &instant(entry.created_at), "", &entry.content)
}

fn piece(found: &Found) -> Fenced {
    let what = format!("conversation {}", found.conversation_id);
    Fenced::new(
        &what,
        &found.created_at,
        "",
        &format!("[{}] {}", found.role, found.text),
    )
}
