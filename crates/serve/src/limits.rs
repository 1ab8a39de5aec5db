//! Every number of the transports: what a client may take, and how long it may take for it.

use std::time::Duration;

/// Longest line of the socket, without its end (specification 001: 1 MB a connection).
pub const LINE_BYTES: usize = 1 << 20;
/// So many connections are open at once; one more closes the one that is idle longest.
pub const CONNECTIONS: usize = 256;
/// A line must be whole so long after its first byte.
pub const LINE_TIME: Duration = Duration::from_secs(30);
/// A client must have taken its reply so long after it was ready.
pub const REPLY_TIME: Duration = Duration::from_secs(30);
/// A connection without a request is closed after so long.
pub const IDLE_TIME: Duration = Duration::from_secs(24 * 3600);
/// So long calls may take to end when the daemon is told to stop.
pub const FAREWELL: Duration = Duration::from_secs(20);
/// So many calls run at once; others wait for their turn.
pub const CALLS: usize = 32;

/// Longest message of MCP: a call whose value is as large as any kind allows, and its frame.
pub const MESSAGE_BYTES: usize = 4 << 20;
/// A client must have sent its HTTP headers so long after connecting.
pub const HEADER_TIME: Duration = Duration::from_secs(10);
/// Most values that one completion offers (fixed by MCP).
pub const COMPLETIONS: usize = 100;
/// Longest instructions: clients cut them at about twice as many.
pub const INSTRUCTION_CHARS: usize = 2_000;
