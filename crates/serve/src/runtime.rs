//! The async runtime, started for a transport and ended with it.

use std::future::Future;
use std::panic::{AssertUnwindSafe, catch_unwind};

use memory_core::{Code, Error, Result};
use tokio::signal::unix::{SignalKind, signal};

use crate::limits::{CALLS, FAREWELL};
use crate::log::Log;
use crate::thrift;

/// Runs a transport to its end; waits for calls that are still at work, but not without end.
pub(crate) fn run<T>(transport: impl Future<Output = Result<T>>) -> Result<T> {
    thrift::begin();
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .max_blocking_threads(CALLS)
        .build()
        .map_err(|error| {
            Error::new(Code::IoError, "The server could not be started").because(error)
        })?;
    let ended = runtime.block_on(transport);
    runtime.shutdown_timeout(FAREWELL);
    ended
}

/// Does blocking work on a thread of its own; none when it panicked.
pub(crate) async fn aside<T: Send + 'static>(
    work: impl FnOnce() -> T + Send + 'static,
) -> Option<T> {
    tokio::task::spawn_blocking(work).await.ok()
}

/// Does blocking work that is known to be quick on this thread, where everybody else waits for it; none when
/// it panicked.
pub(crate) fn here<T>(work: impl FnOnce() -> T) -> Option<T> {
    // What a call shares with others lives behind locks that outlast a panic, as on any other thread.
    catch_unwind(AssertUnwindSafe(work)).ok()
}

/// Returns a future that ends with the first signal to stop.
pub(crate) fn signalled(log: &Log) -> Result<impl Future<Output = ()> + use<>> {
    let on = |kind| {
        signal(kind).map_err(|e| {
            Error::new(Code::IoError, "Signal handlers cannot be installed").because(e)
        })
    };
    let mut interrupt = on(SignalKind::interrupt())?;
    let mut terminate = on(SignalKind::terminate())?;
    let mut hangup = on(SignalKind::hangup())?;
    let log = log.clone();
    Ok(async move {
        let name = tokio::select! {
            _ = interrupt.recv() => "SIGINT",
            _ = terminate.recv() => "SIGTERM",
            _ = hangup.recv() => "SIGHUP",
        };
        log.info(&format!("{name}: stopping"));
    })
}
