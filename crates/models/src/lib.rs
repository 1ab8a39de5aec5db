//! Models that embed, rerank and chat: built in, from local weights, or behind an endpoint.
//!
//! The traits are what the rest of the house knows of a model. A model that can't answer says so
//! with an error; whoever asked has an answer without it.

mod built_in;
mod bytes;
mod catalogue;
mod choose;
mod closeness;
mod contract;
mod dots;
mod download;
mod encoder;
mod endpoint;
mod error;
mod http;
mod late;
#[cfg(test)]
mod loopback;
mod store;
pub mod testing;
#[cfg(test)]
mod tests;
mod text;
mod vector;
mod weights;

pub use built_in::StaticModel;
pub use catalogue::{KNOWN, Known, known};
pub use choose::{Chosen, Reranker, Wishes, choose};
pub use contract::{Chat, Closeness, Embed, Message, Rerank, TokenVectors, Tokens, WholeTexts};
pub use dots::dots;
pub use download::{Hub, Wanted};
pub use encoder::{CrossEncoder, LocalModel, Task};
pub use endpoint::{Endpoint, EndpointChat, EndpointEmbedder};
pub use error::ModelError;
pub use late::max_sim;
pub use store::{Installed, ModelName, ModelStore};
