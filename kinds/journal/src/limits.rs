//! Every number that specification 003 fixes for the journal, and the few it leaves to us.

use memory_core::Span;

/// "Field Constraints": longest content, in characters.
pub const CONTENT_CHARS: usize = 5000;
/// "Field Constraints": longest category, in characters.
pub const CATEGORY_CHARS: usize = 50;
/// "Field Constraints": most tags of one record.
pub const TAGS: usize = 10;
/// "Field Constraints": longest tag, in characters.
pub const TAG_CHARS: usize = 30;

/// "Storage Limits": core memories, a hard limit.
pub const CORE_COUNT: usize = 1000;
pub const CORE_BYTES: u64 = 10 << 20;
/// "Storage Limits": learnings, a soft limit.
pub const LEARNING_COUNT: usize = 500;
pub const LEARNING_BYTES: u64 = 5 << 20;
/// "Storage Limits": tasks, a soft limit.
pub const TASK_COUNT: usize = 200;
pub const TASK_BYTES: u64 = 2 << 20;

/// "Archival": how long a learning may go without access.
pub const LEARNING_REST: Span = Span::seconds(90 * 86_400);
/// "Archival": how long a task stays after its completion.
pub const TASK_REST: Span = Span::seconds(30 * 86_400);
/// "Automatic Backups": how many copies of each file are kept.
pub const BACKUPS: usize = 5;
/// "Version Field": the version that we write.
pub const VERSION: &str = "1.0.0";

/// Largest file that is read: one past its limit must still be seen, to be made smaller.
pub const READ_BYTES: u64 = 256 << 20;
/// Most blockers of one task.
pub const BLOCKERS: usize = 100;
/// Shortest beginning of an id that may stand for it.
pub const ID_PREFIX: usize = 4;
/// How many records a query shows when nobody says, and at most.
pub const QUERY_RECORDS: usize = 50;
pub const QUERY_MOST: usize = 10_000;
/// How many records a resource shows.
pub const RESOURCE_RECORDS: usize = 100;
/// How many records `memory://recent` shows.
pub const RECENT: usize = 20;
/// How many candidates a warning names.
pub const CANDIDATES: usize = 3;
/// How often the daemon looks for what is to be archived.
pub const ARCHIVE_EVERY: Span = Span::seconds(3600);
/// A smaller index is written whole with every add: that costs no more than a part of it.
pub const INDEX_TIGHT_BYTES: usize = 32 << 10;
/// How long the part of a larger index before its lists is, whatever it says.
pub const INDEX_HEAD_BYTES: usize = 512;
/// How many ids a list has room for at least, and how many bytes an id needs in it.
pub const INDEX_ROOM_IDS: usize = 4;
pub const INDEX_ID_BYTES: usize = 40;
/// How many names a section has room for at least, and how many bytes a name and its list need.
pub const INDEX_ROOM_NAMES: usize = 8;
pub const INDEX_NAME_BYTES: usize = 256;
/// Longest title that a list shows, in characters.
pub const TITLE_CHARS: usize = 72;
