//! What is still to be done with an output: a chain of steps, shared between branches.

use std::cell::{Cell, RefCell};
use std::mem;
use std::rc::Rc;

use super::build::{Arguments, Building, Writing};
use super::change::SharedChanges;
use super::env::{Env, State};
use super::part::Parting;
use super::scene::Scene;
use super::subject::{Subject, Trail};
use crate::budget::Charge;
use crate::compile::{Fold, FoldStep, Node};
use crate::error::LimitKind;
use crate::syntax::{Calculation, Comparison};
use crate::value::{Items, Text, Value};

/// The steps an output has to go through; none are left when it is an output of the filter.
pub(super) type Next<'p> = Option<Rc<Frame<'p>>>;

/// One step and those after it.
pub(super) struct Frame<'p> {
    step: Step<'p>,
    next: Next<'p>,
    _charge: Charge,
}

impl<'p> Frame<'p> {
    pub(super) fn before(next: Next<'p>, step: Step<'p>) -> Result<Next<'p>, LimitKind> {
        let charge = Charge::new(size_of::<Frame<'p>>() + 32 + step.boxed_bytes())?;
        Ok(Some(Rc::new(Frame {
            step,
            next,
            _charge: charge,
        })))
    }

    /// The step and what follows it, moved out where no branch comes back to it.
    pub(super) fn open(frame: Rc<Self>) -> (Step<'p>, Next<'p>) {
        match Rc::try_unwrap(frame) {
            Ok(mut frame) => (mem::take(&mut frame.step), frame.next.take()),
            Err(frame) => (frame.step.clone(), frame.next.clone()),
        }
    }
}

/// Frees a chain step by step: recursion makes chains that are too long for the stack.
impl Drop for Frame<'_> {
    fn drop(&mut self) {
        let mut next = self.next.take();
        while let Some(mut frame) = next.and_then(Rc::into_inner) {
            next = frame.next.take();
        }
    }
}

/// A mark that a step and a choice share: whether errors are still those of a `try`'s own body,
/// whether the left side of `//` gave anything.
pub(super) type Guard = Rc<Cell<bool>>;

/// What is done with one output.
#[derive(Clone, Default)]
pub(super) enum Step<'p> {
    #[default]
    Nothing,
    Pipe(&'p Node, Env<'p>),
    /// The output is a key.
    Key(Box<Parting<'p>>),
    /// The output is what a key leads into.
    Part {
        key: Value,
        is_optional: bool,
    },
    SliceFrom {
        upto: Option<&'p Node>,
        parting: Box<Parting<'p>>,
    },
    SliceUpto {
        from: Value,
        parting: Box<Parting<'p>>,
    },
    Iterate {
        is_optional: bool,
    },
    Collect(Rc<RefCell<Items>>),
    ObjectKey(Box<Building<'p>>),
    ObjectValue(Box<Building<'p>>, Text),
    TextFill(Box<Writing<'p>>),
    Argument(Box<Arguments<'p>>),
    Negate(Option<Trail>),
    CompareRight {
        comparison: Comparison,
        left: &'p Node,
        scene: Scene<'p>,
    },
    CompareLeft {
        comparison: Comparison,
        right: Value,
        trail: Option<Trail>,
    },
    CalculateRight {
        calculation: Calculation,
        left: &'p Node,
        scene: Scene<'p>,
    },
    CalculateLeft {
        calculation: Calculation,
        right: Value,
        trail: Option<Trail>,
    },
    /// The left side of `and` (stops at false) or `or` (stops at true).
    Logic {
        stops_at: bool,
        right: &'p Node,
        scene: Scene<'p>,
    },
    Truth(Option<Trail>),
    Branch {
        then: &'p Node,
        otherwise: &'p Node,
        scene: Scene<'p>,
    },
    Bind(&'p Node, Scene<'p>),
    /// The left side of `//`; the mark says whether it gave anything true.
    Alternative(Guard),
    LeaveGuard(Guard),
    LeaveLabel(u64),
    FoldStart {
        fold: &'p Fold,
        shows: bool,
        scene: Scene<'p>,
    },
    FoldItem {
        fold: &'p Fold,
        env: Env<'p>,
        trail: Option<Trail>,
    },
    FoldStore {
        step: &'p FoldStep,
        state: State,
        env: Env<'p>,
    },
    Path(Option<Trail>),
    GetPath(Subject),
    AssignValue {
        paths: &'p Node,
        scene: Scene<'p>,
    },
    FoundPath(SharedChanges),
    UpdateStore {
        changes: SharedChanges,
        path: Value,
        height: usize,
    },
    RangeFrom(&'p Node, Scene<'p>),
    RangeUpto {
        from: Value,
        trail: Option<Trail>,
    },
    LimitCount(&'p Node, Scene<'p>),
    Limit {
        left: Rc<Cell<f64>>,
        height: usize,
    },
    SkipCount(&'p Node, Scene<'p>),
    Skip(Rc<Cell<f64>>),
}

impl Step<'_> {
    /// Bytes a step holds beside its own.
    fn boxed_bytes(&self) -> usize {
        match self {
            Step::Key(_) | Step::SliceFrom { .. } | Step::SliceUpto { .. } => {
                size_of::<Parting<'_>>()
            }
            Step::ObjectKey(_) | Step::ObjectValue(..) => size_of::<Building<'_>>(),
            Step::TextFill(writing) => size_of::<Writing<'_>>() + 64 + writing.written.len() * 16,
            Step::Argument(arguments) => {
                size_of::<Arguments<'_>>() + 64 + arguments.values.len() * 16
            }
            Step::FoldStart { .. } | Step::FoldItem { .. } | Step::FoundPath(_) => 128,
            _ => 0,
        }
    }
}
