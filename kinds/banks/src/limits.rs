//! Every number that specification 000 fixes for banks, and the few it leaves to us.

/// "Bank Naming": longest name, in characters.
pub const NAME_CHARS: usize = 64;
/// "Bank Naming": names that are not to be had. The pattern refuses them already.
pub const RESERVED: [&str; 3] = ["_system", "_meta", "_index"];
/// "Limits and Constraints": longest key, in characters.
pub const KEY_CHARS: usize = 256;
/// "Limits and Constraints": largest value, as JSON without white space.
pub const VALUE_BYTES: usize = 1 << 20;
/// "Limits and Constraints": largest bank file.
pub const BANK_BYTES: usize = 10 << 20;
/// Largest bank file that is read: one past its limit must still be seen, to be made smaller.
pub const READ_BYTES: u64 = 64 << 20;
/// "Limits and Constraints": most entries in one bank.
pub const KEYS: usize = 10_000;
/// "File Format": the version that we write, and the newest that we read.
pub const VERSION: u64 = 1;
/// "Performance": from this size on a bank is worth compressing, if that is wanted.
pub const COMPRESS_ABOVE: usize = 1 << 20;

/// From this size on a bank is worth an index; reading a smaller one whole costs no more.
pub const INDEX_ABOVE: usize = 256 << 10;
/// Largest index that is worth reading.
pub const INDEX_BYTES: u64 = 16 << 20;
/// Longest time to live: a hundred years.
pub const TTL_SECONDS: u64 = 100 * 366 * 86_400;
/// Largest file that is imported: room for an export of fifty full banks.
pub const IMPORT_BYTES: u64 = 512 << 20;
/// Largest schema of a bank.
pub const SCHEMA_BYTES: u64 = 1 << 20;
/// Most parts that a schema may have if its references are written out.
pub const SCHEMA_PARTS: usize = 100_000;
/// How deep its parts may be nested, references included.
pub const SCHEMA_DEPTH: usize = 128;
/// How many times parts of a schema may be held against parts of one value.
pub const SCHEMA_CHECKS: usize = 4_000_000;
/// Largest compiled search pattern.
pub const PATTERN_BYTES: usize = 10 << 20;
/// How much text a salvage may look at in all its tries.
pub const SALVAGE_BYTES: usize = 64 << 20;
/// A filter that took no longer than this may be run again while the bank is locked.
pub const QUICK_FILTER: std::time::Duration = std::time::Duration::from_millis(50);
/// How long an update is tried again when others keep changing its entry.
pub const PATIENCE: std::time::Duration = std::time::Duration::from_secs(15);
