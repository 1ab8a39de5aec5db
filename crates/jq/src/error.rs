//! What can go wrong: the filter does not compile, a bound was hit, or the filter itself failed.

use std::fmt;
use std::time::Duration;

/// Why a filter could not be run to its end.
///
/// A filter that ends by an error of its own (`error("…")`, `1 + "a"`) is no `FilterError`: it
/// has run, and its [`Failure`] stands beside the outputs it made before.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum FilterError {
    /// The filter text is longer than any filter may be.
    #[error("The filter is {bytes} bytes long; the limit is {limit}")]
    TooLong { bytes: usize, limit: usize },
    /// The filter text does not compile.
    #[error("{message} at line {line}, column {column}")]
    Syntax {
        message: String,
        line: usize,
        column: usize,
    },
    /// The input is no JSON text.
    #[error("The input is not valid JSON: {message}")]
    Input { message: String },
    /// A bound was hit.
    #[error("The filter was ended: it {0}")]
    Limit(LimitKind),
    /// The thread for the filter could not be started, or broke off.
    #[error("The filter could not be run: {message}")]
    Broken { message: String },
}

/// Which bound was hit, and the number that bounds it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LimitKind {
    Time(Duration),
    Steps(u64),
    Memory(usize),
    Output(usize),
    Depth(usize),
}

impl fmt::Display for LimitKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LimitKind::Time(time) => write!(f, "ran longer than {} ms", time.as_millis()),
            LimitKind::Steps(steps) => write!(f, "took more than {steps} steps"),
            LimitKind::Memory(bytes) => write!(f, "held more than {bytes} bytes"),
            LimitKind::Output(bytes) => write!(f, "printed more than {bytes} bytes"),
            LimitKind::Depth(depth) => write!(f, "nested values more than {depth} deep"),
        }
    }
}

/// The error a filter ended with, in the words jq prints after `jq: error (at …): `.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failure {
    pub message: String,
}
