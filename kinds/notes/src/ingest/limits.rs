//! Every number of ingestion.

/// The largest file that is read whole.
pub(super) const MOST_BYTES: u64 = 1024 * 1024;

/// The largest file that is read for its beginning: only [`CUT_CHARS`] of it are kept.
pub(super) const MOST_BYTES_TO_CUT: u64 = 16 * 1024 * 1024;

/// How many characters are kept of a car-agent or fingersaver file (specification 001, "Ingestion").
pub(super) const CUT_CHARS: usize = 5000;

/// How deep Claude follows `@imports`, and we references between Logseq's blocks.
pub(super) const MOST_DEEP: usize = 5;

/// How many bytes imports and references may add to one text.
pub(super) const MOST_ADDED: usize = 1024 * 1024;

/// How many other fields of a head are kept; more than that is no head.
pub(super) const MOST_FIELDS: usize = 200;

/// How many bytes the row of a table may have before a link in it.
pub(super) const LONGEST_ROW: usize = 4096;

/// How many bytes the label of a Logseq link or the name of its page may have.
pub(super) const LONGEST_LABEL: usize = 1024;
