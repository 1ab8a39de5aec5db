//! Bodies of answers: whole ones, those of the upstream, and those that are sent piece by piece.

use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use http_body_util::combinators::UnsyncBoxBody;
use http_body_util::{BodyExt, Full, LengthLimitError, Limited};
use hyper::Response;
use hyper::body::{Body, Bytes, Frame, Incoming, SizeHint};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, mpsc};
use tokio::time::{Instant, Sleep, sleep, timeout};

use super::bounds::Bounds;
use super::refusal::Refusal;
use crate::slots::Reading;

/// A body that is sent to a client or to the upstream.
pub(super) type AnyBody = UnsyncBoxBody<Bytes, io::Error>;
/// What a client gets.
pub(super) type Answer = Response<AnyBody>;

/// A piece of a body, or why there are no more.
pub(super) type Piece = io::Result<Frame<Bytes>>;

/// Returns a body that is there already.
pub(super) fn full(bytes: impl Into<Bytes>) -> AnyBody {
    Full::new(bytes.into())
        .map_err(|never| match never {})
        .boxed_unsync()
}

/// Returns a body that passes as it comes, and breaks off if it does not go on for `pause`.
pub(super) fn passing(incoming: Incoming, pause: Duration, reading: Option<Reading>) -> AnyBody {
    let sleep = Box::pin(sleep(pause));
    Passing {
        incoming,
        pause,
        sleep,
        _reading: reading,
    }
    .boxed_unsync()
}

struct Passing {
    incoming: Incoming,
    pause: Duration,
    sleep: Pin<Box<Sleep>>,
    /// For the body of a request.
    _reading: Option<Reading>,
}

impl Body for Passing {
    type Data = Bytes;
    type Error = io::Error;

    fn poll_frame(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Piece>> {
        if let Poll::Ready(frame) = Pin::new(&mut self.incoming).poll_frame(context) {
            let until = Instant::now() + self.pause;
            self.sleep.as_mut().reset(until);
            return Poll::Ready(frame.map(|frame| frame.map_err(io::Error::other)));
        }
        self.sleep
            .as_mut()
            .poll(context)
            .map(|()| Some(Err(io::ErrorKind::TimedOut.into())))
    }

    fn is_end_stream(&self) -> bool {
        self.incoming.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.incoming.size_hint()
    }
}

/// Returns a body whose pieces are sent one by one; it ends when the sender is gone.
pub(super) fn piecewise() -> (mpsc::Sender<Piece>, AnyBody) {
    let (send, receive) = mpsc::channel(1);
    (send, Pieces(receive).boxed_unsync())
}

struct Pieces(mpsc::Receiver<Piece>);

impl Body for Pieces {
    type Data = Bytes;
    type Error = io::Error;

    fn poll_frame(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Piece>> {
        self.0.poll_recv(context)
    }
}

/// Why a body was not read to its end.
#[derive(Debug)]
pub(super) enum Unread {
    TooLarge,
    Broken(String),
}

/// Reads a whole body, up to a limit.
pub(super) async fn collect(incoming: Incoming, most: usize) -> Result<Bytes, Unread> {
    match Limited::new(incoming, most).collect().await {
        Ok(collected) => Ok(collected.to_bytes()),
        Err(error) if error.is::<LengthLimitError>() => Err(Unread::TooLarge),
        Err(error) => Err(Unread::Broken(error.to_string())),
    }
}

/// A client's request, and its share of what all requests together may hold.
pub(super) struct Held {
    pub(super) bytes: Bytes,
    pub(super) share: OwnedSemaphorePermit,
}

/// Reads the body of a client's request within the bounds of size and time.
pub(super) async fn receive(
    incoming: Incoming,
    bounds: &Bounds,
    shares: &Arc<Semaphore>,
) -> Result<Held, Refusal> {
    let most = bounds.chat_bytes;
    // What the client has announced.
    if incoming.size_hint().lower() > most as u64 {
        return Err(Refusal::too_large(most));
    }
    let read = read_within(incoming, bounds, shares);
    timeout(bounds.body_time, read)
        .await
        .unwrap_or_else(|_| Err(Refusal::too_slow()))
}

async fn read_within(
    mut incoming: Incoming,
    bounds: &Bounds,
    shares: &Arc<Semaphore>,
) -> Result<Held, Refusal> {
    let share = |length: usize| {
        let length = u32::try_from(length).unwrap_or(u32::MAX);
        let refused =
            |_| Refusal::busy("The proxy is holding too many large requests; try again later");
        shares
            .clone()
            .try_acquire_many_owned(length)
            .map_err(refused)
    };
    let (mut bytes, mut held) = (Vec::new(), share(0)?);
    loop {
        let frame = timeout(bounds.body_pause, incoming.frame())
            .await
            .map_err(|_| Refusal::too_slow())?;
        let Some(frame) = frame else {
            return Ok(Held {
                bytes: bytes.into(),
                share: held,
            });
        };
        let broken =
            |error| Refusal::bad_request(&format!("The request body is incomplete: {error}"), None);
        let Ok(piece) = frame.map_err(broken)?.into_data() else {
            continue;
        };
        if bytes.len() + piece.len() > bounds.chat_bytes {
            return Err(Refusal::too_large(bounds.chat_bytes));
        }
        held.merge(share(piece.len())?);
        bytes.extend_from_slice(&piece);
    }
}
