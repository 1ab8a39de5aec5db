//! The dream engine: what is done with notes while nobody asks for anything.

mod classify;
mod words;

pub use classify::{Verdict, classify};
