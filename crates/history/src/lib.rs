//! The history of a store: its steps, and undo.
//!
//! A kind of memory says how texts of its entries are put into files ([`Planned`]); everything else is the same for all
//! kinds.

mod steps;
mod undo;

pub use steps::{steps, undos};
pub use undo::{Planned, Put, undo};
