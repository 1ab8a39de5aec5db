//! Strings: shared, charged, appended to in place where nobody else holds them.

use std::borrow::Borrow;
use std::hash::{Hash, Hasher};
use std::rc::Rc;

use crate::budget::{self, Charge};
use crate::error::LimitKind;

/// Bytes a string needs beside its text.
const OVERHEAD: usize = 96;

/// A string; cloning shares it.
#[derive(Debug, Clone)]
pub(crate) struct Text(Rc<Shared>);

#[derive(Debug)]
struct Shared {
    text: String,
    charge: Charge,
}

impl Text {
    pub(crate) fn new(text: String) -> Result<Self, LimitKind> {
        budget::spend(text.len() as u64 / 256)?;
        let charge = Charge::new(text.len() + OVERHEAD)?;
        Ok(Text(Rc::new(Shared { text, charge })))
    }

    /// A copy of a text, charged before it is made.
    pub(crate) fn copy(text: &str) -> Result<Self, LimitKind> {
        drop(Charge::new(text.len())?);
        Text::new(text.to_owned())
    }

    pub(crate) fn as_str(&self) -> &str {
        &self.0.text
    }

    /// This string followed by `more`.
    pub(crate) fn append(mut self, more: &str) -> Result<Self, LimitKind> {
        if let Some(shared) = Rc::get_mut(&mut self.0) {
            budget::spend(more.len() as u64 / 256)?;
            shared.charge.grow(more.len())?;
            shared.text.push_str(more);
            return Ok(self);
        }
        // Both parts are charged before they are copied.
        drop(Charge::new(self.as_str().len() + more.len())?);
        Text::new(format!("{}{more}", self.as_str()))
    }

    pub(crate) fn is_same(&self, other: &Text) -> bool {
        Rc::ptr_eq(&self.0, &other.0)
    }
}

impl PartialEq for Text {
    fn eq(&self, other: &Self) -> bool {
        self.as_str() == other.as_str()
    }
}

impl Eq for Text {}

impl Hash for Text {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.as_str().hash(state);
    }
}

/// Lets an object be searched by `&str`.
impl Borrow<str> for Text {
    fn borrow(&self) -> &str {
        self.as_str()
    }
}
