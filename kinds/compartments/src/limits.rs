//! Every number that specification 004 fixes for compartments, and the few it leaves to us.

use std::ops::RangeInclusive;

/// "Default Configuration": characters that one compartment holds.
pub const COMPARTMENT_CHARACTERS: usize = 10_000;
/// "Default Configuration": the file, in the agent's working directory.
pub const STORAGE_PATH: &str = "memory.json";
/// "save_memory Tool": the priorities that there are.
pub const PRIORITIES: RangeInclusive<i64> = 1..=10;
/// "save_memory Tool": the priority of an entry that was given none.
pub const PRIORITY: i64 = 5;

/// Longest name of a run, in characters.
pub const RUN_CHARACTERS: usize = 200;
/// Largest file that is read. Runs that never ended may pile up; one past this is refused.
pub const FILE_BYTES: u64 = 64 << 20;
/// How much text a salvage may look at in all its tries.
pub const SALVAGE_BYTES: usize = 64 << 20;
/// Characters of an entry that a list of changes shows.
pub(crate) const TITLE_CHARACTERS: usize = 40;
