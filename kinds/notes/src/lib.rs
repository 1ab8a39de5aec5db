//! Notes: things to remember, kept as Markdown (specification 001).

mod category;
pub mod dream;
pub mod format;
mod id;
pub mod ingest;
mod note;
mod scope;

pub use category::{BadCategory, Category};
pub use id::{BadId, NoteId, SHORTEST_PREFIX};
pub use note::{Note, Phase, Standing, content_hash};
pub use scope::{BadScope, NoteScope};
