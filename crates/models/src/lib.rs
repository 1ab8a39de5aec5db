//! Models that embed, rerank and chat: built in, from local weights, or behind an endpoint.
//!
//! The traits are what the rest of the house knows of a model. A model that can't answer says so
//! with an error; whoever asked has an answer without it.

#![allow(dead_code, unused_imports)] // what installs models comes next

mod built_in;
mod bytes;
mod catalogue;
mod contract;
mod encoder;
mod error;
mod late;
mod text;
mod vector;
mod weights;

pub use built_in::StaticModel;
pub use catalogue::{KNOWN, Known, known};
pub use contract::{Chat, Embed, Message, Rerank, TokenVectors, Tokens};
pub use encoder::{CrossEncoder, LocalModel, Task};
pub use error::ModelError;
pub use late::max_sim;
