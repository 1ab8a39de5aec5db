//! How things look: tables, and bars for long work.

pub(crate) mod pager;
pub(crate) mod progress;
pub(crate) mod size;
pub(crate) mod table;
pub(crate) mod text;
pub(crate) mod time;
