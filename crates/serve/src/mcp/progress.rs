//! Progress of long work, for clients that asked for it with a token.

use std::time::Duration;

use memory_core::Progress;
use rmcp::RoleServer;
use rmcp::model::ProgressNotificationParam;
use rmcp::service::RequestContext;
use tokio::sync::mpsc;
use tokio::time::timeout;

/// So many steps may wait to be told; what comes faster is left out.
const WAITING: usize = 16;
/// So long the result waits until all was told.
const PATIENCE: Duration = Duration::from_millis(500);

/// Hands steps on to the task that tells them.
pub(super) struct Watch {
    steps: Option<mpsc::Sender<(usize, usize, String)>>,
}

impl Progress for Watch {
    fn advance(&self, done: usize, total: usize, next: &str) {
        if let Some(steps) = &self.steps {
            let _ = steps.try_send((done, total, next.to_owned()));
        }
    }
}

/// Returns a watcher for a call, and a future that ends when all that it saw was told.
pub(super) fn watch(
    context: &RequestContext<RoleServer>,
) -> (Watch, impl Future<Output = ()> + use<>) {
    let token = context.meta.get_progress_token();
    let (sender, mut receiver) = mpsc::channel(WAITING);
    let peer = context.peer.clone();
    let telling = token.clone().map(|token| {
        tokio::spawn(async move {
            while let Some((done, total, next)) = receiver.recv().await {
                let step = ProgressNotificationParam::new(token.clone(), done as f64);
                let step = step.with_total(total as f64).with_message(next);
                if peer.notify_progress(step).await.is_err() {
                    return;
                }
            }
        })
    });
    // A client that has closed its side hears no more, but still gets the result.
    let told = async move {
        if let Some(telling) = telling {
            let _ = timeout(PATIENCE, telling).await;
        }
    };
    (
        Watch {
            steps: token.map(|_| sender),
        },
        told,
    )
}
