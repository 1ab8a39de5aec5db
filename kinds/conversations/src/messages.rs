//! The messages of a client's request: what the user said last, and where memories are put.
//!
//! Everything is kept as the text it came as, so that a request that goes on differs from the one that
//! came in nothing but the content of one message.

use indexmap::IndexMap;
use memory_core::Json;
use serde::Deserialize;
use serde_json::value::{RawValue, to_raw_value};
use xxhash_rust::xxh3::Xxh3Default;

use crate::{ConversationError, ConversationId};

/// How jobs begin that chat programs send beside what their users say: titles, tags, follow-ups.
const TASK: &str = "### Task:";

/// Messages as they came.
#[derive(Debug)]
pub(crate) struct Messages {
    items: Vec<Message>,
    /// The place of the last one that is the user's.
    last_user: Option<usize>,
}

#[derive(Debug)]
struct Message {
    raw: Box<RawValue>,
    role: String,
    text: String,
}

#[derive(Deserialize)]
struct Part {
    #[serde(default)]
    text: Option<String>,
}

#[derive(Deserialize)]
struct Seen {
    #[serde(default)]
    role: String,
    #[serde(default)]
    content: Option<Box<RawValue>>,
}

impl Messages {
    /// Reads the messages of a request.
    pub(crate) fn parse(json: &Json) -> Result<Self, ConversationError> {
        let bad = |_| ConversationError::bad("The messages are not a list of objects with a role");
        let raws: Vec<Box<RawValue>> = serde_json::from_str(json.as_str()).map_err(bad)?;
        let mut items = Vec::with_capacity(raws.len());
        for raw in raws {
            let seen: Seen = serde_json::from_str(raw.get()).map_err(bad)?;
            let text = seen
                .content
                .map(|content| text_of(&content))
                .unwrap_or_default();
            items.push(Message {
                raw,
                role: seen.role,
                text,
            });
        }
        let last_user = items.iter().rposition(|message| message.role == "user");
        Ok(Messages { items, last_user })
    }

    /// What the user said last, without what we had put there; none when the user said nothing.
    pub(crate) fn question(&self) -> Option<String> {
        let said = &self.items[self.last_user?].text;
        let own = memory_core::without_fenced(said);
        Some(own.trim().to_owned()).filter(|text| !text.is_empty())
    }

    /// Says whether this is a job of the chat program's own.
    pub(crate) fn is_task(&self) -> bool {
        self.last_user
            .is_some_and(|n| self.items[n].text.trim_start().starts_with(TASK))
    }

    /// Says whether the user's message was taken up before: tools have answered since.
    pub(crate) fn is_continuation(&self) -> bool {
        self.last_user.is_some_and(|n| n + 1 < self.items.len())
    }

    /// Returns what this request is known by when it is sent again.
    pub(crate) fn fingerprint(&self, conversation: &ConversationId) -> String {
        let mut hasher = Xxh3Default::new();
        hasher.update(conversation.as_str().as_bytes());
        for message in &self.items {
            hasher.update(&[0]);
            hasher.update(message.raw.get().as_bytes());
        }
        format!("{:032x}", hasher.digest128())
    }

    /// Returns what the messages say.
    pub(crate) fn texts(&self) -> Vec<String> {
        self.items
            .iter()
            .map(|message| message.text.clone())
            .collect()
    }

    /// Returns the messages with a text put before what the user said last.
    pub(crate) fn with_memories(&self, memories: &str) -> Option<Json> {
        let mut raws: Vec<Box<RawValue>> = self
            .items
            .iter()
            .map(|message| message.raw.clone())
            .collect();
        let last = self.last_user?;
        let mut fields: IndexMap<String, Box<RawValue>> =
            serde_json::from_str(raws[last].get()).ok()?;
        let content = fields.get("content")?;
        let content = match serde_json::from_str::<Vec<Box<RawValue>>>(content.get()) {
            Ok(mut parts) => {
                let part = serde_json::json!({ "type": "text", "text": memories });
                parts.insert(0, to_raw_value(&part).ok()?);
                to_raw_value(&parts).ok()?
            }
            Err(_) => {
                let said: String = serde_json::from_str(content.get()).ok()?;
                to_raw_value(&format!("{memories}\n\n{said}")).ok()?
            }
        };
        fields.insert("content".to_owned(), content);
        raws[last] = to_raw_value(&fields).ok()?;
        Json::of(&raws).ok()
    }
}

/// Returns the text of a content: a string, or the texts of its parts.
fn text_of(content: &RawValue) -> String {
    if let Ok(text) = serde_json::from_str::<String>(content.get()) {
        return text;
    }
    let parts: Vec<Part> = serde_json::from_str(content.get()).unwrap_or_default();
    parts
        .into_iter()
        .filter_map(|part| part.text)
        .collect::<Vec<_>>()
        .join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(json: &str) -> Messages {
        Messages::parse(&Json::parse(json).unwrap()).unwrap()
    }

    #[track_caller]
    fn check(json: &str, question: Option<&str>, is_continuation: bool) {
        let messages = read(json);
        assert_eq!(messages.question().as_deref(), question);
        assert_eq!(messages.is_continuation(), is_continuation);
    }

    #[test]
    fn what_the_user_said_last_is_found_in_strings_and_parts() {
        check(
            r#"[{"role":"system","content":"x"},{"role":"user","content":" hi "}]"#,
            Some("hi"),
            false,
        );
        check(
            r#"[{"role":"user","content":[{"type":"text","text":"see"},{"type":"image_url","image_url":{}},{"type":"text","text":"this"}]}]"#,
            Some("see\nthis"),
            false,
        );
        check(
            r#"[{"role":"user","content":"a"},{"role":"tool","content":"b"}]"#,
            Some("a"),
            true,
        );
        check(r#"[{"role":"assistant","content":null}]"#, None, false);
        check("[]", None, false);
        assert!(
            read(r####"[{"role":"user","content":"### Task:\nGenerate a title"}]"####).is_task()
        );
        assert!(Messages::parse(&Json::parse(r#"{"role":"user"}"#).unwrap()).is_err());
    }

    #[test]
    fn nothing_but_one_content_changes() {
        let json = r#"[{"role":"system","content":"s","seed":12345678901234567890123},{"name":"ann","role":"user","content":"q"}]"#;
        let changed = read(json).with_memories("M").unwrap();
        assert_eq!(changed.as_str(), json.replace(r#""q""#, r#""M\n\nq""#));
        let parts = r#"[{"role":"user","content":[{"type":"image_url","image_url":{"url":"u"}}]}]"#;
        let changed = read(parts).with_memories("M").unwrap();
        assert_eq!(
            changed.as_str(),
            r#"[{"role":"user","content":[{"type":"text","text":"M"},{"type":"image_url","image_url":{"url":"u"}}]}]"#
        );
    }
}
