//! Asking a language model, and reading a list out of what it says.

use memory_core::{Result, Timestamp};
use memory_models::{Chat, Message};
use serde_json::Value;

/// Asks a model to do what a prompt says with a text.
pub(crate) fn ask(chat: &dyn Chat, prompt: &str, text: &str) -> Result<String> {
    let message = |role: &str, content: &str| Message {
        role: role.to_owned(),
        content: content.to_owned(),
    };
    let answer = chat.answer(&[message("system", prompt), message("user", text)])?;
    Ok(without_thoughts(&answer).trim().to_owned())
}

/// Reads a JSON list, whatever a model has put around it; none when there is none.
pub(crate) fn list(answer: &str) -> Option<Vec<Value>> {
    let (start, end) = (answer.find('[')?, answer.rfind(']')?);
    match serde_json::from_str(answer.get(start..=end)?) {
        Ok(Value::Array(items)) => Some(items),
        _ => None,
    }
}

/// Small models think aloud; what they thought is not what they say.
fn without_thoughts(answer: &str) -> &str {
    answer
        .rsplit_once("</think>")
        .map_or(answer, |(_, said)| said)
}

/// Returns the day of a time, for prompts.
pub(crate) fn day(at: Timestamp) -> String {
    at.strftime("%Y-%m-%d").to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_is_found_in_fences_and_prose_and_nonsense_is_none() {
        let found = |answer| list(answer).map(|items| items.len());
        assert_eq!(found(r#"["a","b"]"#), Some(2));
        assert_eq!(found("Sure!\n```json\n[\"a\"]\n```\nDone."), Some(1));
        assert_eq!(found("[]"), Some(0));
        for nonsense in [
            "",
            "I can't",
            "{\"a\":1}",
            "[1, 2",
            "] [",
            "[\"a\"] and [\"b\"]",
        ] {
            assert_eq!(found(nonsense), None, "{nonsense}");
        }
        assert_eq!(without_thoughts("<think>[1]</think>\n[]").trim(), "[]");
    }
}
