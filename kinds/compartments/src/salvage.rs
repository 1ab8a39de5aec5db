//! Getting the whole entries out of a file that is broken.
//!
//! The text is read from brace to brace: an object that is an entry is taken, and belongs to the
//! compartment whose name was seen last. What is torn or overwritten is lost; the rest is not.

use memory_core::leading_json;
use serde_json::value::RawValue;

use crate::format::{Contents, Slot};
use crate::{Compartment, limits};

/// Returns all entries that can be read, whatever stands between them.
pub(crate) fn salvage(text: &str) -> Contents {
    let mut contents = Contents::default();
    // Entries before the name of any compartment are nobody's but must not be lost.
    let mut compartment = Compartment::Session;
    let mut budget = limits::SALVAGE_BYTES;
    let mut rest = text;
    while let Some(at) = rest.find(['"', '{']) {
        rest = &rest[at..];
        if let Some(named) = compartment_named(rest) {
            compartment = named;
        }
        rest = match entry(rest) {
            Ok((slot, after)) => {
                if slot
                    .entry
                    .as_ref()
                    .is_ok_and(|entry| !contents.has_id(&entry.id))
                {
                    contents.slots_mut(compartment).push(slot);
                }
                after
            }
            Err(looked_at) => {
                let Some(left) = budget.checked_sub(looked_at) else {
                    break;
                };
                budget = left;
                &rest[1..]
            }
        };
    }
    contents
}

/// Returns the compartment whose list begins here: `"plan": [`.
fn compartment_named(text: &str) -> Option<Compartment> {
    Compartment::ALL.into_iter().find(|compartment| {
        let after = text
            .strip_prefix('"')
            .and_then(|text| text.strip_prefix(compartment.as_str()));
        let value = after.and_then(|text| text.strip_prefix('"')?.trim_start().strip_prefix(':'));
        value.is_some_and(|value| value.trim_start().starts_with(['[', '{']))
    })
}

/// Reads an entry from the start of a text; if there is none, returns how much it took to see that.
fn entry(text: &str) -> Result<(Slot, &str), usize> {
    if !text.starts_with('{') {
        return Err(0);
    }
    let (raw, rest) = leading_json::<&RawValue>(text)?;
    let slot = Slot::read(raw.get());
    if slot.entry.is_ok() {
        Ok((slot, rest))
    } else {
        Err(raw.get().len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const WHOLE: &str = include_str!("../tests/golden/memory.json");

    fn ids(text: &str) -> Vec<String> {
        let contents = salvage(text);
        let of = |one: Compartment| {
            contents
                .entries(one)
                .map(move |entry| format!("{one}/{}", entry.id))
        };
        Compartment::ALL.into_iter().flat_map(of).collect()
    }

    #[test]
    fn every_whole_entry_is_found_wherever_the_file_is_cut() {
        let all = ids(WHOLE);
        assert_eq!(all.len(), 4);
        for cut in (0..WHOLE.len()).filter(|at| WHOLE.is_char_boundary(*at)) {
            let whole = WHOLE[..cut].matches("\n    }").count();
            assert_eq!(ids(&WHOLE[..cut]), all[..whole], "cut at {cut}");
        }
    }

    #[test]
    fn garbage_in_one_entry_leaves_the_others() {
        let broken = WHOLE.replacen("\"priority\": 8", "\"priority\": ###\"", 1);
        assert_eq!(ids(&broken).len(), 3);
        assert!(ids("no memory at all").is_empty());
    }

    #[test]
    fn a_text_made_to_be_read_for_ever_ends() {
        assert!(ids(&"{\"a\":".repeat(50_000)).is_empty());
    }
}
