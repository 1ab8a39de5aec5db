//! How much a filter may use: the bounds a caller chooses and those that never change.

use std::time::Duration;

/// The longest filter text that is looked at, in bytes.
pub const FILTER_BYTES: usize = 64 * 1024;

/// How deeply a filter may nest brackets, operators and definitions.
pub(crate) const FILTER_NESTING: usize = 2_000;

/// How deeply arrays and objects may nest, in the input and in every value made.
///
/// It keeps the functions that walk a value (printing, comparing, dropping) within [`STACK_BYTES`].
pub(crate) const VALUE_DEPTH: usize = 10_000;

/// The stack of the thread a filter runs in; the system commits only what is touched.
pub(crate) const STACK_BYTES: usize = 128 * 1024 * 1024;

/// The longest an array may become by assigning past its end.
pub(crate) const ARRAY_INDEX: f64 = 536_870_911.0;

/// How often a backtracking regular expression may step back within one match.
pub(crate) const REGEX_BACKTRACKS: usize = 1_000_000;

/// The largest compiled form of a regular expression, in bytes.
pub(crate) const REGEX_BYTES: usize = 2 * 1024 * 1024;

/// What one run may use before it is ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Limits {
    /// Time from start to end, by the clock on the wall.
    pub time: Duration,
    /// Steps of evaluation; a step is a few dozen nanoseconds of work.
    pub steps: u64,
    /// Bytes held at once by values and by the evaluator itself.
    pub memory: usize,
    /// Bytes of all outputs together.
    pub output: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Limits {
            time: Duration::from_secs(5),
            steps: 50_000_000,
            memory: 256 * 1024 * 1024,
            output: 32 * 1024 * 1024,
        }
    }
}
