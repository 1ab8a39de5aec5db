//! Compartments keep what every kind of memory owes its users.

use std::sync::Arc;

use memory_compartments::format::Contents;
use memory_core::{Address, Kind, Result};
use memory_files::Disk;
use memory_testkit::Home;
use memory_testkit::conformance::Subject;
use serde_json::{Value, json};

use crate::common::call;

struct Subjects;

fn question(n: usize) -> Value {
    json!({"compartment": "session", "category": format!("memory-{n}")})
}

/// Returns the ids and contents of memory number `n`, the newest last.
fn versions(kind: &dyn Kind, n: usize) -> Result<Vec<(String, String)>> {
    let reply = call(kind, "get_memory", question(n))?;
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let entries = reply["entries"].as_array().unwrap();
    Ok(entries
        .iter()
        .map(|entry| (text(&entry["id"]), text(&entry["content"])))
        .collect())
}

impl Subject for Subjects {
    fn open(&self, home: &Home, disk: Arc<dyn Disk>) -> Box<dyn Kind> {
        Box::new(crate::common::open_on(home, disk))
    }

    fn write(&self, kind: &dyn Kind, n: usize, text: &str) -> Result<Address> {
        let mut params = question(n);
        params["content"] = text.into();
        let saved = call(kind, "save_memory", params)?["id"]
            .as_str()
            .unwrap()
            .to_owned();
        // Entries are saved and cleared, never replaced: the newest counts, then the others go.
        for (old, _) in versions(kind, n)?
            .into_iter()
            .filter(|(id, _)| *id != saved)
        {
            call(
                kind,
                "clear_memory",
                json!({"compartment": "session", "id": old}),
            )?;
        }
        Ok(Address::new("compartments", format!("session/{saved}")))
    }

    fn read(&self, kind: &dyn Kind, n: usize) -> Result<Option<String>> {
        Ok(versions(kind, n)?.pop().map(|(_, content)| content))
    }

    fn damage(&self, home: &Home, n: usize) {
        let text = crate::common::text(home);
        let broken = text.replace(&format!("\"content\": \"memory {n}\""), "\"cnotent\": 0");
        assert_ne!(broken, text);
        crate::common::put(home, broken);
    }

    fn golden(&self) -> (Vec<u8>, Vec<u8>) {
        let kept = include_str!("../golden/memory.json");
        (
            kept.into(),
            Contents::parse(kept).unwrap().render().into_bytes(),
        )
    }
}

memory_testkit::keeps_every_promise!(Subjects);
