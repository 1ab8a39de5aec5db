//! `record_user`: keeps what the user has just said, once, however often the client asks.

use memory_core::{Call, Done, Json};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::entry::{Entry, Role, as_said, check_size};
use crate::messages::Messages;
use crate::pending::{Pending, Stage};
use crate::store::Store;
use crate::turns::Wanted;
use crate::{ConversationError, ConversationId, Shelf, limits};

#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Params {
    /// Conversation it was said in (default: `default`)
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub conversation: Option<String>,
    /// The messages of the client's request, as they came
    pub messages: Json,
    /// How often the client has sent this request before (`x-stainless-retry-count`)
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub retry: Option<u64>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reply {
    /// Whether this exchange is to be remembered. When not, nothing is recorded of its answer either.
    pub remember: bool,
    /// The user's turn, if there is one: what the answer is an answer to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub turn: Option<String>,
    /// By what the request is known, for whoever records its answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub request: Option<String>,
    /// Whether a file was written for it now.
    pub stored: bool,
    /// Why not: `task`, `continuation`, `repeated` or `silence`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub why: Option<String>,
}

impl Reply {
    fn nothing(why: &str) -> Self {
        Reply { remember: false, turn: None, request: None, stored: false, why: Some(why.to_owned()) }
    }

    fn known(turn: Option<String>, request: String, why: &str) -> Self {
        let request = Some(request);
        Reply { remember: true, turn, request, stored: false, why: Some(why.to_owned()) }
    }
}

pub fn run(store: &Store, call: &Call<'_>, params: Params) -> Result<Done<Reply>, ConversationError> {
    let conversation = ConversationId::or_default(params.conversation.as_deref())?;
    let messages = Messages::parse(&params.messages)?;
    if messages.is_task() {
        return Ok(Done::read(Reply::nothing("task")));
    }
    let said = messages.question().map(|said| as_said(&said)).filter(|said| !said.is_empty());
    let Some(said) = said else { return Ok(Done::read(Reply::nothing("silence"))) };
    check_size(&said)?;
    let request = messages.fingerprint(&conversation);
    let mut work = store.work(&conversation)?;
    let since = limits::RETRY_WINDOW.before(call.now);
    let with = |text| {
        let wanted = Wanted { text, most: limits::RETRIED_TURNS };
        store.turns_since(&work.folder, Shelf::User, since, wanted)
    };
    if messages.is_continuation() {
        // Tools have answered since; the turn itself was taken when it was new.
        let recent = with(said.lines().next().unwrap_or_default())?;
        let turn = recent.iter().rev().find(|filed| filed.entry.content == said);
        let turn = turn.map(|filed| filed.entry.id.clone());
        return Ok(Done::read(Reply::known(turn, request, "continuation")));
    }
    let is_retry = params.retry.is_some_and(|times| times > 0);
    let recent = with(&request)?;
    let again = recent.iter().rev().find(|filed| filed.entry.request.as_deref() == Some(request.as_str()));
    if let Some(turn) = again
        // What comes again after it was answered is a new request, unless the client says otherwise.
        && (is_retry || store.answers_to(&work.folder, &turn.entry.id)?.is_empty())
    {
        return Ok(Done::read(Reply::known(Some(turn.entry.id.clone()), request, "repeated")));
    }
    let at = work.next_time(call.now)?;
    let mut entry = Entry::new(store.new_id()?, Role::User, &conversation, at, &said);
    entry.request = Some(request.clone());
    work.queue(&Pending { turn: entry.id.clone(), said_at: at, stage: Stage::Facts })?;
    work.add(Shelf::User, &entry);
    let changes = work.commit()?;
    let reply =
        Reply { remember: true, turn: Some(entry.id), request: Some(request), stored: true, why: None };
    Ok(Done::changed(reply, changes))
}
