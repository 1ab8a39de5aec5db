//! One line in, one line out: requests of specification 001 and of JSON-RPC 2.0, as bytes.
//!
//! A request that says `"jsonrpc":"2.0"` is answered in that form, any other in 001's. Parameters
//! and replies pass as text, so that numbers keep their digits. No socket appears here: the same
//! lines may come from standard input.

use std::borrow::Cow;

use memory_core::{Code, Error};
use serde::{Deserialize, Deserializer};
use serde_json::value::RawValue;
use serde_json::{Value, json};

use crate::desk::Desk;
use crate::limits::LINE_BYTES;

/// What the request's sender understands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Form {
    /// Specification 001's: an error is our own object.
    Plain,
    /// JSON-RPC 2.0: an error has a number, and our object as its data.
    Two,
}

/// Codes of JSON-RPC 2.0.
#[derive(Debug, Clone, Copy)]
enum Number {
    Parse = -32700,
    Request = -32600,
    Method = -32601,
    Parameters = -32602,
    Tool = -32000,
}

/// A request as it was sent.
#[derive(Deserialize)]
#[serde(expecting = "an object with a method")]
struct Request<'l> {
    #[serde(borrow, default, deserialize_with = "present")]
    id: Option<&'l RawValue>,
    #[serde(borrow, default)]
    jsonrpc: Option<Cow<'l, str>>,
    #[serde(borrow)]
    method: Cow<'l, str>,
    #[serde(borrow, default)]
    params: Option<&'l RawValue>,
    #[serde(borrow, default)]
    arguments: Option<&'l RawValue>,
}

/// What is left of a request that says too little.
#[derive(Deserialize)]
struct Waiting<'l> {
    #[serde(borrow)]
    id: Option<&'l RawValue>,
}

/// What `tools/call` is given. Specification 001 says `params`, others say `arguments`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, expecting = "an object with a name")]
struct ToolCall<'l> {
    #[serde(borrow)]
    name: Cow<'l, str>,
    #[serde(borrow, default)]
    params: Option<&'l RawValue>,
    #[serde(borrow, default)]
    arguments: Option<&'l RawValue>,
    /// What MCP's clients send along.
    #[serde(borrow, default, rename = "_meta")]
    _meta: Option<&'l RawValue>,
}

/// An id of `null` is one, and not the lack of it.
fn present<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<&'de RawValue>, D::Error> {
    <&RawValue>::deserialize(deserializer).map(Some)
}

type Failure = (Number, Error);

/// Answers a line; none when it is empty, or a notification.
pub fn answer(desk: &Desk, line: &[u8]) -> Option<Vec<u8>> {
    if line.iter().all(u8::is_ascii_whitespace) {
        return None;
    }
    let (request, form) = match read(line) {
        Ok(read) => read,
        Err(error) => return Some(refuse(line, error)),
    };
    let done = perform(desk, &request);
    // Specification 001 knows no notifications: whoever leaves the id out still wants the answer.
    let id = match (request.id, form) {
        (Some(id), _) => id.get(),
        (None, Form::Plain) => "null",
        (None, Form::Two) => return None,
    };
    Some(match done {
        Ok(reply) => reply_line(id, form, reply.get()),
        Err((number, error)) => error_line(id, form, number, &error),
    })
}

/// Answers a line that was too long to be read, in the form that its beginning seems to have.
pub fn answer_too_long(beginning: &[u8]) -> Vec<u8> {
    let message = format!("A line has more than {LINE_BYTES} bytes, and was not read");
    let error = Error::new(Code::LimitExceeded, message).with("limit", LINE_BYTES);
    error_line("null", seeming_form(beginning), Number::Request, &error)
}

fn read(line: &[u8]) -> Result<(Request<'_>, Form), Failure> {
    let text = std::str::from_utf8(line).map_err(|_| {
        (
            Number::Parse,
            Error::new(Code::InvalidJson, "The line is not UTF-8"),
        )
    })?;
    let hint = r#"A request is one line like {"id":1,"method":"tools/list","params":{}}"#;
    // A list would be read as the fields in their order.
    if text.trim_start().starts_with('[') {
        let error = Error::new(Code::InvalidArgument, "The line is a list, not a request");
        return Err((Number::Request, error.hint(hint)));
    }
    let request: Request<'_> = serde_json::from_str(text).map_err(|error| {
        let number = if error.is_data() {
            Number::Request
        } else {
            Number::Parse
        };
        let code = if error.is_data() {
            Code::InvalidArgument
        } else {
            Code::InvalidJson
        };
        (
            number,
            Error::new(code, "The line is not a request")
                .because(error)
                .hint(hint),
        )
    })?;
    if let Some(id) = request.id.filter(|id| !is_id(id.get())) {
        let error = Error::new(
            Code::InvalidArgument,
            format!("The id {} is not a number or a string", id.get()),
        );
        return Err((Number::Request, error));
    }
    let form = match request.jsonrpc.as_deref() {
        Some("2.0") => Form::Two,
        _ => Form::Plain,
    };
    Ok((request, form))
}

fn is_id(text: &str) -> bool {
    text == "null" || text.starts_with(|c: char| c == '"' || c == '-' || c.is_ascii_digit())
}

fn refuse(line: &[u8], (number, error): Failure) -> Vec<u8> {
    // The line can't be read, but it may still say which answer its sender understands, and waits for.
    let waiting = serde_json::from_slice::<Waiting<'_>>(line)
        .ok()
        .and_then(|waiting| waiting.id);
    let id = waiting
        .map(RawValue::get)
        .filter(|id| is_id(id))
        .unwrap_or("null");
    error_line(id, seeming_form(line), number, &error)
}

fn seeming_form(line: &[u8]) -> Form {
    let says_two = line.windows(9).any(|part| part == b"\"jsonrpc\"");
    if says_two { Form::Two } else { Form::Plain }
}

fn perform(desk: &Desk, request: &Request<'_>) -> Result<Box<RawValue>, Failure> {
    match &*request.method {
        "tools/list" => list(desk),
        "tools/call" => {
            let params = request
                .params
                .or(request.arguments)
                .map_or("{}", RawValue::get);
            // A list would be read as the fields in their order.
            let params = if params.starts_with('{') {
                params
            } else {
                "null"
            };
            let call: ToolCall<'_> = serde_json::from_str(params).map_err(|error| {
                let message =
                    "'tools/call' needs a name, and its parameters in 'params' or 'arguments'";
                (
                    Number::Parameters,
                    Error::new(Code::InvalidArgument, message).because(error),
                )
            })?;
            run(
                desk,
                &call.name,
                call.params.or(call.arguments),
                Number::Parameters,
            )
        }
        name => run(
            desk,
            name,
            request.params.or(request.arguments),
            Number::Method,
        ),
    }
}

fn run(
    desk: &Desk,
    name: &str,
    parameters: Option<&RawValue>,
    unknown: Number,
) -> Result<Box<RawValue>, Failure> {
    let number = |error: &Error| match error.code {
        _ if !desk.has(name) => unknown,
        Code::InvalidArgument => Number::Parameters,
        _ => Number::Tool,
    };
    let empty = RawValue::from_string("{}".to_owned()).unwrap_or_default();
    let parameters = parameters.unwrap_or(&empty);
    desk.call(name, parameters)
        .map_err(|error| (number(&error), error))
}

fn list(desk: &Desk) -> Result<Box<RawValue>, Failure> {
    let offers = desk.offers().map_err(|error| (Number::Tool, error))?;
    let tools: Vec<Value> = offers
        .iter()
        .map(|offer| {
            json!({
                "name": offer.name,
                "description": offer.tool.spec.description,
                "inputSchema": offer.tool.schema(),
            })
        })
        .collect();
    serde_json::value::to_raw_value(&json!({ "tools": tools })).map_err(|error| {
        (
            Number::Tool,
            Error::new(Code::IoError, "The list could not be written").because(error),
        )
    })
}

fn reply_line(id: &str, form: Form, reply: &str) -> Vec<u8> {
    line(format!(r#"{{{}"id":{id},"result":{reply}}}"#, head(form)))
}

fn error_line(id: &str, form: Form, number: Number, error: &Error) -> Vec<u8> {
    let ours = error.to_value()["error"].take();
    let told = match form {
        Form::Plain => ours,
        Form::Two => json!({ "code": number as i32, "message": error.message, "data": ours }),
    };
    line(format!(r#"{{{}"id":{id},"error":{told}}}"#, head(form)))
}

fn head(form: Form) -> &'static str {
    match form {
        Form::Plain => "",
        Form::Two => r#""jsonrpc":"2.0","#,
    }
}

/// Between tokens a line break is white space; within a string JSON has none.
fn line(text: String) -> Vec<u8> {
    let mut bytes = text.into_bytes();
    bytes
        .iter_mut()
        .filter(|byte| matches!(byte, b'\n' | b'\r'))
        .for_each(|byte| *byte = b' ');
    bytes.push(b'\n');
    bytes
}

#[cfg(test)]
#[path = "rpc_tests.rs"]
mod tests;
