//! Going back: to the next open choice after a branch has ended, or past them after an error.

use std::cell::RefCell;
use std::mem;
use std::rc::Rc;

use super::choice::Choice;
use super::env::{Env, State};
use super::eval::{aside, give};
use super::frame::{Frame, Items, Next, SharedChanges, Step};
use super::subject::{Subject, Trail};
use super::{Control, Machine, Stepped};
use crate::budget::Charge;
use crate::compile::Node;
use crate::stop::Stop;
use crate::value::{Value, delete_paths, set_path, take_path};

impl<'p> Machine<'p> {
    /// Goes on with the next open choice; none are left when the filter is done.
    ///
    /// An error that comes up here (deleting paths can fail) is caught like any other.
    pub(super) fn backtrack(&mut self) -> Result<Option<Control<'p>>, Stop> {
        let Some(choice) = self.choices.pop() else {
            return Ok(None);
        };
        match self.take(choice) {
            Ok(control) => Ok(Some(control)),
            Err(stop) => self.unwind(stop).map(Some),
        }
    }

    fn take(&mut self, choice: Choice<'p>) -> Stepped<'p> {
        match choice {
            Choice::Comma { nodes, env, input, next } => self.comma(nodes, env, input, next),
            Choice::Each { subject, place, next } => self.each(subject, place, next),
            Choice::Range { from, upto, trail, next } => {
                if from < upto {
                    let (trail, next) = (trail.clone(), next.clone());
                    self.choices.push(Choice::Range { from: from + 1.0, upto, trail, next })?;
                } else {
                    return Ok(Control::Backtrack);
                }
                give(trail, Value::number(from), next)
            }
            Choice::Collected { items, trail, next } => give(trail, collected(&items)?, next),
            Choice::Folded { state, shows, trail, next } => folded(&state, shows, trail, next),
            Choice::Try { .. } | Choice::Fitting { .. } | Choice::Label(_) => Ok(Control::Backtrack),
            Choice::Alternative { gave, node, env, input, next, .. } => {
                if gave.get() {
                    Ok(Control::Backtrack)
                } else {
                    Ok(Control::eval(node, env, input, next))
                }
            }
            Choice::Reenter(guard) => {
                guard.set(true);
                Ok(Control::Backtrack)
            }
            Choice::Assign { changes, value, trail, next } => give(trail, assigned(&changes, &value)?, next),
            Choice::Update { changes, update, env, trail, next } => {
                let path = changes.borrow_mut().paths.pop_front();
                match path {
                    Some(path) => self.update_at(path, changes, update, env, trail, next),
                    None => give(trail, changed(&changes)?, next),
                }
            }
            Choice::Doom { changes, path } => {
                changes.borrow_mut().doomed.push(path);
                Ok(Control::Backtrack)
            }
        }
    }

    fn each(&mut self, subject: Subject, place: usize, next: Next<'p>) -> Stepped<'p> {
        let (key, value, len) = match &subject.value {
            Value::Array(array) => (Value::count(place), array.items().get(place).cloned(), array.len()),
            Value::Object(object) => match object.entry(place) {
                Some((key, value)) => (Value::String(key.clone()), Some(value.clone()), object.len()),
                None => (Value::Null, None, 0),
            },
            _ => (Value::Null, None, 0),
        };
        let Some(value) = value else {
            return Ok(Control::Backtrack);
        };
        let trail = match &subject.trail {
            Some(trail) => Some(trail.then(key, value.clone())?),
            None => None,
        };
        if place + 1 < len {
            self.choices.push(Choice::Each { subject, place: place + 1, next: next.clone() })?;
        }
        Ok(Control::Give(Subject { value, trail }, next))
    }

    /// Updates what lies at one path; the choice for the others stays open below.
    fn update_at(
        &mut self,
        path: Value,
        changes: SharedChanges,
        update: &'p Node,
        env: Env<'p>,
        trail: Option<Trail>,
        next: Next<'p>,
    ) -> Stepped<'p> {
        let Value::Array(keys) = &path else { return Ok(Control::Backtrack) };
        let old = take_path(&mut changes.borrow_mut().value, keys.items())?;
        let others = Rc::clone(&changes);
        self.choices.push(Choice::Update { changes: others, update, env: env.clone(), trail, next })?;
        let height = self.choices.height();
        self.choices.push(Choice::Doom { changes: Rc::clone(&changes), path: path.clone() })?;
        let step = Step::UpdateStore { changes, path, height };
        aside(update, env, old, Frame::before(None, step)?)
    }

    /// Gives up choices until one catches what stopped the evaluation.
    pub(super) fn unwind(&mut self, stop: Stop) -> Result<Control<'p>, Stop> {
        match stop {
            Stop::Error(error) => self.unwind_error(error),
            Stop::Break(label) => {
                while let Some(choice) = self.choices.pop() {
                    if matches!(choice, Choice::Label(found) if found == label) {
                        return Ok(Control::Backtrack);
                    }
                }
                Err(Stop::Break(label))
            }
            stop => Err(stop),
        }
    }

    fn unwind_error(&mut self, error: Value) -> Result<Control<'p>, Stop> {
        while let Some(choice) = self.choices.pop() {
            match choice {
                Choice::Try { guard, catch, trail, next } if guard.get() => {
                    return Ok(match catch {
                        Some((node, env)) => Control::eval(node, env, Subject::replaced(trail, error), next),
                        None => Control::Backtrack,
                    });
                }
                Choice::Fitting { guard, nodes, env, input, next } if guard.get() => {
                    return self.fit(nodes, env, input, next);
                }
                _ => {}
            }
        }
        Err(Stop::Error(error))
    }
}

fn collected(items: &Rc<RefCell<Items>>) -> Result<Value, Stop> {
    let mut items = items.borrow_mut();
    // The array holds its own charge.
    items.charge = Charge::new(0)?;
    Ok(Value::array(mem::take(&mut items.items))?)
}

fn folded<'p>(state: &State, shows: bool, trail: Option<Trail>, next: Next<'p>) -> Stepped<'p> {
    if shows {
        return Ok(Control::Backtrack);
    }
    let value = state.borrow_mut().take().unwrap_or_default();
    give(trail, value, next)
}

fn assigned(changes: &SharedChanges, value: &Value) -> Result<Value, Stop> {
    let mut changes = mem::take(&mut *changes.borrow_mut());
    for path in changes.paths {
        if let Value::Array(keys) = path {
            set_path(&mut changes.value, keys.items(), value.clone())?;
        }
    }
    Ok(changes.value)
}

fn changed(changes: &SharedChanges) -> Result<Value, Stop> {
    let changes = mem::take(&mut *changes.borrow_mut());
    if changes.doomed.is_empty() {
        return Ok(changes.value);
    }
    delete_paths(changes.value, changes.doomed)
}
