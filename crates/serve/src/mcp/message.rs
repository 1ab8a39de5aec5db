//! A client's message before `rmcp` reads it: the arguments of a tool are taken out as they stand.
//!
//! `rmcp` makes a tree of values of them, in which large numbers lose their digits, and says nothing at
//! all to a client whose arguments can't be such a tree. Tools read them as text, and tell what is wrong
//! with them. No stream appears here; what was taken out travels with the request, over HTTP with its head.

use std::borrow::Cow;
use std::sync::Arc;

use hyper::http::request::Parts;
use rmcp::model::{ErrorData, Extensions, RequestId};
use serde::Deserialize;
use serde_json::value::RawValue;

const CALL: &str = "tools/call";
const BYTE_ORDER_MARK: &[u8] = b"\xEF\xBB\xBF";

/// The arguments of a tool, as the client wrote them.
#[derive(Debug, Clone)]
pub(super) struct Arguments(Arc<RawValue>);

impl Arguments {
    /// Returns those that were taken out of a request, by whichever transport.
    pub(super) fn of(request: &Extensions) -> Option<&Self> {
        let of_http = || request.get::<Parts>()?.extensions.get::<Arguments>();
        request.get::<Arguments>().or_else(of_http)
    }

    pub(super) fn text(&self) -> &RawValue {
        &self.0
    }
}

/// A message that `rmcp` can read.
#[derive(Debug)]
pub(super) struct Message<'b> {
    pub(super) text: Cow<'b, [u8]>,
    /// What was taken out of it.
    pub(super) arguments: Option<Arguments>,
}

/// A message that nobody can read, and whom to tell.
#[derive(Debug)]
pub(super) struct Refusal {
    pub(super) id: Option<RequestId>,
    pub(super) error: ErrorData,
}

#[derive(Deserialize)]
struct Envelope<'b> {
    #[serde(borrow, default)]
    id: Option<&'b RawValue>,
    #[serde(borrow, default)]
    method: Option<&'b RawValue>,
    #[serde(borrow, default)]
    params: Option<&'b RawValue>,
}

#[derive(Deserialize)]
struct Call<'b> {
    #[serde(borrow, default)]
    name: Option<&'b RawValue>,
    #[serde(borrow, default)]
    arguments: Option<&'b RawValue>,
}

/// Makes a message ready for `rmcp`; tells why if that can't be.
pub(super) fn read(bytes: &[u8]) -> Result<Message<'_>, Refusal> {
    let bytes = bytes.strip_prefix(BYTE_ORDER_MARK).unwrap_or(bytes);
    let unread = |error: &dyn std::fmt::Display| Refusal {
        id: None,
        error: ErrorData::parse_error(format!("The message is not JSON: {error}"), None),
    };
    let text = std::str::from_utf8(bytes).map_err(|error| unread(&error))?;
    // Anything but an object is for `rmcp` to judge, as long as it is JSON.
    if !text.trim_start().starts_with('{') {
        serde_json::from_str::<&RawValue>(text).map_err(|error| unread(&error))?;
        return Ok(Message {
            text: bytes.into(),
            arguments: None,
        });
    }
    let envelope: Envelope<'_> = serde_json::from_str(text).map_err(|error| unread(&error))?;
    if envelope.method.and_then(string).as_deref() != Some(CALL) || envelope.id.is_none() {
        return Ok(Message {
            text: bytes.into(),
            arguments: None,
        });
    }
    // A list would be read as the fields in their order.
    let params = envelope
        .params
        .map(RawValue::get)
        .filter(|params| params.starts_with('{'));
    let call = params.and_then(|params| serde_json::from_str::<Call<'_>>(params).ok());
    let Some(call) = call.filter(|call| call.name.and_then(string).is_some()) else {
        let message = "'tools/call' needs the name of a tool, and its arguments in 'arguments'";
        return Err(refuse(
            envelope.id,
            ErrorData::invalid_params(message, None),
        ));
    };
    Ok(match call.arguments {
        None => Message {
            text: bytes.into(),
            arguments: None,
        },
        Some(arguments) => without(text, arguments.get()),
    })
}

/// Tells a client that its message, which is JSON, is none of MCP.
pub(super) fn refuse_unknown(bytes: &[u8], problem: &serde_json::Error) -> Option<Refusal> {
    let envelope: Envelope<'_> = serde_json::from_slice(bytes).ok()?;
    // What asks for no answer gets none.
    let id = envelope.id?;
    let message = format!("The message is not a request: {problem}");
    Some(refuse(Some(id), ErrorData::invalid_request(message, None)))
}

/// Returns the number of a request of which only the beginning is known, if it comes before the parameters.
pub(super) fn id_in(beginning: &[u8]) -> Option<RequestId> {
    let text = String::from_utf8_lossy(beginning);
    let (_, rest) = text.split("\"params\"").next()?.split_once("\"id\"")?;
    let value = rest.trim_start().strip_prefix(':')?;
    let mut values = serde_json::Deserializer::from_str(value).into_iter::<RequestId>();
    values.next()?.ok()
}

fn refuse(id: Option<&RawValue>, error: ErrorData) -> Refusal {
    Refusal {
        id: id.and_then(|id| serde_json::from_str(id.get()).ok()),
        error,
    }
}

fn string(raw: &RawValue) -> Option<String> {
    serde_json::from_str(raw.get()).ok()
}

/// Takes a part out of a text, and leaves an empty object there.
fn without<'b>(text: &'b str, part: &str) -> Message<'b> {
    let begin = part.as_ptr() as usize - text.as_ptr() as usize;
    let left = [&text[..begin], "{}", &text[begin + part.len()..]].concat();
    let arguments = RawValue::from_string(part.to_owned())
        .ok()
        .map(|raw| Arguments(raw.into()));
    Message {
        text: left.into_bytes().into(),
        arguments,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(message: &str, left: &str, arguments: Option<&str>) {
        let read = read(message.as_bytes()).unwrap();
        assert_eq!(String::from_utf8_lossy(&read.text), left);
        assert_eq!(
            read.arguments
                .as_ref()
                .map(|arguments| arguments.text().get()),
            arguments
        );
    }

    #[track_caller]
    fn refused(message: &str, id: Option<i64>, code: i32) {
        let refusal = read(message.as_bytes()).unwrap_err();
        assert_eq!(refusal.id, id.map(RequestId::Number), "{message}");
        assert_eq!(refusal.error.code.0, code, "{message}");
    }

    #[test]
    fn arguments_are_kept_as_they_were_written() {
        for arguments in [
            r#"{"n": 12345678901234567890.10}"#,
            r#"{"n":1e400}"#,
            r#"{"t":"\ud83d"}"#,
            "[1]",
        ] {
            let call = |arguments: &str| {
                format!(
                    r#"{{"id":1,"method":"tools/call","params":{{"arguments":{arguments},"name":"say"}},"x":1}}"#
                )
            };
            check(&call(arguments), &call("{}"), Some(arguments));
        }
        let deep = format!("{}{}", "[".repeat(500), "]".repeat(500));
        let call = format!(
            r#"{{"id":1,"method":"tools\/call","params":{{"name":"say","arguments":{deep}}}}}"#
        );
        assert!(read(call.as_bytes()).unwrap().arguments.is_some());
    }

    #[test]
    fn other_messages_stay_as_they_are() {
        for message in [
            r#"{"id":1,"method":"ping"}"#,
            r#"{"id":1,"method":"tools/call","params":{"name":"say"}}"#,
            r#"{"method":"tools/call","params":{"arguments":{}}}"#,
            r#"{"id":1,"method":7,"params":{"arguments":{}}}"#,
            "[]",
        ] {
            check(message, message, None);
        }
        check("\u{feff}{}", "{}", None);
    }

    #[test]
    fn the_number_of_a_request_is_found_in_its_beginning() {
        let number = Some(RequestId::Number(7));
        assert_eq!(
            id_in(br#"{"jsonrpc":"2.0","id": 7,"method":"tools/call","params":{"id":8"#),
            number
        );
        assert_eq!(
            id_in(br#"{"id":"a","method":"#),
            Some(RequestId::String("a".into()))
        );
        assert_eq!(id_in(br#"{"method":"tools/call","params":{"id":8"#), None);
        assert_eq!(id_in(br#"{"id":"#), None);
    }

    #[test]
    fn what_can_not_be_read_is_refused_with_its_number_if_it_has_one() {
        refused("garbage", None, -32700);
        refused(r#"{"id":1,"#, None, -32700);
        refused(
            r#"{"id":7,"method":"tools/call","params":{"arguments":{}}}"#,
            Some(7),
            -32602,
        );
        refused(r#"{"id":7,"method":"tools/call"}"#, Some(7), -32602);
        refused(
            r#"{"id":7,"method":"tools/call","params":["say"]}"#,
            Some(7),
            -32602,
        );
        assert_eq!(read(b"{\"a\":\"\xff\"}").unwrap_err().error.code.0, -32700);
    }
}
