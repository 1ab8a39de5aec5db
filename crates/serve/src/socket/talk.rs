//! What a client has said so far, and a stretch of the conversation on one thread.
//!
//! Clients are waited for where waiting costs nothing. A thread that has answered one stays with it for a
//! moment, though: if the client goes on at once, as programs do, nobody has to be woken but the two of them.
//! It stays with no one who keeps it waiting, be it for the rest of a line or for an answer to be taken.

use std::io::{self, ErrorKind, Read, Write};
use std::os::unix::net::UnixStream;

use rustix::event::{PollFd, PollFlags, Timespec, poll};

use crate::desk::Desk;
use crate::lines::{Line, Lines};
use crate::{limits, rpc};

/// What was read from a client and what it has still to be told.
#[derive(Debug, Default)]
pub(super) struct Talk {
    pub(super) lines: Lines,
    /// Answers that the client has not taken yet.
    pub(super) unsent: Vec<u8>,
}

impl Talk {
    /// Answers a line, and those that follow at once as long as it `may_stay`.
    pub(super) fn go_on(
        &mut self,
        stream: &UnixStream,
        first: &[u8],
        desk: &Desk,
        may_stay: impl Fn() -> bool,
    ) -> io::Result<()> {
        self.answer(stream, first, desk)?;
        while self.unsent.is_empty() {
            match self.lines.next_line() {
                Some(Line::Whole(line)) => self.answer(stream, &line, desk)?,
                Some(Line::TooLong(beginning)) => {
                    self.tell(stream, rpc::answer_too_long(&beginning))?
                }
                None if self.lines.is_waiting() || self.lines.has_ended() || !may_stay() => {
                    return Ok(());
                }
                None if !self.listen(stream)? => return Ok(()),
                None => {}
            }
        }
        Ok(())
    }

    fn answer(&mut self, stream: &UnixStream, line: &[u8], desk: &Desk) -> io::Result<()> {
        rpc::answer(desk, line).map_or(Ok(()), |reply| self.tell(stream, reply))
    }

    /// Sends as much of a reply as the client takes now.
    fn tell(&mut self, mut stream: &UnixStream, mut reply: Vec<u8>) -> io::Result<()> {
        let sent = match stream.write(&reply) {
            Err(error) if is_for_later(&error) => 0,
            sent => sent?,
        };
        self.unsent = reply.split_off(sent);
        Ok(())
    }

    /// Waits a moment for the client to go on; false when it does not.
    fn listen(&mut self, mut stream: &UnixStream) -> io::Result<bool> {
        let moment = Timespec {
            tv_sec: 0,
            tv_nsec: i64::from(limits::LINGER.subsec_nanos()),
        };
        if !matches!(
            poll(&mut [PollFd::new(stream, PollFlags::IN)], Some(&moment)),
            Ok(1)
        ) {
            return Ok(false);
        }
        let mut chunk = [0; limits::CHUNK];
        match stream.read(&mut chunk) {
            Err(error) if is_for_later(&error) => return Ok(false),
            count => self.lines.hear(&chunk[..count?]),
        }
        Ok(true)
    }
}

fn is_for_later(error: &io::Error) -> bool {
    matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::Interrupted)
}
