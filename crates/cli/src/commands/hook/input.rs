//! The first JSON value of standard input, without the rest of texts that are far too long.
//!
//! A prompt can be a pasted file of many megabytes, of which only the beginning is looked at; and a
//! client may keep its end open after the last byte. So strings are cut on the way to the parser, and
//! nothing is read after the end of the value.

use std::io::{self, BufRead, Read};

use serde::de::DeserializeOwned;

use super::prompt::PROMPT_CHARACTERS;

/// More is not read; a prompt can be a pasted file.
const MOST_INPUT: u64 = 64 << 20;
/// So many bytes of a string are enough: the longest character as JSON is `\\uXXXX\\uXXXX`.
const MOST_BYTES: usize = 12 * PROMPT_CHARACTERS;

/// Reads one value; none when it is not what was expected.
pub(super) fn read<T: DeserializeOwned>(input: impl BufRead) -> Option<T> {
    let shortened = Shortened {
        input: input.take(MOST_INPUT),
        place: Place::Outside,
    };
    T::deserialize(&mut serde_json::Deserializer::from_reader(shortened)).ok()
}

/// JSON whose long strings are cut.
struct Shortened<R> {
    input: R,
    place: Place,
}

/// Where in a text the next byte stands.
#[derive(Debug, Clone, Copy)]
enum Place {
    Outside,
    /// In a string, after so many bytes of it.
    Inside(usize),
    /// After a backslash in a string, and so many bytes of it.
    Escaped(usize),
    /// The same, before so many digits.
    Digits(usize, u8),
    /// In the part of a string that is left out; perhaps after a backslash.
    Beyond {
        is_escaped: bool,
    },
}

impl Place {
    /// Returns where the byte after this one stands, and whether this one is passed on.
    fn after(self, byte: u8) -> (Place, bool) {
        match (self, byte) {
            (Place::Outside, b'"') => (Place::Inside(0), true),
            (Place::Outside, _) => (Place::Outside, true),
            (Place::Inside(_) | Place::Beyond { is_escaped: false }, b'"') => {
                (Place::Outside, true)
            }
            // An escape may be half of a character: nothing is cut before one.
            (Place::Inside(length), b'\\') => (Place::Escaped(length + 1), true),
            (Place::Inside(MOST_BYTES..), _) if begins_character(byte) => {
                (Place::Beyond { is_escaped: false }, false)
            }
            (Place::Escaped(length), b'u') => (Place::Digits(length + 1, 4), true),
            (Place::Digits(length, left @ 2..), _) => (Place::Digits(length + 1, left - 1), true),
            (Place::Inside(length) | Place::Escaped(length) | Place::Digits(length, _), _) => {
                (Place::Inside(length + 1), true)
            }
            (Place::Beyond { is_escaped }, byte) => (
                Place::Beyond {
                    is_escaped: !is_escaped && byte == b'\\',
                },
                false,
            ),
        }
    }
}

/// Says whether a byte is the first of a character.
fn begins_character(byte: u8) -> bool {
    byte & 0xc0 != 0x80
}

impl<R: BufRead> Read for Shortened<R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        loop {
            let there = self.input.fill_buf()?;
            let (mut taken, mut kept) = (0, 0);
            for byte in there {
                if kept == into.len() {
                    break;
                }
                let (place, is_passed_on) = self.place.after(*byte);
                self.place = place;
                taken += 1;
                if is_passed_on {
                    into[kept] = *byte;
                    kept += 1;
                }
            }
            self.input.consume(taken);
            if kept > 0 || taken == 0 {
                return Ok(kept);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::{BufReader, Cursor};

    use serde_json::{Value, json};

    use super::*;

    /// Panics when it is read, as a pipe that stays open would keep us.
    struct Open;

    impl Read for Open {
        fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
            panic!("someone waits for more")
        }
    }

    fn read_text(text: &str) -> Option<Value> {
        read(BufReader::with_capacity(7, Cursor::new(text.to_owned())))
    }

    #[test]
    fn nothing_is_read_after_the_end_of_the_value() {
        let text = r#"{"prompt":"a \"quoted\" } brace","more":[1,{"x":2}]}"#;
        let whole: Value = serde_json::from_str(text).unwrap();
        let open = BufReader::new(Cursor::new(text).chain(Open));
        assert_eq!(read(open), Some(whole.clone()));
        assert_eq!(
            read_text(&format!("{text}\n{{\"x\":1}} and so on")),
            Some(whole)
        );
        assert_eq!(read_text("{\"prompt\":"), None);
        assert_eq!(read_text(""), None);
    }

    #[test]
    fn a_string_is_cut_between_characters_and_what_follows_is_still_read() {
        for unit in ["word ", "0a", "长", "\\ \" \n\u{1}", "🎉", "\u{7f} \\\\\\"] {
            let long = unit.repeat(MOST_BYTES);
            let text = json!({ "prompt": long, "after": "}" }).to_string();
            let value = read_text(&text).unwrap();
            let kept = value["prompt"].as_str().unwrap();
            assert!(
                long.starts_with(kept) && kept.len() <= MOST_BYTES + 8,
                "{unit}: {}",
                kept.len()
            );
            assert!(kept.chars().count() >= PROMPT_CHARACTERS);
            assert_eq!(value["after"], "}");
        }
    }

    #[test]
    fn escapes_are_never_cut_in_half() {
        let text = format!(
            r#"{{"prompt":"{}","after":1}}"#,
            r"\ud83c\udf89 ".repeat(MOST_BYTES)
        );
        let value = read_text(&text).unwrap();
        let kept = value["prompt"].as_str().unwrap();
        assert!(
            "🎉 ".repeat(MOST_BYTES).starts_with(kept) && kept.chars().count() >= PROMPT_CHARACTERS
        );
        assert_eq!(value["after"], 1);
    }
}
