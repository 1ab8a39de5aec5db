//! Conversations: what was said, and what follows from it (specification 002).

pub mod tools;
