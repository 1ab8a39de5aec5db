//! Notes keep what every kind of memory owes its users.

use std::sync::Arc;

use memory_core::{Address, Kind, Result, Timestamp};
use memory_files::Disk;
use memory_notes::format::{self, Hints};
use memory_notes::{Category, NoteId};
use memory_testkit::Home;
use memory_testkit::conformance::Subject;
use serde_json::json;

struct Subjects;

fn id(n: usize) -> String {
    format!("memory-{n:04}")
}

impl Subject for Subjects {
    fn open(&self, home: &Home, disk: Arc<dyn Disk>) -> Box<dyn Kind> {
        Box::new(crate::common::open_on(home, disk))
    }

    fn write(&self, kind: &dyn Kind, n: usize, text: &str) -> Result<Address> {
        let line =
            json!({"id": id(n), "content": text, "created_at": memory_testkit::NOW}).to_string();
        crate::common::call(kind, "import", json!({ "lines": line, "prefer": "theirs" }))?;
        Ok(Address::new("notes", id(n)))
    }

    fn read(&self, kind: &dyn Kind, n: usize) -> Result<Option<String>> {
        let found = crate::common::notes(kind).remove(&id(n));
        Ok(found.map(|note| crate::common::text(&note["content"])))
    }

    fn damage(&self, home: &Home, n: usize) {
        let path = crate::common::file(home, &id(n));
        let text = std::fs::read_to_string(&path).unwrap();
        let broken = text.replace("created_at: 2026-05-07T10:00:00Z", "created_at: nonsense");
        assert_ne!(broken, text);
        std::fs::write(path, broken).unwrap();
    }

    fn golden(&self) -> (Vec<u8>, Vec<u8>) {
        let kept = include_str!("../golden/note.md");
        let hints = Hints {
            id: NoteId::parse("other").unwrap(),
            category: Category::Inbox,
            modified: Timestamp::UNIX_EPOCH,
        };
        (
            kept.into(),
            format::render(&format::parse(kept, &hints).unwrap()).into_bytes(),
        )
    }
}

memory_testkit::keeps_every_promise!(Subjects);
