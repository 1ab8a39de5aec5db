//! A chat, from the client's request to the upstream's answer, with the memory in between.
//!
//! A streamed chat keeps the user's turn at once, another one when the reply is whole; either way
//! the client has the end of its answer only when both turns are on the disk. Once the upstream is
//! asked, a chat is a task of its own: a client that goes away ends the asking, not the keeping.

use std::sync::Arc;

use hyper::body::{Bytes, Incoming};
use hyper::header::{CONTENT_ENCODING, CONTENT_LENGTH, CONTENT_TYPE};
use hyper::http::{request, response};
use hyper::{Request, Response};
use serde_json::value::RawValue;
use tokio::sync::oneshot;
use tokio::time::{Instant, timeout};

use super::body::{Answer, Held, Unread, collect, full, piecewise, receive};
use super::fields::Fields;
use super::gather::text_of_reply;
use super::memories::{Exchange, Turn};
use super::refusal::Refusal;
use super::request::Chat;
use super::{Front, headers, stream};
use crate::limits;
use crate::slots::Slot;

const HITS: &str = "memory_hits";

/// Answers a request for a chat.
pub(super) async fn chat(front: Arc<Front>, request: Request<Incoming>) -> Result<Answer, Refusal> {
    let (head, body) = request.into_parts();
    let reading = head.extensions.get::<Arc<Slot>>().map(Slot::reading);
    let Held { bytes: body, share } = receive(body, &front.bounds, &front.shares).await?;
    drop(reading);
    let turn = front.chats.clone().try_acquire_owned();
    let turn =
        turn.map_err(|_| Refusal::busy("The proxy is handling too many chats; try again later"))?;
    let mut chat = Chat::read(&body, &head.headers)?;
    chat.model
        .take()
        .into_iter()
        .for_each(|model| front.upstream.note_model(model));
    let Some(messages) = chat.messages else {
        return Ok(front.passed(ask(&front, head, chat.with_messages(None)).await?));
    };
    let (conversation, retry, streams) = (chat.conversation.clone(), chat.retry, chat.streams);
    let exchange = Exchange {
        conversation,
        messages: messages.to_owned(),
        retry,
    };
    let began = Instant::now();
    let augmented = front.memories.augment(&exchange, chat.wishes).await?;
    let took = began.elapsed().as_millis();
    front.log.debug(&format!(
        "Chat in '{}': recalled in {took} ms",
        exchange.conversation
    ));
    let outgoing = chat.with_messages(augmented.as_ref().map(|augmented| &*augmented.messages));
    let hits = augmented.map(|augmented| augmented.hits);
    let (tell, told) = oneshot::channel();
    let talk = Talk {
        front: front.clone(),
        exchange,
        turn: None,
        hits,
    };
    front.tasks.spawn(async move {
        talk.hold(head, outgoing, streams, tell).await;
        drop((turn, share));
    });
    told.await.unwrap_or_else(|_| {
        Err(Refusal::bad_gateway(
            "The chat failed unexpectedly",
            "upstream_failed",
        ))
    })
}

async fn ask(
    front: &Front,
    head: request::Parts,
    body: Vec<u8>,
) -> Result<Response<Incoming>, Refusal> {
    let headers = headers::of_a_chat(head.headers, front.upstream.key());
    let request = front
        .upstream
        .request(head.method, &head.uri, headers, full(body))?;
    front.upstream.send(request, front.bounds.first_byte).await
}

/// A chat that is under way.
pub(super) struct Talk {
    pub(super) front: Arc<Front>,
    exchange: Exchange,
    /// What has become of the user's turn, once it was kept.
    turn: Option<Turn>,
    hits: Option<Box<RawValue>>,
}

/// How the upstream answers.
enum Answered {
    /// Piece by piece.
    Stream(Response<Incoming>),
    Whole(response::Parts, Bytes),
    /// With an error, which passes as it is.
    Error(Response<Incoming>),
}

impl Talk {
    async fn hold(
        mut self,
        head: request::Parts,
        body: Vec<u8>,
        streams: bool,
        mut tell: oneshot::Sender<Result<Answer, Refusal>>,
    ) {
        let front = self.front.clone();
        let asked = async {
            tokio::select! {
                answered = answered(&front, head, body) => Some(answered),
                () = tell.closed() => None,
            }
        };
        let (answered, ()) = tokio::join!(asked, async {
            if streams {
                self.keep_user().await;
            }
        });
        match answered {
            None => {}
            Some(Err(refusal)) => drop(tell.send(Err(refusal))),
            Some(Ok(Answered::Error(answer))) => drop(tell.send(Ok(front.passed(answer)))),
            Some(Ok(Answered::Stream(answer))) => self.pass_on(answer, tell).await,
            Some(Ok(Answered::Whole(head, body))) => {
                self.keep(text_of_reply(&body)).await;
                drop(tell.send(Ok(self.whole(head, body))));
            }
        }
        if self.turn.is_some() {
            self.front.afterwork.see_to(&self.exchange.conversation);
        }
    }

    async fn pass_on(
        &mut self,
        answer: Response<Incoming>,
        tell: oneshot::Sender<Result<Answer, Refusal>>,
    ) {
        let (mut head, incoming) = answer.into_parts();
        head.headers = headers::towards_client(head.headers);
        let (send, body) = piecewise();
        drop(tell.send(Ok(Response::from_parts(head, body))));
        stream::pass(self, incoming, send).await;
    }

    /// Keeps what the assistant said, and what the user said before if that is not kept yet.
    pub(super) async fn keep(&mut self, said: String) {
        match (self.turn.clone(), said.trim().is_empty()) {
            (None, true) => self.keep_user().await,
            (None, false) => {
                self.turn = self
                    .front
                    .memories
                    .record_exchange(self.exchange.clone(), said)
                    .await;
            }
            (Some(turn), false) if turn.remember => {
                self.front
                    .memories
                    .record_assistant(&self.exchange, said, turn)
                    .await;
            }
            (Some(_), _) => {}
        }
    }

    async fn keep_user(&mut self) {
        self.turn = self.front.memories.record_user(self.exchange.clone()).await;
    }

    /// Returns a whole reply, with what was recalled for it.
    fn whole(&self, mut head: response::Parts, body: Bytes) -> Answer {
        head.headers = headers::towards_client(head.headers);
        let hits = self.hits.as_ref().map_or("[]", |hits| hits.get());
        let body = if head.headers.contains_key(CONTENT_ENCODING) {
            body
        } else {
            with_hits(&body, hits).map_or(body, Bytes::from)
        };
        head.headers.insert(CONTENT_LENGTH, body.len().into());
        Response::from_parts(head, full(body))
    }
}

async fn answered(front: &Front, head: request::Parts, body: Vec<u8>) -> Result<Answered, Refusal> {
    let answer = ask(front, head, body).await?;
    if !answer.status().is_success() {
        return Ok(Answered::Error(answer));
    }
    if is_stream(&answer) {
        return Ok(Answered::Stream(answer));
    }
    let (head, body) = answer.into_parts();
    let broken = |why: &str| {
        let message = format!(
            "The upstream {} sent an incomplete reply: {why}",
            front.upstream.base()
        );
        Refusal::bad_gateway(&message, "upstream_failed")
    };
    let collected = timeout(
        front.bounds.first_byte,
        collect(body, limits::WHOLE_REPLY_BYTES),
    )
    .await;
    match collected {
        Ok(Ok(body)) => Ok(Answered::Whole(head, body)),
        Ok(Err(Unread::TooLarge)) => Err(broken("it is too large")),
        Ok(Err(Unread::Broken(why))) => Err(broken(&why)),
        Err(_) => Err(Refusal::too_late(&format!(
            "The upstream {} stopped sending",
            front.upstream.base()
        ))),
    }
}

fn is_stream(answer: &Response<Incoming>) -> bool {
    let content = answer
        .headers()
        .get(CONTENT_TYPE)
        .and_then(|content| content.to_str().ok());
    content.is_some_and(|content| {
        content
            .trim_start()
            .to_ascii_lowercase()
            .starts_with("text/event-stream")
    })
}

/// Adds what was recalled to a reply, and leaves all else of it as it is; none when it is not an object.
fn with_hits(reply: &[u8], hits: &str) -> Option<Vec<u8>> {
    let fields = Fields::read(std::str::from_utf8(reply).ok()?)?;
    let end = reply.iter().rposition(|byte| *byte == b'}')?;
    if fields.get(HITS).is_some() {
        return None;
    }
    let comma = if fields.0.is_empty() { "" } else { "," };
    let added = format!("{comma}\"{HITS}\":{hits}");
    Some([&reply[..end], added.as_bytes(), &reply[end..]].concat())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hits_are_added_and_no_other_byte_changes() {
        let added = |reply: &str| {
            with_hits(reply.as_bytes(), "[1]").map(|bytes| String::from_utf8(bytes).unwrap())
        };
        let reply = "{ \"n\": 1.10, \"s\": \"}\" }\n";
        assert_eq!(
            added(reply).unwrap(),
            "{ \"n\": 1.10, \"s\": \"}\" ,\"memory_hits\":[1]}\n"
        );
        assert_eq!(added("{}").unwrap(), "{\"memory_hits\":[1]}");
        for none in ["", "[]", "nonsense", "{\"memory_hits\":[]}", "{\"a\":1} x"] {
            assert_eq!(added(none), None, "{none}");
        }
    }
}
