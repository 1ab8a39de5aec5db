//! The pauses between calls, in which kinds do what they have put off.

use std::convert::Infallible;
use std::sync::Arc;

use memory_core::Registry;
use tokio::sync::Notify;
use tokio::time::{Instant, timeout};

use crate::limits::{PAUSE, SETTLE_TIME};
use crate::runtime::aside;

/// Waits for pauses.
pub(crate) struct Pauses {
    registry: Arc<Registry>,
    called: Notify,
}

impl Pauses {
    pub(crate) fn new(registry: Arc<Registry>) -> Self {
        Pauses { registry, called: Notify::new() }
    }

    /// Hears that a call has ended.
    pub(crate) fn called(&self) {
        self.called.notify_one();
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
        loop {
            self.called.notified().await;
            let begin = Instant::now();
            while begin.elapsed() < SETTLE_TIME && timeout(PAUSE, self.called.notified()).await.is_ok() {}
            self.settle().await;
        }
    }

    async fn settle(&self) {
        let registry = self.registry.clone();
        aside(move || registry.settle()).await;
    }
}
