//! Models that embed, rerank and chat: built in, from local weights, or behind an endpoint.
//!
//! The traits are what the rest of the house knows of a model. A model that can't answer says so
//! with an error; whoever asked has an answer without it.

mod contract;

pub use contract::{Chat, Embed, Message, Rerank, TokenVectors, Tokens};
