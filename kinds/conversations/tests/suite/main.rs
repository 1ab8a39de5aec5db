//! Conversations as their callers see them, without a process around them.

// A test looks behind the door's back, and fails by panicking.
#![allow(clippy::disallowed_methods, clippy::unwrap_used)]

mod add;
mod by_hand;
mod common;
mod concurrency;
mod conformance;
mod crash;
mod models;
mod prompts;
mod reading;
mod removal;
mod rules;
mod staying;
mod turns;
