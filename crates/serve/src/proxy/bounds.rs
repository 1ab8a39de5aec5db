//! How much a client may send and how long anything may take, so that tests need not wait for it.

use std::time::Duration;

use crate::limits;

/// The bounds of a proxy; by default those of [`limits`].
#[derive(Debug, Clone, Copy)]
pub(super) struct Bounds {
    pub(super) connections: usize,
    pub(super) chats: usize,
    pub(super) chat_bytes: usize,
    pub(super) bodies_bytes: usize,
    pub(super) body_pause: Duration,
    pub(super) body_time: Duration,
    pub(super) first_byte: Duration,
    pub(super) pause: Duration,
    pub(super) stream_time: Duration,
    pub(super) stream_farewell: Duration,
    pub(super) afterwork_farewell: Duration,
}

impl Default for Bounds {
    fn default() -> Self {
        Bounds {
            connections: limits::CONNECTIONS,
            chats: limits::CHATS,
            chat_bytes: limits::CHAT_BYTES,
            bodies_bytes: limits::BODIES_BYTES,
            body_pause: limits::BODY_PAUSE,
            body_time: limits::BODY_TIME,
            first_byte: limits::UPSTREAM_TIME,
            pause: limits::UPSTREAM_PAUSE,
            stream_time: limits::STREAM_TIME,
            stream_farewell: limits::STREAM_FAREWELL,
            afterwork_farewell: limits::AFTERWORK_FAREWELL,
        }
    }
}
