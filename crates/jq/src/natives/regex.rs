//! `match` and `test`: what a pattern finds in a text.

use fancy_regex::{Captures, Regex};

use super::pattern::Flags;
use super::{Context, Done, Entry};
use crate::budget;
use crate::stop::Stop;
use crate::value::{Object, Text, Value, describe};

pub(super) const TABLE: &[Entry] = &[
    ("_match", 2, |context, input, arguments| {
        let search = Search::new(context, &input, arguments)?;
        let mut matches = Vec::new();
        search.run(|found| {
            matches.push(found.describe(&search)?);
            Ok(())
        })?;
        Ok(Value::array(matches)?)
    }),
    ("_test", 2, |context, input, arguments| {
        let mut search = Search::new(context, &input, arguments)?;
        search.flags.global = false;
        let mut is_found = false;
        search.run(|_| {
            is_found = true;
            Ok(())
        })?;
        Ok(Value::Bool(is_found))
    }),
    ("_split", 2, |context, input, arguments| {
        let search = Search::new(context, &input, arguments)?;
        let mut pieces = Vec::new();
        let mut end = 0;
        search.run(|found| {
            pieces.push(Value::string(&search.text[end..found.start])?);
            end = found.end;
            Ok(())
        })?;
        pieces.push(Value::string(&search.text[end..])?);
        Ok(Value::array(pieces)?)
    }),
    ("_edits", 2, edits),
];

/// The matches as `{gap, capture}` with the text before each, and the text after the last one.
fn edits(context: &Context, input: Value, arguments: &[Value]) -> Done {
    let search = Search::new(context, &input, arguments)?;
    let mut edits = Vec::new();
    let mut end = 0;
    search.run(|found| {
        let gap = Value::string(&search.text[end..found.start])?;
        let capture = found.named(&search)?;
        let edit = Object::from_entries([("gap", gap), ("capture", Value::Object(capture))])?;
        edits.push(Value::Object(edit));
        end = found.end;
        Ok(())
    })?;
    let rest = Value::string(&search.text[end..])?;
    let edits = Value::array(edits)?;
    Ok(Value::Object(Object::from_entries([
        ("edits", edits),
        ("rest", rest),
    ])?))
}

/// A pattern at work on a text.
struct Search<'a> {
    regex: std::rc::Rc<Regex>,
    flags: Flags,
    text: &'a str,
    names: Vec<Option<Text>>,
}

/// One match, with how many characters stand before it.
struct Found<'a> {
    captures: Captures<'a, str>,
    start: usize,
    end: usize,
    characters: usize,
}

impl<'a> Search<'a> {
    fn new(context: &Context, input: &'a Value, arguments: &[Value]) -> Result<Self, Stop> {
        let Value::String(text) = input else {
            let words = "cannot be matched, as it is not a string";
            return Err(Stop::error(format!("{} {words}", describe(input)?)));
        };
        let Value::String(pattern) = &arguments[0] else {
            let words = "cannot be matched, as it is not a string";
            return Err(Stop::error(format!("{} {words}", describe(&arguments[0])?)));
        };
        let flags = match &arguments[1] {
            Value::Null => Flags::default(),
            Value::String(letters) => Flags::parse(letters.as_str())?,
            other => return Err(Stop::error(format!("{} is not a string", describe(other)?))),
        };
        let text = text.as_str();
        budget::spend_for(text.len())?;
        let regex = context.patterns.get(pattern.as_str(), flags, text)?;
        let mut names = Vec::new();
        for name in regex.capture_names().skip(1) {
            names.push(name.map(|name| Text::new(name.to_owned())).transpose()?);
        }
        Ok(Search {
            regex,
            flags,
            text,
            names,
        })
    }

    /// Calls `each` with every match that is asked for.
    fn run(&self, mut each: impl FnMut(&Found<'_>) -> Result<(), Stop>) -> Result<(), Stop> {
        let (mut at, mut counted, mut characters) = (0, 0, 0);
        while at <= self.text.len() {
            // How long a search takes is not known before, so the clock is looked at after each.
            budget::look()?;
            budget::spend(1)?;
            let captures = self
                .regex
                .captures_from_pos(self.text, at)
                .map_err(failure)?;
            let Some((captures, whole)) =
                captures.and_then(|found| found.get(0).map(|whole| (found, whole)))
            else {
                return Ok(());
            };
            let (start, end) = (whole.start(), whole.end());
            // `\K` in a lookaround can turn a match around; such a match is none.
            if start < counted || end < start {
                return Ok(());
            }
            characters += self.text[counted..start].chars().count();
            counted = start;
            if start < end || !self.flags.skips_empty {
                each(&Found {
                    captures,
                    start,
                    end,
                    characters,
                })?;
            }
            if !self.flags.global {
                return Ok(());
            }
            let step = self.text[end..].chars().next().map_or(1, char::len_utf8);
            at = if start == end { end + step } else { end };
        }
        Ok(())
    }
}

fn failure(error: fancy_regex::Error) -> Stop {
    Stop::error(format!("Regex failure: {error}"))
}

impl Found<'_> {
    /// The match as `match` shows it.
    fn describe(&self, search: &Search<'_>) -> Done {
        let text = &search.text[self.start..self.end];
        let mut captures = Vec::with_capacity(search.names.len());
        for (place, name) in search.names.iter().enumerate() {
            captures.push(self.capture(place + 1, name, search.text)?);
        }
        let object = Object::from_entries([
            ("offset", Value::count(self.characters)),
            ("length", Value::count(text.chars().count())),
            ("string", Value::string(text)?),
            ("captures", Value::array(captures)?),
        ])?;
        Ok(Value::Object(object))
    }

    fn capture(&self, place: usize, name: &Option<Text>, text: &str) -> Done {
        budget::spend(1)?;
        let name = name.clone().map_or(Value::Null, Value::String);
        // A group that took nothing lists its fields in another order.
        let nothing = |offset, string, name| -> Done {
            let length = ("length", Value::count(0));
            let fields = [
                ("offset", offset),
                ("string", string),
                length,
                ("name", name),
            ];
            Ok(Value::Object(Object::from_entries(fields)?))
        };
        let Some(capture) = self.captures.get(place) else {
            return nothing(Value::number(-1.0), Value::Null, name);
        };
        // A group in a lookbehind lies before the match.
        let offset = if capture.start() >= self.start {
            self.characters + text[self.start..capture.start()].chars().count()
        } else {
            self.characters - text[capture.start()..self.start].chars().count()
        };
        if capture.as_str().is_empty() {
            return nothing(Value::count(offset), Value::string("")?, name);
        }
        Ok(Value::Object(Object::from_entries([
            ("offset", Value::count(offset)),
            ("length", Value::count(capture.as_str().chars().count())),
            ("string", Value::string(capture.as_str())?),
            ("name", name),
        ])?))
    }

    /// The named groups and what they took.
    fn named(&self, search: &Search<'_>) -> Result<Object, Stop> {
        let mut object = Object::new()?;
        for (place, name) in search.names.iter().enumerate() {
            let Some(name) = name else { continue };
            let value = match self.captures.get(place + 1) {
                Some(capture) => Value::string(capture.as_str())?,
                None => Value::Null,
            };
            object.insert(name.clone(), value)?;
        }
        Ok(object)
    }
}
