//! The contract between a kind of memory and the house it lives in.

use crate::{Change, Document, Flaw, Result, Step, Survey, Task, Timestamp, Tool};

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

    /// Looks for damage and mends it, or only tells.
    fn repair(&self, now: Timestamp, how: Rehearsal) -> Result<Vec<Flaw>>;

    /// The steps that can be taken back, newest first.
    fn steps(&self) -> Survey<Step>;

    /// Takes one of those steps back; none when someone else is doing or has done so.
    fn undo(&self, step: &Step, now: Timestamp) -> Result<Option<Vec<Change>>>;
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
