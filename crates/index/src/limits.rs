//! The index's own numbers. None of them is fixed by a specification.

use crate::analysis;

/// The version of the layout of segments. Another one is made again.
const LAYOUT: u32 = 2;
/// The version that files carry: layout and analysis, since words that were cut otherwise are not found.
pub(crate) const VERSION: u32 = LAYOUT << 16 | analysis::VERSION;
/// A segment is closed when its texts have so many bytes, so that building one takes bounded memory.
pub(crate) const SEGMENT_BYTES: usize = 24 << 20;
/// A segment is merged with the one before it unless that one has so many times its documents.
pub(crate) const GROWTH: usize = 4;
/// Places that no one has asked about for so many days are forgotten.
pub(crate) const PLACE_DAYS: i64 = 90;
/// Largest manifest that is read.
pub(crate) const MANIFEST_BYTES: u64 = 16 << 20;
/// How often opening is tried again when another process changes the index meanwhile.
pub(crate) const OPENINGS: usize = 5;
/// Whoever stays keeps what it has read once there are so many segments of it, or so many sources in them.
pub(crate) const LOOSE_SEGMENTS: usize = 16;
pub(crate) const LOOSE_SOURCES: usize = 64;
/// After so many seconds, everything is looked at again even if no watch has seen anything.
pub(crate) const WATCHED_SECONDS: i64 = 60;
/// If more files than this have changed, all sources of their kind are looked at.
pub(crate) const NAMED_FILES: usize = 1000;
/// How often news are asked for until there are none: whoever writes all the time is looked at whole.
pub(crate) const NEWS: usize = 4;
/// So many memories of so many bytes a model may read while someone waits for an answer: about 50 ms.
pub(crate) const AT_ONCE: usize = 4;
pub(crate) const AT_ONCE_BYTES: usize = 400;
/// Texts of fewer words count as having so many: a short text that has a word is not better for being short.
pub(crate) const SHORTEST: u32 = 50;
