//! The three compartments, and whose entries of one a caller means.

use std::borrow::Cow;
use std::fmt;

use memory_core::{nearest, printable};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};

use crate::{CompartmentError, Entry, RunId};

/// One of the three compartments.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Compartment {
    /// The task at hand: one run's alone, and gone with it.
    Run,
    /// What holds across runs, for all agents of the session.
    Session,
    /// The steps to take: the session's, or a run's if it is so configured.
    Plan,
}

impl Compartment {
    /// All of them, in the order of the file.
    pub const ALL: [Compartment; 3] = [Compartment::Run, Compartment::Session, Compartment::Plan];

    /// Reads the name of a compartment.
    pub fn parse(name: &str) -> Result<Self, CompartmentError> {
        let found = Compartment::ALL
            .into_iter()
            .find(|compartment| compartment.as_str() == name);
        found.ok_or_else(|| {
            let meant = nearest(name, Compartment::ALL.map(Compartment::as_str)).map(str::to_owned);
            CompartmentError::BadCompartment {
                name: printable(name),
                meant,
            }
        })
    }

    /// Returns its name.
    pub fn as_str(self) -> &'static str {
        match self {
            Compartment::Run => "run",
            Compartment::Session => "session",
            Compartment::Plan => "plan",
        }
    }
}

/// By hand: a derived one has a text for each name, in a shape that some providers refuse.
impl JsonSchema for Compartment {
    fn schema_name() -> Cow<'static, str> {
        "Compartment".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "string", "enum": Compartment::ALL.map(Compartment::as_str) })
    }
}

impl fmt::Display for Compartment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// Whose the plan is.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum PlanScope {
    /// Each run has its own, which ends with it.
    Run,
    /// All runs share one, which stays.
    #[default]
    Session,
}

/// The entries of a compartment that one caller sees.
///
/// Invariant: what belongs to a run is in the part of that run and in no other's, so that a
/// sub-agent, which has a run of its own, never sees its caller's.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Part {
    pub compartment: Compartment,
    owner: Owner,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Owner {
    Everyone,
    /// A run; none is the one that nobody has named.
    Run(Option<RunId>),
}

impl Part {
    /// Returns the part of a compartment that a run sees.
    pub fn of(compartment: Compartment, run: Option<RunId>, plan: PlanScope) -> Self {
        let owner = match (compartment, plan) {
            (Compartment::Session, _) | (Compartment::Plan, PlanScope::Session) => Owner::Everyone,
            (Compartment::Run, _) | (Compartment::Plan, PlanScope::Run) => Owner::Run(run),
        };
        Part { compartment, owner }
    }

    /// Says whether an entry of the compartment is in this part.
    pub fn has(&self, entry: &Entry) -> bool {
        match &self.owner {
            Owner::Everyone => true,
            Owner::Run(run) => entry.run == *run,
        }
    }

    /// Returns the run whose part this is, if it is a named one's.
    pub fn run(&self) -> Option<&RunId> {
        match &self.owner {
            Owner::Everyone => None,
            Owner::Run(run) => run.as_ref(),
        }
    }
}

impl fmt::Display for Part {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.run() {
            Some(run) => write!(f, "{} memory of run '{run}'", self.compartment),
            None => write!(f, "{} memory", self.compartment),
        }
    }
}
