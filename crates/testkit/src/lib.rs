//! What tests share: a home that goes away, a clock that stands still, a disk that breaks, and the
//! suite that every kind of memory must pass.

pub mod conformance;
mod home;

pub use home::{Home, NOW, clock};
pub use memory_files::{Breakage, Brittle};
