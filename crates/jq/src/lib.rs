//! jq filters that run within bounds.
//!
//! [`run`] takes a filter and a JSON text and gives what `jq -c` 1.8 would print. The filter may
//! be hostile: its time, steps, memory and output are bounded by [`Limits`], and it reaches
//! nothing outside itself: no file, no environment variable, no clock, no terminal.
//!
//! The language is read, compiled and run here; no other interpreter is behind it. Evaluation
//! does not recurse, so every byte it holds is counted and no filter can overflow a stack.
//!
//! # What differs from jq
//!
//! - `env` and `$ENV` are empty, `input` has no more inputs, `debug` and `stderr` print nothing,
//!   `localtime` is UTC, modules cannot be imported.
//! - Values nest at most 10,000 deep (jq prints deeper ones incompletely).
//! - Regular expressions: the flag `l` (longest) is accepted and has no effect, subexpression
//!   calls (`\g<name>`) and groups that share a name are refused, and the words of a pattern's
//!   error are those of another engine.
//! - `getpath` in a path expression, `reduce` and `foreach` over destructuring patterns that yield
//!   several bindings: each item updates the state once, from the last binding.
//! - `get_jq_origin`, `get_prog_origin` and `modulemeta` are not defined.

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
