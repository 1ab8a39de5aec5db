//! The index as its users see it: whatever happens to stores, disks and processes, what is found is
//! what a new index would find.

// A test looks behind the door's back, and fails by panicking.
#![allow(clippy::disallowed_methods, clippy::unwrap_used)]

mod common;
mod damage;
mod life;
mod random;
mod recall;
