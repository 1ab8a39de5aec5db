//! Everything a caller can ask of the conversations: one file a tool.
//!
//! The first ones are for models, people and programs. `augment`, `record_user`, `record_assistant`
//! and `drain` belong to no offered set: whoever stands between a client and its model calls them by
//! name, in this order: `augment` before the request goes on; `record_user` when the answer begins
//! (or has come whole); `record_assistant` when it is complete; `drain` in the background.

pub mod augment;
pub mod drain;
pub mod record_assistant;
pub mod record_user;
pub mod search;
