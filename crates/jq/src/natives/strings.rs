//! Strings: their characters, their parts, and the way from and to other values.

use super::{Context, Done, Entry};
use crate::budget::{self, Charge};
use crate::stop::Stop;
use crate::value::{Items, ParseError, Text, Value, describe, parse, parse_number, print, split};

pub(super) const TABLE: &[Entry] = &[
    ("ascii_downcase", 0, |_, input, _| {
        ascii_case(&input, str::to_ascii_lowercase)
    }),
    ("ascii_upcase", 0, |_, input, _| {
        ascii_case(&input, str::to_ascii_uppercase)
    }),
    ("explode", 0, explode),
    ("implode", 0, implode),
    ("startswith", 1, |_, input, arguments| {
        let (text, part) = both(&input, &arguments[0], "startswith() requires string inputs")?;
        Ok(Value::Bool(text.starts_with(part)))
    }),
    ("endswith", 1, |_, input, arguments| {
        let (text, part) = both(&input, &arguments[0], "endswith() requires string inputs")?;
        Ok(Value::Bool(text.ends_with(part)))
    }),
    ("ltrimstr", 1, |_, input, arguments| {
        trim_left(&input, &arguments[0])
    }),
    ("rtrimstr", 1, |_, input, arguments| {
        trim_right(&input, &arguments[0])
    }),
    ("trimstr", 1, |_, input, arguments| {
        trim_right(&trim_left(&input, &arguments[0])?, &arguments[0])
    }),
    ("trim", 0, |_, input, _| trim(&input, str::trim)),
    ("ltrim", 0, |_, input, _| trim(&input, str::trim_start)),
    ("rtrim", 0, |_, input, _| trim(&input, str::trim_end)),
    ("split", 1, |_, input, arguments| {
        let (text, separator) = both(
            &input,
            &arguments[0],
            "split input and separator must be strings",
        )?;
        split(text, separator)
    }),
    ("tojson", 0, |_, input, _| {
        Ok(Value::string(print(&input)?)?)
    }),
    ("tostring", 0, |_, input, _| to_string(&input)),
    ("fromjson", 0, from_json),
    ("tonumber", 0, to_number),
    ("toboolean", 0, to_boolean),
    ("utf8bytelength", 0, |_, input, _| match &input {
        Value::String(text) => Ok(Value::count(text.as_str().len())),
        other => Err(Stop::error(format!(
            "{} only strings have UTF-8 byte length",
            describe(other)?
        ))),
    }),
    ("_text_positions", 1, text_positions),
];

/// A string as it is, everything else as its JSON text.
pub(super) fn to_string(value: &Value) -> Done {
    match value {
        Value::String(_) => Ok(value.clone()),
        other => Ok(Value::string(print(other)?)?),
    }
}

fn both<'a>(
    input: &'a Value,
    argument: &'a Value,
    words: &str,
) -> Result<(&'a str, &'a str), Stop> {
    match (input, argument) {
        (Value::String(input), Value::String(argument)) => {
            budget::spend_for(input.as_str().len() / 16)?;
            Ok((input.as_str(), argument.as_str()))
        }
        _ => Err(Stop::error(words)),
    }
}

fn text<'a>(input: &'a Value, words: &str) -> Result<&'a Text, Stop> {
    match input {
        Value::String(text) => {
            budget::spend_for(text.as_str().len() / 4)?;
            Ok(text)
        }
        _ => Err(Stop::error(words)),
    }
}

fn ascii_case(input: &Value, change: fn(&str) -> String) -> Done {
    let text = text(input, "explode input must be a string")?;
    drop(Charge::new(text.as_str().len())?);
    Ok(Value::string(change(text.as_str()))?)
}

fn explode(_: &Context, input: Value, _: &[Value]) -> Done {
    let text = text(&input, "explode input must be a string")?;
    let mut codes = Items::new()?;
    for character in text.as_str().chars() {
        codes.push(Value::number(f64::from(u32::from(character))))?;
    }
    Ok(codes.finish()?)
}

fn implode(_: &Context, input: Value, _: &[Value]) -> Done {
    let Value::Array(codes) = input else {
        return Err(Stop::error("implode input must be an array"));
    };
    budget::spend_for(codes.len() * 4)?;
    let mut text = String::with_capacity(codes.len());
    for code in codes.items() {
        let Value::Number(code) = code else {
            let words = "can't be imploded, unicode codepoint needs to be numeric";
            return Err(Stop::error(format!("{} {words}", describe(code)?)));
        };
        let code = code.value().trunc();
        let fits = (0.0..=f64::from(u32::MAX)).contains(&code);
        let character = if fits {
            char::from_u32(code as u32)
        } else {
            None
        };
        text.push(character.unwrap_or(char::REPLACEMENT_CHARACTER));
    }
    Ok(Value::string(text)?)
}

fn trim_left(input: &Value, part: &Value) -> Done {
    let (text, part) = both(input, part, "startswith() requires string inputs")?;
    match text.strip_prefix(part) {
        Some(rest) => Ok(Value::string(rest)?),
        None => Ok(input.clone()),
    }
}

fn trim_right(input: &Value, part: &Value) -> Done {
    let (text, part) = both(input, part, "endswith() requires string inputs")?;
    match text.strip_suffix(part) {
        Some(rest) => Ok(Value::string(rest)?),
        None => Ok(input.clone()),
    }
}

fn trim(input: &Value, cut: fn(&str) -> &str) -> Done {
    let text = text(input, "trim input must be a string")?;
    Ok(Value::string(cut(text.as_str()))?)
}

fn from_json(_: &Context, input: Value, _: &[Value]) -> Done {
    let Value::String(text) = &input else {
        return Err(Stop::error(format!(
            "{} only strings can be parsed",
            describe(&input)?
        )));
    };
    match parse(text.as_str()) {
        Ok(value) => Ok(value),
        Err(ParseError::Limit(limit)) => Err(Stop::Limit(limit)),
        Err(ParseError::Invalid(words)) => Err(Stop::error(format!(
            "{words} (while parsing '{}')",
            text.as_str()
        ))),
    }
}

fn to_number(_: &Context, input: Value, _: &[Value]) -> Done {
    let number = match &input {
        Value::Number(number) => Some(number.clone()),
        Value::String(text) => parse_number(text.as_str()),
        _ => None,
    };
    match number {
        Some(number) => Ok(Value::Number(number)),
        None => Err(Stop::error(format!(
            "{} cannot be parsed as a number",
            describe(&input)?
        ))),
    }
}

fn to_boolean(_: &Context, input: Value, _: &[Value]) -> Done {
    match &input {
        Value::Bool(value) => Ok(Value::Bool(*value)),
        Value::String(text) if text.as_str() == "true" => Ok(Value::Bool(true)),
        Value::String(text) if text.as_str() == "false" => Ok(Value::Bool(false)),
        other => Err(Stop::error(format!(
            "{} cannot be parsed as a boolean",
            describe(other)?
        ))),
    }
}

/// Where a string holds another one, overlaps included, counted in characters.
fn text_positions(_: &Context, input: Value, arguments: &[Value]) -> Done {
    let (text, part) = both(
        &input,
        &arguments[0],
        "only strings can be searched in strings",
    )?;
    let mut found = Items::new()?;
    let (mut byte, mut character) = (0, 0);
    while !part.is_empty() {
        let Some(at) = text[byte..].find(part) else {
            break;
        };
        budget::spend(1)?;
        character += text[byte..byte + at].chars().count();
        found.push(Value::count(character))?;
        byte += at;
        byte += text[byte..].chars().next().map_or(1, char::len_utf8);
        character += 1;
    }
    Ok(found.finish()?)
}
