//! `@csv`, `@base64` and the other ways to write a value into a text.

use super::strings::to_string;
use super::{Done, Entry};
use crate::budget::{self, Charge};
use crate::stop::Stop;
use crate::value::{Value, describe, print};

pub(super) const TABLE: &[Entry] = &[("format", 1, |_, input, arguments| match &arguments[0] {
    Value::String(name) => format(name.as_str(), &input),
    other => Err(Stop::error(format!(
        "{} is not a valid format",
        describe(other)?
    ))),
})];

/// A value in the format of a name.
pub(crate) fn format(name: &str, value: &Value) -> Done {
    let _room = Charge::new(longest(name, value))?;
    let written = match name {
        "text" => return to_string(value),
        "json" => print(value)?,
        "csv" => row(value, "csv", ",", csv_field)?,
        "tsv" => row(value, "tsv", "\t", tsv_field)?,
        "html" => map_characters(value, html_character)?,
        "uri" => uri(&plain(value)?),
        "urid" => uri_decoded(value)?,
        "sh" => shell(value)?,
        "base64" => base64(plain(value)?.as_bytes()),
        "base64d" => base64_decoded(value)?,
        _ => return Err(Stop::error(format!("{name} is not a valid format"))),
    };
    Ok(Value::string(written)?)
}

/// The most bytes a format can make of the strings in a value, copies included.
fn longest(name: &str, value: &Value) -> usize {
    let length = |item: &Value| {
        if let Value::String(text) = item {
            text.as_str().len()
        } else {
            0
        }
    };
    let bytes: usize = match value {
        Value::Array(array) => array.items().iter().map(length).sum(),
        other => length(other),
    };
    match name {
        "html" => bytes * 7,
        "uri" => bytes * 4,
        "sh" => bytes * 5,
        "csv" | "tsv" | "base64" | "base64d" | "urid" => bytes * 3,
        _ => 0,
    }
}

/// A value's text, paid for.
fn plain(value: &Value) -> Result<String, Stop> {
    let text = match value {
        Value::String(text) => text.as_str().to_owned(),
        other => print(other)?,
    };
    budget::spend_for(text.len())?;
    Ok(text)
}

fn row(
    value: &Value,
    kind: &str,
    separator: &str,
    field: fn(&Value) -> Result<Option<String>, Stop>,
) -> Result<String, Stop> {
    let Value::Array(array) = value else {
        return Err(Stop::error(format!(
            "{} cannot be {kind}-formatted, only array",
            describe(value)?
        )));
    };
    let mut fields = Vec::with_capacity(array.len());
    for item in array.items() {
        budget::spend(1)?;
        match field(item)? {
            Some(field) => fields.push(field),
            None => {
                return Err(Stop::error(format!(
                    "{} is not valid in a csv row",
                    describe(item)?
                )));
            }
        }
    }
    Ok(fields.join(separator))
}

fn csv_field(item: &Value) -> Result<Option<String>, Stop> {
    Ok(Some(match item {
        Value::Null => String::new(),
        Value::String(text) => format!("\"{}\"", text.as_str().replace('"', "\"\"")),
        Value::Bool(_) | Value::Number(_) => print(item)?,
        Value::Array(_) | Value::Object(_) => return Ok(None),
    }))
}

fn tsv_field(item: &Value) -> Result<Option<String>, Stop> {
    Ok(Some(match item {
        Value::String(text) => {
            let text = text.as_str().replace('\\', "\\\\").replace('\t', "\\t");
            text.replace('\n', "\\n").replace('\r', "\\r")
        }
        _ => return csv_field(item),
    }))
}

fn map_characters(
    value: &Value,
    replace: fn(char) -> Option<&'static str>,
) -> Result<String, Stop> {
    let text = plain(value)?;
    let mut mapped = String::with_capacity(text.len());
    for character in text.chars() {
        match replace(character) {
            Some(replacement) => mapped.push_str(replacement),
            None => mapped.push(character),
        }
    }
    Ok(mapped)
}

fn html_character(character: char) -> Option<&'static str> {
    match character {
        '<' => Some("&lt;"),
        '>' => Some("&gt;"),
        '&' => Some("&amp;"),
        '\'' => Some("&apos;"),
        '"' => Some("&quot;"),
        _ => None,
    }
}

fn uri(text: &str) -> String {
    let mut encoded = String::with_capacity(text.len());
    for byte in text.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'_' | b'.' | b'~' => {
                encoded.push(char::from(byte));
            }
            _ => encoded.push_str(&format!("%{byte:02X}")),
        }
    }
    encoded
}

fn uri_decoded(value: &Value) -> Result<String, Stop> {
    let text = plain(value)?;
    let invalid = || -> Result<Stop, Stop> {
        let shown = describe(&Value::string(text.as_str())?)?;
        Ok(Stop::error(format!("{shown} is not a valid uri encoding")))
    };
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((&first, after)) = rest.split_first() {
        if first != b'%' {
            bytes.push(first);
            rest = after;
            continue;
        }
        let digits = after
            .get(..2)
            .and_then(|digits| std::str::from_utf8(digits).ok());
        let is_hex = |digits: &&str| digits.bytes().all(|byte| byte.is_ascii_hexdigit());
        match digits
            .filter(is_hex)
            .and_then(|digits| u8::from_str_radix(digits, 16).ok())
        {
            Some(byte) => bytes.push(byte),
            None => return Err(invalid()?),
        }
        rest = &after[2..];
    }
    match String::from_utf8(bytes) {
        Ok(decoded) => Ok(decoded),
        Err(_) => Err(invalid()?),
    }
}

fn shell(value: &Value) -> Result<String, Stop> {
    let Value::Array(array) = value else {
        return shell_word(value);
    };
    let mut words = Vec::with_capacity(array.len());
    for item in array.items() {
        budget::spend(1)?;
        words.push(shell_word(item)?);
    }
    Ok(words.join(" "))
}

fn shell_word(value: &Value) -> Result<String, Stop> {
    match value {
        Value::String(text) => Ok(format!("'{}'", text.as_str().replace('\'', "'\\''"))),
        Value::Array(_) | Value::Object(_) => Err(Stop::error(format!(
            "{} can not be escaped for shell",
            describe(value)?
        ))),
        _ => Ok(print(value)?),
    }
}

const BASE64: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

fn base64(bytes: &[u8]) -> String {
    let mut encoded = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for chunk in bytes.chunks(3) {
        let byte = |place: usize| u32::from(chunk.get(place).copied().unwrap_or(0));
        let bits = byte(0) << 16 | byte(1) << 8 | byte(2);
        for place in 0..4 {
            let six = bits >> (18 - 6 * place) & 63;
            let is_padding = place > chunk.len();
            encoded.push(if is_padding {
                '='
            } else {
                char::from(BASE64[six as usize])
            });
        }
    }
    encoded
}

fn base64_decoded(value: &Value) -> Result<String, Stop> {
    let text = plain(value)?;
    // Whatever comes after the padding is not looked at.
    let digits = text.split('=').next().unwrap_or_default();
    let mut bytes = Vec::with_capacity(digits.len() / 4 * 3 + 2);
    let (mut bits, mut count) = (0_u32, 0);
    for digit in digits.bytes() {
        let Some(six) = BASE64.iter().position(|known| *known == digit) else {
            let shown = describe(&Value::string(text.as_str())?)?;
            return Err(Stop::error(format!("{shown} is not valid base64 data")));
        };
        bits = bits << 6 | six as u32;
        count += 6;
        if count >= 8 {
            count -= 8;
            bytes.push((bits >> count & 255) as u8);
        }
    }
    if digits.len() % 4 == 1 {
        let shown = describe(&Value::string(text.as_str())?)?;
        return Err(Stop::error(format!("{shown} trailing base64 byte found")));
    }
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}
