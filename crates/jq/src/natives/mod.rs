//! Functions that are written in Rust: one input, so many arguments, one output.
//!
//! Everything that yields several outputs or takes filters is a form of the compiler or stands in
//! `prelude.jq`. Nothing here reaches a file, the environment, the clock or the terminal.

mod arrays;
mod formats;
mod math;
mod misc;
mod objects;
mod pattern;
mod regex;
mod strftime;
mod strings;
mod strptime;
mod time;

use std::fmt;

pub(crate) use formats::format;
pub(crate) use misc::last_words;

use crate::stop::Stop;
use crate::value::Value;

/// What natives can see of a run beside their input and arguments.
pub(crate) struct Context {
    /// The time `now` gives, in seconds since 1970.
    pub(crate) now: f64,
    patterns: pattern::Patterns,
}

impl Context {
    pub(crate) fn new(now: f64) -> Self {
        Context {
            now,
            patterns: pattern::Patterns::default(),
        }
    }
}

/// Why a native gives no value.
type Done = Result<Value, Stop>;

type Function = fn(&Context, Value, &[Value]) -> Done;

/// A function written in Rust.
#[derive(Clone, Copy)]
pub(crate) struct Native {
    name: &'static str,
    arity: usize,
    function: Function,
}

impl Native {
    pub(crate) fn run(self, context: &Context, input: Value, arguments: &[Value]) -> Done {
        (self.function)(context, input, arguments)
    }
}

impl fmt::Debug for Native {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.name, self.arity)
    }
}

/// The native of a name with so many arguments.
pub(crate) fn find(name: &str, arity: usize) -> Option<Native> {
    all().find(|native| native.name == name && native.arity == arity)
}

fn all() -> impl Iterator<Item = Native> {
    let tables = [
        arrays::TABLE,
        formats::TABLE,
        math::TABLE,
        misc::TABLE,
        objects::TABLE,
        regex::TABLE,
        strings::TABLE,
        time::TABLE,
    ];
    let native = |&(name, arity, function): &Entry| Native {
        name,
        arity,
        function,
    };
    tables.into_iter().flatten().map(native)
}

/// A line of a table: name, number of arguments, function.
type Entry = (&'static str, usize, Function);
