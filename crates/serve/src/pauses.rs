//! The pauses between calls, in which kinds do what they have put off; in longer ones memory is given back.

use std::convert::Infallible;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use memory_core::Registry;
use tokio::sync::Notify;
use tokio::time::{Instant, sleep, timeout};

use crate::limits::{PAUSE, REST, SETTLE_TIME};
use crate::runtime::aside;
use crate::thrift;

/// Waits for pauses.
///
/// While calls come one after the other, they are only counted: each of them would otherwise wake the
/// thread that has to send its answer twice.
pub(crate) struct Pauses {
    registry: Arc<Registry>,
    calls: AtomicU64,
    /// Whether someone waits for the next call.
    is_awaited: AtomicBool,
    called: Notify,
}

impl Pauses {
    pub(crate) fn new(registry: Arc<Registry>) -> Self {
        let (calls, is_awaited) = (AtomicU64::new(0), AtomicBool::new(false));
        Pauses {
            registry,
            calls,
            is_awaited,
            called: Notify::new(),
        }
    }

    /// Hears that a call has ended.
    pub(crate) fn called(&self) {
        self.calls.fetch_add(1, Ordering::SeqCst);
        if self.is_awaited.swap(false, Ordering::SeqCst) {
            self.called.notify_one();
        }
    }

    /// Runs a transport to its end, and has the kinds settle whenever calls pause.
    pub(crate) async fn tended<T>(&self, transport: impl Future<Output = T>) -> T {
        let ended = tokio::select! {
            ended = transport => ended,
            never = self.tend() => match never {},
        };
        self.settle().await;
        ended
    }

    async fn tend(&self) -> Infallible {
        let mut settled = 0;
        loop {
            self.call_after(settled).await;
            loop {
                let begin = Instant::now();
                let mut heard = settled;
                while begin.elapsed() < SETTLE_TIME && self.calls() != heard {
                    heard = self.calls();
                    sleep(PAUSE).await;
                }
                settled = self.calls();
                self.settle().await;
                if timeout(REST, self.call_after(settled)).await.is_err() {
                    break;
                }
            }
            aside(thrift::give_back).await;
        }
    }

    fn calls(&self) -> u64 {
        self.calls.load(Ordering::SeqCst)
    }

    /// Waits until there was a call after so many.
    async fn call_after(&self, known: u64) {
        self.is_awaited.store(true, Ordering::SeqCst);
        // Counted after it was said that someone waits: a call in between is seen here or told.
        while self.calls() == known {
            self.called.notified().await;
        }
    }

    async fn settle(&self) {
        let registry = self.registry.clone();
        aside(move || registry.settle()).await;
    }
}
