//! Facts in a file that someone wrote: JSON, or a list of lines.

use serde::Deserialize;
use serde_json::Value;

use crate::ConversationError;
use crate::tools::add::Item;

/// What a list of facts consists of.
const SHAPE: &str = r#"texts or {"content", "conversation_id"}"#;

/// A file with a name for its list.
#[derive(Deserialize)]
struct Memories {
    memories: Vec<Value>,
}

/// Reads facts: a JSON list of texts or `{"content", "conversation_id"?}`, such a list under `memories`,
/// or one fact a line, without the marks of a list.
pub fn read_memories(text: &str) -> Result<Vec<Item>, ConversationError> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let read = match text.trim_start().chars().next() {
        Some('[') => serde_json::from_str(text).map(Some),
        Some('{') => serde_json::from_str::<Memories>(text).map(|memories| Some(memories.memories)),
        _ => Ok(None),
    };
    match read {
        Ok(Some(values)) => items(values),
        Err(error) if error.is_data() => Err(ConversationError::bad(format!(
            "The input is not a list of {SHAPE}, and has no such list under 'memories'"
        ))),
        // A text may begin like JSON, such as a list of boxes to tick.
        Ok(None) | Err(_) => Ok(text
            .lines()
            .map(unmarked)
            .filter(|line| !line.is_empty())
            .map(item)
            .collect()),
    }
}

/// Returns a fact that names no conversation.
pub fn item(content: &str) -> Item {
    Item {
        content: content.to_owned(),
        conversation_id: None,
    }
}

fn items(values: Vec<Value>) -> Result<Vec<Item>, ConversationError> {
    let read = |(n, value): (usize, Value)| match value {
        Value::String(content) => Ok(item(&content)),
        object @ Value::Object(_) => serde_json::from_value(object).map_err(|error| {
            ConversationError::bad(format!("Memory {} cannot be read: {error}", n + 1))
        }),
        _ => Err(ConversationError::bad(format!(
            "Memory {} is not one of {SHAPE}",
            n + 1
        ))),
    };
    values.into_iter().enumerate().map(read).collect()
}

/// Takes the mark of a list from a line: `-`, `*`, `+`, `•`, `1.`, `2)`, and a box to tick.
fn unmarked(line: &str) -> &str {
    let line = line.trim();
    let digits = line.bytes().take_while(u8::is_ascii_digit).count();
    let numbered = if digits > 0 {
        line[digits..].strip_prefix(['.', ')'])
    } else {
        None
    };
    let marked = line.strip_prefix(['-', '*', '+', '•']).or(numbered);
    // A mark stands apart from its text: "-5 degrees" and "1.5 litres" have none.
    let text = match marked {
        Some(rest) if rest.is_empty() || rest.starts_with(char::is_whitespace) => rest.trim(),
        _ => line,
    };
    let boxed = ["[ ] ", "[x] ", "[X] "]
        .iter()
        .find_map(|tick| text.strip_prefix(tick));
    boxed.unwrap_or(text).trim()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &[(&str, Option<&str>)]) {
        let read = read_memories(text).unwrap();
        let read: Vec<_> = read
            .iter()
            .map(|i| (i.content.as_str(), i.conversation_id.as_deref()))
            .collect();
        assert_eq!(read, expected, "{text}");
    }

    #[test]
    fn json_and_lines_are_read() {
        check(
            r#"["a", {"content": "b", "conversation_id": "c"}]"#,
            &[("a", None), ("b", Some("c"))],
        );
        check(
            r#"{"memories": ["a", {"content": "b"}]}"#,
            &[("a", None), ("b", None)],
        );
        check(
            "- a\n* b\n\n  1. c\n2) d\n• e\n- [x] f\nplain\n",
            &[
                ("a", None),
                ("b", None),
                ("c", None),
                ("d", None),
                ("e", None),
                ("f", None),
                ("plain", None),
            ],
        );
        check(
            "-5 degrees\n1.5 litres\n",
            &[("-5 degrees", None), ("1.5 litres", None)],
        );
        check("[ ] milk\n{a: b}", &[("milk", None), ("{a: b}", None)]);
        check("", &[]);
    }

    #[test]
    fn what_is_neither_is_named() {
        let problem = |text| read_memories(text).unwrap_err().to_string();
        assert!(problem("[1]").starts_with("Memory 1 is not one of texts"));
        assert!(problem("{\"facts\": []}").contains("no such list under 'memories'"));
    }
}
