//! What a message says: a text, or an array of parts of which only the texts are read.

use serde::Deserialize;
use serde::de::IgnoredAny;

/// The content of a message, as OpenAI's clients and servers write it.
#[derive(Debug, Default, Deserialize)]
#[serde(untagged)]
pub(super) enum Content {
    Text(String),
    Parts(Vec<Part>),
    /// Null, and what nobody has thought of yet.
    Other(IgnoredAny),
    #[default]
    #[serde(skip)]
    None,
}

/// A part of a content: a text, an image, a sound, a file.
#[derive(Debug, Deserialize)]
#[serde(untagged)]
pub(super) enum Part {
    Text {
        #[serde(default, rename = "type")]
        name: Option<String>,
        text: String,
    },
    Other(IgnoredAny),
}

impl Content {
    /// Returns all that is text in it, part by part.
    pub(super) fn into_text(self) -> String {
        match self {
            Content::Text(text) => text,
            Content::Parts(parts) => {
                let texts: Vec<String> = parts.into_iter().filter_map(Part::into_text).collect();
                texts.join("\n")
            }
            Content::Other(_) | Content::None => String::new(),
        }
    }
}

impl Part {
    fn into_text(self) -> Option<String> {
        match self {
            Part::Text { name, text }
                if name.as_deref().is_none_or(|name| name.ends_with("text")) =>
            {
                Some(text)
            }
            _ => None,
        }
    }
}
