//! What each operation costs in system calls, compared with a table that is part of the repository.
//!
//! `UPDATE=1 cargo test -p memory-cli costs` writes the table.

#![allow(clippy::disallowed_methods)] // the table is read and written as a file

use std::cell::Cell;
use std::fmt::Write;
use std::path::Path;
use std::sync::Arc;

use memory_core::{Clock, Ids, Silent, Timestamp};
use memory_files::{Costs, RealDisk};
use memory_testkit::{Home, clock};
use serde_json::{Value, json};

use crate::environment::Environment;
use crate::house::{House, build_in};

const TABLE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/src/tests/costs.txt");

/// A home in which each operation is that of a new process, some seconds after the one before.
struct Processes {
    home: Home,
    ids: Ids,
    seconds: Cell<i64>,
    table: String,
}

impl Processes {
    fn new() -> Self {
        let home = Home::new();
        std::fs::create_dir(home.path().join("work")).expect("a folder");
        Processes {
            home,
            ids: Ids::seeded(7),
            seconds: Cell::new(0),
            table: String::new(),
        }
    }

    fn open(&self) -> House {
        self.seconds.set(self.seconds.get() + 60);
        let now = clock().now().as_second() + self.seconds.get();
        let environment = Environment {
            home: Some(self.home.path().to_owned()),
            directory: Some(self.home.path().join("work")),
            clock: Clock::fixed(Timestamp::from_second(now).expect("a time")),
            ids: self.ids.clone(),
            ..Environment::default()
        };
        build_in(environment, Arc::new(RealDisk::default())).expect("the program starts")
    }

    /// Runs a tool, without a row in the table.
    fn prepare(&self, toolset: &str, tool: &str, params: Value) -> Value {
        let reply = self.open().registry.ask(toolset, tool, &params, &Silent);
        reply.unwrap_or_else(|error| panic!("{tool}: {error:?}"))
    }

    /// Runs a tool and adds what it costs to the table.
    fn run(&mut self, operation: &str, toolset: &str, tool: &str, params: Value) -> Value {
        let (reply, costs) = Costs::of(|| self.prepare(toolset, tool, params));
        self.add(operation, costs);
        reply
    }

    fn undo(&mut self, operation: &str) {
        let ((), costs) = Costs::of(|| {
            let house = self.open();
            let step = house.registry.steps().good.remove(0);
            let undone = house.registry.undo(&step).expect("the step is undone");
            assert!(undone.is_some(), "{operation}");
        });
        self.add(operation, costs);
    }

    fn add(&mut self, operation: &str, costs: Costs) {
        let Costs {
            syncs,
            opens,
            stats,
        } = costs;
        writeln!(self.table, "{operation:<44}{syncs:>6}{opens:>8}{stats:>8}").expect("a String");
    }
}

#[test]
#[cfg(debug_assertions)]
fn each_operation_costs_what_the_table_says() {
    let mut processes = Processes::new();
    let heading = ["operation", "syncs", "opens", "stats"];
    writeln!(
        processes.table,
        "{:<44}{:>6}{:>8}{:>8}",
        heading[0], heading[1], heading[2], heading[3]
    )
    .expect("a String");
    notes(&mut processes);
    banks(&mut processes);
    journal(&mut processes);
    conversations(&mut processes);
    compartments(&mut processes);
    if std::env::var_os("UPDATE").is_some() {
        std::fs::write(TABLE, &processes.table).expect("the table is written");
    }
    let expected = std::fs::read_to_string(Path::new(TABLE)).expect("the table is read");
    assert!(
        expected == processes.table,
        "the costs differ from {TABLE}; UPDATE=1 writes them there:\n{}",
        processes.table
    );
}

fn id_of(reply: &Value) -> String {
    reply["id"].as_str().expect("an id").to_owned()
}

fn notes(processes: &mut Processes) {
    let note = |text: &str| json!({ "content": text, "category": "knowledge" });
    processes.prepare("notes", "memory_write", note("The build runs on two cores"));
    let write = |processes: &mut Processes, operation: &str, text: &str| {
        id_of(&processes.run(operation, "notes", "memory_write", note(text)))
    };
    let first = write(processes, "note: add", "The linter is clippy");
    let second = write(
        processes,
        "note: add another",
        "Deploy from the release branch",
    );
    processes.run(
        "note: add a text that exists",
        "notes",
        "memory_write",
        note("The linter is clippy"),
    );
    processes.run("note: read", "notes", "memory_read", json!({ "id": first }));
    processes.run(
        "note: search",
        "notes",
        "memory_search",
        json!({ "query": "linter" }),
    );
    processes.run("note: list", "notes", "memory_list", json!({}));
    processes.run(
        "note: tag",
        "notes",
        "memory_tag",
        json!({ "id": first, "tags": ["rust"] }),
    );
    let link = json!({ "source": first, "target": second });
    processes.run("note: link two", "notes", "link", link.clone());
    processes.run(
        "note: delete a linked one",
        "notes",
        "memory_delete",
        json!({ "id": second }),
    );
    processes.undo("note: undo the deletion");
    let unlink = json!({ "source": first, "target": second, "remove": true });
    processes.run("note: unlink", "notes", "link", unlink);
    processes.run(
        "note: delete one without links",
        "notes",
        "memory_delete",
        json!({ "id": second }),
    );
    processes.run("note: restore", "notes", "restore", json!({ "id": second }));
}

fn banks(processes: &mut Processes) {
    let write = |key: &str, value: i64| json!({ "bank": "session", "key": key, "value": value });
    let key = |key: &str| json!({ "bank": "session", "key": key });
    processes.prepare("banks", "memory_write", write("a", 1));
    processes.run(
        "bank: write a new key",
        "banks",
        "memory_write",
        write("b", 1),
    );
    processes.run(
        "bank: overwrite a value",
        "banks",
        "memory_write",
        write("b", 2),
    );
    let mut update = key("b");
    update["filter"] = json!(". + 1");
    processes.run("bank: update a value", "banks", "memory_update", update);
    processes.run("bank: read a key", "banks", "memory_read", key("b"));
    processes.run("bank: delete a key", "banks", "memory_delete", key("b"));
    processes.undo("bank: undo the deletion");
    processes.run(
        "bank: delete the bank",
        "banks",
        "memory_delete",
        json!({ "bank": "session" }),
    );
    processes.undo("bank: undo the deletion of the bank");
}

fn journal(processes: &mut Processes) {
    let add = |text: &str| json!({ "type": "learning", "content": text });
    processes.prepare(
        "journal",
        "store_memory",
        add("Sleep is no synchronization"),
    );
    let id = id_of(&processes.run(
        "journal: add",
        "journal",
        "store_memory",
        add("Test before commit"),
    ));
    processes.run(
        "journal: query",
        "journal",
        "query_memories",
        json!({ "text": "commit" }),
    );
    let update = json!({ "id": id, "content": "Test before each commit" });
    processes.run("journal: update", "journal", "update_memory", update);
    processes.run(
        "journal: delete",
        "journal",
        "delete_memory",
        json!({ "id": id }),
    );
    processes.undo("journal: undo the deletion");
    let delete = json!({ "id": id, "permanent": true });
    processes.run(
        "journal: delete for good",
        "journal",
        "delete_memory",
        delete,
    );
}

fn conversations(processes: &mut Processes) {
    let add = |text: &str| json!({ "memories": [{ "content": text, "conversation_id": "work" }] });
    processes.prepare(
        "conversations",
        "conversation_add",
        add("The user lives in Oslo"),
    );
    let reply = processes.run(
        "conversation: add a fact",
        "conversations",
        "conversation_add",
        add("The user likes tea"),
    );
    let id = id_of(&reply["added"][0]);
    let edit = json!({ "id": id, "content": "The user likes green tea" });
    let edited = processes.run(
        "conversation: edit a fact",
        "conversations",
        "conversation_edit",
        edit,
    );
    processes.run(
        "conversation: forget a fact",
        "conversations",
        "conversation_forget",
        json!({ "id": id_of(&edited) }),
    );
    processes.undo("conversation: undo the deletion of the fact");
    let exchange = |text: &str| {
        let messages = json!([{ "role": "user", "content": text }]);
        json!({ "conversation": "work", "messages": messages, "content": "Yes" })
    };
    processes.prepare("conversations", "record_exchange", exchange("Is it late?"));
    processes.run(
        "conversation: record an exchange",
        "conversations",
        "record_exchange",
        exchange("Is it cold?"),
    );
    processes.run(
        "conversation: extract facts",
        "conversations",
        "drain",
        json!({}),
    );
    processes.run(
        "conversation: search",
        "conversations",
        "conversation_search",
        json!({ "query": "tea" }),
    );
    processes.run(
        "conversation: delete",
        "conversations",
        "conversation_delete",
        json!({ "conversation": "work" }),
    );
    processes.undo("conversation: undo the deletion");
}

fn compartments(processes: &mut Processes) {
    let save = |text: &str| json!({ "compartment": "session", "content": text });
    let memory = || json!({ "compartment": "session" });
    processes.prepare("compartments", "save_memory", save("Plan: read the code"));
    let saved = processes.run(
        "compartment: save",
        "compartments",
        "save_memory",
        save("Plan: write the tests"),
    );
    processes.run("compartment: get", "compartments", "get_memory", memory());
    let one = json!({ "compartment": "session", "id": id_of(&saved) });
    processes.run(
        "compartment: clear an entry",
        "compartments",
        "clear_memory",
        one,
    );
    processes.run(
        "compartment: clear",
        "compartments",
        "clear_memory",
        memory(),
    );
    processes.undo("compartment: undo the clearing");
}
