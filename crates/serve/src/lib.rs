//! Transports and the daemon's clock: framing in, the registry's answer out, and nothing of a kind.
//!
//! Async lives in this crate and nowhere else. A call itself is blocking work and runs on a thread
//! of its own, unless it is known to be quick and nobody else waits for it; the runtime is started by [`run_daemon`], [`run_proxy`], [`serve_stdio`] and
//! [`serve_http`], so that no other command pays for it. `lines` and `rpc` are pure, and know no socket.

mod access;
mod connections;
mod daemon;
mod desk;
pub mod limits;
pub mod lines;
mod log;
pub mod mcp;
mod pace;
mod pauses;
pub mod proxy;
pub mod rpc;
mod runtime;
mod schedule;
mod slots;
mod socket;
#[cfg(test)]
mod testing;
mod thrift;

pub use access::Access;
pub use daemon::{DAEMON_LOCK, Daemon, SOCKET, run_daemon};
pub use desk::{Desk, chosen_toolsets};
pub use log::{Level, Log};
pub use mcp::{HttpPlace, serve_http, serve_stdio};
pub use proxy::{Proxy, Upstream, run_proxy};
