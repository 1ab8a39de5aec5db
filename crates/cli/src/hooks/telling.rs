//! Events on their way to the command that hears of them: in their order, and nobody waits for it.
//!
//! Whoever ends waits until all was told, but gives up with the first command that takes too long.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError, mpsc};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use super::command::run_within;

/// So many events may wait to be told; what comes faster is left out.
const WAITING: usize = 1_000;

/// The thread that tells.
#[derive(Debug)]
pub(super) struct Telling {
    command: String,
    patience: Duration,
    /// None before the first event.
    teller: Mutex<Option<Teller>>,
    is_ending: Arc<AtomicBool>,
}

#[derive(Debug)]
struct Teller {
    events: mpsc::SyncSender<String>,
    thread: JoinHandle<()>,
}

impl Telling {
    pub(super) fn to(command: String, patience: Duration) -> Self {
        Telling {
            command,
            patience,
            teller: Mutex::default(),
            is_ending: Arc::default(),
        }
    }

    /// Tells an event soon.
    pub(super) fn tell(&self, event: String) {
        let mut teller = self.teller.lock().unwrap_or_else(PoisonError::into_inner);
        let teller = teller.get_or_insert_with(|| self.start());
        let _ = teller.events.try_send(event);
    }

    fn start(&self) -> Teller {
        let (events, waiting) = mpsc::sync_channel::<String>(WAITING);
        let (command, patience, is_ending) =
            (self.command.clone(), self.patience, self.is_ending.clone());
        let thread = thread::spawn(move || {
            for event in waiting {
                let ended = run_within(&command, event, patience);
                if ended.is_none() && is_ending.load(Ordering::Relaxed) {
                    return;
                }
            }
        });
        Teller { events, thread }
    }
}

impl Drop for Telling {
    fn drop(&mut self) {
        self.is_ending.store(true, Ordering::Relaxed);
        let teller = self
            .teller
            .get_mut()
            .unwrap_or_else(PoisonError::into_inner)
            .take();
        if let Some(Teller { events, thread }) = teller {
            drop(events);
            let _ = thread.join();
        }
    }
}

#[cfg(test)]
#[allow(clippy::disallowed_methods)] // a test looks behind the door's back
mod tests {
    use memory_testkit::Home;

    use super::*;

    #[test]
    fn events_are_told_in_their_order_before_the_end() {
        let home = Home::new();
        let heard = home.path().join("heard");
        let telling = Telling::to(
            format!("cat >> {}", heard.display()),
            Duration::from_secs(20),
        );
        (0..20).for_each(|n| telling.tell(n.to_string()));
        drop(telling);
        let expected: String = (0..20).map(|n| format!("{n}\n")).collect();
        assert_eq!(std::fs::read_to_string(heard).unwrap(), expected);
    }

    #[test]
    fn a_command_that_hangs_keeps_nobody_from_ending() {
        let telling = Telling::to("sleep 60".to_owned(), Duration::from_millis(50));
        (0..WAITING * 2).for_each(|n| telling.tell(n.to_string()));
        drop(telling);
    }
}
