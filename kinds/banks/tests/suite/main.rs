//! Banks as their callers see them, without a process around them.

// A test looks behind the door's back, and fails by panicking.
#![allow(clippy::disallowed_methods, clippy::unwrap_used)]

mod common;
mod conformance;
mod crash;
mod entries;
mod filters;
mod large;
mod portable;
mod repair;
mod schema;
mod scopes;
mod search;
mod tools;
mod undo;
mod undo_all;
