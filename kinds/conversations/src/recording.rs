//! What of a request and of its answer is kept, once, however often the client asks.

use std::sync::Arc;

use memory_core::Timestamp;

use crate::change::Work;
use crate::entry::{Entry, Role, as_said, check_size};
use crate::filing::Filed;
use crate::messages::Messages;
use crate::pending::{Pending, Stage};
use crate::tools::record_user::Reply;
use crate::turns::Wanted;
use crate::{ConversationError, ConversationId, Shelf, limits};

/// A request of which something is to be kept.
#[derive(Debug)]
pub(crate) struct Request {
    messages: Messages,
    conversation: ConversationId,
    said: String,
    /// By what it is known when it is sent again.
    fingerprint: String,
    is_retry: bool,
}

impl Request {
    /// Reads a request; if nothing of it is to be kept, says why.
    pub(crate) fn read(
        messages: Messages,
        conversation: ConversationId,
        retry: Option<u64>,
    ) -> Result<Result<Self, &'static str>, ConversationError> {
        if messages.is_task() {
            return Ok(Err("task"));
        }
        let said = messages
            .question()
            .map(|said| as_said(&said))
            .filter(|said| !said.is_empty());
        let Some(said) = said else {
            return Ok(Err("silence"));
        };
        check_size(&said)?;
        let fingerprint = messages.fingerprint(&conversation);
        let is_retry = retry.is_some_and(|times| times > 0);
        Ok(Ok(Request {
            messages,
            conversation,
            said,
            fingerprint,
            is_retry,
        }))
    }

    pub(crate) fn conversation(&self) -> &ConversationId {
        &self.conversation
    }

    /// Adds the user's turn to a change, unless it is there already.
    pub(crate) fn take(
        self,
        work: &mut Work<'_>,
        now: Timestamp,
    ) -> Result<Reply, ConversationError> {
        if self.messages.is_continuation() {
            // Tools have answered since; the turn itself was taken when it was new.
            let recent = self.recent(work, now, self.said.lines().next().unwrap_or_default())?;
            let turn = recent
                .iter()
                .rev()
                .find(|filed| filed.entry.content == self.said);
            let turn = turn.map(|filed| filed.entry.id.clone());
            return Ok(Reply::known(turn, self.fingerprint, "continuation"));
        }
        let is_this =
            |filed: &&Arc<Filed>| filed.entry.request.as_deref() == Some(&*self.fingerprint);
        let recent = self.recent(work, now, &self.fingerprint)?;
        if let Some(turn) = recent.iter().rev().find(is_this).map(|filed| filed.entry.id.clone())
            // What comes again after it was answered is a new request, unless the client says otherwise.
            && (self.is_retry || work.store.answers_to(&work.folder, &turn)?.is_empty())
        {
            return Ok(Reply::known(Some(turn), self.fingerprint, "repeated"));
        }
        let at = work.next_time(now)?;
        let mut entry = Entry::new(
            work.store.new_id()?,
            Role::User,
            &self.conversation,
            at,
            &self.said,
        );
        entry.request = Some(self.fingerprint.clone());
        work.queue(Pending {
            turn: entry.id.clone(),
            said_at: at,
            stage: Stage::Facts,
        });
        work.add(Shelf::User, &entry);
        Ok(Reply::new(entry.id, self.fingerprint))
    }

    /// Returns the latest turns that have a text in their files.
    fn recent(
        &self,
        work: &Work<'_>,
        now: Timestamp,
        text: &str,
    ) -> Result<Vec<Arc<Filed>>, ConversationError> {
        let wanted = Wanted {
            text,
            most: limits::RETRIED_TURNS,
        };
        work.store.turns_since(
            &work.folder,
            Shelf::User,
            limits::RETRY_WINDOW.before(now),
            wanted,
        )
    }
}

/// What an assistant said.
#[derive(Debug)]
pub(crate) struct Answer<'a> {
    pub(crate) conversation: &'a ConversationId,
    pub(crate) said: String,
    /// The user's turn that it answers, and whether that is as new as the answer.
    pub(crate) answers: Option<String>,
    pub(crate) is_first: bool,
    pub(crate) request: Option<String>,
    pub(crate) is_retry: bool,
}

impl Answer<'_> {
    /// Adds the assistant's turn to a change; returns its id, and whether it is new. The same answer to the
    /// same turn is kept once.
    pub(crate) fn take(
        self,
        work: &mut Work<'_>,
        now: Timestamp,
    ) -> Result<(String, bool), ConversationError> {
        check_size(&self.said)?;
        let before = match &self.answers {
            Some(turn) if !self.is_first => work.store.answers_to(&work.folder, turn)?,
            _ => vec![],
        };
        if let Some(same) = before.iter().find(|filed| filed.entry.content == self.said) {
            return Ok((same.entry.id.clone(), false));
        }
        let at = work.next_time(now)?;
        let mut entry = Entry::new(
            work.store.new_id()?,
            Role::Assistant,
            self.conversation,
            at,
            &self.said,
        );
        (entry.answers, entry.request) = (self.answers, self.request);
        // What was said before tools were asked answers another request, and stays.
        for lost in before
            .iter()
            .filter(|filed| self.is_retry && filed.entry.request == entry.request)
        {
            work.bury(lost, Some(&entry.id));
        }
        work.add(Shelf::Assistant, &entry);
        Ok((entry.id, true))
    }
}
