//! How things look: tables, and bars for long work.

pub(crate) mod progress;
pub(crate) mod table;
