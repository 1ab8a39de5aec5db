//! Values made of parts: arrays, objects, strings, and what natives make of their arguments.

use std::cell::RefCell;
use std::rc::Rc;

use super::choice::Choice;
use super::frame::{Frame, Next, Step};
use super::scene::Scene;
use super::{Control, Machine, Stepped, give};
use crate::compile::{Node, TextPart};
use crate::natives::Native;
use crate::stop::Stop;
use crate::value::{Items, Object, Value, describe, index};

/// An object in the making.
#[derive(Clone)]
pub(super) struct Building<'p> {
    /// The entries that are not evaluated yet.
    pub(super) entries: &'p [(Node, Option<Node>)],
    pub(super) object: Object,
    pub(super) scene: Scene<'p>,
}

/// A string in the making; it is written from its end, because its last filling varies slowest.
#[derive(Clone)]
pub(super) struct Writing<'p> {
    pub(super) format: Option<&'p str>,
    /// The parts that are not written yet.
    pub(super) parts: &'p [TextPart],
    pub(super) written: Vec<Value>,
    pub(super) scene: Scene<'p>,
}

/// The arguments of a native, evaluated from the last one on.
#[derive(Clone)]
pub(super) struct Arguments<'p> {
    pub(super) native: Native,
    /// The arguments that are not evaluated yet.
    pub(super) nodes: &'p [Node],
    /// The evaluated ones, last first.
    pub(super) values: Vec<Value>,
    pub(super) scene: Scene<'p>,
}

impl<'p> Machine<'p> {
    /// Evaluates the body for all its outputs, which become an array.
    pub(super) fn collect(
        &mut self,
        body: &'p Node,
        scene: Scene<'p>,
        next: Next<'p>,
    ) -> Stepped<'p> {
        let items = Rc::new(RefCell::new(Items::new()?));
        let trail = scene.input.trail.clone();
        self.choices.push(Choice::Collected {
            items: Rc::clone(&items),
            trail,
            next,
        })?;
        Ok(Control::Eval(
            body,
            scene.into_aside(),
            Frame::before(None, Step::Collect(items))?,
        ))
    }

    /// Evaluates the last argument that is left, or runs the native.
    pub(super) fn run_native(
        &mut self,
        mut arguments: Box<Arguments<'p>>,
        next: Next<'p>,
    ) -> Stepped<'p> {
        let Some((last, rest)) = arguments.nodes.split_last() else {
            let Arguments {
                native,
                mut values,
                scene,
                ..
            } = *arguments;
            values.reverse();
            let value = native.run(&self.context, scene.input.value, &values)?;
            return give(scene.input.trail, value, next);
        };
        arguments.nodes = rest;
        let scene = arguments.scene.aside();
        Ok(Control::Eval(
            last,
            scene,
            Frame::before(next, Step::Argument(arguments))?,
        ))
    }
}

/// Evaluates the next key of an object, or gives the object.
pub(super) fn build<'p>(building: Box<Building<'p>>, next: Next<'p>) -> Stepped<'p> {
    let Some((key, _)) = building.entries.first() else {
        return give(
            building.scene.input.trail,
            Value::Object(building.object),
            next,
        );
    };
    let scene = building.scene.aside();
    Ok(Control::Eval(
        key,
        scene,
        Frame::before(next, Step::ObjectKey(building))?,
    ))
}

/// Evaluates the value of a key; a key without one takes the field of its name.
pub(super) fn build_value<'p>(
    mut building: Box<Building<'p>>,
    key: Value,
    next: Next<'p>,
) -> Stepped<'p> {
    let Value::String(name) = &key else {
        return Err(Stop::error(format!(
            "Cannot use {} as object key",
            describe(&key)?
        )));
    };
    let name = name.clone();
    let Some(((_, value), rest)) = building.entries.split_first() else {
        return Ok(Control::Backtrack);
    };
    building.entries = rest;
    match value {
        Some(node) => {
            let scene = building.scene.aside();
            Ok(Control::Eval(
                node,
                scene,
                Frame::before(next, Step::ObjectValue(building, name))?,
            ))
        }
        None => {
            let value = index(&building.scene.input.value, &key)?;
            building.object.insert(name, value)?;
            build(building, next)
        }
    }
}

/// Evaluates the last part of a string that is not written, or gives the string.
pub(super) fn write<'p>(mut writing: Box<Writing<'p>>, next: Next<'p>) -> Stepped<'p> {
    while let Some((last, rest)) = writing.parts.split_last() {
        writing.parts = rest;
        match last {
            TextPart::Text(text) => writing.written.push(Value::string(text.as_str())?),
            TextPart::Fill(node) => {
                let scene = writing.scene.aside();
                return Ok(Control::Eval(
                    node,
                    scene,
                    Frame::before(next, Step::TextFill(writing))?,
                ));
            }
        }
    }
    let mut text = String::new();
    for part in writing.written.iter().rev() {
        if let Value::String(part) = part {
            text.push_str(part.as_str());
        }
    }
    give(writing.scene.input.trail, Value::string(text)?, next)
}
