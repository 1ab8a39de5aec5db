//! The journal as its callers see it, without a process around it.

// A test looks behind the door's back, and fails by panicking.
#![allow(clippy::disallowed_methods, clippy::unwrap_used, clippy::panic)]

mod archive;
mod common;
mod conformance;
mod crash;
mod index;
mod limits;
mod query;
mod records;
mod repair;
mod safety;
mod tools;
mod undo;
mod versions;
