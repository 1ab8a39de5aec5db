//! JSON values as jq knows them: shared, charged to the budget, never deeper than the bound.

mod arithmetic;
mod array;
mod decimal;
mod describe;
mod index;
mod number;
mod object;
mod order;
mod parse;
mod paths;
mod print;
mod text;

pub(crate) use arithmetic::{add, divide, multiply, negate, remainder, split, subtract};
pub(crate) use array::{Array, Items};
pub(crate) use describe::{describe, shorten};
pub(crate) use index::{has_key, index};
pub(crate) use number::Number;
pub(crate) use object::Object;
pub(crate) use order::{compare, equal, sort_by_key};
pub(crate) use parse::{ParseError, parse, parse_number, unescape};
pub(crate) use paths::{delete_paths, get_path, set_path, take_path};
pub(crate) use print::{print, print_into};
pub(crate) use text::Text;

use crate::budget::Charge;
use crate::error::LimitKind;

/// A JSON value; cloning shares it.
#[derive(Debug, Clone, Default)]
pub(crate) enum Value {
    #[default]
    Null,
    Bool(bool),
    Number(Number),
    String(Text),
    Array(Array),
    Object(Object),
}

impl Value {
    pub(crate) fn number(value: f64) -> Value {
        Value::Number(Number::from(value))
    }

    /// A number that counts things.
    pub(crate) fn count(count: usize) -> Value {
        Value::number(count as f64)
    }

    pub(crate) fn string(text: impl AsRef<str> + Into<String>) -> Result<Value, LimitKind> {
        // Holds the room for a moment, so that a copy past the bound is never begun.
        drop(Charge::new(text.as_ref().len())?);
        Ok(Value::String(Text::new(text.into())?))
    }

    pub(crate) fn array(items: Vec<Value>) -> Result<Value, LimitKind> {
        Ok(Value::Array(Array::new(items)?))
    }

    pub(crate) fn kind(&self) -> &'static str {
        match self {
            Value::Null => "null",
            Value::Bool(_) => "boolean",
            Value::Number(_) => "number",
            Value::String(_) => "string",
            Value::Array(_) => "array",
            Value::Object(_) => "object",
        }
    }

    /// Everything but `null` and `false` is true.
    pub(crate) fn is_true(&self) -> bool {
        !matches!(self, Value::Null | Value::Bool(false))
    }

    /// How many arrays and objects are nested in it, itself included.
    pub(crate) fn depth(&self) -> usize {
        match self {
            Value::Array(array) => array.depth(),
            Value::Object(object) => object.depth(),
            _ => 0,
        }
    }

    /// Whether both are the very same value, not merely equal ones.
    ///
    /// A path expression may hand its value around (`. as $x | $x`) as long as it stays the same.
    pub(crate) fn is_same(&self, other: &Value) -> bool {
        match (self, other) {
            (Value::Null, Value::Null) => true,
            (Value::Bool(left), Value::Bool(right)) => left == right,
            (Value::Number(left), Value::Number(right)) => left.is_same(right),
            (Value::String(left), Value::String(right)) => left.is_same(right),
            (Value::Array(left), Value::Array(right)) => left.is_same(right),
            (Value::Object(left), Value::Object(right)) => left.is_same(right),
            _ => false,
        }
    }
}

impl From<bool> for Value {
    fn from(value: bool) -> Self {
        Value::Bool(value)
    }
}

impl From<f64> for Value {
    fn from(value: f64) -> Self {
        Value::number(value)
    }
}
