//! The journal keeps what every kind of memory owes its users.

use std::sync::Arc;

use memory_core::{Address, Kind, Result, Survey};
use memory_files::Disk;
use memory_journal::{join, lines};
use memory_testkit::conformance::Subject;
use memory_testkit::{Home, clock};
use serde_json::json;

use crate::common::{call, open_on, path};

struct Subjects;

fn found(kind: &dyn Kind, n: usize) -> Survey<(Address, String)> {
    let Survey { mut good, flaws } = kind.documents(clock().now());
    good.retain(|document| document.labels.contains(&format!("tag:n{n}")));
    Survey {
        good: good
            .into_iter()
            .map(|ours| (ours.address, ours.text))
            .collect(),
        flaws,
    }
}

impl Subject for Subjects {
    fn open(&self, home: &Home, disk: Arc<dyn Disk>) -> Box<dyn Kind> {
        Box::new(open_on(home, disk))
    }

    fn write(&self, kind: &dyn Kind, n: usize, text: &str) -> Result<Address> {
        let reply = match found(kind, n).complete()?.first() {
            Some((address, _)) => call(
                kind,
                "update_memory",
                json!({"id": address.id, "content": text}),
            )?,
            None => {
                let tags = json!([format!("n{n}")]);
                call(
                    kind,
                    "store_memory",
                    json!({"type": "core", "content": text, "tags": tags}),
                )?
            }
        };
        Ok(Address::new("journal", reply["id"].as_str().unwrap()))
    }

    fn read(&self, kind: &dyn Kind, n: usize) -> Result<Option<String>> {
        Ok(found(kind, n).good.into_iter().next().map(|(_, text)| text))
    }

    fn damage(&self, home: &Home, n: usize) {
        let at = path(home, "core_memories.jsonl");
        let text = std::fs::read_to_string(&at).unwrap();
        let broken = text.replace(&format!("\"content\":\"memory {n}\""), "\"content\":");
        assert_ne!(broken, text);
        std::fs::write(at, broken).unwrap();
    }

    fn golden(&self) -> (Vec<u8>, Vec<u8>) {
        let kept = include_bytes!("../golden/tasks.jsonl");
        (
            kept.to_vec(),
            join(lines(kept).iter().map(|(_, line)| line)),
        )
    }
}

memory_testkit::keeps_every_promise!(Subjects);
