//! The name of a conversation, and the folder that it lives in.
//!
//! Clients choose names freely; folders can't have any name. A simple one is its own folder, any other
//! is spelled with `%` so that no two share a folder, and one too long for a name ends in a digest.

use std::fmt;

use memory_core::mask_secrets;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::{ConversationError, limits};

/// The conversation of those that name none, and the one that all others see.
pub const DEFAULT: &str = "default";
pub const GLOBAL: &str = "global";

/// The name of a conversation.
///
/// Invariant: not blank, no control characters, at most [`limits::ID_CHARACTERS`] long.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct ConversationId(String);

impl ConversationId {
    /// Checks a name.
    pub fn parse(raw: &str) -> Result<Self, ConversationError> {
        let is_plain = !raw.trim().is_empty() && !raw.contains(char::is_control);
        if is_plain && raw.chars().count() <= limits::ID_CHARACTERS {
            Ok(ConversationId(raw.to_owned()))
        } else {
            Err(ConversationError::BadId { id: raw.to_owned() })
        }
    }

    /// Checks a name that may have been left out. Credentials in it are masked, as in what is said.
    pub fn or_default(raw: Option<&str>) -> Result<Self, ConversationError> {
        let raw = raw.unwrap_or(DEFAULT);
        Self::parse(mask_secrets(raw).as_deref().unwrap_or(raw))
    }

    /// Returns the conversation that all others see.
    pub fn global() -> Self {
        ConversationId(GLOBAL.to_owned())
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Returns the name of its folder, which no other conversation has.
    pub fn folder(&self) -> String {
        let spelled = if is_simple(&self.0) {
            self.0.clone()
        } else {
            spell(&self.0)
        };
        if spelled.len() <= limits::FOLDER_BYTES {
            spelled
        } else {
            shortened(&spelled, &self.0)
        }
    }

    /// Returns the conversation that a folder belongs to; none when its name does not tell.
    pub fn of_folder(folder: &str) -> Option<Self> {
        let id = ConversationId::parse(&read(folder)?).ok()?;
        (id.folder() == folder).then_some(id)
    }
}

/// Says whether a folder's name is too short to tell the whole name.
pub(crate) fn is_shortened(folder: &str) -> bool {
    folder.contains(SHORTENED)
}

/// Never made by spelling: there, two digits follow each `%`.
const SHORTENED: &str = "%%";

fn shortened(spelled: &str, id: &str) -> String {
    let digest = Sha256::digest(id.as_bytes());
    let digest: String = digest
        .iter()
        .take(16)
        .map(|byte| format!("{byte:02x}"))
        .collect();
    let mut end = 60_usize;
    // Not in the middle of a `%2F`.
    while spelled[end.saturating_sub(2)..end].contains('%') {
        end -= 1;
    }
    format!("{}{SHORTENED}{digest}", &spelled[..end])
}

fn is_simple(id: &str) -> bool {
    let is_plain = |byte: u8| is_unspelled(byte) || byte == b'.';
    id.bytes().all(is_plain) && !id.starts_with('.') && !id.ends_with('.') && id != "deleted"
}

fn is_unspelled(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_')
}

/// Spells what is not simple; at least one character, so that no simple name is ever the result.
fn spell(id: &str) -> String {
    let spelled = |byte: u8| {
        if is_unspelled(byte) {
            char::from(byte).to_string()
        } else {
            format!("%{byte:02X}")
        }
    };
    match id {
        "deleted" => "%64eleted".to_owned(),
        _ => id.bytes().map(spelled).collect(),
    }
}

fn read(folder: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(folder.len());
    let mut rest = folder.as_bytes();
    while let Some((first, after)) = rest.split_first() {
        if *first != b'%' {
            bytes.push(*first);
            rest = after;
            continue;
        }
        let digits = after
            .get(..2)
            .filter(|digits| digits.iter().all(u8::is_ascii_hexdigit))?;
        bytes.push(u8::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()?);
        rest = &after[2..];
    }
    String::from_utf8(bytes).ok()
}

impl fmt::Display for ConversationId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl TryFrom<String> for ConversationId {
    type Error = ConversationError;

    fn try_from(raw: String) -> Result<Self, ConversationError> {
        ConversationId::parse(&raw)
    }
}

impl From<ConversationId> for String {
    fn from(id: ConversationId) -> String {
        id.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(id: &str, folder: &str) {
        assert_eq!(ConversationId::parse(id).unwrap().folder(), folder);
    }

    #[test]
    fn a_simple_name_is_its_own_folder_and_any_other_is_spelled() {
        for simple in ["default", "global", "a_b", "chat-7.v2", "3f2a"] {
            check(simple, simple);
        }
        check("a/b", "a%2Fb");
        check("deleted", "%64eleted");
        check("..", "%2E%2E");
        check(".hidden", "%2Ehidden");
        check("100%", "100%25");
        check("猫", "%E7%8C%AB");
    }

    #[test]
    fn what_is_no_name_is_refused() {
        for bad in [
            "",
            "  ",
            "a\nb",
            "a\0",
            &"x".repeat(limits::ID_CHARACTERS + 1),
        ] {
            assert!(ConversationId::parse(bad).is_err(), "{bad:?}");
            assert!(ConversationId::or_default(Some(bad)).is_err(), "{bad:?}");
        }
        assert_eq!(
            ConversationId::of_folder("%2f"),
            None,
            "spelled in another way than ours"
        );
        assert_eq!(ConversationId::of_folder("my chat"), None);
    }

    #[test]
    fn a_client_that_names_a_conversation_by_its_key_does_not_have_it_stored() {
        let key = ["sk-", "proj-", "a1B2c3D4e5a1B2c3D4e5"].concat();
        let id = ConversationId::or_default(Some(&key)).unwrap();
        assert_eq!(id.as_str(), "[masked: an OpenAI API key]");
    }

    proptest::proptest! {
        #[test]
        fn no_two_conversations_share_a_folder(a in "[a-b/._%é]{1,6}|[a/]{60,200}", b in "[a-b/._%é]{1,6}|[a/]{60,200}") {
            let (a, b) = (ConversationId::parse(&a).unwrap(), ConversationId::parse(&b).unwrap());
            proptest::prop_assert_eq!(a == b, a.folder() == b.folder());
            proptest::prop_assert!(a.folder().len() <= 200 && !a.folder().starts_with('.'));
            if !is_shortened(&a.folder()) {
                proptest::prop_assert_eq!(ConversationId::of_folder(&a.folder()), Some(a));
            }
        }
    }
}
