//! Tools as MCP lists and calls them. A tool that fails is a result, which the model can read.

use std::sync::Arc;

use memory_core::{Effect, Error, Offer, Progress};
use rmcp::model::{
    CallToolRequestParams, CallToolResult, ContentBlock, ErrorData, Tool, ToolAnnotations,
};
use serde_json::value::{RawValue, to_raw_value};
use serde_json::{Map, Value, json};

use super::data;
use super::message::Arguments;
use crate::desk::Desk;

pub(super) fn list(desk: &Desk) -> Result<Vec<Tool>, ErrorData> {
    let offers = desk
        .offers()
        .map_err(|error| ErrorData::internal_error(error.message, None))?;
    Ok(offers.iter().map(tool).collect())
}

fn tool(offer: &Offer<'_>) -> Tool {
    let schema = match offer.tool.schema() {
        Value::Object(schema) => schema,
        _ => Map::new(),
    };
    let spec = &offer.tool.spec;
    Tool::new(offer.name, spec.description, Arc::new(schema)).with_annotations(hints(spec.effect))
}

/// All four are said: what is not said counts as the worst.
fn hints(effect: Effect) -> ToolAnnotations {
    let (reads, destroys, repeats) = match effect {
        Effect::Reads => (true, false, true),
        Effect::Writes => (false, false, true),
        Effect::Edits => (false, true, false),
        Effect::Removes => (false, true, true),
    };
    ToolAnnotations::new()
        .read_only(reads)
        .destructive(destroys)
        .idempotent(repeats)
        .open_world(false)
}

/// Which tool is called, and with which arguments.
pub(super) struct Asked {
    pub(super) name: String,
    arguments: Box<RawValue>,
}

impl Asked {
    /// Takes the arguments as they were written if they are known, otherwise as they were read.
    pub(super) fn of(
        request: CallToolRequestParams,
        written: Option<&Arguments>,
    ) -> Result<Self, ErrorData> {
        let arguments = match written {
            Some(written) => Ok(written.text().to_owned()),
            None => to_raw_value(&request.arguments.unwrap_or_default()),
        };
        let arguments =
            arguments.map_err(|error| ErrorData::invalid_params(error.to_string(), None))?;
        Ok(Asked {
            name: request.name.into_owned(),
            arguments,
        })
    }
}

pub(super) fn call(
    desk: &Desk,
    asked: &Asked,
    watch: &dyn Progress,
) -> Result<CallToolResult, ErrorData> {
    match desk.call_watched(&asked.name, &asked.arguments, watch) {
        Ok(reply) => Ok(done(&reply)),
        Err(error) if !desk.has(&asked.name) => Err(ErrorData::invalid_params(
            error.message.clone(),
            data(&error),
        )),
        Err(error) => Ok(failed(&error)),
    }
}

/// The same JSON as text and as a structure, which is always an object.
fn done(reply: &RawValue) -> CallToolResult {
    let (text, structure) = match serde_json::from_str(reply.get()) {
        Ok(Value::Object(fields)) => (reply.get().to_owned(), Value::Object(fields)),
        Ok(other) => (
            format!(r#"{{"result":{}}}"#, reply.get()),
            json!({ "result": other }),
        ),
        // More than a tree of values can hold, such as 1e400: then both have it as text.
        Err(_) => (reply.get().to_owned(), json!({ "result": reply.get() })),
    };
    let mut result = CallToolResult::success(vec![ContentBlock::text(text)]);
    result.structured_content = Some(structure);
    result
}

fn failed(error: &Error) -> CallToolResult {
    let object = error.to_value();
    let mut result = CallToolResult::error(vec![ContentBlock::text(object.to_string())]);
    result.structured_content = Some(object);
    result
}
