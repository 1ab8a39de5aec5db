//! Values in error messages: kind and a short piece of text.

use super::{Value, print};
use crate::error::LimitKind;

/// The longest piece of a value's text in a message, in bytes.
const LENGTH: usize = 29;

/// A value as messages name it: `number (1)`.
pub(crate) fn describe(value: &Value) -> Result<String, LimitKind> {
    Ok(format!("{} ({})", value.kind(), shorten(value)?))
}

/// A value's text, cut to a length fit for a message.
pub(crate) fn shorten(value: &Value) -> Result<String, LimitKind> {
    let text = print(value)?;
    if text.len() <= LENGTH {
        return Ok(text);
    }
    let close = match value {
        Value::String(_) => "\"",
        Value::Array(_) => "]",
        Value::Object(_) => "}",
        _ => "",
    };
    let end = text.floor_char_boundary(LENGTH - "...".len() - close.len());
    Ok(format!("{}...{close}", &text[..end]))
}
