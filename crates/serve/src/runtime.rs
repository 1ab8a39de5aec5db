//! The async runtime, started for a transport and ended with it.

use std::future::Future;

use memory_core::{Code, Error, Result};

use crate::limits::CALLS;

/// Runs a transport to its end; waits for calls that are still at work.
pub(crate) fn run<T>(transport: impl Future<Output = Result<T>>) -> Result<T> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .max_blocking_threads(CALLS)
        .build()
        .map_err(|error| Error::new(Code::IoError, "The server could not be started").because(error))?;
    runtime.block_on(transport)
}

/// Does blocking work on a thread of its own; none when it panicked.
pub(crate) async fn aside<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Option<T> {
    tokio::task::spawn_blocking(work).await.ok()
}
