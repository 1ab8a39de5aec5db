//! The one way into every kind: finds the tool, asks the hooks, calls it, tells the listeners.

use std::sync::Arc;

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::value::{RawValue, to_raw_value};

use crate::{
    Actor, Call, Clock, Code, Done, Error, Event, Hook, Kind, Listener, Progress, Recall,
    Rehearsal, Report, Result, Silent, Step, Survey, Task, Tool, Undone, nearest,
};

/// All kinds of a house, with their tools.
pub struct Registry {
    clock: Clock,
    by: Actor,
    kinds: Vec<Arc<dyn Kind>>,
    recall: Option<Arc<dyn Recall>>,
    tools: Vec<Tool>,
    tasks: Vec<(&'static str, Arc<Task>)>,
    hooks: Vec<Box<dyn Hook>>,
    listeners: Vec<Box<dyn Listener>>,
}

/// A tool under the name that a client sees.
#[derive(Debug)]
pub struct Offer<'a> {
    pub name: &'static str,
    pub tool: &'a Tool,
}

impl Registry {
    /// Returns a registry without kinds.
    pub fn new(clock: Clock) -> Self {
        Registry {
            clock,
            by: Actor::Person,
            kinds: vec![],
            recall: None,
            tools: vec![],
            tasks: vec![],
            hooks: vec![],
            listeners: vec![],
        }
    }

    /// Sets who makes the calls, as the history records it.
    #[must_use]
    pub fn acting_as(mut self, by: Actor) -> Self {
        self.by = by;
        self
    }

    /// Adds a kind and its tools.
    #[must_use]
    pub fn with_kind(mut self, kind: impl Kind + 'static) -> Self {
        self.tools.extend(kind.tools());
        self.tasks.extend(
            kind.tasks()
                .into_iter()
                .map(|task| (kind.name(), Arc::new(task))),
        );
        self.kinds.push(Arc::new(kind));
        self
    }

    /// Adds tools that belong to no single kind.
    #[must_use]
    pub fn with_tools(mut self, tools: Vec<Tool>) -> Self {
        self.tools.extend(tools);
        self
    }

    /// Adds upkeep that belongs to no single kind, in the name of whoever does it.
    #[must_use]
    pub fn with_task(mut self, owner: &'static str, task: Task) -> Self {
        self.tasks.push((owner, Arc::new(task)));
        self
    }

    /// All upkeep, with the name of whoever does it.
    pub fn tasks(&self) -> &[(&'static str, Arc<Task>)] {
        &self.tasks
    }

    /// Lets tools recall from all kinds.
    #[must_use]
    pub fn with_recall(mut self, recall: Arc<dyn Recall>) -> Self {
        self.recall = Some(recall);
        self
    }

    /// Adds a hook. Hooks run in the order they were added.
    #[must_use]
    pub fn with_hook(mut self, hook: impl Hook + 'static) -> Self {
        self.hooks.push(Box::new(hook));
        self
    }

    /// Adds a listener.
    #[must_use]
    pub fn with_listener(mut self, listener: impl Listener + 'static) -> Self {
        self.listeners.push(Box::new(listener));
        self
    }

    /// Tells all kinds that this process stays.
    pub fn stay(&self) {
        self.kinds.iter().for_each(|kind| kind.stay());
    }

    /// Tells all kinds that nothing is asked for at the moment.
    pub fn settle(&self) {
        self.kinds.iter().for_each(|kind| kind.settle());
    }

    /// The clock that calls go by.
    pub fn clock(&self) -> Clock {
        self.clock
    }

    /// Every kind, for someone who outlives a borrow.
    pub fn shared_kinds(&self) -> Vec<Arc<dyn Kind>> {
        self.kinds.clone()
    }

    /// Every kind, in the order they were added.
    pub fn kinds(&self) -> impl Iterator<Item = &dyn Kind> {
        self.kinds.iter().map(AsRef::as_ref)
    }

    /// Returns the names of the sets that have something to offer, in the order of their kinds.
    pub fn toolsets(&self) -> Vec<&'static str> {
        let offered = self.tools.iter().filter(|tool| tool.spec.alias.is_some());
        let mut sets: Vec<&'static str> = offered.map(|tool| tool.spec.toolset).collect();
        sets.dedup();
        sets
    }

    /// Returns the tools of the chosen sets. Where two sets share a name, the later set's tool
    /// goes by its alias; a set whose aliases are its names comes before one that can give way.
    pub fn offers(&self, toolsets: &[&str]) -> Result<Vec<Offer<'_>>> {
        if let Some(unknown) = toolsets.iter().find(|set| self.members(set).is_empty()) {
            return Err(self.unknown_toolset(unknown));
        }
        let can_give_way =
            |tool: &&Tool| tool.spec.alias.is_some_and(|alias| alias != tool.spec.name);
        let mut sets = toolsets.to_vec();
        sets.sort_by_key(|set| {
            (
                self.members(set).iter().any(can_give_way),
                place(toolsets, set),
            )
        });
        sets.dedup();
        let mut offers: Vec<Offer<'_>> = Vec::new();
        for set in sets {
            let members = self.members(set);
            let clashes = members
                .iter()
                .any(|t| offers.iter().any(|o| o.name == t.spec.name));
            offers.extend(members.into_iter().filter_map(|tool| {
                let alias = tool.spec.alias?;
                Some(Offer {
                    name: if clashes { alias } else { tool.spec.name },
                    tool,
                })
            }));
        }
        Ok(offers)
    }

    fn members(&self, toolset: &str) -> Vec<&Tool> {
        self.tools
            .iter()
            .filter(|tool| tool.spec.toolset == toolset)
            .collect()
    }

    fn unknown_toolset(&self, set: &str) -> Error {
        let known = self.toolsets();
        let error = Error::new(
            Code::InvalidArgument,
            format!(
                "'{set}' is not a toolset; the toolsets are {}",
                known.join(", ")
            ),
        );
        match nearest(set, known) {
            Some(meant) => error.hint(format!("Did you mean '{meant}'?")),
            None => error,
        }
    }

    /// Calls a tool with typed parameters and reply, and lets someone watch.
    pub fn ask<P, R>(
        &self,
        toolset: &str,
        name: &str,
        parameters: &P,
        watch: &dyn Progress,
    ) -> Result<R>
    where
        P: Serialize,
        R: DeserializeOwned,
    {
        let tool = self
            .tools
            .iter()
            .find(|tool| tool.spec.toolset == toolset && tool.spec.name == name)
            .ok_or_else(|| no_tool(name))?;
        let parameters = to_raw_value(parameters).map_err(unwritable)?;
        let reply = self.run(tool, name, &parameters, watch)?;
        // What a hook has made of it may have another shape: then it has changed nothing, as if it had failed.
        let changed = self.past_hooks(name, reply.clone());
        serde_json::from_str(changed.get())
            .or_else(|_| serde_json::from_str(reply.get()))
            .map_err(unwritable)
    }

    /// Reads what a client may read without a tool, past the same hooks and listeners as a call of a tool.
    pub fn read<P, R>(
        &self,
        name: &str,
        parameters: &P,
        read: impl FnOnce() -> Result<R>,
    ) -> Result<R>
    where
        P: Serialize,
        R: Serialize + DeserializeOwned,
    {
        let parameters = to_raw_value(parameters).map_err(unwritable)?;
        self.tell(&Event::ToolStart { tool: name });
        match self.allowed(name, &parameters).and_then(|()| read()) {
            Ok(content) => {
                self.tell(&Event::ToolEnd { tool: name });
                let written = to_raw_value(&content).map_err(unwritable)?;
                Ok(serde_json::from_str(self.past_hooks(name, written).get()).unwrap_or(content))
            }
            Err(error) => {
                self.tell(&Event::Error {
                    tool: name,
                    error: &error,
                });
                Err(error)
            }
        }
    }

    /// Returns the steps of all kinds that can be taken back, newest first, and the flaws found.
    pub fn steps(&self) -> Survey<Step> {
        let mut survey = Survey::default();
        self.kinds().for_each(|kind| survey.absorb(kind.steps()));
        survey.good.sort_by(Step::newest_first);
        survey
    }

    /// Returns the steps of all kinds that undid others and can be undone in turn, newest first.
    pub fn undos(&self) -> Survey<Step> {
        let mut survey = Survey::default();
        self.kinds().for_each(|kind| survey.absorb(kind.undos()));
        survey.good.sort_by(Step::newest_first);
        survey
    }

    /// Takes a step back; none when someone else is doing or has done so.
    pub fn undo(&self, step: &Step) -> Result<Option<Undone>> {
        let kind = self.kinds().find(|kind| kind.name() == step.kind);
        let kind = kind
            .ok_or_else(|| Error::new(Code::NotFound, format!("Unknown kind '{}'", step.kind)))?;
        let undone = kind.undo(step, self.by, self.clock.now())?;
        if let Some(Undone { changes, .. }) = &undone
            && !changes.is_empty()
        {
            self.tell(&Event::Changed { changes });
        }
        Ok(undone)
    }

    /// Runs a task and tells the listeners what it changed.
    pub fn run_task(&self, task: &Task, how: Rehearsal) -> Result<Report> {
        let (report, changes) = task.run(self.clock.now(), how)?;
        if !changes.is_empty() {
            self.tell(&Event::Changed { changes: &changes });
        }
        Ok(report)
    }

    /// Calls one of the offered tools with parameters as they came from a client.
    pub fn call(
        &self,
        offers: &[Offer<'_>],
        name: &str,
        parameters: &RawValue,
    ) -> Result<Box<RawValue>> {
        self.call_watched(offers, name, parameters, &Silent)
    }

    /// Calls one of the offered tools, and lets someone watch.
    pub fn call_watched(
        &self,
        offers: &[Offer<'_>],
        name: &str,
        parameters: &RawValue,
        watch: &dyn Progress,
    ) -> Result<Box<RawValue>> {
        let Some(offer) = offers.iter().find(|offer| offer.name == name) else {
            let error = match nearest(name, offers.iter().map(|offer| offer.name)) {
                Some(meant) => no_tool(name).hint(format!("Did you mean '{meant}'?")),
                None => no_tool(name),
            };
            self.tell(&Event::Error {
                tool: name,
                error: &error,
            });
            return Err(error);
        };
        let reply = self.run(offer.tool, name, parameters, watch)?;
        Ok(self.past_hooks(name, reply))
    }

    fn past_hooks(&self, name: &str, reply: Box<RawValue>) -> Box<RawValue> {
        self.hooks
            .iter()
            .fold(reply, |reply, hook| hook.after(name, reply))
    }

    fn run(
        &self,
        tool: &Tool,
        name: &str,
        parameters: &RawValue,
        watch: &dyn Progress,
    ) -> Result<Box<RawValue>> {
        self.tell(&Event::ToolStart { tool: name });
        let call = self.surroundings(watch);
        let ended = self
            .allowed(name, parameters)
            .and_then(|()| tool.call(&call, parameters));
        match ended {
            Ok(Done { reply, changes }) => {
                if !changes.is_empty() {
                    self.tell(&Event::Changed { changes: &changes });
                }
                self.tell(&Event::ToolEnd { tool: name });
                Ok(reply)
            }
            Err(error) => {
                self.tell(&Event::Error {
                    tool: name,
                    error: &error,
                });
                Err(error)
            }
        }
    }

    /// What surrounds a call that happens now.
    pub fn surroundings<'a>(&'a self, watch: &'a dyn Progress) -> Call<'a> {
        Call {
            now: self.clock.now(),
            by: self.by,
            progress: watch,
            recall: self.recall.as_deref(),
        }
    }

    fn allowed(&self, name: &str, parameters: &RawValue) -> Result<()> {
        self.hooks
            .iter()
            .try_for_each(|hook| hook.before(name, parameters))
    }

    /// Tells the listeners of something that happened.
    pub fn tell(&self, event: &Event<'_>) {
        self.listeners
            .iter()
            .for_each(|listener| listener.hear(event));
    }
}

fn place(toolsets: &[&str], set: &str) -> usize {
    toolsets
        .iter()
        .position(|known| *known == set)
        .unwrap_or_default()
}

fn no_tool(name: &str) -> Error {
    Error::new(Code::NotFound, format!("Unknown tool '{name}'")).with("tool", name)
}

pub(crate) fn unwritable(error: serde_json::Error) -> Error {
    Error::new(
        Code::InvalidArgument,
        "The call could not be written as JSON",
    )
    .because(error)
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use serde::Deserialize;

    use super::*;
    use crate::{Address, Change, Document, Effect, Flaw, Rehearsal, Task, Timestamp, ToolSpec};

    struct Echo(&'static str);

    #[derive(Serialize, Deserialize, schemars::JsonSchema)]
    #[serde(deny_unknown_fields)]
    struct Say {
        word: String,
    }

    impl Kind for Echo {
        fn name(&self) -> &'static str {
            self.0
        }
        fn tools(&self) -> Vec<Tool> {
            let kind = self.0;
            let spec = |name, alias| ToolSpec {
                toolset: kind,
                name,
                alias,
                description: "Says it again",
                effect: Effect::Reads,
            };
            let say = move |_: &Call<'_>, said: Say| {
                let change = Change::gone(Address::new(kind, &said.word));
                Ok(Done::changed(said.word, vec![change]))
            };
            vec![
                Tool::new(spec("say", Some("echo_say")), say),
                Tool::new(spec("hidden", None), say),
            ]
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
        fn undo(&self, _: &Step, _: crate::Actor, _: Timestamp) -> Result<Option<crate::Undone>> {
            Ok(None)
        }
    }

    struct Strict;

    impl Hook for Strict {
        fn before(&self, _: &str, parameters: &RawValue) -> Result<()> {
            if parameters.get().contains("rude") {
                Err(Error::new(Code::PermissionDenied, "Not here"))
            } else {
                Ok(())
            }
        }
        fn after(&self, _: &str, reply: Box<RawValue>) -> Box<RawValue> {
            to_raw_value(&reply.get().to_uppercase()).unwrap()
        }
    }

    #[derive(Clone, Default)]
    struct Diary(Arc<Mutex<Vec<String>>>);

    impl Listener for Diary {
        fn hear(&self, event: &Event<'_>) {
            let line = match event {
                Event::ToolStart { tool } => format!("start {tool}"),
                Event::ToolEnd { tool } => format!("end {tool}"),
                Event::Changed { changes } => format!("changed {}", changes[0].address),
                Event::Error { error, .. } => format!("error {}", error.code.as_str()),
                other => format!("{other:?}"),
            };
            self.0.lock().unwrap().push(line);
        }
    }

    fn names(registry: &Registry, sets: &[&str]) -> Vec<&'static str> {
        registry
            .offers(sets)
            .unwrap()
            .iter()
            .map(|offer| offer.name)
            .collect()
    }

    fn raw(text: &str) -> Box<RawValue> {
        RawValue::from_string(text.to_owned()).unwrap()
    }

    #[test]
    fn two_sets_with_the_same_names_are_told_apart_by_alias() {
        let registry = Registry::new(Clock::system())
            .with_kind(Echo("notes"))
            .with_kind(Echo("banks"));
        assert_eq!(names(&registry, &["banks"]), ["say"]);
        assert_eq!(names(&registry, &["notes", "banks"]), ["say", "echo_say"]);
        assert_eq!(
            names(&registry, &["notes", "banks", "notes"]),
            ["say", "echo_say"]
        );
        let error = registry.offers(&["bank"]).unwrap_err();
        assert_eq!(error.hint.as_deref(), Some("Did you mean 'banks'?"));
    }

    #[test]
    fn hooks_may_refuse_and_change_and_listeners_hear_everything() {
        let diary = Diary::default();
        let registry = Registry::new(Clock::system())
            .with_kind(Echo("notes"))
            .with_hook(Strict)
            .with_listener(diary.clone());
        let offers = registry.offers(&["notes"]).unwrap();
        let reply = registry
            .call(&offers, "say", &raw(r#"{"word":"hi"}"#))
            .unwrap();
        assert_eq!(reply.get(), r#""\"HI\"""#);
        let refused = registry
            .call(&offers, "say", &raw(r#"{"word":"rude"}"#))
            .unwrap_err();
        assert_eq!(refused.code, Code::PermissionDenied);
        registry.call(&offers, "nothing", &raw("{}")).unwrap_err();
        assert_eq!(
            *diary.0.lock().unwrap(),
            [
                "start say",
                "changed notes:hi",
                "end say",
                "start say",
                "error PERMISSION_DENIED",
                "error NOT_FOUND"
            ]
        );
    }

    #[test]
    fn hooks_and_listeners_see_what_is_read_without_a_tool() {
        let diary = Diary::default();
        let registry = Registry::new(Clock::system())
            .with_hook(Strict)
            .with_listener(diary.clone());
        let read = |uri: &str| registry.read("resource", &uri, || Ok("text".to_owned()));
        assert_eq!(read("memory://a").unwrap(), "\"TEXT\"");
        assert_eq!(
            read("memory://rude").unwrap_err().code,
            Code::PermissionDenied
        );
        let heard = [
            "start resource",
            "end resource",
            "start resource",
            "error PERMISSION_DENIED",
        ];
        assert_eq!(*diary.0.lock().unwrap(), heard);
    }

    #[test]
    fn a_reply_that_a_hook_has_spoilt_for_a_typed_caller_is_as_it_was() {
        struct Shout;
        impl Hook for Shout {
            fn after(&self, _: &str, _: Box<RawValue>) -> Box<RawValue> {
                raw(r#"{"loud":true}"#)
            }
        }
        let registry = Registry::new(Clock::system())
            .with_kind(Echo("notes"))
            .with_hook(Shout);
        let said = Say {
            word: "hi".to_owned(),
        };
        let reply: String = registry.ask("notes", "say", &said, &Silent).unwrap();
        assert_eq!(reply, "hi");
    }

    #[test]
    fn wrong_parameters_and_unknown_tools_are_named() {
        let registry = Registry::new(Clock::system()).with_kind(Echo("notes"));
        let offers = registry.offers(&["notes"]).unwrap();
        let missing = registry.call(&offers, "say", &raw("{}")).unwrap_err();
        assert_eq!(missing.message, "The parameter 'word' is missing");
        let far = registry.call(&offers, "tell", &raw("{}")).unwrap_err();
        assert_eq!(far.hint.as_deref(), None);
        let near = registry.call(&offers, "sya", &raw("{}")).unwrap_err();
        assert_eq!(near.hint.as_deref(), Some("Did you mean 'say'?"));
    }
}
