//! A bounded number of connections: one more closes the one that has waited longest for its client.

use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll};

use hyper::body::{Body, Frame, SizeHint};
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

/// The connections that are open.
#[derive(Debug)]
pub(crate) struct Slots {
    open: Mutex<Vec<Arc<Slot>>>,
    most: usize,
}

/// One connection.
#[derive(Debug)]
pub(crate) struct Slot {
    /// When the client began to keep us waiting; `None` while it is being answered.
    waits_since: Mutex<Option<Instant>>,
    closed: CancellationToken,
}

impl Slots {
    pub(crate) fn new(most: usize) -> Arc<Self> {
        Arc::new(Slots {
            open: Mutex::default(),
            most,
        })
    }

    /// Returns a slot for one more connection; `None` if all others are being answered.
    pub(crate) fn open(&self) -> Option<Arc<Slot>> {
        let mut open = lock(&self.open);
        if open.len() >= self.most {
            let waiting = open
                .iter()
                .enumerate()
                .filter_map(|(at, slot)| Some((slot.waits_since()?, at)));
            let (_, longest) = waiting.min()?;
            open.swap_remove(longest).closed.cancel();
        }
        let waits_since = Mutex::new(Some(Instant::now()));
        let slot = Arc::new(Slot {
            waits_since,
            closed: CancellationToken::new(),
        });
        open.push(slot.clone());
        Some(slot)
    }

    pub(crate) fn close(&self, slot: &Arc<Slot>) {
        lock(&self.open).retain(|open| !Arc::ptr_eq(open, slot));
    }
}

impl Slot {
    /// Ends when the connection has to give way to another one.
    pub(crate) async fn closed(&self) {
        self.closed.cancelled().await;
    }

    /// Says that a request is being answered, until the guard is dropped.
    pub(crate) fn answering(self: &Arc<Self>) -> Answering {
        *lock(&self.waits_since) = None;
        Answering(self.clone())
    }

    /// Says that the body of a request is being read, until the guard is dropped.
    pub(crate) fn reading(self: &Arc<Self>) -> Reading {
        *lock(&self.waits_since) = Some(Instant::now());
        Reading(self.clone())
    }

    fn waits_since(&self) -> Option<Instant> {
        *lock(&self.waits_since)
    }
}

/// A request that is being answered.
#[derive(Debug)]
pub(crate) struct Answering(Arc<Slot>);

impl Drop for Answering {
    fn drop(&mut self) {
        *lock(&self.0.waits_since) = Some(Instant::now());
    }
}

/// A body of a request that is being read.
#[derive(Debug)]
pub(crate) struct Reading(Arc<Slot>);

impl Drop for Reading {
    fn drop(&mut self) {
        *lock(&self.0.waits_since) = None;
    }
}

/// The body of an answer, which is being given until the body is dropped.
#[derive(Debug)]
pub(crate) struct Answer<B> {
    body: B,
    _answering: Answering,
}

impl<B> Answer<B> {
    pub(crate) fn new(body: B, answering: Answering) -> Self {
        Answer {
            body,
            _answering: answering,
        }
    }
}

impl<B: Body + Unpin> Body for Answer<B> {
    type Data = B::Data;
    type Error = B::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<B::Data>, B::Error>>> {
        Pin::new(&mut self.body).poll_frame(context)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_connection_that_waits_longest_is_closed_and_none_that_is_answered() {
        let slots = Slots::new(3);
        let open: Vec<_> = (0..3).map(|_| slots.open().unwrap()).collect();
        let answering = open[0].answering();
        let reading = open[1].answering();
        let slow = open[1].reading();
        let newest = slots.open().unwrap();
        let closed = |slot: &Arc<Slot>| slot.closed.is_cancelled();
        assert_eq!(
            open.iter().map(closed).collect::<Vec<_>>(),
            [false, false, true]
        );
        let _answering = newest.answering();
        drop(slow);
        assert!(slots.open().is_none(), "all are being answered");
        drop((answering, reading));
        assert!(slots.open().is_some());
        assert_eq!(open.iter().filter(|slot| closed(slot)).count(), 2);
        slots.close(&newest);
        assert!(slots.open().is_some());
    }
}
