//! A request for a chat: what in it is for the memory, and the rest as it came.
//!
//! Only the messages and the `memory_*` fields are ours. Every other field passes as its text, so
//! that neither order nor a digit nor a field that is yet to be invented is lost.

use hyper::HeaderMap;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::value::RawValue;

use super::fields::Fields;
use super::refusal::Refusal;
use crate::limits::CHAT_TEXT_BYTES;

const MEMORY: &str = "memory_";
const MESSAGES: &str = "messages";
/// Headers that name a conversation, the first one first.
const CONVERSATION_HEADERS: [&str; 2] = ["x-memory-id", "x-openwebui-chat-id"];
const RETRY_HEADER: &str = "x-stainless-retry-count";
const DEFAULT: &str = "default";
/// Shorter data counts as text: many short ones are as much work as text.
const DATA_BYTES: usize = 64 << 10;

/// A client's request, with what it asks of the memory.
#[derive(Debug)]
pub(super) struct Chat<'a> {
    fields: Fields<'a>,
    /// None when there is nothing in which anything could be remembered.
    pub(super) messages: Option<&'a RawValue>,
    pub(super) conversation: String,
    /// How often the client has sent it before.
    pub(super) retry: u64,
    pub(super) wishes: Wishes,
    /// Whether the answer is to come piece by piece.
    pub(super) streams: bool,
    pub(super) model: Option<String>,
}

/// Numbers that hold for one request.
#[derive(Debug, Clone, Copy, Default, PartialEq, serde::Serialize)]
pub(super) struct Wishes {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) top_k: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) recency_weight: Option<f32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) score_threshold: Option<f32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) mmr_lambda: Option<f32>,
}

impl<'a> Chat<'a> {
    /// Reads a request.
    pub(super) fn read(body: &'a [u8], headers: &HeaderMap) -> Result<Self, Refusal> {
        if text_bytes(body) > CHAT_TEXT_BYTES {
            return Err(Refusal::too_large(CHAT_TEXT_BYTES));
        }
        let not_json = |why: String| {
            Refusal::bad_request(
                &format!("The request body is not a JSON object: {why}"),
                None,
            )
        };
        let text = std::str::from_utf8(body).map_err(|error| not_json(error.to_string()))?;
        let mut fields: Fields<'a> =
            serde_json::from_str(text).map_err(|error| not_json(error.to_string()))?;
        let wishes = Wishes {
            top_k: wish(&fields, "memory_top_k", "a whole number from 0", |_| true)?,
            recency_weight: wish(
                &fields,
                "memory_recency_weight",
                "a number from 0 to 1",
                is_share,
            )?,
            score_threshold: wish(
                &fields,
                "memory_score_threshold",
                "a number from 0 to 1",
                is_share,
            )?,
            mmr_lambda: wish(
                &fields,
                "memory_mmr_lambda",
                "a number from 0 to 1",
                is_share,
            )?,
        };
        let named = wish(&fields, "memory_id", "a text", |id: &String| !id.is_empty())?;
        let conversation = named
            .or_else(|| from_headers(headers))
            .unwrap_or_else(|| DEFAULT.to_owned());
        fields.0.retain(|(name, _)| !name.starts_with(MEMORY));
        let messages = fields
            .get(MESSAGES)
            .filter(|messages| messages.get().starts_with('['));
        let retry = header(headers, RETRY_HEADER)
            .and_then(|count| count.trim().parse().ok())
            .unwrap_or(0);
        let streams = fields
            .get("stream")
            .is_some_and(|stream| stream.get() == "true");
        let model = fields
            .get("model")
            .and_then(|model| serde_json::from_str(model.get()).ok());
        Ok(Chat {
            fields,
            messages,
            conversation,
            retry,
            wishes,
            streams,
            model,
        })
    }

    /// Returns the request as it goes on, with these messages in the place of its own.
    pub(super) fn with_messages(mut self, messages: Option<&'a RawValue>) -> Vec<u8> {
        if let Some(messages) = messages {
            self.fields.replace(MESSAGES, messages);
        }
        serde_json::to_vec(&self.fields).unwrap_or_default()
    }
}

/// Returns the length of a body without the images and files that stand in it as `data:` URLs.
fn text_bytes(body: &[u8]) -> usize {
    let (mut bytes, mut at) = (body.len(), 0);
    while let Some(start) = body[at..]
        .iter()
        .position(|byte| *byte == b'"')
        .map(|found| at + found + 1)
    {
        at = start;
        while at < body.len() && body[at] != b'"' {
            at += if body[at] == b'\\' { 2 } else { 1 };
        }
        at = at.min(body.len());
        let length = at - start;
        if length >= DATA_BYTES && body[start..].starts_with(b"data:") {
            bytes -= length;
        }
        at = (at + 1).min(body.len());
    }
    bytes
}

fn is_share(number: &f32) -> bool {
    (0.0..=1.0).contains(number)
}

/// Reads a field of ours; null means that it is not there.
fn wish<T: DeserializeOwned>(
    fields: &Fields<'_>,
    name: &str,
    expected: &str,
    fits: impl Fn(&T) -> bool,
) -> Result<Option<T>, Refusal> {
    let Some(raw) = fields.get(name) else {
        return Ok(None);
    };
    let wrong = || Refusal::bad_request(&format!("'{name}' takes {expected}"), Some(name));
    let mut reader = serde_json::Deserializer::from_str(raw.get());
    let value = Option::<T>::deserialize(&mut reader).map_err(|_| wrong())?;
    match value {
        Some(value) if !fits(&value) => Err(wrong()),
        value => Ok(value),
    }
}

fn from_headers(headers: &HeaderMap) -> Option<String> {
    CONVERSATION_HEADERS
        .iter()
        .find_map(|name| header(headers, name))
}

/// Returns the text of a header, unless it is empty.
fn header(headers: &HeaderMap, name: &str) -> Option<String> {
    let text = std::str::from_utf8(headers.get(name)?.as_bytes()).ok()?;
    Some(text.trim().to_owned()).filter(|text| !text.is_empty())
}

#[cfg(test)]
mod tests {
    use hyper::header::HeaderValue;

    use super::*;

    fn headers(pairs: &[(&'static str, &str)]) -> HeaderMap {
        pairs
            .iter()
            .map(|(name, value)| (name.parse().unwrap(), HeaderValue::from_str(value).unwrap()))
            .collect()
    }

    fn read(body: &str) -> Chat<'_> {
        Chat::read(body.as_bytes(), &HeaderMap::new()).unwrap()
    }

    #[test]
    fn every_field_but_ours_goes_on_as_it_came() {
        let body = concat!(
            r#"{"zebra": {"b": 1, "a": [1.10, 2.50e+10]}, "memory_id": "x", "#,
            r#""messages": [ {"role":"user","content":"hi"} ], "memory_top_k": 3, "#,
            r#""seed":123456789012345678901234567890,"temperature":0.70,"stop":null,"memory_new":1}"#
        );
        let gone_on = concat!(
            r#"{"zebra":{"b": 1, "a": [1.10, 2.50e+10]},"messages":[ {"role":"user","content":"hi"} ],"#,
            r#""seed":123456789012345678901234567890,"temperature":0.70,"stop":null}"#
        );
        assert_eq!(
            String::from_utf8(read(body).with_messages(None)).unwrap(),
            gone_on
        );
    }

    #[test]
    fn messages_are_put_where_the_old_ones_were() {
        let chat = read(r#"{"model":"m","messages":[1],"tools":[]}"#);
        let messages: &RawValue = serde_json::from_str("[1, 2]").unwrap();
        let body = chat.with_messages(Some(messages));
        assert_eq!(body, br#"{"model":"m","messages":[1, 2],"tools":[]}"#);
    }

    #[test]
    fn the_conversation_is_named_by_the_body_then_by_headers_then_by_default() {
        let named = |body: &str, pairs: &[(&'static str, &str)]| {
            Chat::read(body.as_bytes(), &headers(pairs))
                .unwrap()
                .conversation
        };
        let both = [("x-openwebui-chat-id", "web"), ("x-memory-id", "own")];
        assert_eq!(named(r#"{"memory_id":"body"}"#, &both), "body");
        assert_eq!(named(r#"{"memory_id":null}"#, &both), "own");
        assert_eq!(named("{}", &both[..1]), "web");
        assert_eq!(named("{}", &[("x-memory-id", " ")]), "default");
    }

    #[test]
    fn wishes_are_read_and_wrong_ones_named() {
        let chat = read(
            r#"{"memory_top_k":0,"memory_recency_weight":0.5,"memory_score_threshold":null,"memory_mmr_lambda":1}"#,
        );
        let wishes = Wishes {
            top_k: Some(0),
            recency_weight: Some(0.5),
            score_threshold: None,
            mmr_lambda: Some(1.0),
        };
        assert_eq!(chat.wishes, wishes);
        for (body, name) in [
            (r#"{"memory_top_k":-1}"#, "memory_top_k"),
            (r#"{"memory_top_k":"5"}"#, "memory_top_k"),
            (r#"{"memory_recency_weight":1.5}"#, "memory_recency_weight"),
            (r#"{"memory_id":7}"#, "memory_id"),
            (r#"{"memory_id":""}"#, "memory_id"),
        ] {
            let refusal = Chat::read(body.as_bytes(), &HeaderMap::new()).unwrap_err();
            assert_eq!(
                (refusal.status.as_u16(), refusal.param.as_deref()),
                (400, Some(name)),
                "{body}"
            );
        }
    }

    #[test]
    fn what_is_no_object_is_refused_and_strange_messages_are_left_to_the_upstream() {
        for body in ["", "nonsense", "[]", "{\"a\":", "\"x\"", "{}{}"] {
            assert_eq!(
                Chat::read(body.as_bytes(), &HeaderMap::new())
                    .unwrap_err()
                    .status,
                400,
                "{body}"
            );
        }
        assert!(Chat::read(b"{\"a\":\"\xff\"}", &HeaderMap::new()).is_err());
        assert!(read(r#"{"messages":"hi"}"#).messages.is_none());
        assert!(read("{}").messages.is_none());
        assert!(read(r#"{"stream": true}"#).streams && !read(r#"{"stream":false}"#).streams);
    }

    #[test]
    fn images_do_not_count_as_text_and_everything_else_does() {
        let image = format!("data:image/png;base64,{}", "A".repeat(DATA_BYTES));
        let body = |text: &str, url: &str| format!(r#"{{"a\"b":"{text}","url":"{url}"}}"#);
        let count = |body: &str| text_bytes(body.as_bytes());
        assert_eq!(count(&body("x", &image)), body("x", "").len());
        let text = "data".repeat(DATA_BYTES);
        assert_eq!(
            count(&body(&text, "data:,short")),
            body(&text, "data:,short").len()
        );
        for torn in ["\"", "\"data:\\", "{\"a\\"] {
            assert_eq!(count(torn), torn.len());
        }
        let with_image = body(
            "x",
            &format!("data:image/png;base64,{}", "A".repeat(CHAT_TEXT_BYTES)),
        );
        assert!(Chat::read(with_image.as_bytes(), &HeaderMap::new()).is_ok());
        let long = body(&"x".repeat(CHAT_TEXT_BYTES), "");
        let refusal = Chat::read(long.as_bytes(), &HeaderMap::new()).unwrap_err();
        assert_eq!(refusal.status.as_u16(), 413);
    }

    #[test]
    fn a_retry_says_which_one_it_is() {
        let retry = |value: &str| {
            Chat::read(b"{}", &headers(&[("x-stainless-retry-count", value)]))
                .unwrap()
                .retry
        };
        assert_eq!((retry("0"), retry("2"), retry("many")), (0, 2, 0));
    }
}
