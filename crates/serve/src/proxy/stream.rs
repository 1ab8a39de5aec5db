//! An answer that comes piece by piece: each passes as it comes, while what is said is gathered.
//!
//! What is kept of it: an answer that came to its end, whole; one that the client ended, as far as it
//! came, since that is what the user has read; one that failed, nothing, since the client is told so
//! and asks again.

use std::io;

use http_body_util::BodyExt;
use hyper::body::{Bytes, Frame, Incoming};
use tokio::sync::mpsc::Sender;
use tokio::time::{Instant, sleep_until, timeout};

use super::body::Piece;
use super::chat::Talk;
use super::gather::Gather;
use super::refusal::Refusal;
use crate::limits;
use memory_http::root_cause;

/// How a stream went on.
enum Next {
    Piece(Frame<Bytes>),
    /// It ended as it should.
    End,
    /// The client is gone.
    Unheard,
    /// It broke off.
    Failure(String),
}

/// Passes an answer on and keeps what is said in it.
pub(super) async fn pass(talk: &mut Talk, mut answer: Incoming, client: Sender<Piece>) {
    let mut gather = Some(Gather::default());
    let until = Instant::now() + talk.front.bounds.stream_time;
    loop {
        match next(talk, &mut answer, &client, until).await {
            Next::Piece(piece) => {
                if let (Some(heard), Some(bytes)) = (&mut gather, piece.data_ref()) {
                    heard.feed(bytes);
                }
                // Whoever hears the end may rely on its being kept.
                if let Some(heard) = gather.take_if(|heard| heard.is_done()) {
                    keep(talk, heard).await;
                }
                let taken = timeout(limits::TAKING_TIME, client.send(Ok(piece))).await;
                if !matches!(taken, Ok(Ok(()))) {
                    break;
                }
            }
            Next::End => {
                gather.iter_mut().for_each(Gather::finish);
                break;
            }
            Next::Unheard => break,
            Next::Failure(why) => {
                let failed = gather.take_if(|heard| !heard.is_whole());
                if let Some(heard) = failed {
                    talk.front.log.warn(&format!("A stream ended early: {why}"));
                    return tell_failure(&heard, &why, &client).await;
                }
                break;
            }
        }
    }
    if let Some(heard) = gather {
        keep(talk, heard).await;
    }
}

async fn next(talk: &Talk, answer: &mut Incoming, client: &Sender<Piece>, until: Instant) -> Next {
    let came = tokio::select! {
        came = timeout(talk.front.bounds.pause, answer.frame()) => came,
        () = sleep_until(until) => return Next::Failure("the request timed out".to_owned()),
        () = client.closed() => return Next::Unheard,
        () = talk.front.cut.cancelled() => return Next::Failure("the proxy is stopping".to_owned()),
    };
    match came {
        Ok(Some(Ok(piece))) => Next::Piece(piece),
        Ok(Some(Err(error))) => Next::Failure(root_cause(&error)),
        Ok(None) => Next::End,
        Err(_) => Next::Failure("the upstream stopped sending".to_owned()),
    }
}

async fn keep(talk: &mut Talk, heard: Gather) {
    let said = if heard.has_failed() {
        String::new()
    } else {
        heard.into_text()
    };
    talk.keep(said).await;
}

/// Tells a client that its stream is broken: by an event if one can stand here, else by breaking off.
async fn tell_failure(heard: &Gather, why: &str, client: &Sender<Piece>) {
    let refusal = Refusal::bad_gateway(
        &format!("The response ended early: {why}"),
        "upstream_failed",
    );
    let piece = if heard.is_between_events() {
        Ok(Frame::data(refusal.to_event()))
    } else {
        Err(io::Error::other(refusal.message().to_owned()))
    };
    let _ = client.send(piece).await;
}
