//! What tests share: a home that goes away, a clock that stands still, a disk that breaks, and the
//! suite that every kind of memory must pass.

pub mod conformance;
mod forgetful;
mod home;

pub use forgetful::{ForgetfulDisk, Loss};
pub use home::{Home, NOW, clock};
pub use memory_files::{Breakage, Brittle};
