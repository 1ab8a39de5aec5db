//! jq filters that run within bounds.
//!
//! [`run()`] takes a filter and a JSON text and gives what `jq -c` 1.8 would print. The filter may
//! be hostile: its time, steps, memory and output are bounded by [`Limits`], and it reaches
//! nothing outside itself: no file, no environment variable, no clock, no terminal.
//!
//! The language is read, compiled and run here; no other interpreter is behind it. Evaluation
//! does not recurse, so every byte it holds is counted and no filter can overflow a stack.
//!
//! # What differs from jq
//!
//! By intent:
//!
//! - `env` and `$ENV` are empty, `input` has no more inputs, `debug` and `stderr` print nothing,
//!   local time is UTC, modules cannot be imported, and `get_jq_origin`, `get_prog_origin` and
//!   `modulemeta` are not defined.
//! - `halt_error` ends the run with a [`Failure`].
//! - Values nest at most 10,000 deep; jq goes deeper, but does not print it.
//!
//! In corners:
//!
//! - Regular expressions: the flag `l` (longest) has no effect, `\g<name>` and groups that share a
//!   name are refused, the words of a pattern's error are another engine's, and where a pattern
//!   matches the empty string in a text that is not ASCII, jq counts a match for every byte.
//! - `?//` tries the next pattern when its own body fails, jq also when something after it does.
//! - All paths of an update are found before the first one is updated, so when a path and an
//!   update both fail, the error is the path's.
//! - A destructuring pattern that yields several bindings updates the state of a `reduce` or
//!   `foreach` once per item, not once per binding.
//! - `@base64d` may show a different number of replacement characters for bytes that are no UTF-8,
//!   and the last digit of rarely used functions (`cbrt`, `y0`) may differ.

#![forbid(unsafe_code)]

mod budget;
mod compile;
mod error;
mod limits;
mod machine;
mod natives;
mod run;
mod stop;
mod syntax;
mod value;

pub use error::{Failure, FilterError, LimitKind};
pub use limits::{FILTER_BYTES, Limits};
pub use run::{Run, run};
