//! `reduce` and `foreach`: a state that goes from item to item.

use std::cell::RefCell;
use std::rc::Rc;

use super::choice::Choice;
use super::env::{Binding, Env, State};
use super::frame::{Frame, Next, Step};
use super::scene::Scene;
use super::subject::{Subject, Trail};
use super::{Control, Machine, Stepped, give};
use crate::compile::{Fold, FoldStep};
use crate::value::Value;

impl<'p> Machine<'p> {
    /// Evaluates the source of a fold, whose state starts with `start`.
    pub(super) fn fold(
        &mut self,
        start: Value,
        fold: &'p Fold,
        shows: bool,
        scene: Scene<'p>,
        next: Next<'p>,
    ) -> Stepped<'p> {
        let state = Rc::new(RefCell::new(Some(start)));
        let trail = scene.input.trail.clone();
        // What a `reduce` gives comes at its end, what a `foreach` gives after each item.
        let after = if shows { next.clone() } else { None };
        self.choices.push(Choice::Folded {
            state: Rc::clone(&state),
            shows,
            trail: trail.clone(),
            next,
        })?;
        let env = scene.env.clone().with(Binding::State(state))?;
        let item = Step::FoldItem { fold, env, trail };
        Ok(Control::Eval(
            &fold.source,
            scene.into_aside(),
            Frame::before(after, item)?,
        ))
    }
}

/// Takes an item apart, which ends in its [`FoldStep`].
pub(super) fn fold_item<'p>(
    item: Value,
    fold: &'p Fold,
    env: Env<'p>,
    trail: Option<Trail>,
    next: Next<'p>,
) -> Stepped<'p> {
    let scene = Scene::new(
        env.with(Binding::Value(item))?,
        Subject {
            value: Value::Null,
            trail,
        },
    );
    Ok(Control::Eval(&fold.body, scene, next))
}

/// Evaluates the update on the state, which is empty meanwhile: an update without an output
/// leaves null.
pub(super) fn fold_step<'p>(step: &'p FoldStep, scene: Scene<'p>, next: Next<'p>) -> Stepped<'p> {
    let Some(state) = scene.env.state(step.state) else {
        return Ok(Control::Backtrack);
    };
    let value = state.borrow_mut().take().unwrap_or_default();
    let store = Step::FoldStore {
        step,
        state,
        env: scene.env.clone(),
    };
    let scene = Scene::new(
        scene.env,
        Subject {
            value,
            trail: scene.input.trail,
        },
    );
    Ok(Control::Eval(
        &step.update,
        scene,
        Frame::before(next, store)?,
    ))
}

/// Keeps an update's output; of several the last one stays.
pub(super) fn fold_store<'p>(
    output: Subject,
    step: &'p FoldStep,
    state: &State,
    env: Env<'p>,
    next: Next<'p>,
) -> Stepped<'p> {
    let Some(shows) = &step.shows else {
        *state.borrow_mut() = Some(output.value);
        return Ok(Control::Backtrack);
    };
    *state.borrow_mut() = Some(output.value.clone());
    Ok(Control::Eval(shows, Scene::new(env, output), next))
}

/// Gives what a `reduce` ends with.
pub(super) fn folded<'p>(
    state: &State,
    shows: bool,
    trail: Option<Trail>,
    next: Next<'p>,
) -> Stepped<'p> {
    if shows {
        return Ok(Control::Backtrack);
    }
    let value = state.borrow_mut().take().unwrap_or_default();
    give(trail, value, next)
}
