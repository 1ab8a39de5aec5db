//! Every number that specification 001 fixes for notes, and the few it leaves to us.

use memory_core::Span;

/// "Configuration": how long a note waits in the inbox.
pub const INBOX_TTL: Span = Span::seconds(7 * 86_400);
/// "Configuration": how long a sorted note may go unused.
pub const DECAY_AFTER: Span = Span::seconds(30 * 86_400);
/// "Configuration": how often a note of the inbox is read before it is sorted by itself.
pub const UPGRADE_READS: u64 = 3;
/// "Dream Engine": how long nobody must have asked for anything, for each level.
pub const IDLE_LIGHT: Span = Span::seconds(5 * 60);
pub const IDLE_MEDIUM: Span = Span::seconds(30 * 60);
pub const IDLE_DEEP: Span = Span::seconds(2 * 3600);
/// How often a daemon asks whether access counts are to be merged into the notes, which happens once a day.
pub const COUNT_MERGE: Span = Span::seconds(3600);
/// How many notes `memory://recent` shows.
pub const RECENT: usize = 20;
/// How many notes the prompt `recall` takes up.
pub const RECALLED: usize = 10;
/// "Daemon": how many characters two notes share when they are taken for one.
pub const SAME_PREFIX: usize = 100;
/// Up to this length, in characters, notes that only begin alike are joined; longer ones are linked.
pub const JOINED_CHARS: usize = 400;
/// "Ingestion": how much of a foreign program's log is taken, in characters.
pub const LOG_CHARS: usize = 5_000;

/// Largest content of a note.
pub const CONTENT_BYTES: usize = 1 << 20;
/// Largest file of a note: its content, and a head that others may have filled.
pub const FILE_BYTES: u64 = 2 << 20;
/// Most reminders made of one note whose times are still to come.
pub const REMINDERS: usize = 20;
/// Longest tag, in characters.
pub const TAG_CHARS: usize = 64;
/// Most tags of one note.
pub const TAGS: usize = 10_000;
/// Longest name of a source, in characters.
pub const SOURCE_CHARS: usize = 100;
/// Largest file that is imported.
pub const IMPORT_BYTES: u64 = 512 << 20;
/// Largest page or list that we derive.
pub const DERIVED_BYTES: u64 = 1 << 30;
/// How many notes a search shows when nobody says.
pub const SEARCH_HITS: usize = 50;
/// Longest title that a list shows, in characters.
pub const TITLE_CHARS: usize = 120;
/// How many notes of a category `memory.md` lists, the newest ones: a longer page is for no one to read, and
/// takes long to write.
pub const LISTED: usize = 200;
/// With fewer notes a look at all of them costs next to nothing, so every command that changes some looks.
pub const MANY_NOTES: usize = 1_000;
