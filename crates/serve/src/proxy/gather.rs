//! What an assistant says, gathered from the pieces of a stream or taken from a whole reply.

use serde::Deserialize;

use super::content::Content;
use super::sse::Events;
use crate::limits::REPLY_BYTES;

/// Listens to a stream of chunks.
#[derive(Debug, Default)]
pub(super) struct Gather {
    events: Events,
    said: Said,
}

/// What was heard so far.
#[derive(Debug, Default)]
struct Said {
    text: String,
    /// Whether the model came to an end by itself.
    is_finished: bool,
    /// Whether the stream said that nothing follows.
    is_done: bool,
    has_failed: bool,
}

impl Gather {
    /// Takes the next bytes of the stream.
    pub(super) fn feed(&mut self, bytes: &[u8]) {
        let said = &mut self.said;
        self.events.feed(bytes, |data| said.hear(data));
    }

    /// Takes the end of the stream.
    pub(super) fn finish(&mut self) {
        let said = &mut self.said;
        self.events.finish(|data| said.hear(data));
    }

    /// Says whether the stream has told its end: what follows does not matter.
    pub(super) fn is_done(&self) -> bool {
        self.said.is_done
    }

    /// Says whether the model was heard to the end.
    pub(super) fn is_whole(&self) -> bool {
        (self.said.is_done || self.said.is_finished) && !self.said.has_failed
    }

    /// Says whether the stream itself told a failure.
    pub(super) fn has_failed(&self) -> bool {
        self.said.has_failed
    }

    /// Says whether an event could be added to the stream here.
    pub(super) fn is_between_events(&self) -> bool {
        self.events.is_between()
    }

    /// Returns what the assistant said.
    pub(super) fn into_text(self) -> String {
        self.said.text
    }
}

impl Said {
    fn hear(&mut self, data: &str) {
        if data.trim() == "[DONE]" {
            self.is_done = true;
            return;
        }
        let Ok(chunk) = serde_json::from_str::<Chunk>(data) else {
            return;
        };
        self.has_failed |= chunk.error.is_some();
        for choice in chunk.choices.into_iter().filter(|choice| choice.index == 0) {
            self.is_finished |= choice.finish_reason.is_some();
            let text = choice.delta.unwrap_or_default().content.into_text();
            if self.text.len() + text.len() <= REPLY_BYTES {
                self.text.push_str(&text);
            }
        }
    }
}

/// Returns what the assistant says in a whole reply; nothing when it says nothing or it is no reply.
pub(super) fn text_of_reply(body: &[u8]) -> String {
    let reply: Whole = serde_json::from_slice(body).unwrap_or_default();
    let first = reply.choices.into_iter().find(|choice| choice.index == 0);
    first
        .and_then(|choice| choice.message)
        .unwrap_or_default()
        .content
        .into_text()
}

#[derive(Deserialize)]
struct Chunk {
    #[serde(default)]
    choices: Vec<Choice>,
    #[serde(default)]
    error: Option<serde::de::IgnoredAny>,
}

#[derive(Default, Deserialize)]
struct Whole {
    #[serde(default)]
    choices: Vec<Choice>,
}

#[derive(Deserialize)]
struct Choice {
    #[serde(default)]
    index: u64,
    #[serde(default)]
    delta: Option<Words>,
    #[serde(default)]
    message: Option<Words>,
    #[serde(default)]
    finish_reason: Option<String>,
}

#[derive(Default, Deserialize)]
struct Words {
    #[serde(default)]
    content: Content,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn gather(stream: &str) -> Gather {
        let mut gather = Gather::default();
        stream
            .as_bytes()
            .chunks(5)
            .for_each(|piece| gather.feed(piece));
        gather.finish();
        gather
    }

    fn chunk(delta: &str, finish: &str) -> String {
        format!(
            "data: {{\"choices\":[{{\"index\":0,\"delta\":{delta},\"finish_reason\":{finish}}}]}}\n\n"
        )
    }

    #[test]
    fn the_words_of_the_first_choice_are_put_together() {
        let stream = [
            chunk(r#"{"role":"assistant","content":""}"#, "null"),
            chunk(r#"{"content":"Hel"}"#, "null"),
            "data: {\"choices\":[{\"index\":1,\"delta\":{\"content\":\"other\"}}]}\n\n".to_owned(),
            chunk(r#"{"content":"lo 大"}"#, "null"),
            chunk("{}", "\"stop\""),
            "data: {\"choices\":[],\"usage\":{\"total_tokens\":3}}\n\ndata: [DONE]\n\n".to_owned(),
        ];
        let heard = gather(&stream.concat());
        assert!(heard.is_whole() && heard.is_done());
        assert_eq!(heard.into_text(), "Hello 大");
    }

    #[test]
    fn calls_of_tools_nulls_and_nonsense_say_nothing() {
        let stream = [
            chunk(
                r#"{"content":null,"tool_calls":[{"index":0,"function":{"arguments":"{}"}}]}"#,
                "null",
            ),
            "data: nonsense\n\ndata: 7\n\ndata: {\"choices\":3}\n\n".to_owned(),
            chunk("{}", "\"tool_calls\""),
        ];
        let heard = gather(&stream.concat());
        assert!(heard.is_whole() && !heard.is_done());
        assert_eq!(heard.into_text(), "");
    }

    #[test]
    fn a_stream_that_fails_or_just_ends_is_not_whole() {
        let begun = chunk(r#"{"content":"Hel"}"#, "null");
        assert!(!gather(&begun).is_whole());
        let failed = format!(
            "{begun}data: {{\"error\":{{\"message\":\"overloaded\"}}}}\n\ndata: [DONE]\n\n"
        );
        let heard = gather(&failed);
        assert!(!heard.is_whole());
        assert_eq!(heard.into_text(), "Hel");
    }

    #[test]
    fn a_whole_reply_is_read_if_it_is_one() {
        let reply =
            br#"{"choices":[{"index":0,"message":{"role":"assistant","content":"Hello"}}]}"#;
        assert_eq!(text_of_reply(reply), "Hello");
        let parts =
            br#"{"choices":[{"message":{"content":[{"type":"text","text":"a"},{"type":"x"}]}}]}"#;
        assert_eq!(text_of_reply(parts), "a");
        for nothing in [
            "",
            "nonsense",
            "[]",
            r#"{"choices":[]}"#,
            r#"{"choices":[{"message":{"content":null}}]}"#,
        ] {
            assert_eq!(text_of_reply(nothing.as_bytes()), "", "{nothing}");
        }
    }
}
