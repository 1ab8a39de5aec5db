//! What flows through a filter: a value, and within `path(…)` the way to it.

use std::rc::Rc;

use crate::budget::Charge;
use crate::error::LimitKind;
use crate::stop::Stop;
use crate::value::{Value, get_path, index, shorten};

/// A value on its way, with the trail that led to it if paths are asked for.
#[derive(Clone, Default)]
pub(super) struct Subject {
    pub(super) value: Value,
    pub(super) trail: Option<Trail>,
}

/// The keys from the root to a value; cloning shares them.
#[derive(Clone)]
pub(super) struct Trail(Rc<Footprint>);

struct Footprint {
    before: Option<Trail>,
    /// None at the root.
    key: Option<Value>,
    /// What was found there.
    value: Value,
    _charge: Charge,
}

impl Trail {
    pub(super) fn root(value: Value) -> Result<Self, LimitKind> {
        Trail::new(None, None, value)
    }

    fn new(before: Option<Trail>, key: Option<Value>, value: Value) -> Result<Self, LimitKind> {
        let charge = Charge::new(size_of::<Footprint>() + 32)?;
        Ok(Trail(Rc::new(Footprint {
            before,
            key,
            value,
            _charge: charge,
        })))
    }

    pub(super) fn then(&self, key: Value, value: Value) -> Result<Self, LimitKind> {
        Trail::new(Some(self.clone()), Some(key), value)
    }

    /// Whether a value is the one this trail leads to.
    pub(super) fn leads_to(&self, value: &Value) -> bool {
        self.0.value.is_same(value)
    }

    /// The keys from the root on.
    pub(super) fn keys(&self) -> Vec<Value> {
        let mut keys = Vec::new();
        let mut here = Some(self);
        while let Some(Trail(footprint)) = here {
            keys.extend(footprint.key.clone());
            here = footprint.before.as_ref();
        }
        keys.reverse();
        keys
    }
}

/// Frees a trail step by step: it can be longer than the stack is deep.
impl Drop for Footprint {
    fn drop(&mut self) {
        let mut before = self.before.take();
        while let Some(mut footprint) = before.and_then(|trail| Rc::into_inner(trail.0)) {
            before = footprint.before.take();
        }
    }
}

impl Subject {
    /// A value whose way nobody asks for.
    pub(super) fn plain(value: Value) -> Self {
        Subject { value, trail: None }
    }

    /// What lies under a key.
    pub(super) fn step(self, key: Value) -> Result<Self, Stop> {
        let Some(trail) = self.trail else {
            return Ok(Subject::plain(index(&self.value, &key)?));
        };
        if !trail.leads_to(&self.value) {
            return Err(Stop::error(format!(
                "Invalid path expression near attempt to access element {} of {}",
                shorten(&key)?,
                shorten(&self.value)?
            )));
        }
        let value = index(&self.value, &key)?;
        let trail = trail.then(key, value.clone())?;
        Ok(Subject {
            value,
            trail: Some(trail),
        })
    }

    /// Refuses to iterate over what no path leads to.
    pub(super) fn check_iterable(&self) -> Result<(), Stop> {
        match &self.trail {
            Some(trail) if !trail.leads_to(&self.value) => Err(Stop::error(format!(
                "Invalid path expression near attempt to iterate through {}",
                shorten(&self.value)?
            ))),
            _ => Ok(()),
        }
    }

    /// What `getpath` gives: it is a step as far as paths are concerned.
    pub(super) fn follow(self, path: &Value) -> Result<Self, Stop> {
        let Value::Array(keys) = path else {
            return Err(Stop::error("Path must be specified as an array"));
        };
        let Some(mut trail) = self.trail else {
            return Ok(Subject::plain(get_path(&self.value, keys.items())?));
        };
        let mut value = self.value;
        for key in keys.items() {
            value = index(&value, key)?;
            trail = trail.then(key.clone(), value.clone())?;
        }
        Ok(Subject {
            value,
            trail: Some(trail),
        })
    }

    /// The path of a value that `path(…)` ends with.
    pub(super) fn path(&self) -> Result<Vec<Value>, Stop> {
        match &self.trail {
            Some(trail) if trail.leads_to(&self.value) => Ok(trail.keys()),
            _ => {
                let words = format!(
                    "Invalid path expression with result {}",
                    shorten(&self.value)?
                );
                Err(Stop::error(words))
            }
        }
    }
}
