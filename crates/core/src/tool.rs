//! One thing a caller can ask of a kind, declared once with typed parameters and reply.
//!
//! From the declaration come the shell command's target, the MCP tool with its schema, the socket
//! and stdin methods. Parameters and replies travel as JSON text, so that digits survive.

use std::fmt;
use std::sync::Arc;

use schemars::JsonSchema;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use serde_json::value::RawValue;

use crate::misfit::misfit;
use crate::{Actor, Code, Done, Error, Recall, Result, Timestamp, parameters};

/// What a tool may do to the memories, in the words of MCP's annotations.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Effect {
    /// Changes nothing.
    Reads,
    /// Adds or replaces; called twice it does the same as once.
    Writes,
    /// Changes what is there; called twice it changes it twice.
    Edits,
    /// Takes something away.
    Removes,
}

/// What is fixed about a tool before it has a body.
#[derive(Debug, Clone, Copy)]
pub struct ToolSpec {
    /// The set it belongs to, such as `banks`.
    pub toolset: &'static str,
    /// Its name within the set, exactly as the specification has it.
    pub name: &'static str,
    /// Its name when another chosen set has the same one; none keeps it from every set, so that
    /// only the shell reaches it.
    pub alias: Option<&'static str>,
    pub description: &'static str,
    pub effect: Effect,
}

/// What surrounds a call: the time it happens at, someone who may watch long work, and someone who
/// finds what is relevant in all kinds.
pub struct Call<'a> {
    pub now: Timestamp,
    /// Who makes the call.
    pub by: Actor,
    pub progress: &'a dyn Progress,
    /// None where a kind is used alone.
    pub recall: Option<&'a dyn Recall>,
}

impl Call<'_> {
    /// Returns a call that no one watches, of a kind that is alone.
    pub fn alone(now: Timestamp) -> Self {
        Call {
            now,
            by: Actor::Person,
            progress: &Silent,
            recall: None,
        }
    }
}

/// Watches long work.
pub trait Progress: Sync {
    /// Hears that `done` of `total` pieces are done and which one is next.
    fn advance(&self, done: usize, total: usize, next: &str);
}

/// Watches nothing.
#[derive(Debug)]
pub struct Silent;

impl Progress for Silent {
    fn advance(&self, _: usize, _: usize, _: &str) {}
}

type Body = Box<dyn Fn(&Call<'_>, &RawValue) -> Result<Done<Box<RawValue>>> + Send + Sync>;

/// A tool: its declaration, its schema and its body.
pub struct Tool {
    pub spec: ToolSpec,
    schema: fn() -> Value,
    body: Body,
}

impl Tool {
    /// Declares a tool.
    pub fn new<P, R>(
        spec: ToolSpec,
        body: impl Fn(&Call<'_>, P) -> Result<Done<R>> + Send + Sync + 'static,
    ) -> Self
    where
        P: DeserializeOwned + JsonSchema,
        R: Serialize,
    {
        let typed = move |call: &Call<'_>, raw: &RawValue| {
            let done = body(call, read_parameters(raw)?)?;
            Ok(Done {
                reply: write_reply(&done.reply)?,
                changes: done.changes,
            })
        };
        Tool {
            spec,
            schema: parameters::<P>,
            body: Box::new(typed),
        }
    }

    /// Returns the JSON Schema of its parameters. Derived when asked for, never at start-up.
    pub fn schema(&self) -> Value {
        (self.schema)()
    }

    /// Calls it.
    pub fn call(&self, call: &Call<'_>, parameters: &RawValue) -> Result<Done<Box<RawValue>>> {
        (self.body)(call, parameters)
    }
}

/// A tool of a store that still needs its body, so that a kind declares its tools one a line.
#[derive(Debug)]
pub struct Declared<S> {
    pub spec: ToolSpec,
    pub store: Arc<S>,
}

impl<S: Send + Sync + 'static> Declared<S> {
    /// Gives it the function that answers calls.
    pub fn runs<P, R, E>(
        self,
        body: fn(&S, &Call<'_>, P) -> std::result::Result<Done<R>, E>,
    ) -> Tool
    where
        P: DeserializeOwned + JsonSchema + 'static,
        R: Serialize + 'static,
        E: Into<Error> + 'static,
    {
        let store = self.store;
        Tool::new(self.spec, move |call: &Call<'_>, params: P| {
            body(&store, call, params).map_err(E::into)
        })
    }
}

fn read_parameters<P: DeserializeOwned + JsonSchema>(raw: &RawValue) -> Result<P> {
    // A list would be read as the fields in their order, which no caller means.
    let is_object = raw.get().trim_start().starts_with('{');
    let read = if is_object {
        serde_json::from_str(raw.get())
    } else {
        Err(serde::de::Error::custom("no object"))
    };
    read.map_err(|error| misfit(raw.get(), &parameters::<P>(), &error))
}

fn write_reply<R: Serialize>(reply: &R) -> Result<Box<RawValue>> {
    serde_json::value::to_raw_value(reply)
        .map_err(|error| Error::new(Code::IoError, "The reply could not be written").because(error))
}

impl fmt::Debug for Tool {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Tool").field(&self.spec).finish()
    }
}
