//! Bodies of answers: whole ones, those of the upstream, and those that are sent piece by piece.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll};

use http_body_util::combinators::UnsyncBoxBody;
use http_body_util::{BodyExt, Full, LengthLimitError, Limited};
use hyper::Response;
use hyper::body::{Body, Bytes, Frame, Incoming};
use tokio::sync::mpsc;

/// A body that is sent to a client or to the upstream.
pub(super) type AnyBody = UnsyncBoxBody<Bytes, io::Error>;
/// What a client gets.
pub(super) type Answer = Response<AnyBody>;

/// A piece of a body, or why there are no more.
pub(super) type Piece = io::Result<Frame<Bytes>>;

/// Returns a body that is there already.
pub(super) fn full(bytes: impl Into<Bytes>) -> AnyBody {
    Full::new(bytes.into()).map_err(|never| match never {}).boxed_unsync()
}

/// Returns a body that passes as it comes.
pub(super) fn passing(incoming: Incoming) -> AnyBody {
    incoming.map_err(io::Error::other).boxed_unsync()
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
