//! A run in the hands of an agent's loop: its tools, its prompt, and its end.

use std::sync::Arc;

use memory_core::{Actor, Call, Clock, Code, Error, Result, Tool};
use serde::Serialize;
use serde_json::value::to_raw_value;
use serde_json::{Map, Value, json};

use crate::filter::Filter;
use crate::store::Store;
use crate::{Compartment, Entry, NewEntry, PromptSection, RunId, tools};

/// A run, which clears its memory when it ends or is dropped.
///
/// ```
/// use memory_compartments::{Compartment, Config, Filter, Memory};
///
/// # let folder = tempfile::tempdir()?;
/// # let storage_path = folder.path().join("memory.json");
/// let memory = Memory::open(Config { storage_path, ..Config::default() })?;
/// {
///     let run = memory.run("nightly")?;
///     let answer = run.call("save_memory", r#"{"compartment": "run", "content": "halfway"}"#)?;
///     assert!(answer.contains(r#""size":7"#));
///     assert!(run.prompt()?.memory_content.contains("halfway"));
/// } // dropped: the run has ended
/// assert!(!memory.run("nightly")?.prompt()?.has_memory);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Run {
    store: Arc<Store>,
    clock: Clock,
    id: RunId,
    tools: Vec<Tool>,
    has_ended: bool,
}

/// A tool as a model is told of it.
///
/// ```
/// use memory_compartments::{Config, Memory};
///
/// let run = Memory::open(Config::default())?.begin_run();
/// let first = &run.tools()[0];
/// assert_eq!(first.openai()["function"]["name"], "save_memory");
/// assert_eq!(first.anthropic()["input_schema"]["required"][0], "compartment");
/// # Ok::<(), memory_core::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ToolDefinition {
    pub name: &'static str,
    pub description: &'static str,
    /// The JSON Schema of its parameters.
    pub parameters: Value,
}

impl ToolDefinition {
    /// Returns it as OpenAI's chat completions take it, and all that are compatible with them.
    pub fn openai(&self) -> Value {
        json!({ "type": "function", "function": self })
    }

    /// Returns it as Anthropic's messages take it.
    pub fn anthropic(&self) -> Value {
        json!({ "name": self.name, "description": self.description, "input_schema": self.parameters })
    }
}

impl Run {
    pub(crate) fn begin(store: Arc<Store>, clock: Clock, id: RunId) -> Self {
        let own = Arc::new(Store::clone(&store).for_run(Some(id.clone())));
        let tools = tools::all(&own)
            .into_iter()
            .filter(|tool| tool.spec.alias.is_some())
            .collect();
        Run {
            store: own,
            clock,
            id,
            tools,
            has_ended: false,
        }
    }

    /// Returns the name of the run.
    pub fn id(&self) -> &RunId {
        &self.id
    }

    /// Returns the tools for a model. None of them can reach another run.
    pub fn tools(&self) -> Vec<ToolDefinition> {
        let definition = |tool: &Tool| ToolDefinition {
            name: tool.spec.name,
            description: tool.spec.description,
            parameters: without_run(tool.schema()),
        };
        self.tools.iter().map(definition).collect()
    }

    /// Calls a tool with the arguments that a model gave, as JSON; returns its reply as JSON.
    ///
    /// What a model did wrong comes back as an error to show it: [`Error::to_value`].
    pub fn call(&self, tool: &str, arguments: &str) -> Result<String> {
        let found = self.tools.iter().find(|known| known.spec.name == tool);
        let found =
            found.ok_or_else(|| Error::new(Code::NotFound, format!("Unknown tool '{tool}'")))?;
        let mut given: Map<String, Value> = serde_json::from_str(arguments).map_err(|error| {
            Error::new(Code::InvalidArgument, "The arguments are not an object").because(error)
        })?;
        given.remove("run");
        let given = to_raw_value(&given).map_err(|error| {
            Error::new(Code::InvalidArgument, "The arguments are not JSON").because(error)
        })?;
        let call = Call {
            by: Actor::Agent,
            ..Call::alone(self.clock.now())
        };
        Ok(found.call(&call, &given)?.reply.get().to_owned())
    }

    /// Saves an entry.
    pub fn save(&self, compartment: Compartment, new: impl Into<NewEntry>) -> Result<Entry> {
        let part = self.store.part(compartment, None);
        let saved = self
            .store
            .save(&part, new.into(), Actor::Agent, self.clock.now())?;
        saved
            .entries
            .into_iter()
            .next()
            .ok_or_else(|| Error::new(Code::IoError, "Nothing was saved"))
    }

    /// Returns the entries that are meant, and counts that they were asked for.
    pub fn get(&self, compartment: Compartment, filter: &Filter) -> Result<Vec<Entry>> {
        Ok(self
            .store
            .get(&self.store.part(compartment, None), filter)?
            .entries)
    }

    /// Takes away the entries that are meant; returns them.
    pub fn clear(&self, compartment: Compartment, filter: &Filter) -> Result<Vec<Entry>> {
        Ok(self
            .store
            .clear(
                &self.store.part(compartment, None),
                filter,
                Actor::Agent,
                self.clock.now(),
            )?
            .entries)
    }

    /// Returns what belongs into the prompt of every call to the model: the run's memory alone.
    pub fn prompt(&self) -> Result<PromptSection> {
        Ok(self.store.prompt(None)?)
    }

    /// Ends the run; returns what it had in its memory.
    pub fn end(mut self) -> Result<Vec<Entry>> {
        self.has_ended = true;
        Ok(self
            .store
            .end_run(None, Actor::Agent, self.clock.now())?
            .entries)
    }
}

impl Drop for Run {
    fn drop(&mut self) {
        if !self.has_ended {
            // Nobody is left to be told. What could not be cleared is seen by no other run.
            let _ = self.store.end_run(None, Actor::Agent, self.clock.now());
        }
    }
}

fn without_run(mut schema: Value) -> Value {
    if let Some(properties) = schema.get_mut("properties").and_then(Value::as_object_mut) {
        properties.shift_remove("run");
    }
    schema
}
