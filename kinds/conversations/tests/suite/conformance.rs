//! What every kind promises.

use std::sync::Arc;

use memory_conversations::{ConversationId, Conversations, Settings, Shelf, format};
use memory_core::{Address, Code, Error, Kind, Result, parse_instant};
use memory_files::Disk;
use memory_testkit::Home;
use memory_testkit::conformance::Subject;
use serde_json::json;

use crate::common::{call, contents, root, store, text};

struct Subjects;

impl Subject for Subjects {
    fn open(&self, home: &Home, disk: Arc<dyn Disk>) -> Box<dyn Kind> {
        Box::new(Conversations::new(store(home, disk, Settings::default())))
    }

    fn write(&self, kind: &dyn Kind, n: usize, words: &str) -> Result<Address> {
        let conversation = format!("c{n}");
        let shown = call(
            kind,
            "conversation_show",
            json!({ "conversation": conversation }),
        );
        let shown = match shown {
            Ok(shown) if shown["flaws"].is_array() => {
                return Err(Error::new(Code::IoError, "not all was read"));
            }
            Err(error) if error.code != Code::NotFound => return Err(error),
            shown => shown.ok(),
        };
        let id = match shown.and_then(|shown| Some(text(&shown["facts"].get(0)?["id"]))) {
            Some(id) => {
                call(
                    kind,
                    "conversation_edit",
                    json!({ "id": id, "content": words }),
                )?;
                id
            }
            None => {
                let params =
                    json!({ "memories": [{ "content": words }], "conversation": conversation });
                text(&call(kind, "conversation_add", params)?["added"][0]["id"])
            }
        };
        Ok(Address::new("conversations", id))
    }

    fn read(&self, kind: &dyn Kind, n: usize) -> Result<Option<String>> {
        let shown = call(
            kind,
            "conversation_show",
            json!({ "conversation": format!("c{n}") }),
        );
        Ok(shown.ok().and_then(|shown| contents(&shown["facts"]).pop()))
    }

    fn damage(&self, home: &Home, n: usize) {
        let folder = root(home).join(format!("entries/c{n}/facts"));
        let file = std::fs::read_dir(folder)
            .unwrap()
            .next()
            .unwrap()
            .unwrap()
            .path();
        let text = std::fs::read_to_string(&file).unwrap();
        std::fs::write(
            file,
            text.replace("created_at: 2026", "created_at: yesterday"),
        )
        .unwrap();
    }

    fn golden(&self) -> (Vec<u8>, Vec<u8>) {
        let kept = include_str!("../golden/fact.md");
        let hints = format::Hints {
            id: "x".into(),
            shelf: Shelf::Facts,
            conversation: ConversationId::parse("x").ok(),
            created_at: parse_instant("2026-01-01T00:00:00Z").unwrap(),
        };
        (
            kept.into(),
            format::render(&format::parse(kept, &hints).unwrap()).into_bytes(),
        )
    }
}

memory_testkit::keeps_every_promise!(Subjects);
