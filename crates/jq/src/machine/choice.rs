//! Where evaluation goes on when a branch has ended: a stack of what is still open.

use std::cell::RefCell;
use std::rc::Rc;

use super::change::{SharedChanges, Updating};
use super::env::{Env, State};
use super::frame::{Guard, Next};
use super::scene::Scene;
use super::subject::{Subject, Trail};
use crate::budget;
use crate::compile::Node;
use crate::error::LimitKind;
use crate::value::{Items, Value};

/// Something to go back to.
pub(super) enum Choice<'p> {
    /// Further operands of a comma.
    Comma {
        nodes: &'p [Node],
        scene: Scene<'p>,
        next: Next<'p>,
    },
    /// Further items of an array or object.
    Each {
        subject: Subject,
        place: usize,
        next: Next<'p>,
    },
    Range {
        from: f64,
        upto: f64,
        trail: Option<Trail>,
        next: Next<'p>,
    },
    Collected {
        items: Rc<RefCell<Items>>,
        trail: Option<Trail>,
        next: Next<'p>,
    },
    Folded {
        state: State,
        shows: bool,
        trail: Option<Trail>,
        next: Next<'p>,
    },
    Try {
        guard: Guard,
        catch: Option<(&'p Node, Env<'p>)>,
        trail: Option<Trail>,
        next: Next<'p>,
    },
    /// The right side of `//`.
    Alternative {
        gave: Guard,
        node: &'p Node,
        scene: Scene<'p>,
        next: Next<'p>,
    },
    /// Further patterns of `?//`.
    Fitting {
        guard: Guard,
        nodes: &'p [Node],
        scene: Scene<'p>,
        next: Next<'p>,
    },
    /// Evaluation comes back into a guarded body: its errors count again.
    Reenter(Guard),
    Label(u64),
    /// All paths are found: each gets the value.
    Assign {
        changes: SharedChanges,
        value: Value,
        trail: Option<Trail>,
        next: Next<'p>,
    },
    /// All paths are found: what lies at the next one is updated.
    Update(Box<Updating<'p>>),
    /// An update gave nothing: what it was for is deleted.
    Doom {
        changes: SharedChanges,
        path: Value,
    },
}

/// The open choices, the next one on top; each is charged while it is open.
#[derive(Default)]
pub(super) struct Choices<'p>(Vec<Choice<'p>>);

impl<'p> Choices<'p> {
    /// A choice, what it shares with a step, and the room a growing stack leaves free.
    const BYTES: usize = 2 * size_of::<Choice<'p>>() + 64;

    pub(super) fn push(&mut self, choice: Choice<'p>) -> Result<(), LimitKind> {
        budget::hold(Self::BYTES)?;
        self.0.push(choice);
        Ok(())
    }

    pub(super) fn pop(&mut self) -> Option<Choice<'p>> {
        let choice = self.0.pop()?;
        budget::release(Self::BYTES);
        Some(choice)
    }

    pub(super) fn top(&self) -> Option<&Choice<'p>> {
        self.0.last()
    }

    pub(super) fn height(&self) -> usize {
        self.0.len()
    }

    /// Gives up every choice above a height.
    pub(super) fn cut(&mut self, height: usize) {
        while self.0.len() > height {
            self.pop();
        }
    }
}
