//! Every number that specification 002 fixes for conversations, and the few it leaves to us.

use memory_core::Span;

/// Section 6: how many memories are retrieved.
pub const TOP_K: usize = 5;
/// Section 3, step 1: how many candidates each scope gives for one that is retrieved.
pub const CANDIDATES_EACH: usize = 3;
/// Section 3, step 2: the relevance below which a memory is left out, as a cross-encoder judges it.
pub const SCORE_THRESHOLD: f32 = 0.35;
/// Section 6: what age weighs beside relevance.
pub const RECENCY_WEIGHT: f32 = 0.2;
/// Section 6: what relevance weighs beside being unlike those before.
pub const MMR_LAMBDA: f32 = 0.7;
/// Section 6: most facts and turns of a conversation.
pub const MAX_ENTRIES: usize = 500;

/// Section 4.2: most facts that are taken from one message.
pub const FACTS: usize = 3;
/// Section 4.3: how many memories a new fact is compared with.
pub const NEIGHBOURS: usize = 5;

/// Section 4.4: from so many tokens on a text is worth a sentence, a paragraph, chunks, a tree.
pub const BRIEF_TOKENS: usize = 100;
pub const STANDARD_TOKENS: usize = 500;
pub const DETAILED_TOKENS: usize = 3_000;
pub const HIERARCHICAL_TOKENS: usize = 15_000;
/// Section 4.4: how long a summary is beside its text, in hundredths.
pub const BRIEF_PERCENT: usize = 20;
pub const STANDARD_PERCENT: usize = 12;
pub const DETAILED_PERCENT: usize = 7;
/// Section 2.1: how many chunks make a group.
pub const GROUP: usize = 5;
/// How long a chunk is, and how much of it the next one says again.
pub const CHUNK_TOKENS: usize = 2_000;
pub const OVERLAP_TOKENS: usize = 200;
/// The shortest summary that is asked for.
pub const SUMMARY_TOKENS: usize = 20;

/// How often a model is asked before its answer is done without.
pub const ATTEMPTS: usize = 2;
/// How often a decision is made anew because others changed the facts meanwhile.
pub const DECISIONS: usize = 5;
/// How long a request may be sent again and still be the same one.
pub const RETRY_WINDOW: Span = Span::seconds(3_600);
/// Among how many of the latest turns it is looked for.
pub const RETRIED_TURNS: usize = 64;
/// Turns of one second are a thousandth apart, as long as a clock that was set back allows it.
pub const CATCH_UP: Span = Span::seconds(60);

/// How long a turn waits before someone else than who heard it sees to it.
pub const ABANDONED: Span = Span::seconds(600);

/// Most characters that are put before a user's message.
pub const INJECTED_CHARACTERS: usize = 16_000;
/// Largest content of a fact, a turn or a summary.
pub const CONTENT_BYTES: usize = 4 << 20;
/// Largest file of an entry: its content, and a head that others may have filled.
pub const FILE_BYTES: u64 = 8 << 20;
/// Longest fact that is taken from a message, in characters.
pub const FACT_CHARACTERS: usize = 1_000;
/// Longest id of a conversation, in characters.
pub const ID_CHARACTERS: usize = 512;
/// Longest name of a folder that an id is spelled out in.
pub const FOLDER_BYTES: usize = 120;
/// Most facts of one `add`.
pub const ADDED: usize = 10_000;
/// Largest file of facts that is added, and largest list that we derive.
pub const ADDED_BYTES: u64 = 64 << 20;
pub const DERIVED_BYTES: u64 = 1 << 30;
/// Longest title that a list shows, in characters.
pub const TITLE_CHARACTERS: usize = 80;
