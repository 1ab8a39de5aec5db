//! What is left: kinds, errors, and the functions that would reach outside if there were one.

use super::{Entry, all};
use crate::compile::prelude_names;
use crate::stop::Stop;
use crate::value::{Value, print};

pub(super) const TABLE: &[Entry] = &[
    ("not", 0, |_, input, _| Ok(Value::Bool(!input.is_true()))),
    ("type", 0, |_, input, _| Ok(Value::string(input.kind())?)),
    ("error", 0, |_, input, _| Err(Stop::Error(input))),
    ("error", 1, |_, _, arguments| {
        Err(Stop::Error(arguments[0].clone()))
    }),
    ("halt", 0, |_, _, _| Err(Stop::Halt(None))),
    ("halt_error", 0, |_, input, _| Err(Stop::Halt(Some(input)))),
    ("halt_error", 1, |_, input, arguments| match &arguments[0] {
        Value::Number(_) => Err(Stop::Halt(Some(input))),
        _ => Err(Stop::error("halt_error/1: number required")),
    }),
    ("debug", 0, |_, input, _| Ok(input)),
    ("stderr", 0, |_, input, _| Ok(input)),
    ("input", 0, |_, _, _| Err(Stop::error("No more inputs"))),
    ("input_filename", 0, |_, _, _| Ok(Value::Null)),
    ("input_line_number", 0, |_, _, _| {
        Err(Stop::error("Unknown input line number"))
    }),
    ("get_search_list", 0, |_, _, _| {
        Ok(Value::array(Vec::new())?)
    }),
    ("have_decnum", 0, |_, _, _| Ok(Value::Bool(true))),
    ("have_literal_numbers", 0, |_, _, _| Ok(Value::Bool(true))),
    ("builtins", 0, |_, _, _| {
        let mut names = Vec::new();
        for name in builtins() {
            names.push(Value::string(name)?);
        }
        Ok(Value::array(names)?)
    }),
];

/// The forms of the compiler that filters may call.
const FORMS: &[&str] = &[
    "empty/0",
    "env/0",
    "path/1",
    "getpath/1",
    "select/1",
    "first/1",
    "limit/2",
    "skip/2",
    "range/2",
];

/// Every name a filter may call, as `name/arity`.
fn builtins() -> Vec<String> {
    let natives = all()
        .filter(|native| !native.name.starts_with('_'))
        .map(|native| format!("{native:?}"));
    let forms = FORMS.iter().map(|form| (*form).to_owned());
    let mut names: Vec<String> = natives.chain(forms).chain(prelude_names()).collect();
    names.sort();
    names.dedup();
    names
}

/// What `halt_error` would print: a string as it is, everything else as JSON.
pub(crate) fn last_words(value: &Value) -> Result<String, Stop> {
    match value {
        Value::String(text) => Ok(text.as_str().to_owned()),
        other => Ok(print(other)?),
    }
}
