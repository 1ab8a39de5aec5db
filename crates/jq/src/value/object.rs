//! Objects: keys in the order they came, shared, changed in place where nobody else holds them.

use std::mem;
use std::rc::Rc;

use indexmap::IndexMap;

use super::array::one_deeper;
use super::{Text, Value};
use crate::budget::{self, Charge};
use crate::error::LimitKind;

/// Bytes an object needs beside its entries.
const OVERHEAD: usize = 128;

/// Bytes charged for one entry: key, value, hash and its place in the table.
const ENTRY: usize = mem::size_of::<Value>() + 48;

/// An object; cloning shares it.
///
/// Invariant: `depth` is at least one more than the depth of every value in it.
#[derive(Debug, Clone)]
pub(crate) struct Object(Rc<Shared>);

#[derive(Debug)]
struct Shared {
    entries: IndexMap<Text, Value>,
    depth: usize,
    charge: Charge,
}

impl Object {
    pub(crate) fn new() -> Result<Self, LimitKind> {
        let charge = Charge::new(OVERHEAD)?;
        Ok(Object(Rc::new(Shared {
            entries: IndexMap::new(),
            depth: 1,
            charge,
        })))
    }

    /// An object of the given entries; of two with the same key the later one stays.
    pub(crate) fn from_entries<const N: usize>(
        entries: [(&str, Value); N],
    ) -> Result<Self, LimitKind> {
        let mut object = Object::new()?;
        for (key, value) in entries {
            object.insert(Text::new(key.to_owned())?, value)?;
        }
        Ok(object)
    }

    pub(crate) fn len(&self) -> usize {
        self.0.entries.len()
    }

    pub(crate) fn depth(&self) -> usize {
        self.0.depth
    }

    pub(crate) fn is_same(&self, other: &Object) -> bool {
        Rc::ptr_eq(&self.0, &other.0)
    }

    pub(crate) fn get(&self, key: &str) -> Option<&Value> {
        self.0.entries.get(key)
    }

    /// The entry at a place in the order of insertion.
    pub(crate) fn entry(&self, place: usize) -> Option<(&Text, &Value)> {
        self.0.entries.get_index(place)
    }

    pub(crate) fn entries(&self) -> impl Iterator<Item = (&Text, &Value)> {
        self.0.entries.iter()
    }

    /// The entries in the order of their keys.
    pub(crate) fn sorted(&self) -> Result<Vec<(&Text, &Value)>, LimitKind> {
        budget::spend_for(self.len() * 4)?;
        let mut entries: Vec<_> = self.entries().collect();
        entries.sort_by(|left, right| left.0.as_str().cmp(right.0.as_str()));
        Ok(entries)
    }

    pub(crate) fn insert(&mut self, key: Text, value: Value) -> Result<(), LimitKind> {
        let depth = one_deeper(value.depth())?;
        let shared = self.own()?;
        shared.depth = shared.depth.max(depth);
        if let Some(old) = shared.entries.get_mut(&key) {
            *old = value;
            return Ok(());
        }
        shared.charge.grow(ENTRY)?;
        shared.entries.insert(key, value);
        Ok(())
    }

    /// Takes a key's value out and leaves null there.
    pub(crate) fn take(&mut self, key: &str) -> Result<Value, LimitKind> {
        if self.get(key).is_none() {
            return Ok(Value::Null);
        }
        Ok(self
            .own()?
            .entries
            .get_mut(key)
            .map(mem::take)
            .unwrap_or_default())
    }

    /// Removes a key; those after it move up.
    pub(crate) fn remove(&mut self, key: &str) -> Result<(), LimitKind> {
        if self.get(key).is_some() {
            budget::spend_for(self.len())?;
            self.own()?.entries.shift_remove(key);
        }
        Ok(())
    }

    /// The content for changing; copied first if shared.
    fn own(&mut self) -> Result<&mut Shared, LimitKind> {
        if Rc::get_mut(&mut self.0).is_none() {
            budget::spend_for(self.len() * 4)?;
            let charge = Charge::new(OVERHEAD + ENTRY * self.len())?;
            let (entries, depth) = (self.0.entries.clone(), self.0.depth);
            self.0 = Rc::new(Shared {
                entries,
                depth,
                charge,
            });
        }
        Ok(Rc::get_mut(&mut self.0).expect("held only here: unique, or made just above"))
    }
}
