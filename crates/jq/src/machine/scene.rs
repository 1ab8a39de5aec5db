//! What a node sees when it is evaluated: its bindings and its input.

use super::env::{Binding, Env};
use super::subject::Subject;
use crate::error::LimitKind;
use crate::value::Value;

#[derive(Clone)]
pub(super) struct Scene<'p> {
    pub(super) env: Env<'p>,
    pub(super) input: Subject,
}

impl<'p> Scene<'p> {
    pub(super) fn new(env: Env<'p>, input: Subject) -> Self {
        Scene { env, input }
    }

    /// The same scene for a node whose paths do not matter: a key, a condition, an operand.
    pub(super) fn aside(&self) -> Self {
        Scene::new(self.env.clone(), Subject::plain(self.input.value.clone()))
    }

    /// Like [`Scene::aside`], when this scene is not needed any more.
    pub(super) fn into_aside(self) -> Self {
        Scene::new(self.env, Subject::plain(self.input.value))
    }

    /// This scene with one more value bound.
    pub(super) fn with(self, value: Value) -> Result<Self, LimitKind> {
        Ok(Scene::new(
            self.env.with(Binding::Value(value))?,
            self.input,
        ))
    }
}
