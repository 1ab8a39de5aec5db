//! An agent at work: the tools it was given, and what was recalled for it.
//!
//! A session begins and ends with an event. Its context is set by [`Session::inject_context`], which
//! asks the tools of the registry for what is relevant; how they know is theirs.

use serde_json::value::{RawValue, to_raw_value};

use crate::{Context, Event, Offer, Registry, Result};

/// The tools that recall what is relevant to a question, the better one first.
const RECALLING: [&str; 2] = ["memory_recall", "memory_smart_search"];

/// One agent's use of a registry.
pub struct Session<'a> {
    registry: &'a Registry,
    offers: Vec<Offer<'a>>,
    id: String,
    context: Context,
}

impl<'a> Session<'a> {
    /// Begins a session with the tools of these sets.
    pub fn open(registry: &'a Registry, toolsets: &[&str], id: impl Into<String>) -> Result<Self> {
        let session = Session {
            registry,
            offers: registry.offers(toolsets)?,
            id: id.into(),
            context: Context::default(),
        };
        registry.tell(&Event::AgentStart {
            session: &session.id,
        });
        Ok(session)
    }

    /// The tools that can be called.
    pub fn tools(&self) -> &[Offer<'a>] {
        &self.offers
    }

    /// Calls a tool, past the hooks.
    pub fn call(&self, name: &str, parameters: &RawValue) -> Result<Box<RawValue>> {
        self.registry.call(&self.offers, name, parameters)
    }

    /// Recalls what is relevant to a prompt and keeps it as the session's context.
    ///
    /// A prompt without a word to look for is answered with nothing.
    pub fn inject_context(&mut self, prompt: &str) -> Result<&Context> {
        let asked = to_raw_value(&serde_json::json!({ "query": prompt }))
            .map_err(crate::registry::unwritable)?;
        let tool = RECALLING
            .iter()
            .find(|name| self.offers.iter().any(|offer| offer.name == **name));
        self.context = match tool {
            Some(name) if prompt.contains(char::is_alphanumeric) => {
                serde_json::from_str(self.call(name, &asked)?.get())
                    .map_err(crate::registry::unwritable)?
            }
            _ => Context::default(),
        };
        Ok(&self.context)
    }

    /// What was last recalled.
    pub fn context(&self) -> &Context {
        &self.context
    }
}

impl Drop for Session<'_> {
    fn drop(&mut self) {
        self.registry.tell(&Event::AgentEnd { session: &self.id });
    }
}
