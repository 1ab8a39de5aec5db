//! What is still to be done with an output: a chain of steps, shared between branches.

use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::mem;
use std::rc::Rc;

use super::env::{Env, State};
use super::subject::{Subject, Trail};
use crate::budget::Charge;
use crate::compile::{Fold, FoldStep, Node, TextPart};
use crate::error::LimitKind;
use crate::natives::Native;
use crate::syntax::{Calculation, Comparison};
use crate::value::{Object, Text, Value};

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
        Ok(Some(Rc::new(Frame { step, next, _charge: charge })))
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

/// A value that is being changed at several paths.
///
/// All paths are found before anything is changed: by then nobody else looks at the value, and
/// it can be changed in place.
#[derive(Default)]
pub(super) struct Changes {
    pub(super) value: Value,
    pub(super) paths: VecDeque<Value>,
    /// What will be deleted when all updates are made.
    pub(super) doomed: Vec<Value>,
}

pub(super) type SharedChanges = Rc<RefCell<Changes>>;

/// Items of an array in the making, charged as they come.
pub(super) struct Items {
    pub(super) items: Vec<Value>,
    pub(super) charge: Charge,
}

/// What is done with one output.
#[derive(Clone, Default)]
pub(super) enum Step<'p> {
    #[default]
    Nothing,
    Pipe(&'p Node, Env<'p>),
    /// The output is a key.
    IndexKey(Box<Stepping<'p>>),
    /// The output is what the key steps into.
    IndexTarget {
        key: Value,
        is_optional: bool,
    },
    SliceFrom {
        upto: Option<&'p Node>,
        stepping: Box<Stepping<'p>>,
    },
    SliceUpto {
        from: Value,
        stepping: Box<Stepping<'p>>,
    },
    Iterate {
        is_optional: bool,
    },
    Collect(Rc<RefCell<Items>>),
    ObjectKey(Box<Building<'p>>),
    ObjectValue(Box<Building<'p>>, Text),
    TextFill(Box<Writing<'p>>),
    Negate(Option<Trail>),
    CompareRight {
        comparison: Comparison,
        left: &'p Node,
        env: Env<'p>,
        input: Subject,
    },
    CompareLeft {
        comparison: Comparison,
        right: Value,
        trail: Option<Trail>,
    },
    CalculateRight {
        calculation: Calculation,
        left: &'p Node,
        env: Env<'p>,
        input: Subject,
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
        env: Env<'p>,
        input: Subject,
    },
    Truth(Option<Trail>),
    Branch {
        then: &'p Node,
        otherwise: &'p Node,
        env: Env<'p>,
        input: Subject,
    },
    Bind {
        body: &'p Node,
        env: Env<'p>,
        input: Subject,
    },
    /// The left side of `//`; the flag says whether it gave anything true.
    Alternative(Guard),
    LeaveGuard(Guard),
    LeaveLabel(u64),
    FoldStart {
        fold: &'p Fold,
        shows: bool,
        env: Env<'p>,
        input: Subject,
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
        env: Env<'p>,
        input: Subject,
    },
    FoundPath(SharedChanges),
    UpdateStore {
        changes: SharedChanges,
        path: Value,
        height: usize,
    },
    Argument(Box<Arguments<'p>>),
    RangeFrom {
        upto: &'p Node,
        env: Env<'p>,
        input: Subject,
    },
    RangeUpto {
        from: Value,
        trail: Option<Trail>,
    },
    LimitCount {
        body: &'p Node,
        env: Env<'p>,
        input: Subject,
    },
    Limit {
        left: Rc<Cell<f64>>,
        height: usize,
    },
    SkipCount {
        body: &'p Node,
        env: Env<'p>,
        input: Subject,
    },
    Skip(Rc<Cell<f64>>),
}

impl Step<'_> {
    /// Bytes a step holds beside its own.
    fn boxed_bytes(&self) -> usize {
        match self {
            Step::IndexKey(_) | Step::SliceFrom { .. } | Step::SliceUpto { .. } => size_of::<Stepping<'_>>(),
            Step::ObjectKey(_) | Step::ObjectValue(..) => size_of::<Building<'_>>(),
            Step::TextFill(writing) => size_of::<Writing<'_>>() + 64 + writing.written.len() * 16,
            Step::Argument(arguments) => size_of::<Arguments<'_>>() + 64 + arguments.values.len() * 16,
            Step::FoldStart { .. } | Step::FoldItem { .. } | Step::FoundPath(_) => 128,
            _ => 0,
        }
    }
}

/// A step whose key is not known yet.
#[derive(Clone)]
pub(super) struct Stepping<'p> {
    pub(super) target: &'p Node,
    pub(super) is_optional: bool,
    pub(super) env: Env<'p>,
    pub(super) input: Subject,
}

/// An object in the making.
#[derive(Clone)]
pub(super) struct Building<'p> {
    pub(super) entries: &'p [(Node, Option<Node>)],
    pub(super) object: Object,
    pub(super) env: Env<'p>,
    pub(super) input: Subject,
}

/// A string in the making; it is written from its end, because its last filling varies slowest.
#[derive(Clone)]
pub(super) struct Writing<'p> {
    pub(super) format: Option<&'p str>,
    /// The parts that are not written yet.
    pub(super) parts: &'p [TextPart],
    pub(super) written: Vec<Value>,
    pub(super) env: Env<'p>,
    pub(super) input: Subject,
}

/// The arguments of a native, evaluated from the last one on.
#[derive(Clone)]
pub(super) struct Arguments<'p> {
    pub(super) native: Native,
    /// The arguments that are not evaluated yet.
    pub(super) nodes: &'p [Node],
    /// The evaluated ones, last first.
    pub(super) values: Vec<Value>,
    pub(super) env: Env<'p>,
    pub(super) input: Subject,
}
