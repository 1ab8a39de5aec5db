//! An agent's loop with a memory of three compartments, against a model that follows a script.
//!
//! Run it with `cargo run -p memory-compartments --example agent_loop`. The memory lies in a folder
//! that goes away with it. With a real model, only `Scripted::answer` is another.

#![allow(clippy::print_stdout)] // an example shows what happens

use std::error::Error;

use memory_compartments::{Compartment, Config, Filter, Memory, Run};
use serde_json::{Value, json};

/// What a model answers: tools to call, or words to end with.
enum Answer {
    Calls(Vec<(&'static str, Value)>),
    Says(&'static str),
}

/// A model that knows its lines.
struct Scripted {
    lines: std::vec::IntoIter<Answer>,
}

impl Scripted {
    fn new(lines: Vec<Answer>) -> Self {
        Scripted {
            lines: lines.into_iter(),
        }
    }

    /// A real model would be sent all of this.
    fn answer(&mut self, _system: &str, messages: &[Value], tools: &[Value]) -> Answer {
        println!(
            "  model: {} messages, {} tools",
            messages.len(),
            tools.len()
        );
        self.lines
            .next()
            .unwrap_or(Answer::Says("I have nothing to add"))
    }
}

/// Asks the model until it has something to say.
fn work(run: &Run, task: &str, model: &mut Scripted) -> Result<&'static str, Box<dyn Error>> {
    let tools: Vec<Value> = run.tools().iter().map(|tool| tool.openai()).collect();
    let mut messages = vec![json!({ "role": "user", "content": task })];
    loop {
        // The run's memory stands in every call; what others have saved must be asked for.
        let prompt = run.prompt()?;
        let mut sent = messages.clone();
        if prompt.has_memory {
            sent.push(json!({ "role": "user", "content": prompt.memory_content }));
        }
        match model.answer(&prompt.system, &sent, &tools) {
            Answer::Says(words) => return Ok(words),
            Answer::Calls(calls) => {
                for (name, arguments) in calls {
                    // A mistake is the model's to see and to mend: it does not end the loop.
                    let reply = run.call(name, &arguments.to_string());
                    let reply = reply.unwrap_or_else(|error| error.to_value().to_string());
                    println!("  {name} {arguments}\n    → {reply}");
                    messages.push(json!({ "role": "tool", "name": name, "content": reply }));
                }
            }
        }
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let home = tempfile::tempdir()?;
    let memory = Memory::open(Config {
        storage_path: home.path().join("memory.json"),
        ..Config::default()
    })?;

    println!("First run: the agent plans, makes a mistake, and learns something.");
    let run = memory.begin_run();
    let mut model = Scripted::new(vec![
        Answer::Calls(vec![
            (
                "save_memory",
                json!({ "compartment": "plan", "content": "1. read the log 2. find the cause" }),
            ),
            (
                "save_memory",
                json!({ "compartment": "run", "content": "Reading the log", "priority": 11 }),
            ),
        ]),
        Answer::Calls(vec![
            (
                "save_memory",
                json!({ "compartment": "run", "content": "Reading the log", "priority": 8 }),
            ),
            (
                "save_memory",
                json!({ "compartment": "session", "content": "The log is in UTC", "tags": ["log"] }),
            ),
        ]),
        Answer::Says("The disk was full at 03:12."),
    ]);
    println!(
        "  agent: {}",
        work(&run, "Why did the night job fail?", &mut model)?
    );

    println!("A sub-agent works beside it, in a run of its own.");
    let helper = memory.begin_run();
    println!(
        "  sees of the run: {}",
        helper.get(Compartment::Run, &Filter::all())?.len()
    );
    println!(
        "  sees of the session: {}",
        helper.get(Compartment::Session, &Filter::all())?.len()
    );
    drop(helper);

    println!(
        "The first run ends; its memory is cleared: {} entry",
        run.end()?.len()
    );

    println!("Second run: what the session knows is still there.");
    let run = memory.begin_run();
    let mut model = Scripted::new(vec![
        Answer::Calls(vec![(
            "get_memory",
            json!({ "compartment": "session", "tags": ["log"] }),
        )]),
        Answer::Calls(vec![("clear_memory", json!({ "compartment": "plan" }))]),
        Answer::Says("03:12 UTC is 05:12 in Berlin."),
    ]);
    println!(
        "  agent: {}",
        work(&run, "When was that in Berlin?", &mut model)?
    );
    Ok(())
}
