//! The file as bytes: parse, render, and nothing else.
//!
//! An entry that nobody changes stays the text it is, one that can't be read too. No path, clock or
//! lock appears here.

use memory_core::{Fields, json_string};
use memory_steps::count;
use memory_storage::Counts;
use serde_json::value::RawValue;

use crate::change::address;
use crate::entry::with_count;
use crate::{Compartment, Entry};

/// Everything that the file holds.
#[derive(Debug, Clone, Default)]
pub struct Contents {
    slots: [Vec<Slot>; 3],
    /// Members that we do not know.
    unknown: Vec<(String, String)>,
}

/// A place in a compartment: a text, and the entry that it is or what is wrong with it.
#[derive(Debug, Clone)]
pub(crate) struct Slot {
    pub(crate) text: String,
    pub(crate) entry: Result<Entry, String>,
}

impl Slot {
    /// Returns the slot of an entry as we write it.
    pub(crate) fn of(entry: Entry) -> Self {
        Slot {
            text: entry.render(),
            entry: Ok(entry),
        }
    }

    /// Adds to the number of accesses.
    pub(crate) fn add_count(&mut self, count: u64) {
        let Ok(entry) = &mut self.entry else { return };
        if count > 0 {
            entry.access_count = entry.access_count.saturating_add(count);
            let count = entry.access_count.to_string();
            self.text = with_count(&self.text, &count).unwrap_or_else(|| entry.render());
        }
    }

    pub(crate) fn read(text: &str) -> Self {
        Slot {
            text: text.to_owned(),
            entry: Entry::parse(text),
        }
    }
}

impl Contents {
    /// Reads the file, or says why it can't be: then no part of it may be taken for the whole.
    ///
    /// A compartment is a list of entries; an object of them, by their ids, is read too.
    pub fn parse(text: &str) -> Result<Self, String> {
        let text = text.trim_start_matches('\u{feff}');
        if text.trim().is_empty() {
            return Err("the file is empty".to_owned());
        }
        let fields = Fields::parse(text).map_err(|error| error.to_string())?;
        let mut contents = Contents {
            unknown: fields.except(&NAMES),
            ..Contents::default()
        };
        for compartment in Compartment::ALL {
            let mut members = fields
                .iter()
                .filter(|(name, _)| *name == compartment.as_str());
            if let Some((_, raw)) = members.next().filter(|(_, raw)| raw.get() != "null") {
                *contents.slots_mut(compartment) = slots(compartment, raw)?;
            }
            if members.next().is_some() {
                return Err(format!("'{compartment}' occurs more than once"));
            }
        }
        Ok(contents)
    }

    /// Renders the file.
    pub fn render(&self) -> String {
        let mut members: Vec<String> = Compartment::ALL
            .map(|compartment| self.render_one(compartment))
            .into();
        members.extend(
            self.unknown
                .iter()
                .map(|(name, value)| format!("{}: {value}", json_string(name))),
        );
        format!("{{\n  {}\n}}\n", members.join(",\n  "))
    }

    fn render_one(&self, compartment: Compartment) -> String {
        let texts: Vec<&str> = self
            .slots(compartment)
            .iter()
            .map(|slot| slot.text.as_str())
            .collect();
        if texts.is_empty() {
            format!("\"{compartment}\": []")
        } else {
            format!("\"{compartment}\": [\n    {}\n  ]", texts.join(",\n    "))
        }
    }

    /// Returns the entries of a compartment that can be read, in their order.
    pub fn entries(&self, compartment: Compartment) -> impl Iterator<Item = &Entry> {
        self.slots(compartment)
            .iter()
            .filter_map(|slot| slot.entry.as_ref().ok())
    }

    pub(crate) fn slots(&self, compartment: Compartment) -> &[Slot] {
        &self.slots[compartment as usize]
    }

    pub(crate) fn slots_mut(&mut self, compartment: Compartment) -> &mut Vec<Slot> {
        &mut self.slots[compartment as usize]
    }

    /// Adds the accesses that were counted beside the file.
    pub(crate) fn add_counts(&mut self, counts: &Counts) {
        for compartment in Compartment::ALL {
            for slot in self.slots_mut(compartment) {
                if let Ok(entry) = &slot.entry {
                    slot.add_count(counts.own(&address(compartment, &entry.id)));
                }
            }
        }
    }

    /// Returns how many entries can be read, of all compartments.
    pub(crate) fn len(&self) -> usize {
        Compartment::ALL
            .iter()
            .map(|compartment| self.entries(*compartment).count())
            .sum()
    }

    /// Says whether an entry has this id, in any compartment.
    pub(crate) fn has_id(&self, id: &str) -> bool {
        Compartment::ALL
            .iter()
            .any(|compartment| self.entries(*compartment).any(|entry| entry.id == id))
    }
}

const NAMES: [&str; 3] = ["run", "session", "plan"];

fn slots(compartment: Compartment, raw: &RawValue) -> Result<Vec<Slot>, String> {
    let texts: Vec<&RawValue> = if raw.get().starts_with('{') {
        let by_id = Fields::parse(raw.get()).map_err(|error| error.to_string())?;
        by_id.into_iter().map(|(_, entry)| entry).collect()
    } else {
        serde_json::from_str(raw.get())
            .map_err(|_| format!("its '{compartment}' is neither a list nor an object"))?
    };
    let mut slots: Vec<Slot> = Vec::with_capacity(texts.len());
    let mut seen = std::collections::HashSet::new();
    for text in texts {
        count(1);
        let mut slot = Slot::read(text.get());
        if slot
            .entry
            .as_ref()
            .is_ok_and(|entry| !seen.insert(entry.id.clone()))
        {
            slot.entry = Err("its id belongs to another entry".to_owned());
        }
        slots.push(slot);
    }
    Ok(slots)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Entries with all members and with the fewest, and members of a program to come.
    const GOLDEN: &str = include_str!("../tests/golden/memory.json");

    #[test]
    fn rendering_what_was_parsed_gives_back_the_same_bytes() {
        let contents = Contents::parse(GOLDEN).unwrap();
        assert_eq!(contents.render(), GOLDEN);
        assert!(
            Compartment::ALL
                .iter()
                .all(|one| contents.slots(*one).iter().all(|slot| slot.entry.is_ok()))
        );
    }

    #[test]
    fn a_partial_file_is_read() {
        let empty = "{\n  \"run\": [],\n  \"session\": [],\n  \"plan\": []\n}\n";
        for text in ["{}", "\u{feff}{\"plan\":null}", empty] {
            assert_eq!(Contents::parse(text).unwrap().render(), empty, "{text:?}");
        }
    }

    #[test]
    fn an_object_by_ids_is_read_too_and_becomes_a_list() {
        let text = r#"{"session":{"a":{"id":"a","content":"c"}}}"#;
        let contents = Contents::parse(text).unwrap();
        assert_eq!(contents.entries(Compartment::Session).count(), 1);
        assert!(
            contents
                .render()
                .contains("\"session\": [\n    {\"id\":\"a\",\"content\":\"c\"}\n  ]")
        );
    }

    #[test]
    fn what_is_no_memory_says_why() {
        let flaw = |text| Contents::parse(text).unwrap_err();
        assert_eq!(
            flaw(r#"{"run":3}"#),
            "its 'run' is neither a list nor an object"
        );
        assert_eq!(
            flaw(r#"{"plan":[],"plan":[]}"#),
            "'plan' occurs more than once"
        );
        assert_eq!(
            (flaw(""), flaw(" \n")),
            ("the file is empty".into(), "the file is empty".into())
        );
        assert!(flaw("[]").contains("expected an object"));
        assert!(flaw(r#"{"run":["#).contains("EOF"));
    }

    #[test]
    fn a_bad_entry_and_a_second_one_of_the_same_id_stay_as_they_are() {
        let text = r#"{"run":[{"id":"a","content":"c"},7,{"id":"a","content":"d"}]}"#;
        let contents = Contents::parse(text).unwrap();
        assert_eq!(contents.entries(Compartment::Run).count(), 1);
        let again = contents.render();
        assert!(
            again.contains("    7,\n    {\"id\":\"a\",\"content\":\"d\"}\n"),
            "{again}"
        );
    }

    #[test]
    fn a_file_of_many_entries_is_read_in_linear_time() {
        // The JSON parser is not ours: it is given files up to a limit.
        for entry in [
            r#"{"id":"ID","content":"a"},"#,
            r#"{"id":"a","content":"a"},"#,
            "3,",
        ] {
            let text = |n: usize| {
                let entries: String = (0..n)
                    .map(|n| entry.replace("ID", &n.to_string()))
                    .collect();
                format!(r#"{{"session":[{}null]}}"#, entries)
            };
            let growth = memory_steps::Growth::of(1_000, text, |text| drop(Contents::parse(&text)));
            assert!(growth.is_linear(), "{entry}: {growth:?}");
        }
    }
}
