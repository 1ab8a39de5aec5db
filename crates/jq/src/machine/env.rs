//! The bindings a filter sees while it runs: a list that grows at its end and shares the rest.

use std::cell::RefCell;
use std::rc::Rc;

use crate::budget::Charge;
use crate::compile::{Distance, Node};
use crate::error::LimitKind;
use crate::value::Value;

/// What `reduce` and `foreach` carry from item to item; empty while an update runs.
pub(super) type State = Rc<RefCell<Option<Value>>>;

/// One binding.
#[derive(Clone)]
pub(super) enum Binding<'p> {
    Value(Value),
    /// A filter passed as an argument, with the bindings it sees.
    Filter(&'p Node, Env<'p>),
    Label(u64),
    State(State),
}

/// A list of bindings; cloning shares it.
#[derive(Clone, Default)]
pub(super) struct Env<'p>(Option<Rc<Link<'p>>>);

struct Link<'p> {
    binding: Option<Binding<'p>>,
    rest: Env<'p>,
    _charge: Charge,
}

impl<'p> Env<'p> {
    /// These bindings and one more.
    pub(super) fn with(self, binding: Binding<'p>) -> Result<Self, LimitKind> {
        let charge = Charge::new(size_of::<Link<'p>>() + 32)?;
        Ok(Env(Some(Rc::new(Link {
            binding: Some(binding),
            rest: self,
            _charge: charge,
        }))))
    }

    /// These bindings without the latest `count`.
    pub(super) fn without(&self, count: usize) -> Self {
        let mut env = self;
        for _ in 0..count {
            match &env.0 {
                Some(link) => env = &link.rest,
                None => break,
            }
        }
        env.clone()
    }

    /// The binding at a distance; the compiler made sure that there is one.
    fn at(&self, distance: Distance) -> Option<&Binding<'p>> {
        let mut env = self;
        for _ in 0..distance {
            env = &env.0.as_ref()?.rest;
        }
        env.0.as_ref()?.binding.as_ref()
    }

    pub(super) fn value(&self, distance: Distance) -> Value {
        match self.at(distance) {
            Some(Binding::Value(value)) => value.clone(),
            _ => Value::Null,
        }
    }

    pub(super) fn filter(&self, distance: Distance) -> Option<(&'p Node, Env<'p>)> {
        match self.at(distance) {
            Some(Binding::Filter(node, env)) => Some((node, env.clone())),
            _ => None,
        }
    }

    pub(super) fn label(&self, distance: Distance) -> Option<u64> {
        match self.at(distance) {
            Some(Binding::Label(label)) => Some(*label),
            _ => None,
        }
    }

    pub(super) fn state(&self, distance: Distance) -> Option<State> {
        match self.at(distance) {
            Some(Binding::State(state)) => Some(Rc::clone(state)),
            _ => None,
        }
    }
}

/// Frees a list link by link: an argument passed on from call to call makes chains that are too
/// long for the stack.
impl Drop for Link<'_> {
    fn drop(&mut self) {
        let mut waiting = Vec::new();
        release(self, &mut waiting);
        while let Some(mut link) = waiting.pop().and_then(Rc::into_inner) {
            release(&mut link, &mut waiting);
        }
    }
}

/// Moves what hangs on a link to those that wait, if nobody else holds it.
fn release<'p>(link: &mut Link<'p>, waiting: &mut Vec<Rc<Link<'p>>>) {
    let is_last = |link: &Rc<Link<'p>>| Rc::strong_count(link) == 1;
    waiting.extend(link.rest.0.take().filter(is_last));
    if let Some(Binding::Filter(_, env)) = &mut link.binding {
        waiting.extend(env.0.take().filter(is_last));
    }
}
