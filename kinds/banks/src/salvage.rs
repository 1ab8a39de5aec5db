//! Getting the whole entries out of a bank's file that is broken.
//!
//! The text is read entry by entry: `"key": { … "value" … }`. Where that fails, reading goes on at
//! the next quote from which it succeeds again. What is torn or overwritten is lost; the rest is not.

use memory_core::{Json, Timestamp, leading_json};
use serde_json::value::RawValue;

use crate::Key;
use crate::entry::Entry;
use crate::format::{Bank, Meta};
use crate::limits;

/// Returns a bank of all entries that could be read, with what is said of it if that is whole.
pub(crate) fn salvage(text: &str, now: Timestamp) -> Bank<'_> {
    let mut bank = Bank::new(now);
    if let Some(meta) = meta(text) {
        bank.meta = meta;
    }
    let begin = text
        .find("\"entries\"")
        .map_or(0, |at| at + "\"entries\"".len());
    let mut rest = &text[begin..];
    // A text made to be read again and again from every quote must not keep us for ever.
    let mut budget = limits::SALVAGE_BYTES;
    while let Some(quote) = rest.find('"') {
        rest = &rest[quote..];
        let before = rest.len();
        match member(rest, now) {
            Ok((key, entry, after)) => {
                bank.put(key.as_str(), &entry);
                rest = after;
            }
            Err(looked_at) => {
                let Some(left) = budget.checked_sub(looked_at.min(before)) else {
                    break;
                };
                budget = left;
                rest = &rest[1..];
            }
        }
    }
    bank
}

fn meta(text: &str) -> Option<Meta> {
    let after = text
        .split_once("\"_meta\"")?
        .1
        .trim_start()
        .strip_prefix(':')?;
    let (raw, _) = leading_json::<&RawValue>(after.trim_start()).ok()?;
    Meta::parse(raw.get()).ok()
}

/// Reads `"key": {entry}` from the start of a text; returns what follows it too.
///
/// When there is none, returns how many bytes it took to see that.
fn member(text: &str, now: Timestamp) -> Result<(Key, Entry<'_>, &str), usize> {
    let (key, rest) = leading_json::<String>(text)?;
    let near = text.len() - rest.len();
    let key = Key::parse(&key).map_err(|_| near)?;
    let rest = rest
        .trim_start()
        .strip_prefix(':')
        .ok_or(near)?
        .trim_start();
    let (raw, rest) = leading_json::<&RawValue>(if rest.starts_with('{') {
        rest
    } else {
        return Err(near);
    })?;
    let far = text.len() - rest.len();
    let entry = Entry::parse(raw.get(), now).map_err(|_| far)?;
    let is_entry = entry.is_shaped_like_one(raw.get()) && Json::parse_value(&entry.value).is_ok();
    if is_entry {
        Ok((key, entry, rest))
    } else {
        Err(far)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const WHOLE: &str = include_str!("../tests/golden/bank.json");

    fn keys(text: &str) -> Vec<String> {
        salvage(text, Timestamp::UNIX_EPOCH)
            .keys()
            .map(str::to_owned)
            .collect()
    }

    #[test]
    fn every_whole_entry_is_found_wherever_the_file_is_cut() {
        for cut in (0..WHOLE.len()).filter(|at| WHOLE.is_char_boundary(*at)) {
            let text = &WHOLE[..cut];
            let whole = ["\"context\": {", "\"digits\": {", "\"中文 \\\"key\\\"\": {"]
                .iter()
                .filter(|start| {
                    text.find(*start)
                        .is_some_and(|at| text[at..].contains("\n    }"))
                })
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

    #[test]
    fn hand_written_entries_and_the_schema_are_kept() {
        let text = r#"{"_meta":{"version":1,"schema":{"type":"number"}},"entries":{"a":{"value":1},"b":{"value":2},}}"#;
        assert_eq!(keys(text), ["a", "b"]);
        assert!(salvage(text, Timestamp::UNIX_EPOCH).meta.schema.is_some());
        assert_eq!(keys(r#"{"entries":{"a":{"value":1}}}"#), ["a"]);
        // Something inside of a torn value that only looks like an entry is none.
        assert!(
            keys(r#"{"_meta":{},"entries":{"torn":{"value":{"x":{"value":1,"other":2}"#).is_empty()
        );
    }

    #[test]
    fn a_text_made_to_be_read_for_ever_ends() {
        assert!(keys(&"\"a\":{".repeat(100_000)).is_empty());
    }
}
