//! Arrays: shared, charged, changed in place where nobody else holds them.

use std::mem;
use std::ops::Range;
use std::rc::Rc;

use super::Value;
use crate::budget::{self, Charge};
use crate::error::LimitKind;
use crate::limits::VALUE_DEPTH;

/// Bytes an array needs beside its items.
const OVERHEAD: usize = 64;

/// Bytes charged for one item.
const ITEM: usize = mem::size_of::<Value>();

/// An array; cloning shares it.
///
/// Invariant: `depth` is at least one more than the depth of every item, and at most
/// [`VALUE_DEPTH`].
#[derive(Debug, Clone)]
pub(crate) struct Array(Rc<Shared>);

#[derive(Debug)]
struct Shared {
    items: Vec<Value>,
    depth: usize,
    charge: Charge,
}

impl Array {
    pub(crate) fn new(items: Vec<Value>) -> Result<Self, LimitKind> {
        budget::spend_for(items.len())?;
        let charge = Charge::new(OVERHEAD + ITEM * items.len())?;
        let deepest = items.iter().map(Value::depth).max().unwrap_or(0);
        let depth = one_deeper(deepest)?;
        Ok(Array(Rc::new(Shared {
            items,
            depth,
            charge,
        })))
    }

    pub(crate) fn items(&self) -> &[Value] {
        &self.0.items
    }

    pub(crate) fn len(&self) -> usize {
        self.0.items.len()
    }

    pub(crate) fn depth(&self) -> usize {
        self.0.depth
    }

    pub(crate) fn is_same(&self, other: &Array) -> bool {
        Rc::ptr_eq(&self.0, &other.0)
    }

    /// An array of some of its items.
    pub(crate) fn slice(&self, range: Range<usize>) -> Result<Self, LimitKind> {
        Array::new(copy(&self.items()[range])?)
    }

    /// The items themselves, moved out where nobody else holds the array.
    pub(crate) fn into_items(self) -> Result<Vec<Value>, LimitKind> {
        match Rc::try_unwrap(self.0) {
            Ok(shared) => Ok(shared.items),
            Err(shared) => copy(&shared.items),
        }
    }

    /// This array followed by `more`.
    pub(crate) fn append(mut self, more: &[Value]) -> Result<Self, LimitKind> {
        let deepest = more.iter().map(Value::depth).max().unwrap_or(0);
        let shared = self.own(more.len())?;
        budget::spend_for(more.len())?;
        shared.depth = shared.depth.max(one_deeper(deepest)?);
        shared.items.extend_from_slice(more);
        Ok(self)
    }

    /// Puts `item` at `place`, with nulls between the old end and it.
    pub(crate) fn set(&mut self, place: usize, item: Value) -> Result<(), LimitKind> {
        let missing = (place + 1).saturating_sub(self.len());
        let depth = one_deeper(item.depth())?;
        let shared = self.own(missing)?;
        if missing > 0 {
            budget::spend_for(missing)?;
            shared.items.resize(place + 1, Value::Null);
        }
        shared.depth = shared.depth.max(depth);
        shared.items[place] = item;
        Ok(())
    }

    /// Takes the item at `place` out and leaves null there.
    pub(crate) fn take(&mut self, place: usize) -> Result<Value, LimitKind> {
        if place >= self.len() {
            return Ok(Value::Null);
        }
        Ok(mem::take(&mut self.own(0)?.items[place]))
    }

    /// The content for changing, with room charged for `more` items; copied first if shared.
    fn own(&mut self, more: usize) -> Result<&mut Shared, LimitKind> {
        if Rc::get_mut(&mut self.0).is_none() {
            let charge = Charge::new(OVERHEAD + ITEM * self.len())?;
            let (items, depth) = (copy(&self.0.items)?, self.0.depth);
            self.0 = Rc::new(Shared {
                items,
                depth,
                charge,
            });
        }
        let shared = Rc::get_mut(&mut self.0).expect("held only here: unique, or made just above");
        shared.charge.grow(ITEM.saturating_mul(more))?;
        Ok(shared)
    }
}

/// Items of an array in the making, charged as they come.
#[derive(Debug)]
pub(crate) struct Items {
    items: Vec<Value>,
    charge: Charge,
}

impl Items {
    pub(crate) fn new() -> Result<Self, LimitKind> {
        Ok(Items {
            items: Vec::new(),
            charge: Charge::new(0)?,
        })
    }

    pub(crate) fn len(&self) -> usize {
        self.items.len()
    }

    pub(crate) fn push(&mut self, item: Value) -> Result<(), LimitKind> {
        // A growing list holds room for as many items again.
        self.charge.grow(2 * ITEM)?;
        self.items.push(item);
        Ok(())
    }

    /// The array; it holds its own charge.
    pub(crate) fn finish(&mut self) -> Result<Value, LimitKind> {
        self.charge = Charge::new(0)?;
        Value::array(mem::take(&mut self.items))
    }
}

fn copy(items: &[Value]) -> Result<Vec<Value>, LimitKind> {
    budget::spend_for(items.len())?;
    // Holds the room for a moment, so that a copy past the bound is never begun.
    drop(Charge::new(ITEM * items.len())?);
    Ok(items.to_vec())
}

/// The depth of what holds something `depth` deep.
pub(super) fn one_deeper(depth: usize) -> Result<usize, LimitKind> {
    if depth < VALUE_DEPTH {
        Ok(depth + 1)
    } else {
        Err(LimitKind::Depth(VALUE_DEPTH))
    }
}
