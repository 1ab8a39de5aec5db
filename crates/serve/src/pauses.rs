//! The pauses between calls, in which kinds do what they have put off; in longer ones memory is given back.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use memory_core::Registry;
use tokio::sync::Notify;
use tokio::time::{Instant, timeout};

use crate::limits::{PAUSE, REST, SETTLE_TIME};
use crate::runtime::aside;
use crate::thrift;

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
            loop {
                let begin = Instant::now();
                while begin.elapsed() < SETTLE_TIME && self.is_called_within(PAUSE).await {}
                self.settle().await;
                if !self.is_called_within(REST).await {
                    break;
                }
            }
            aside(thrift::give_back).await;
        }
    }

    async fn is_called_within(&self, time: Duration) -> bool {
        timeout(time, self.called.notified()).await.is_ok()
    }

    async fn settle(&self) {
        let registry = self.registry.clone();
        aside(move || registry.settle()).await;
    }
}
