//! What is done after the reply: in the background, in order for each conversation, and to its end.
//!
//! What waits is written down by the memories themselves, so that nothing is lost if it does not
//! come to its end here: the next start, or the next turn, takes it up again.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use tokio::sync::Semaphore;
use tokio::time::{Instant, sleep};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use super::memories::Memories;
use crate::limits;
use crate::log::Log;

/// Sees to conversations after their turns; one worker a conversation, few at once.
pub(super) struct Afterwork {
    memories: Memories,
    log: Log,
    tasks: TaskTracker,
    stopping: CancellationToken,
    room: Semaphore,
    /// The conversations that are being seen to, and whether there was another turn since.
    busy: Mutex<HashMap<String, bool>>,
    /// Whether something could not be done when it was tried.
    is_unfinished: AtomicBool,
}

impl Afterwork {
    pub(super) fn new(
        memories: Memories,
        log: Log,
        tasks: TaskTracker,
        stopping: CancellationToken,
    ) -> Arc<Self> {
        let room = Semaphore::new(limits::AFTERWORK);
        let (busy, is_unfinished) = (Mutex::default(), AtomicBool::new(true));
        Arc::new(Afterwork {
            memories,
            log,
            tasks,
            stopping,
            room,
            busy,
            is_unfinished,
        })
    }

    /// Takes up what an earlier run left, and from time to time what could not be done since.
    pub(super) fn take_up(self: &Arc<Self>) {
        let this = self.clone();
        self.tasks.spawn(async move {
            while !this.stopping.is_cancelled() {
                if this.is_unfinished.swap(false, Ordering::Relaxed) {
                    this.drain(None).await;
                }
                tokio::select! {
                    () = sleep(limits::AFTERWORK_INTERVAL) => {}
                    () = this.stopping.cancelled() => {}
                }
            }
        });
    }

    /// Sees to a conversation, now or after what is being done for it.
    pub(super) fn see_to(self: &Arc<Self>, conversation: &str) {
        let mut busy = self.busy.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(again) = busy.get_mut(conversation) {
            *again = true;
            return;
        }
        busy.insert(conversation.to_owned(), false);
        self.tasks.spawn(self.clone().work(conversation.to_owned()));
    }

    async fn work(self: Arc<Self>, conversation: String) {
        loop {
            self.drain(Some(conversation.clone())).await;
            let mut busy = self.busy.lock().unwrap_or_else(PoisonError::into_inner);
            match busy.get_mut(&conversation) {
                Some(again) if *again => *again = false,
                _ => {
                    busy.remove(&conversation);
                    return;
                }
            }
        }
    }

    async fn drain(&self, conversation: Option<String>) {
        let _place = self.room.acquire().await;
        let began = Instant::now();
        let drained = self.memories.drain(conversation).await;
        self.log.debug(&format!(
            "Processed the conversation in {} ms",
            began.elapsed().as_millis()
        ));
        if drained.is_none_or(|drained| drained.left > 0) {
            self.is_unfinished.store(true, Ordering::Relaxed);
        }
    }
}
