//! The members of a JSON object, each value left as the text that it is.
//!
//! What a kind reads and writes back goes through here, so that a member it does not know, and every
//! digit of a number, comes out as it went in.

use std::borrow::Cow;
use std::fmt;

use memory_steps::count;
use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;

use crate::{Timestamp, parse_instant};

/// An object's members in their order, duplicates included.
#[derive(Debug, Default)]
pub struct Fields<'a>(Vec<(Cow<'a, str>, &'a RawValue)>);

impl<'a> Fields<'a> {
    /// Reads the text of an object.
    pub fn parse(text: &'a str) -> serde_json::Result<Self> {
        serde_json::from_str(text)
    }

    /// Returns a member; where it stands twice, the last one, as JSON readers do.
    pub fn get(&self, name: &str) -> Option<&'a RawValue> {
        count(self.0.len());
        self.0
            .iter()
            .rev()
            .find(|(key, _)| key == name)
            .map(|(_, value)| *value)
    }

    /// Returns a member that is there and not null.
    pub fn present(&self, name: &str) -> Option<&'a RawValue> {
        self.get(name).filter(|raw| raw.get() != "null")
    }

    /// Returns a member that must be a time; none when it is missing or null.
    pub fn time(&self, name: &str) -> Result<Option<Timestamp>, String> {
        let Some(raw) = self.present(name) else {
            return Ok(None);
        };
        let at = serde_json::from_str::<String>(raw.get())
            .ok()
            .and_then(|text| parse_instant(&text));
        at.map(Some)
            .ok_or_else(|| format!("its {name} is not a time"))
    }

    /// Returns the members that are none of the known ones, as text.
    pub fn except(&self, known: &[&str]) -> Vec<(String, String)> {
        let others = self.iter().filter(|(name, _)| !known.contains(name));
        others
            .map(|(name, value)| (name.to_owned(), value.get().to_owned()))
            .collect()
    }

    /// Returns the members in their order.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &'a RawValue)> {
        self.0.iter().map(|(key, value)| (key.as_ref(), *value))
    }
}

impl<'a> IntoIterator for Fields<'a> {
    type Item = (Cow<'a, str>, &'a RawValue);
    type IntoIter = std::vec::IntoIter<Self::Item>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}

impl<'de: 'a, 'a> Deserialize<'de> for Fields<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Members<'a>(std::marker::PhantomData<&'a ()>);

        impl<'de: 'a, 'a> Visitor<'de> for Members<'a> {
            type Value = Fields<'a>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<M: MapAccess<'de>>(self, mut map: M) -> Result<Fields<'a>, M::Error> {
                let mut members = Vec::new();
                while let Some((Name(name), value)) = map.next_entry::<Name<'a>, &'a RawValue>()? {
                    count(1);
                    members.push((name, value));
                }
                Ok(Fields(members))
            }
        }

        deserializer.deserialize_map(Members(std::marker::PhantomData))
    }
}

/// A name that is borrowed from the text unless it has escapes in it.
struct Name<'a>(Cow<'a, str>);

impl<'de: 'a, 'a> Deserialize<'de> for Name<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Text<'a>(std::marker::PhantomData<&'a ()>);

        impl<'de: 'a, 'a> Visitor<'de> for Text<'a> {
            type Value = Name<'a>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a name")
            }

            fn visit_borrowed_str<E>(self, text: &'de str) -> Result<Name<'a>, E> {
                Ok(Name(text.into()))
            }

            fn visit_str<E>(self, text: &str) -> Result<Name<'a>, E> {
                Ok(Name(text.to_owned().into()))
            }
        }

        deserializer.deserialize_str(Text(std::marker::PhantomData))
    }
}

/// Renders a string as JSON.
pub fn json_string(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

/// Renders an object of members whose values are JSON already, one a line; its braces stand at
/// `indent` spaces, its members two further in.
pub fn render_object<N: AsRef<str>, V: AsRef<str>>(members: &[(N, V)], indent: usize) -> String {
    let line = |(name, value): &(N, V)| {
        format!(
            "{:indent$}  {}: {}",
            "",
            json_string(name.as_ref()),
            value.as_ref()
        )
    };
    let lines: Vec<String> = members.iter().map(line).collect();
    format!("{{\n{}\n{:indent$}}}", lines.join(",\n"), "")
}

/// Reads one JSON value from the start of a text; returns what follows it too.
///
/// When there is none, returns how many bytes it took to see that: whoever looks for whole values in
/// a broken file counts them, so that a text made to be read again and again does not keep it.
pub fn leading_json<'a, T: Deserialize<'a>>(text: &'a str) -> Result<(T, &'a str), usize> {
    let mut stream = serde_json::Deserializer::from_str(text).into_iter::<T>();
    match stream.next() {
        Some(Ok(value)) => Ok((value, &text[stream.byte_offset()..])),
        Some(Err(error)) if error.is_eof() => Err(text.len()),
        _ => Err(stream.byte_offset().max(64)),
    }
}
