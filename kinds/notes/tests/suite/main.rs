//! Notes as their callers see them, without a process around them.

// A test looks behind the door's back, and fails by panicking.
#![allow(clippy::disallowed_methods, clippy::unwrap_used)]

mod archive;
mod by_hand;
mod catalog;
mod common;
mod concurrency;
mod conformance;
mod crash;
mod dream;
mod ingest;
mod lifecycle;
mod limits;
mod links;
mod list;
mod notify;
mod portable;
mod random;
mod read;
mod repair;
mod safety;
mod search;
mod staying;
mod tag;
mod undo;
mod unlooked;
mod write;
