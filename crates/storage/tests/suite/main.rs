//! What a store in a folder promises, on a disk that fails, dies and forgets.
#![allow(clippy::disallowed_methods, clippy::unwrap_used, clippy::panic)]

mod changes;
mod crash;
