//! What is offered at a front door: a registry, and the toolsets that were chosen of it.

use std::sync::Arc;

use memory_core::{Code, Error, Kind, Offer, Progress, Registry, Result, Silent};
use serde_json::value::RawValue;

use crate::pauses::Pauses;

/// The word that chooses every toolset.
const ALL: &str = "all";

/// Returns the toolsets that were asked for; `all` means every one.
///
/// When nothing was asked for, they are those of `usual` that there are.
pub fn chosen_toolsets(registry: &Registry, asked: &[String], usual: &[&str]) -> Vec<String> {
    let known = registry.toolsets();
    match asked {
        [] => usual
            .iter()
            .filter(|set| known.contains(set))
            .map(|set| (*set).to_owned())
            .collect(),
        asked if asked.iter().any(|set| set == ALL) => {
            known.iter().map(|set| (*set).to_owned()).collect()
        }
        asked => asked.to_vec(),
    }
}

/// A registry, as far as it is offered.
#[derive(Clone)]
pub struct Desk {
    registry: Arc<Registry>,
    toolsets: Vec<String>,
    /// Whether the toolsets were asked for, and not the usual ones.
    is_chosen: bool,
    pauses: Arc<Pauses>,
}

impl Desk {
    /// Opens a desk for the toolsets that were asked for, or for the usual ones.
    pub fn open(registry: Arc<Registry>, asked: &[String], usual: &[&str]) -> Result<Self> {
        let toolsets = chosen_toolsets(&registry, asked, usual);
        let pauses = Arc::new(Pauses::new(registry.clone()));
        let desk = Desk {
            registry,
            toolsets,
            is_chosen: !asked.is_empty(),
            pauses,
        };
        if desk.offers()?.is_empty() {
            Err(Error::new(Code::InvalidArgument, "No tools are available")
                .hint("Set HOME or MEMORY_ROOT, or pass --root DIR"))
        } else {
            Ok(desk)
        }
    }

    /// Returns the tools that are offered, always in the same order.
    pub fn offers(&self) -> Result<Vec<Offer<'_>>> {
        let sets: Vec<&str> = self.toolsets.iter().map(String::as_str).collect();
        self.registry.offers(&sets)
    }

    /// Says whether a tool is offered.
    pub fn has(&self, name: &str) -> bool {
        self.offers()
            .is_ok_and(|offers| offers.iter().any(|offer| offer.name == name))
    }

    /// Returns the kinds whose resources are shown, in the order in which they are asked: those whose
    /// toolsets were chosen, as they were chosen; then the others, if nothing was asked for.
    ///
    /// Where two kinds have a resource of the same address, the first of them answers.
    pub fn kinds(&self) -> Vec<&dyn Kind> {
        let place = |kind: &dyn Kind| {
            let chosen = self.toolsets.iter().position(|set| set == kind.name());
            chosen.unwrap_or(self.toolsets.len())
        };
        let mut kinds: Vec<&dyn Kind> = if self.is_chosen {
            self.chosen_kinds().collect()
        } else {
            self.registry.kinds().collect()
        };
        kinds.sort_by_key(|kind| place(*kind));
        kinds
    }

    /// Returns the kinds whose toolsets were chosen, in the order of the registry.
    pub fn chosen_kinds(&self) -> impl Iterator<Item = &dyn Kind> {
        self.registry
            .kinds()
            .filter(|kind| self.toolsets.iter().any(|set| set == kind.name()))
    }

    /// Calls a tool.
    pub fn call(&self, name: &str, parameters: &RawValue) -> Result<Box<RawValue>> {
        self.call_watched(name, parameters, &Silent)
    }

    /// Calls a tool, and lets someone watch.
    pub fn call_watched(
        &self,
        name: &str,
        parameters: &RawValue,
        watch: &dyn Progress,
    ) -> Result<Box<RawValue>> {
        let ended = self
            .registry
            .call_watched(&self.offers()?, name, parameters, watch);
        self.pauses.called();
        ended
    }

    /// The pauses between its calls.
    pub(crate) fn pauses(&self) -> &Pauses {
        &self.pauses
    }

    /// The registry behind the desk.
    pub fn registry(&self) -> &Arc<Registry> {
        &self.registry
    }
}

impl std::fmt::Debug for Desk {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Desk").field(&self.toolsets).finish()
    }
}

#[cfg(test)]
mod tests {
    use memory_core::{
        Clock, Content, Document, Effect, Flaw, Rehearsal, Resource, Step, Survey, Task, Timestamp,
        Tool, ToolSpec,
    };

    use super::*;

    /// A kind that has the same resource as its twins.
    struct Twin(&'static str);

    impl Kind for Twin {
        fn name(&self) -> &'static str {
            self.0
        }

        fn tools(&self) -> Vec<Tool> {
            let spec = ToolSpec {
                toolset: self.0,
                name: self.0,
                alias: Some(self.0),
                description: "",
                effect: Effect::Reads,
            };
            let body = |_: &memory_core::Call<'_>,
                        _: serde_json::Map<String, serde_json::Value>| {
                Ok(memory_core::Done::read(()))
            };
            vec![Tool::new(spec, body)]
        }

        fn tasks(&self) -> Vec<Task> {
            vec![]
        }

        fn documents(&self, _: Timestamp) -> Survey<Document> {
            Survey::default()
        }

        fn repair(&self, _: Timestamp, _: Rehearsal) -> Result<Vec<Flaw>> {
            Ok(vec![])
        }

        fn steps(&self) -> Survey<Step> {
            Survey::default()
        }

        fn undo(
            &self,
            _: &Step,
            _: memory_core::Actor,
            _: Timestamp,
        ) -> Result<Option<memory_core::Undone>> {
            Ok(None)
        }

        fn resources(&self) -> Vec<Resource> {
            let uri = "memory://recent".to_owned();
            vec![Resource {
                uri,
                name: self.0.to_owned(),
                description: String::new(),
                mime_type: "text/plain",
            }]
        }

        fn resource(&self, _: &str, _: Timestamp) -> Result<Option<Content>> {
            Ok(Some(Content {
                mime_type: "text/plain",
                text: self.0.to_owned(),
            }))
        }
    }

    #[track_caller]
    fn check(asked: &[&str], usual: &[&str], order: &[&str]) {
        let registry = Registry::new(Clock::system())
            .with_kind(Twin("notes"))
            .with_kind(Twin("journal"));
        let asked: Vec<String> = asked.iter().map(|set| (*set).to_owned()).collect();
        let desk = Desk::open(Arc::new(registry), &asked, usual).unwrap();
        assert_eq!(
            desk.kinds()
                .iter()
                .map(|kind| kind.name())
                .collect::<Vec<_>>(),
            order
        );
    }

    #[test]
    fn the_kind_that_was_chosen_first_is_asked_first_and_others_only_by_default() {
        check(&["journal"], &[], &["journal"]);
        check(&["journal", "notes"], &[], &["journal", "notes"]);
        check(&["all"], &[], &["notes", "journal"]);
        check(&[], &["journal"], &["journal", "notes"]);
    }
}
