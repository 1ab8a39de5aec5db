//! A progress bar on the terminal, for work that takes long enough to wonder about.

use std::cell::OnceCell;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};
use memory_core::{Progress, printable};

/// Work that ends sooner shows no bar.
const PATIENCE: Duration = Duration::from_millis(300);

/// Watches one call. Draws on standard error, and only if that is a terminal.
pub(crate) struct Bar {
    started: Instant,
    drawn: Mutex<OnceCell<ProgressBar>>,
}

impl Bar {
    pub(crate) fn new() -> Self {
        Bar {
            started: Instant::now(),
            drawn: Mutex::new(OnceCell::new()),
        }
    }

    pub(crate) fn finish(&self) {
        if let Ok(drawn) = self.drawn.lock() {
            drawn.get().iter().for_each(|bar| bar.finish_and_clear());
        }
    }
}

impl Progress for Bar {
    fn advance(&self, done: usize, total: usize, next: &str) {
        let Ok(drawn) = self.drawn.lock() else { return };
        if drawn.get().is_none() && self.started.elapsed() < PATIENCE {
            return;
        }
        let bar = drawn.get_or_init(|| ProgressBar::new(total as u64).with_style(style()));
        bar.set_position(done as u64);
        bar.set_message(printable(next));
    }
}

fn style() -> ProgressStyle {
    let bar = ProgressStyle::with_template("{bar:30.cyan} {pos}/{len} {msg}");
    bar.unwrap_or_else(|_| ProgressStyle::default_bar())
}
