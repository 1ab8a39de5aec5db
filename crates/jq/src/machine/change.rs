//! `=` and `|=`: changing a value at every path a path expression gives.
//!
//! All paths are found before anything is changed. By then nobody else looks at the value, so it
//! is changed in place.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::mem;
use std::rc::Rc;

use super::choice::Choice;
use super::env::Env;
use super::frame::{Frame, Next, Step};
use super::scene::Scene;
use super::subject::{Subject, Trail};
use super::{Control, Machine, Stepped, give};
use crate::compile::Node;
use crate::stop::Stop;
use crate::value::{Value, delete_paths, set_path, take_path};

/// A value that is being changed.
#[derive(Default)]
pub(super) struct Changes {
    value: Value,
    /// The paths that were found and not changed yet.
    paths: VecDeque<Value>,
    /// What will be deleted when all updates are made.
    doomed: Vec<Value>,
}

pub(super) type SharedChanges = Rc<RefCell<Changes>>;

/// An update with paths left to do.
pub(super) struct Updating<'p> {
    changes: SharedChanges,
    update: &'p Node,
    env: Env<'p>,
    trail: Option<Trail>,
    next: Next<'p>,
}

impl<'p> Machine<'p> {
    /// Puts `value` at every path.
    pub(super) fn assign(
        &mut self,
        value: Value,
        paths: &'p Node,
        scene: Scene<'p>,
        next: Next<'p>,
    ) -> Stepped<'p> {
        let changes = start(&scene);
        let trail = scene.input.trail.clone();
        self.choices.push(Choice::Assign {
            changes: Rc::clone(&changes),
            value,
            trail,
            next,
        })?;
        find_paths(paths, scene, changes)
    }

    /// Puts the first output of `update` at every path, or deletes what has none.
    pub(super) fn update(
        &mut self,
        paths: &'p Node,
        update: &'p Node,
        scene: Scene<'p>,
        next: Next<'p>,
    ) -> Stepped<'p> {
        let changes = start(&scene);
        let (env, trail) = (scene.env.clone(), scene.input.trail.clone());
        let updating = Updating {
            changes: Rc::clone(&changes),
            update,
            env,
            trail,
            next,
        };
        self.choices.push(Choice::Update(Box::new(updating)))?;
        find_paths(paths, scene, changes)
    }

    /// Updates what lies at the next path; the choice for the others stays open below.
    pub(super) fn update_next(&mut self, updating: Box<Updating<'p>>) -> Stepped<'p> {
        let path = updating.changes.borrow_mut().paths.pop_front();
        let Some(path) = path else {
            let value = finish(&updating.changes)?;
            return give(updating.trail, value, updating.next);
        };
        let Value::Array(keys) = &path else {
            return Ok(Control::Backtrack);
        };
        let changes = Rc::clone(&updating.changes);
        let old = take_path(&mut changes.borrow_mut().value, keys.items())?;
        let (update, scene) = (
            updating.update,
            Scene::new(updating.env.clone(), Subject::plain(old)),
        );
        self.choices.push(Choice::Update(updating))?;
        let height = self.choices.height();
        self.choices.push(Choice::Doom {
            changes: Rc::clone(&changes),
            path: path.clone(),
        })?;
        let store = Step::UpdateStore {
            changes,
            path,
            height,
        };
        Ok(Control::Eval(update, scene, Frame::before(None, store)?))
    }

    /// Puts an update's first output in its place; its other outputs are not asked for.
    pub(super) fn store_update(
        &mut self,
        new: Value,
        changes: &SharedChanges,
        path: &Value,
        height: usize,
    ) -> Stepped<'p> {
        self.choices.cut(height);
        if let Value::Array(keys) = path {
            set_path(&mut changes.borrow_mut().value, keys.items(), new)?;
        }
        Ok(Control::Backtrack)
    }
}

fn start(scene: &Scene<'_>) -> SharedChanges {
    let value = scene.input.value.clone();
    Rc::new(RefCell::new(Changes {
        value,
        ..Changes::default()
    }))
}

/// Evaluates a path expression for all its paths.
fn find_paths<'p>(paths: &'p Node, scene: Scene<'p>, changes: SharedChanges) -> Stepped<'p> {
    let value = scene.input.value;
    let trail = Some(Trail::root(value.clone())?);
    let scene = Scene::new(scene.env, Subject { value, trail });
    Ok(Control::Eval(
        paths,
        scene,
        Frame::before(None, Step::FoundPath(changes))?,
    ))
}

pub(super) fn found<'p>(output: &Subject, changes: &SharedChanges) -> Stepped<'p> {
    let path = Value::array(output.path()?)?;
    changes.borrow_mut().paths.push_back(path);
    Ok(Control::Backtrack)
}

pub(super) fn doom(changes: &SharedChanges, path: Value) {
    changes.borrow_mut().doomed.push(path);
}

/// The value with something at each path that was found.
pub(super) fn assigned(changes: &SharedChanges, new: &Value) -> Result<Value, Stop> {
    let mut changes = mem::take(&mut *changes.borrow_mut());
    for path in changes.paths {
        if let Value::Array(keys) = path {
            set_path(&mut changes.value, keys.items(), new.clone())?;
        }
    }
    Ok(changes.value)
}

fn finish(changes: &SharedChanges) -> Result<Value, Stop> {
    let changes = mem::take(&mut *changes.borrow_mut());
    if changes.doomed.is_empty() {
        return Ok(changes.value);
    }
    delete_paths(changes.value, changes.doomed)
}
