//! Local transformers: BERT encoders over mapped weights, for vectors and for scores.

mod convert;
mod cross;
mod description;
mod hub;
mod kernel;
mod math;
mod model;
#[cfg(test)]
pub(crate) mod tests;
mod tile;
mod transformer;

pub(crate) use convert::convert;
pub use cross::CrossEncoder;
pub use description::Task;
pub(crate) use description::{Description, Pooling};
pub(crate) use hub::{HubFolder, OTHER_BYTES, WEIGHT_BYTES};
pub use model::LocalModel;
