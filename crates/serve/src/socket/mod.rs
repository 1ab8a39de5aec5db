//! The Unix socket: accepts clients, reads their lines, writes the answers.
//!
//! What a client can do to the others is bounded here: how many there are, how long a line may be
//! and take, how long a reply may wait to be read. Lines of one client are answered in their order.

mod crowd;

use std::sync::Arc;
use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{UnixListener, UnixStream};
use tokio::task::JoinSet;
use tokio::time::{Instant, sleep, timeout, timeout_at};
use tokio_util::sync::CancellationToken;

use crate::desk::Desk;
use crate::lines::{Line, Lines};
use crate::log::Log;
use crate::runtime::aside;
use crate::{limits, rpc};

pub(crate) use crowd::Crowd;
use crowd::Guest;

const CHUNK: usize = 8 << 10;
/// How long to wait when the system has no room for another connection.
const NO_ROOM: Duration = Duration::from_millis(100);

/// What every connection shares.
#[derive(Debug)]
pub(crate) struct Door {
    pub(crate) desk: Desk,
    pub(crate) log: Log,
    pub(crate) crowd: Crowd,
    /// The user whom the memories belong to.
    pub(crate) owner: u32,
}

/// Why a connection is closed.
enum Farewell {
    Left,
    Stopped,
    Evicted,
    TooSlow(&'static str),
    Broken(std::io::Error),
    Panicked,
}

/// Serves clients until it is told to stop, and until the calls that run by then are answered.
pub(crate) async fn serve(listener: UnixListener, door: Arc<Door>, stop: CancellationToken) {
    let mut guests = JoinSet::new();
    loop {
        tokio::select! {
            () = stop.cancelled() => break,
            accepted = listener.accept() => match accepted {
                Ok((stream, _)) if is_owner(&stream, door.owner) => {
                    guests.spawn(attend(stream, door.clone(), stop.clone()));
                }
                Ok(_) => door.log.warn("A process of another user was turned away from the socket"),
                Err(error) => {
                    door.log.warn(&format!("A connection could not be accepted: {error}"));
                    sleep(NO_ROOM).await;
                }
            },
            Some(_) = guests.join_next() => {}
        }
    }
    drop(listener);
    while guests.join_next().await.is_some() {}
}

/// A socket's permissions keep others out; this does so where a file system ignores them.
fn is_owner(stream: &UnixStream, owner: u32) -> bool {
    stream.peer_cred().is_ok_and(|peer| peer.uid() == owner || peer.uid() == 0)
}

async fn attend(mut stream: UnixStream, door: Arc<Door>, stop: CancellationToken) {
    let guest = door.crowd.enter();
    let why = match converse(&mut stream, &door, &guest, stop).await {
        Ok(()) => return,
        Err(why) => why,
    };
    match why {
        Farewell::Left | Farewell::Stopped => {}
        Farewell::Evicted => door.log.debug("An idle connection was closed to make room"),
        Farewell::TooSlow(what) => door.log.debug(&format!("A connection was closed: {what}")),
        Farewell::Broken(error) => door.log.debug(&format!("A connection broke: {error}")),
        Farewell::Panicked => door.log.error("A call broke off; its connection was closed"),
    }
}

async fn converse(
    stream: &mut UnixStream,
    door: &Arc<Door>,
    guest: &Guest<'_>,
    stop: CancellationToken,
) -> Result<(), Farewell> {
    let mut lines = Lines::default();
    let mut chunk = vec![0; CHUNK];
    let mut line_began = Instant::now();
    loop {
        let (deadline, what) = match lines.is_waiting() {
            true => (line_began + limits::LINE_TIME, "its line was not whole in time"),
            false => (Instant::now() + limits::IDLE_TIME, "it was idle for too long"),
        };
        let read = tokio::select! {
            () = stop.cancelled() => return Err(Farewell::Stopped),
            () = guest.is_asked_to_leave() => return Err(Farewell::Evicted),
            read = timeout_at(deadline, stream.read(&mut chunk)) => read,
        };
        let count = read.map_err(|_| Farewell::TooSlow(what))?.map_err(Farewell::Broken)?;
        if count == 0 {
            return answer(lines.finish(), stream, door, guest).await;
        }
        let mut rest = &chunk[..count];
        while !rest.is_empty() {
            let had_begun = lines.is_waiting();
            let (left, line) = lines.take(rest);
            rest = left;
            answer(line, stream, door, guest).await?;
            if lines.is_waiting() && !had_begun {
                line_began = Instant::now();
            }
        }
    }
}

async fn answer(
    line: Option<Line>,
    stream: &mut UnixStream,
    door: &Arc<Door>,
    guest: &Guest<'_>,
) -> Result<(), Farewell> {
    let reply = match line {
        None => return Ok(()),
        Some(Line::TooLong) => Some(rpc::answer_too_long()),
        Some(Line::Whole(line)) => {
            let _busy = guest.work();
            let desk = door.desk.clone();
            aside(move || rpc::answer(&desk, &line)).await.ok_or(Farewell::Panicked)?
        }
    };
    let Some(reply) = reply else { return Ok(()) };
    match timeout(limits::REPLY_TIME, stream.write_all(&reply)).await {
        Ok(Ok(())) => Ok(()),
        Ok(Err(error)) if error.kind() == std::io::ErrorKind::BrokenPipe => Err(Farewell::Left),
        Ok(Err(error)) => Err(Farewell::Broken(error)),
        Err(_) => Err(Farewell::TooSlow("its reply was not read in time")),
    }
}

#[cfg(test)]
mod tests;
