//! Values as compact JSON text, exactly as `jq -c` prints them.

use std::fmt::Write;

use super::Value;
use crate::budget::{self, Charge};
use crate::error::LimitKind;

/// The JSON text of a value.
pub(crate) fn print(value: &Value) -> Result<String, LimitKind> {
    let mut text = String::new();
    print_into(value, &mut text)?;
    Ok(text)
}

/// Appends the JSON text of a value.
///
/// The text is charged while it grows: values share their parts, so a small value can have a
/// text without end.
pub(crate) fn print_into(value: &Value, text: &mut String) -> Result<(), LimitKind> {
    let mut printer = Printer {
        charged: text.len(),
        text,
        charge: Charge::new(0)?,
    };
    printer.value(value)?;
    printer.settle()
}

/// How far the text may grow before it is charged.
const SETTLE_BYTES: usize = 4_096;

struct Printer<'a> {
    text: &'a mut String,
    charged: usize,
    charge: Charge,
}

impl Printer<'_> {
    fn settle(&mut self) -> Result<(), LimitKind> {
        let grown = self.text.len() - self.charged;
        self.charged = self.text.len();
        budget::spend_for(grown / 4)?;
        self.charge.grow(grown)
    }

    fn value(&mut self, value: &Value) -> Result<(), LimitKind> {
        budget::spend(1)?;
        if self.text.len() - self.charged > SETTLE_BYTES {
            self.settle()?;
        }
        match value {
            Value::Null => self.text.push_str("null"),
            Value::Bool(true) => self.text.push_str("true"),
            Value::Bool(false) => self.text.push_str("false"),
            Value::Number(number) => self.text.push_str(&number.print()),
            Value::String(string) => quote_into(string.as_str(), self.text),
            Value::Array(array) => {
                self.text.push('[');
                for (place, item) in array.items().iter().enumerate() {
                    self.separate(place);
                    self.value(item)?;
                }
                self.text.push(']');
            }
            Value::Object(object) => {
                self.text.push('{');
                for (place, (key, item)) in object.entries().enumerate() {
                    self.separate(place);
                    quote_into(key.as_str(), self.text);
                    self.text.push(':');
                    self.value(item)?;
                }
                self.text.push('}');
            }
        }
        Ok(())
    }

    fn separate(&mut self, place: usize) {
        if place > 0 {
            self.text.push(',');
        }
    }
}

/// Appends a string with its quotes; what is not ASCII stays as it is.
fn quote_into(string: &str, text: &mut String) {
    text.push('"');
    let mut plain = 0;
    for (at, byte) in string.bytes().enumerate() {
        if byte >= b' ' && !matches!(byte, b'"' | b'\\' | 0x7f) {
            continue;
        }
        text.push_str(&string[plain..at]);
        plain = at + 1;
        escape_into(byte, text);
    }
    text.push_str(&string[plain..]);
    text.push('"');
}

fn escape_into(byte: u8, text: &mut String) {
    match byte {
        b'"' => text.push_str("\\\""),
        b'\\' => text.push_str("\\\\"),
        b'\n' => text.push_str("\\n"),
        b'\t' => text.push_str("\\t"),
        b'\r' => text.push_str("\\r"),
        0x08 => text.push_str("\\b"),
        0x0c => text.push_str("\\f"),
        // Writing to a string cannot fail.
        _ => drop(write!(text, "\\u{byte:04x}")),
    }
}
