//! Stepping into a value: `.[key]`, `.[from:upto]` and `.[]`.

use super::choice::Choice;
use super::frame::{Frame, Next, Step};
use super::scene::Scene;
use super::subject::Subject;
use super::{Control, Machine, Stepped};
use crate::compile::Node;
use crate::stop::Stop;
use crate::value::{Object, Value, describe};

/// A step into something whose key is not known yet.
#[derive(Clone)]
pub(super) struct Parting<'p> {
    pub(super) target: &'p Node,
    /// Whether the step may fail quietly.
    pub(super) is_optional: bool,
    pub(super) scene: Scene<'p>,
}

/// Evaluates the key of a step; it varies more slowly than what it leads into.
pub(super) fn eval_key<'p>(key: &'p Node, parting: Parting<'p>, next: Next<'p>) -> Stepped<'p> {
    if let Node::Literal(key) = key {
        return eval_target(key.clone(), parting, next);
    }
    let scene = parting.scene.aside();
    Ok(Control::Eval(
        key,
        scene,
        Frame::before(next, Step::Key(Box::new(parting)))?,
    ))
}

/// Evaluates the bounds of a slice, the lower one first.
pub(super) fn eval_slice<'p>(
    from: Option<&'p Node>,
    upto: Option<&'p Node>,
    parting: Parting<'p>,
    next: Next<'p>,
) -> Stepped<'p> {
    let scene = parting.scene.aside();
    let parting = Box::new(parting);
    match from {
        Some(from) => Ok(Control::Eval(
            from,
            scene,
            Frame::before(next, Step::SliceFrom { upto, parting })?,
        )),
        None => eval_upto(Value::Null, upto, parting, next),
    }
}

/// Evaluates the upper bound of a slice.
pub(super) fn eval_upto<'p>(
    from: Value,
    upto: Option<&'p Node>,
    parting: Box<Parting<'p>>,
    next: Next<'p>,
) -> Stepped<'p> {
    let Some(upto) = upto else {
        return eval_sliced(from, Value::Null, *parting, next);
    };
    let scene = parting.scene.aside();
    Ok(Control::Eval(
        upto,
        scene,
        Frame::before(next, Step::SliceUpto { from, parting })?,
    ))
}

/// Evaluates what is sliced.
pub(super) fn eval_sliced<'p>(
    from: Value,
    upto: Value,
    parting: Parting<'p>,
    next: Next<'p>,
) -> Stepped<'p> {
    let bounds = Object::from_entries([("start", from), ("end", upto)])?;
    eval_target(Value::Object(bounds), parting, next)
}

/// Evaluates what a key leads into.
pub(super) fn eval_target<'p>(key: Value, parting: Parting<'p>, next: Next<'p>) -> Stepped<'p> {
    let Parting {
        target,
        is_optional,
        scene,
    } = parting;
    if let Node::Identity = target {
        return give_part(scene.input, key, is_optional, next);
    }
    Ok(Control::Eval(
        target,
        scene,
        Frame::before(next, Step::Part { key, is_optional })?,
    ))
}

/// Gives what lies under a key.
pub(super) fn give_part<'p>(
    whole: Subject,
    key: Value,
    is_optional: bool,
    next: Next<'p>,
) -> Stepped<'p> {
    match whole.step(key) {
        Ok(part) => Ok(Control::Give(part, next)),
        Err(Stop::Error(_)) if is_optional => Ok(Control::Backtrack),
        Err(stop) => Err(stop),
    }
}

impl<'p> Machine<'p> {
    /// Gives every item of an array or object.
    pub(super) fn iterate(
        &mut self,
        whole: Subject,
        is_optional: bool,
        next: Next<'p>,
    ) -> Stepped<'p> {
        match check_iterable(&whole) {
            Ok(()) => self.each(whole, 0, next),
            Err(Stop::Error(_)) if is_optional => Ok(Control::Backtrack),
            Err(stop) => Err(stop),
        }
    }

    /// Gives the item at a place and leaves those after it for later.
    pub(super) fn each(&mut self, whole: Subject, place: usize, next: Next<'p>) -> Stepped<'p> {
        let (key, value, len) = match &whole.value {
            Value::Array(array) => (
                Value::count(place),
                array.items().get(place).cloned(),
                array.len(),
            ),
            Value::Object(object) => match object.entry(place) {
                Some((key, value)) => (
                    Value::String(key.clone()),
                    Some(value.clone()),
                    object.len(),
                ),
                None => (Value::Null, None, 0),
            },
            _ => (Value::Null, None, 0),
        };
        let Some(value) = value else {
            return Ok(Control::Backtrack);
        };
        let trail = match &whole.trail {
            Some(trail) => Some(trail.then(key, value.clone())?),
            None => None,
        };
        if place + 1 < len {
            self.choices.push(Choice::Each {
                subject: whole,
                place: place + 1,
                next: next.clone(),
            })?;
        }
        Ok(Control::Give(Subject { value, trail }, next))
    }
}

fn check_iterable(whole: &Subject) -> Result<(), Stop> {
    whole.check_iterable()?;
    match &whole.value {
        Value::Array(_) | Value::Object(_) => Ok(()),
        value => Err(Stop::error(format!(
            "Cannot iterate over {}",
            describe(value)?
        ))),
    }
}
