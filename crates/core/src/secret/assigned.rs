//! Values that are known by the name they are given to: `api_key = …`, `Authorization: Bearer …`.

use std::ops::Range;

use memory_steps::count;

use super::Found;
use super::random::looks_random;

/// How names of credentials end, in small letters and without marks between words.
const NAMES: &[&str] = &[
    "token",
    "secret",
    "password",
    "passwd",
    "passphrase",
    "pwd",
    "apikey",
    "accesskey",
    "secretkey",
    "privatekey",
    "accountkey",
    "authkey",
    "adminkey",
    "masterkey",
    "signingkey",
    "encryptionkey",
    "recordkey",
    "licensekey",
    "clientkeydata",
    "credential",
    "credentials",
    "accesspat",
    "devopspat",
    "githubpat",
];
/// Names that end in the same way and mean a place in a list, or no secret.
const OTHERS: &[&str] = &[
    "pagetoken",
    "nexttoken",
    "continuationtoken",
    "cursortoken",
    "synctoken",
];
/// How much of a name, and of a value, is looked at.
const NAME_BYTES: usize = 40;
const VALUE_BYTES: usize = 256;
/// The fewest characters of a value.
const SHORTEST: usize = 12;

/// Finds the values that are given to names of credentials.
pub(super) fn find(text: &str, found: &mut Vec<Found>) {
    let bytes = text.as_bytes();
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        count(1);
        at += 1;
        let value = match byte {
            b'=' | b':' => assigned(text, at - 1),
            b' ' => spoken(text, at - 1),
            _ => None,
        };
        if let Some((place, what)) = value {
            at = place.end;
            found.push((place, what));
        }
    }
}

/// Returns the value behind `=` or `:`, if the name before it is one of a credential.
fn assigned(text: &str, mark: usize) -> Option<Found> {
    let name = name_before(text, mark);
    if name.is_empty() {
        return None;
    }
    let place = value_after(text, mark + 1)?;
    let value = &text[place.clone()];
    let is_pair = name.ends_with("auth") && is_encoded_pair(value);
    let is_signature = name.ends_with("sig") && value.len() >= 40 && looks_random(value);
    let is_key = is_credential(&name) && value.len() >= SHORTEST && looks_random(value);
    (is_pair || is_signature || is_key).then(|| (whole(text, place), "a credential"))
}

/// Returns the value behind a word: `Bearer …`, `Basic …`, `SSWS …`, `password …`, `--token …`.
fn spoken(text: &str, space: usize) -> Option<Found> {
    let before = &text.as_bytes()[..space];
    let ends_with = |word: &str| {
        let start = before.len().checked_sub(word.len());
        start.is_some_and(|start| before[start..].eq_ignore_ascii_case(word.as_bytes()))
    };
    if !matches!(
        before.last()?,
        b'r' | b'R' | b'c' | b'C' | b'd' | b'D' | b'n' | b'N' | b's' | b'S' | b't' | b'T'
    ) {
        return None;
    }
    let place = value_after(text, space)?;
    let value = &text[place.clone()];
    let is_basic = ends_with("basic") && is_encoded_pair(value);
    let is_random = ["bearer", "ssws", "password", "token", "secret"]
        .into_iter()
        .any(ends_with)
        && value.len() >= SHORTEST
        && looks_random(value);
    (is_basic || is_random).then(|| (whole(text, place), "a credential"))
}

/// Returns the name that ends before a mark, in small letters and without what joins its words.
fn name_before(text: &str, mark: usize) -> String {
    let before = &text.as_bytes()[..mark];
    let is_part = |byte: &&u8| byte.is_ascii_alphanumeric() || b"_-. \"'".contains(byte);
    let name = before.iter().rev().take(NAME_BYTES).take_while(is_part);
    let mut name: Vec<u8> = name
        .filter(|byte| byte.is_ascii_alphanumeric())
        .copied()
        .collect();
    count(name.len());
    name.reverse();
    name.make_ascii_lowercase();
    String::from_utf8(name).unwrap_or_default()
}

fn is_credential(name: &str) -> bool {
    let ends = |names: &[&str]| names.iter().any(|end| name.ends_with(end));
    ends(NAMES) && !ends(OTHERS)
}

/// Returns where a value begins and ends, at most as much of it as is looked at.
fn value_after(text: &str, at: usize) -> Option<Range<usize>> {
    let rest = &text.as_bytes()[at..];
    let skipped = rest
        .iter()
        .take(6)
        .take_while(|byte| b" \t:=>\\".contains(byte))
        .count();
    let quote = rest.get(skipped).filter(|byte| b"\"'`".contains(byte));
    let begin = at + skipped + usize::from(quote.is_some());
    let is_part = |byte: &&u8| match quote {
        Some(quote) => *byte != quote && byte.is_ascii_graphic() && **byte != b'\\',
        None => is_value_byte(**byte),
    };
    let length = text.as_bytes()[begin..]
        .iter()
        .take(VALUE_BYTES)
        .take_while(is_part)
        .count();
    count(skipped + length);
    let next = text.as_bytes().get(begin + length);
    let is_code = quote.is_none() && next.is_some_and(|byte| b"([{$".contains(byte));
    let is_reference = text[begin..begin + length].starts_with(['$', '{', '<', '%', '[']);
    (length > 0 && !is_code && !is_reference).then_some(begin..begin + length)
}

fn is_value_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"+/_=.~-".contains(&byte)
}

/// Returns all of a value of which the beginning was looked at.
fn whole(text: &str, place: Range<usize>) -> Range<usize> {
    let more = text.as_bytes()[place.end..]
        .iter()
        .take_while(|byte| is_value_byte(**byte))
        .count();
    count(more);
    place.start..place.end + more
}

/// Says whether this is `user:password` in base64.
fn is_encoded_pair(value: &str) -> bool {
    let value = value.trim_end_matches('=');
    let digit = |byte: u8| match byte {
        b'A'..=b'Z' => Some(byte - b'A'),
        b'a'..=b'z' => Some(byte - b'a' + 26),
        b'0'..=b'9' => Some(byte - b'0' + 52),
        b'+' | b'-' => Some(62),
        b'/' | b'_' => Some(63),
        _ => None,
    };
    let Some(digits) = value.bytes().map(digit).collect::<Option<Vec<u8>>>() else {
        return false;
    };
    let decoded: Vec<u8> = digits
        .chunks(4)
        .flat_map(|four| {
            let bits = four
                .iter()
                .fold(0_u32, |bits, digit| bits << 6 | u32::from(*digit))
                << (6 * (4 - four.len()));
            bits.to_be_bytes()[1..four.len()].to_vec()
        })
        .collect();
    let colon = decoded.iter().position(|byte| *byte == b':');
    let is_text = decoded.iter().all(|byte| byte.is_ascii_graphic());
    is_text && colon.is_some_and(|at| at > 0 && decoded.len() - at >= 5)
}
