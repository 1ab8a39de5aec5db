//! Compartments as their callers see them, without a process around them.

// A test looks behind the door's back, and fails by panicking.
#![allow(clippy::disallowed_methods, clippy::unwrap_used)]

mod common;
mod conformance;
mod crash;
mod damage;
mod format;
mod library;
mod limits;
mod runs;
mod search;
mod tools;
mod undo;
mod undo_all;
