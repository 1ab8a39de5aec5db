//! Getting the whole entries out of a bank's file that is broken.
//!
//! The text is read entry by entry: `"key": { … "value" … }`. Where that fails, reading goes on at
//! the next quote from which it succeeds again. What is torn or overwritten is lost; the rest is not.

use memory_core::{Json, Timestamp};
use serde::Deserialize;
use serde_json::value::RawValue;

use crate::Key;
use crate::entry::Entry;
use crate::format::Bank;

/// How often reading may start anew; past it, what is left is taken for noise.
const RESTARTS: usize = 200_000;

/// Returns a bank of all entries that could be read, and how many there are.
pub(crate) fn salvage(text: &str, now: Timestamp) -> Bank<'_> {
    let mut bank = Bank::new(now);
    let begin = text.find("\"entries\"").map_or(0, |at| at + "\"entries\"".len());
    let mut rest = &text[begin..];
    for _ in 0..RESTARTS {
        let Some(quote) = rest.find('"') else { break };
        rest = &rest[quote..];
        match member(rest, now) {
            Some((key, entry, after)) => {
                bank.put(key.as_str(), &entry);
                rest = after;
            }
            None => rest = &rest[1..],
        }
    }
    bank
}

/// Reads `"key": {entry}` from the start of a text; returns what follows it too.
fn member(text: &str, now: Timestamp) -> Option<(Key, Entry<'_>, &str)> {
    let (key, rest) = first::<String>(text)?;
    let key = Key::parse(&key).ok()?;
    let rest = rest.trim_start().strip_prefix(':')?.trim_start();
    let (raw, rest) = first::<&RawValue>(rest.starts_with('{').then_some(rest)?)?;
    let entry = Entry::parse(raw.get(), now).ok()?;
    // An object with a value is an entry only if it has an entry's times too; a value may look alike.
    (raw.get().contains("\"created_at\"") && Json::parse(&entry.value).is_ok()).then_some((key, entry, rest))
}

/// Reads one JSON value from the start of a text; returns what follows it too.
fn first<'a, T: Deserialize<'a>>(text: &'a str) -> Option<(T, &'a str)> {
    let mut stream = serde_json::Deserializer::from_str(text).into_iter::<T>();
    let value = stream.next()?.ok()?;
    Some((value, &text[stream.byte_offset()..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    const WHOLE: &str = include_str!("../tests/golden/bank.json");

    fn keys(text: &str) -> Vec<String> {
        salvage(text, Timestamp::UNIX_EPOCH).keys().map(str::to_owned).collect()
    }

    #[test]
    fn every_whole_entry_is_found_wherever_the_file_is_cut() {
        for cut in (0..WHOLE.len()).filter(|at| WHOLE.is_char_boundary(*at)) {
            let text = &WHOLE[..cut];
            let whole = ["\"context\": {", "\"digits\": {", "\"中文 \\\"key\\\"\": {"]
                .iter()
                .filter(|start| text.find(*start).is_some_and(|at| text[at..].contains("\n    }")))
                .count();
            assert_eq!(keys(text).len(), whole, "cut at {cut}");
        }
    }

    #[test]
    fn garbage_in_one_entry_leaves_the_others() {
        let broken = WHOLE.replace("\"ttl\": 3600", "\"ttl\": #### \"");
        assert_eq!(keys(&broken), ["context", "中文 \"key\""]);
        assert!(keys("no bank at all").is_empty());
        assert!(keys(&"\"".repeat(10_000)).is_empty());
    }
}
