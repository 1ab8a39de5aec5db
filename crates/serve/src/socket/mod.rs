//! The Unix socket: accepts clients, reads their lines, writes the answers.
//!
//! What a client can do to the others is bounded here: how many there are, how long a line may be
//! and take, how long a reply may wait to be read. Lines of one client are answered in their order.

mod crowd;
mod talk;

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{UnixListener, UnixStream};
use tokio::task::JoinSet;
use tokio::time::{Instant, sleep, timeout, timeout_at};
use tokio_util::sync::CancellationToken;

use crate::desk::Desk;
use crate::lines::Line;
use crate::log::Log;
use crate::runtime::aside;
use crate::{limits, rpc};

use crowd::{Crowd, Guest};
use talk::Talk;

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
    /// How many calls wait for a thread.
    queue: AtomicUsize,
}

impl Door {
    pub(crate) fn new(desk: Desk, log: Log, owner: u32) -> Self {
        Door {
            desk,
            log,
            crowd: Crowd::new(),
            owner,
            queue: AtomicUsize::new(0),
        }
    }
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
                Ok(_) => door.log.warn("Rejected a connection of another user"),
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
    stream
        .peer_cred()
        .is_ok_and(|peer| peer.uid() == owner || peer.uid() == 0)
}

async fn attend(stream: UnixStream, door: Arc<Door>, stop: CancellationToken) {
    let guest = door.crowd.enter();
    let why = match converse(stream, &door, &guest, stop).await {
        Ok(()) => return,
        Err(why) => why,
    };
    match why {
        Farewell::Left | Farewell::Stopped => {}
        Farewell::Evicted => door.log.debug("An idle connection was closed to make room"),
        Farewell::TooSlow(what) => door.log.debug(&format!("A connection was closed: {what}")),
        Farewell::Broken(error) => door.log.debug(&format!("A connection broke: {error}")),
        Farewell::Panicked => door
            .log
            .error("A call failed unexpectedly; its connection was closed"),
    }
}

async fn converse(
    mut stream: UnixStream,
    door: &Arc<Door>,
    guest: &Guest<'_>,
    stop: CancellationToken,
) -> Result<(), Farewell> {
    let mut talk = Talk::default();
    let mut chunk = vec![0; limits::CHUNK];
    let mut line_began = None;
    loop {
        while let Some(line) = talk.lines.next_line() {
            line_began = None;
            match line {
                Line::TooLong(beginning) => talk.unsent = rpc::answer_too_long(&beginning),
                Line::Whole(line) => {
                    (stream, talk) = work((stream, talk), line, door, guest, &stop).await?
                }
            }
            deliver(&mut talk, &mut stream, &stop).await?;
        }
        if talk.lines.has_ended() {
            return Ok(());
        }
        let (deadline, what) = if talk.lines.is_waiting() {
            let began = *line_began.get_or_insert_with(Instant::now);
            (
                began + limits::LINE_TIME,
                "its request was incomplete for too long",
            )
        } else {
            (
                Instant::now() + limits::IDLE_TIME,
                "it was idle for too long",
            )
        };
        let read = tokio::select! {
            () = stop.cancelled() => return Err(Farewell::Stopped),
            () = guest.is_asked_to_leave() => return Err(Farewell::Evicted),
            read = timeout_at(deadline, stream.read(&mut chunk)) => read,
        };
        let count = read
            .map_err(|_| Farewell::TooSlow(what))?
            .map_err(Farewell::Broken)?;
        talk.lines.hear(&chunk[..count]);
    }
}

/// Has a thread answer a line, and what follows it at once.
async fn work(
    (stream, mut talk): (UnixStream, Talk),
    line: Vec<u8>,
    door: &Arc<Door>,
    guest: &Guest<'_>,
    stop: &CancellationToken,
) -> Result<(UnixStream, Talk), Farewell> {
    let _busy = guest.work();
    let stream = stream.into_std().map_err(Farewell::Broken)?;
    let (door, stop) = (door.clone(), stop.clone());
    door.queue.fetch_add(1, Ordering::Relaxed);
    let worked = aside(move || {
        door.queue.fetch_sub(1, Ordering::Relaxed);
        // Asked after each call: so the crowd is told of it, too.
        let may_stay = || {
            door.crowd.is_heard();
            door.queue.load(Ordering::Relaxed) == 0 && !stop.is_cancelled()
        };
        let ended = talk.go_on(&stream, &line, &door.desk, may_stay);
        (stream, talk, ended)
    });
    let (stream, talk, ended) = worked.await.ok_or(Farewell::Panicked)?;
    ended.map_err(parted)?;
    Ok((
        UnixStream::from_std(stream).map_err(Farewell::Broken)?,
        talk,
    ))
}

/// Waits until the client has taken its answers; not for long once everybody has to leave.
async fn deliver(
    talk: &mut Talk,
    stream: &mut UnixStream,
    stop: &CancellationToken,
) -> Result<(), Farewell> {
    if talk.unsent.is_empty() {
        return Ok(());
    }
    let unsent = std::mem::take(&mut talk.unsent);
    let last_moment = async {
        stop.cancelled().await;
        sleep(limits::LAST_MOMENT).await;
    };
    tokio::select! {
        sent = timeout(limits::REPLY_TIME, stream.write_all(&unsent)) => match sent {
            Ok(sent) => sent.map_err(parted),
            Err(_) => Err(Farewell::TooSlow("its reply was not read in time")),
        },
        () = last_moment => Err(Farewell::Stopped),
    }
}

fn parted(error: std::io::Error) -> Farewell {
    match error.kind() {
        std::io::ErrorKind::BrokenPipe => Farewell::Left,
        _ => Farewell::Broken(error),
    }
}

#[cfg(test)]
mod tests;
