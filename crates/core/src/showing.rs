//! What a kind shows beside its tools: resources to read, prompts to begin with, values to complete.
//!
//! A transport that has such things (MCP) offers them; the others leave them alone.

use std::fmt;

use crate::{Call, Result};

/// Something that can be read by its address, such as `memory://recent`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Resource {
    /// The address; one with a `{name}` in it is a template for many.
    pub uri: String,
    pub name: String,
    pub description: String,
    pub mime_type: &'static str,
}

impl Resource {
    /// Says whether the address has a place to fill in.
    pub fn is_template(&self) -> bool {
        self.uri.contains('{')
    }
}

/// What a resource says now.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Content {
    pub mime_type: &'static str,
    pub text: String,
}

/// A value that a prompt asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Argument {
    pub name: &'static str,
    pub description: &'static str,
    pub is_required: bool,
}

/// The values that a prompt was given, by name.
pub type Arguments = std::collections::BTreeMap<String, String>;

type Body = Box<dyn Fn(&Call<'_>, &Arguments) -> Result<String> + Send + Sync>;

/// A text that a person begins with: it is put into the conversation in the person's name.
pub struct Prompt {
    pub name: &'static str,
    pub description: &'static str,
    pub arguments: Vec<Argument>,
    body: Body,
}

impl Prompt {
    /// Declares a prompt.
    pub fn new(
        name: &'static str,
        description: &'static str,
        arguments: Vec<Argument>,
        body: impl Fn(&Call<'_>, &Arguments) -> Result<String> + Send + Sync + 'static,
    ) -> Self {
        Prompt {
            name,
            description,
            arguments,
            body: Box::new(body),
        }
    }

    /// Returns its text for these values.
    pub fn text(&self, call: &Call<'_>, given: &Arguments) -> Result<String> {
        (self.body)(call, given)
    }
}

impl fmt::Debug for Prompt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Prompt")
            .field("name", &self.name)
            .field("arguments", &self.arguments)
            .finish()
    }
}
