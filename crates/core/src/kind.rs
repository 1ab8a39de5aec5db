//! The contract between a kind of memory and the house it lives in.

use std::path::PathBuf;

use crate::{
    Actor, Content, Document, Flaw, Prompt, Resource, Result, Source, Step, Survey, Task,
    Timestamp, Tool, Undone,
};

/// One system of memory: its own types, its own laws, its own files.
pub trait Kind: Send + Sync {
    /// The kind's name, which is also its toolset's: `banks`.
    fn name(&self) -> &'static str;

    /// Everything a caller can ask of it.
    fn tools(&self) -> Vec<Tool>;

    /// Everything it does unasked.
    fn tasks(&self) -> Vec<Task>;

    /// Every memory it keeps, and the flaws of what could not be read.
    fn documents(&self, now: Timestamp) -> Survey<Document>;

    /// The parts of its store that documents are made of, found without reading them.
    fn sources(&self) -> Survey<Source> {
        Survey::default()
    }

    /// What has become of the parts that some files of its folders belong to: the name of each, and the part
    /// if it is there. Files that no documents are made of are left out.
    ///
    /// For a kind whose [`folders`](Kind::folders) are watched. None when this can't be told: then all parts
    /// are looked at.
    fn sources_at(&self, _files: &[PathBuf]) -> Option<Vec<(String, Option<Source>)>> {
        None
    }

    /// The documents of one of these parts; none when it is gone. They do not depend on the time: one
    /// that has expired is shown with its expiry.
    fn documents_of(&self, _source: &str) -> Survey<Document> {
        Survey::default()
    }

    /// The documents of several parts, handed over one part after the other with its number among them.
    ///
    /// For a kind that can read many at once more cheaply.
    fn documents_of_each(&self, sources: &[&str], each: &mut dyn FnMut(usize, Survey<Document>)) {
        sources
            .iter()
            .enumerate()
            .for_each(|(n, source)| each(n, self.documents_of(source)));
    }

    /// Where its store is. One index serves houses that share some stores and not others, such as those
    /// of a project: what it knows of other places is neither shown nor forgotten.
    fn place(&self) -> String {
        String::new()
    }

    /// Hears that this process stays: a kind may then keep in memory what it knows of its files, as long
    /// as it sees what others do to them.
    fn stay(&self) {}

    /// Hears, in a process that stays, that nothing is asked for at the moment: time to write what is
    /// derived and was put off.
    fn settle(&self) {}

    /// The folders whose files its documents are made of, whether they are there or not, so that someone
    /// who stays can watch them. None when that is not known: then its sources are looked at each time.
    fn folders(&self) -> Option<Vec<PathBuf>> {
        None
    }

    /// Counts one access for each of these memories: they were returned to a caller or put into a prompt.
    ///
    /// Best effort: a count that cannot be stored does not fail the call that delivered the memories.
    fn record_access(&self, _ids: &[&str]) {}

    /// Looks for damage and mends it, or only tells.
    fn repair(&self, now: Timestamp, how: Rehearsal) -> Result<Vec<Flaw>>;

    /// The undo steps, newest first.
    fn steps(&self) -> Survey<Step>;

    /// The steps that undid others and can be undone in turn, newest first.
    fn undos(&self) -> Survey<Step> {
        Survey::default()
    }

    /// Takes one of those steps back; none when someone else is doing or has done so.
    fn undo(&self, step: &Step, by: Actor, now: Timestamp) -> Result<Option<Undone>>;

    /// Tells a model when to use its tools: a few sentences.
    fn guide(&self) -> &'static str {
        ""
    }

    /// What can be read by address, and the templates of such addresses.
    fn resources(&self) -> Vec<Resource> {
        Vec::new()
    }

    /// Reads a resource; none when the address is not one of its own. Reading counts as no access.
    fn resource(&self, _uri: &str, _now: Timestamp) -> Result<Option<Content>> {
        Ok(None)
    }

    /// Texts that a person can begin with.
    fn prompts(&self) -> Vec<Prompt> {
        Vec::new()
    }

    /// Values for a place of its resources and prompts that begin with `prefix`, the likeliest first.
    fn complete(&self, _place: &str, _prefix: &str) -> Vec<String> {
        Vec::new()
    }

    /// A number that is another one after its files have changed, as far as a quick look can tell.
    fn pulse(&self) -> u64 {
        0
    }
}

/// Whether something is really done or only shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rehearsal {
    /// Show what would happen; change nothing.
    Dry,
    /// Do it.
    Real,
}

impl Rehearsal {
    /// Returns `Dry` when asked for.
    pub fn dry_if(dry: bool) -> Self {
        if dry { Rehearsal::Dry } else { Rehearsal::Real }
    }

    /// Says whether nothing may change.
    pub fn is_dry(self) -> bool {
        self == Rehearsal::Dry
    }
}
