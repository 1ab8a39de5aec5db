//! Every number of the transports: what a client may take, and how long it may take for it.

use std::time::Duration;

/// Longest line of the socket, without its end (specification 001: 1 MB a connection).
pub const LINE_BYTES: usize = 1 << 20;
/// So much of a client's lines is read at once.
pub const CHUNK: usize = 8 << 10;
/// So many connections are open at once; one more closes the one that is idle longest.
pub const CONNECTIONS: usize = 256;
/// A line must be whole so long after its first byte.
pub const LINE_TIME: Duration = Duration::from_secs(30);
/// A client must have taken its reply so long after it was ready.
pub const REPLY_TIME: Duration = Duration::from_secs(30);
/// So long it may still take its reply when the daemon is told to stop.
pub const LAST_MOMENT: Duration = Duration::from_secs(1);
/// A connection without a request is closed after so long.
pub const IDLE_TIME: Duration = Duration::from_secs(24 * 3600);
/// So long calls may take to end when the daemon is told to stop.
pub const FAREWELL: Duration = Duration::from_secs(20);
/// So many calls run at once; others wait for their turn.
pub const CALLS: usize = 32;
/// A thread that has answered a client stays with it for so long: it may go on at once.
pub const LINGER: Duration = Duration::from_millis(10);
/// A call that takes no longer is quick.
pub const QUICK: Duration = Duration::from_millis(20);
/// After so many quick calls of a tool, one after the other, the next one is expected to be quick.
pub const QUICK_CALLS: u32 = 4;
/// So much of what a task has done is told in the log, line by line.
pub const LOGGED_LINES: usize = 100;
/// After so long without a call, what was put off is done.
pub const PAUSE: Duration = Duration::from_millis(250);
/// After so long without a call, memory that calls have needed is given back.
pub const REST: Duration = Duration::from_secs(2);
/// Where calls never pause, it is done after so long.
pub const SETTLE_TIME: Duration = Duration::from_secs(2);

/// Longest message of MCP: a call whose value is as large as any kind allows, and its frame.
pub const MESSAGE_BYTES: usize = 4 << 20;
/// A client must have sent its HTTP headers so long after connecting.
pub const HEADER_TIME: Duration = Duration::from_secs(10);
/// So many sessions of MCP over HTTP are kept; one more closes the one that is idle longest.
pub const SESSIONS: usize = 64;
/// Most values that one completion offers (fixed by MCP).
pub const COMPLETIONS: usize = 100;
/// Longest instructions: clients cut longer ones.
pub const INSTRUCTION_CHARS: usize = 4_000;

/// Longest request for a chat that the proxy reads, images included.
pub const CHAT_BYTES: usize = 64 << 20;
/// Most bytes of a chat beside images and other data that stands in it as `data:` URLs.
pub const CHAT_TEXT_BYTES: usize = 16 << 20;
/// Most bytes of all requests for chats together that are held at once.
pub const BODIES_BYTES: usize = 128 << 20;
/// A client must go on with a request's body within this time.
pub const BODY_PAUSE: Duration = Duration::from_secs(30);
/// A client must have sent a chat's body within this time.
pub const BODY_TIME: Duration = Duration::from_secs(5 * 60);
/// So many chats are answered at once.
pub const CHATS: usize = 128;
/// A client must take each piece of a stream within this time.
pub const TAKING_TIME: Duration = Duration::from_secs(60);
/// A stream is broken off after this time.
pub const STREAM_TIME: Duration = Duration::from_secs(2 * 3600);
/// Longest whole reply that the proxy reads.
pub const WHOLE_REPLY_BYTES: usize = 64 << 20;
/// Longest text of a reply that is gathered from a stream.
pub const REPLY_BYTES: usize = 4 << 20;
/// Longest event of a stream that is looked into; it passes in any case.
pub const EVENT_BYTES: usize = 8 << 20;
/// A client of the proxy may keep a connection without a request for so long.
pub const CLIENT_KEEPALIVE: Duration = Duration::from_secs(120);
/// The upstream must take a connection within this time, TLS included.
pub const CONNECT_TIME: Duration = Duration::from_secs(10);
/// The upstream must begin its answer within this time: large models on small machines think long.
pub const UPSTREAM_TIME: Duration = Duration::from_secs(30 * 60);
/// The upstream must go on with an answer within this time.
pub const UPSTREAM_PAUSE: Duration = Duration::from_secs(10 * 60);
/// So long streams may go on when the proxy is told to stop.
pub const STREAM_FAREWELL: Duration = Duration::from_secs(15);
/// So long the work after replies may take when the proxy is told to stop.
pub const AFTERWORK_FAREWELL: Duration = Duration::from_secs(30);
/// So many conversations are seen to at once after their replies.
pub const AFTERWORK: usize = 4;
/// What could not be done after a reply is tried again after so long.
pub const AFTERWORK_INTERVAL: Duration = Duration::from_secs(60);
/// A model must have answered a question of our own within this time.
pub const QUESTION_TIME: Duration = Duration::from_secs(5 * 60);
