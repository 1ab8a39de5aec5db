//! Reading text that people and programs wrote: what it says beside its words.
//!
//! Everything here is pure: text in, values out. Nothing knows a kind of memory, a file or a clock.

pub mod due;
pub mod front_matter;
pub mod places;
pub mod similar;
pub mod stem;
pub mod terms;
pub mod time;
pub mod tokens;
pub mod wikilinks;
pub mod words;
pub mod yaml;
