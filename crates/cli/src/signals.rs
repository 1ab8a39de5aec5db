//! Signals that would kill us in the middle of a write, where an error does better.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// Lets a write past the limit on file sizes (`ulimit -f`) fail as an error, not as a death.
///
/// Without this the draft of a file would stay behind. If it can't be set up, the next writer
/// sweeps the draft away.
pub(crate) fn prepare() {
    let _ = signal_hook::flag::register(libc::SIGXFSZ, Arc::new(AtomicBool::new(false)));
}
