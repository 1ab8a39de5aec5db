//! `drain`: does what is to be done after turns: facts, reconciliation, summaries, eviction, git.

use memory_core::{Call, Done, Flaw};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::document::KIND;
use crate::store::Store;
use crate::{ConversationError, ConversationId};

#[derive(Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Params {
    /// Only the turns of this conversation (default: of all)
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub conversation: Option<String>,
}

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reply {
    /// How many turns were seen to.
    pub turns: usize,
    /// How many facts were added, replaced and taken back.
    pub added: usize,
    pub updated: usize,
    pub deleted: usize,
    /// How many facts and turns had to make room.
    pub evicted: usize,
    /// How many turns still wait: someone else is at them, or they could not be seen to.
    pub left: usize,
    /// What went wrong; what it was about still waits.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub flaws: Vec<Flaw>,
}

pub fn run(
    store: &Store,
    call: &Call<'_>,
    params: Params,
) -> Result<Done<Reply>, ConversationError> {
    let only = params
        .conversation
        .as_deref()
        .map(ConversationId::parse)
        .transpose()?;
    let mut drained = store.drain(call, only.as_ref())?;
    if drained.reply.turns > 0 || !drained.changes.is_empty() {
        let what = format!("{KIND}: {} turns", drained.reply.turns);
        drained.reply.flaws.extend(store.finish(&what, call.now));
    }
    Ok(Done::changed(drained.reply, drained.changes))
}
