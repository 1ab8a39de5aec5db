//! The index over all memories, and recall: what is relevant to a question, wherever it lies.
//!
//! [`Index::look`] compares the files of all kinds with what is known of them, reads what is different
//! and returns a [`View`]: every document at that moment, searched by words ([`View::lexical`]), by
//! meaning ([`View::dense`]) and by neighbourhood. What was read is kept in segments that never change
//! (`segment/`), on top of each other (`stack.rs`); all of it may be deleted at any time.

mod analysis;
mod bits;
mod bytes;
mod embedding;
mod filter;
mod fold;
mod index;
mod limits;
mod loading;
mod manifest;
mod pieces;
mod reading;
mod recall;
mod scores;
mod sections;
mod segment;
mod stack;
mod status;
mod sweep;
pub mod tools;
mod vectors;
mod view;
mod watching;
mod weighing;

pub use filter::Filter;
pub use index::Index;
pub use recall::{Recaller, SecondLook};
pub use scores::Scores;
pub use segment::{Facts, Record};
pub use status::{ModelStatus, SegmentStatus, Status};
pub use view::{Allowed, DocumentId, View};
pub use weighing::Weighing;
