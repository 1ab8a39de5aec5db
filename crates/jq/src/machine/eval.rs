//! Starting on a node: what it does first with its input.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use super::choice::Choice;
use super::env::{Binding, Env};
use super::frame::{
    Arguments, Building, Changes, Frame, Items, Next, SharedChanges, Step, Stepping, Writing,
};
use super::subject::{Subject, Trail};
use super::{Control, Machine, Stepped};
use crate::budget::Charge;
use crate::compile::{DefinitionId, Node, Passed};
use crate::natives::format;
use crate::stop::Stop;
use crate::value::{Object, Value};

impl<'p> Machine<'p> {
    pub(super) fn eval(
        &mut self,
        node: &'p Node,
        env: Env<'p>,
        input: Subject,
        next: Next<'p>,
    ) -> Stepped<'p> {
        match node {
            Node::Identity => Ok(Control::Give(input, next)),
            Node::Empty => Ok(Control::Backtrack),
            Node::Literal(value) => give(input.trail, value.clone(), next),
            Node::Variable(distance) => give(input.trail, env.value(*distance), next),
            Node::Pipe(left, right) => {
                let next = Frame::before(next, Step::Pipe(right, env.clone()))?;
                Ok(Control::eval(left, env, input, next))
            }
            Node::Comma(nodes) => self.comma(nodes, env, input, next),
            Node::Index { target, key, is_optional } => {
                eval_index(key, Stepping { target, is_optional: *is_optional, env, input }, next)
            }
            Node::Slice { target, from, upto, is_optional } => {
                let stepping = Stepping { target, is_optional: *is_optional, env, input };
                eval_slice((from.as_deref(), upto.as_deref()), stepping, next)
            }
            Node::Iterate { target, is_optional } => {
                let step = Step::Iterate { is_optional: *is_optional };
                Ok(Control::eval(target, env, input, Frame::before(next, step)?))
            }
            Node::Array(body) => self.collect(body, env, input, next),
            Node::Object(entries) => {
                let object = Object::new()?;
                build(Box::new(Building { entries, object, env, input }), next)
            }
            Node::Text { format, parts } => {
                let format = format.as_deref();
                write(Box::new(Writing { format, parts, written: Vec::new(), env, input }), next)
            }
            Node::Format(name) => {
                let text = format(name, &input.value)?;
                give(input.trail, text, next)
            }
            Node::If { condition, then, otherwise } => {
                let value = input.value.clone();
                let step = Step::Branch { then, otherwise, env: env.clone(), input };
                aside(condition, env, value, Frame::before(next, step)?)
            }
            Node::Bind { source, body } => {
                let value = input.value.clone();
                let step = Step::Bind { body, env: env.clone(), input };
                aside(source, env, value, Frame::before(next, step)?)
            }
            Node::Call { definition, drop, arguments } => {
                self.call(*definition, *drop, arguments, env, input, next)
            }
            Node::Argument(distance) => match env.filter(*distance) {
                Some((node, env)) => Ok(Control::eval(node, env, input, next)),
                None => Ok(Control::Backtrack),
            },
            Node::Native { native, arguments } => {
                let values = Vec::with_capacity(arguments.len());
                let arguments = Arguments { native: *native, nodes: arguments, values, env, input };
                self.run_native(Box::new(arguments), next)
            }
            node => self.eval_operator(node, env, input, next),
        }
    }

    fn eval_operator(&mut self, node: &'p Node, env: Env<'p>, input: Subject, next: Next<'p>) -> Stepped<'p> {
        match node {
            Node::Negate(operand) => {
                let step = Step::Negate(input.trail);
                aside(operand, env, input.value, Frame::before(next, step)?)
            }
            Node::Compare(comparison, left, right) => {
                let value = input.value.clone();
                let step = Step::CompareRight { comparison: *comparison, left, env: env.clone(), input };
                aside(right, env, value, Frame::before(next, step)?)
            }
            Node::Calculate(calculation, left, right) => {
                let value = input.value.clone();
                let step = Step::CalculateRight { calculation: *calculation, left, env: env.clone(), input };
                aside(right, env, value, Frame::before(next, step)?)
            }
            Node::And(left, right) => eval_logic(false, left, right, env, input, next),
            Node::Or(left, right) => eval_logic(true, left, right, env, input, next),
            Node::Assign { paths, value } => {
                let plain = input.value.clone();
                let step = Step::AssignValue { paths, env: env.clone(), input };
                aside(value, env, plain, Frame::before(next, step)?)
            }
            Node::Update { paths, update } => self.update(paths, update, env, input, next),
            node => self.eval_control(node, env, input, next),
        }
    }

    fn eval_control(&mut self, node: &'p Node, env: Env<'p>, input: Subject, next: Next<'p>) -> Stepped<'p> {
        match node {
            Node::Alternative(left, right) => {
                let gave = Rc::new(Cell::new(false));
                self.choices.push(Choice::Alternative {
                    gave: Rc::clone(&gave),
                    node: right,
                    env: env.clone(),
                    input: input.clone(),
                    next: next.clone(),
                })?;
                let next = Frame::before(next, Step::Alternative(gave))?;
                Ok(Control::eval(left, env, input, next))
            }
            Node::Try { body, catch } => {
                let guard = Rc::new(Cell::new(true));
                self.choices.push(Choice::Try {
                    guard: Rc::clone(&guard),
                    catch: catch.as_deref().map(|catch| (catch, env.clone())),
                    trail: input.trail.clone(),
                    next: next.clone(),
                })?;
                Ok(Control::eval(body, env, input, Frame::before(next, Step::LeaveGuard(guard))?))
            }
            Node::FirstFitting(nodes) => self.fit(nodes, env, input, next),
            Node::Rebind { drop, picks, body } => {
                let mut bound = env.without(*drop);
                for pick in picks {
                    let value = pick.map(|distance| env.value(distance)).unwrap_or_default();
                    bound = bound.with(Binding::Value(value))?;
                }
                Ok(Control::eval(body, bound, input, next))
            }
            Node::Label(body) => {
                self.labels += 1;
                self.choices.push(Choice::Label(self.labels))?;
                let next = Frame::before(next, Step::LeaveLabel(self.labels))?;
                Ok(Control::eval(body, env.with(Binding::Label(self.labels))?, input, next))
            }
            Node::Break(distance) => Err(Stop::Break(env.label(*distance).unwrap_or_default())),
            node => self.eval_generator(node, env, input, next),
        }
    }

    fn eval_generator(
        &mut self,
        node: &'p Node,
        env: Env<'p>,
        input: Subject,
        next: Next<'p>,
    ) -> Stepped<'p> {
        let value = input.value.clone();
        match node {
            Node::Reduce(fold) => {
                let step = Step::FoldStart { fold, shows: false, env: env.clone(), input };
                aside(&fold.start, env, value, Frame::before(next, step)?)
            }
            Node::Foreach(fold) => {
                let step = Step::FoldStart { fold, shows: true, env: env.clone(), input };
                aside(&fold.start, env, value, Frame::before(next, step)?)
            }
            Node::FoldStep(step) => {
                let Some(state) = env.state(step.state) else { return Ok(Control::Backtrack) };
                let value = state.borrow_mut().take().unwrap_or_default();
                let store = Step::FoldStore { step, state, env: env.clone() };
                let input = Subject::replaced(input.trail, value);
                Ok(Control::eval(&step.update, env, input, Frame::before(next, store)?))
            }
            Node::Path(body) => {
                let trail = Trail::root(value.clone())?;
                let next = Frame::before(next, Step::Path(input.trail))?;
                Ok(Control::eval(body, env, Subject { value, trail: Some(trail) }, next))
            }
            Node::GetPath(path) => aside(path, env, value, Frame::before(next, Step::GetPath(input))?),
            Node::Range(from, upto) => {
                let step = Step::RangeFrom { upto, env: env.clone(), input };
                aside(from, env, value, Frame::before(next, step)?)
            }
            Node::Limit { count, body } => {
                let step = Step::LimitCount { body, env: env.clone(), input };
                aside(count, env, value, Frame::before(next, step)?)
            }
            Node::Skip { count, body } => {
                let step = Step::SkipCount { body, env: env.clone(), input };
                aside(count, env, value, Frame::before(next, step)?)
            }
            _ => Ok(Control::Backtrack),
        }
    }

    /// Evaluates the first of several nodes and leaves the others for later.
    pub(super) fn comma(
        &mut self,
        nodes: &'p [Node],
        env: Env<'p>,
        input: Subject,
        next: Next<'p>,
    ) -> Stepped<'p> {
        let Some((first, rest)) = nodes.split_first() else {
            return Ok(Control::Backtrack);
        };
        if !rest.is_empty() {
            let (env, input, next) = (env.clone(), input.clone(), next.clone());
            self.choices.push(Choice::Comma { nodes: rest, env, input, next })?;
        }
        Ok(Control::eval(first, env, input, next))
    }

    /// Evaluates the first pattern's node; the others follow if it fails.
    pub(super) fn fit(
        &mut self,
        nodes: &'p [Node],
        env: Env<'p>,
        input: Subject,
        next: Next<'p>,
    ) -> Stepped<'p> {
        match nodes {
            [] => Ok(Control::Backtrack),
            [last] => Ok(Control::eval(last, env, input, next)),
            [first, rest @ ..] => {
                let guard = Rc::new(Cell::new(true));
                self.choices.push(Choice::Fitting {
                    guard: Rc::clone(&guard),
                    nodes: rest,
                    env: env.clone(),
                    input: input.clone(),
                    next: next.clone(),
                })?;
                Ok(Control::eval(first, env, input, Frame::before(next, Step::LeaveGuard(guard))?))
            }
        }
    }

    fn collect(&mut self, body: &'p Node, env: Env<'p>, input: Subject, next: Next<'p>) -> Stepped<'p> {
        let items = Items { items: Vec::new(), charge: Charge::new(0)? };
        let items = Rc::new(RefCell::new(items));
        let trail = input.trail;
        self.choices.push(Choice::Collected { items: Rc::clone(&items), trail, next })?;
        aside(body, env, input.value, Frame::before(None, Step::Collect(items))?)
    }

    fn call(
        &mut self,
        definition: DefinitionId,
        drop: usize,
        arguments: &'p [Passed],
        env: Env<'p>,
        input: Subject,
        next: Next<'p>,
    ) -> Stepped<'p> {
        let mut bound = env.without(drop);
        for argument in arguments {
            bound = bound.with(match argument {
                Passed::Value(distance) => Binding::Value(env.value(*distance)),
                Passed::Node(node) => Binding::Filter(node, env.clone()),
                Passed::Argument(distance) => match env.filter(*distance) {
                    Some((node, seen)) => Binding::Filter(node, seen),
                    None => return Ok(Control::Backtrack),
                },
            })?;
        }
        Ok(Control::eval(&self.program.definitions[definition.0], bound, input, next))
    }

    fn update(
        &mut self,
        paths: &'p Node,
        update: &'p Node,
        env: Env<'p>,
        input: Subject,
        next: Next<'p>,
    ) -> Stepped<'p> {
        let changes = changes(&input.value);
        self.choices.push(Choice::Update {
            changes: Rc::clone(&changes),
            update,
            env: env.clone(),
            trail: input.trail,
            next,
        })?;
        find_paths(paths, env, input.value, changes)
    }

    /// Evaluates the last argument that is left, or runs the native.
    pub(super) fn run_native(&mut self, mut arguments: Box<Arguments<'p>>, next: Next<'p>) -> Stepped<'p> {
        let Some((last, rest)) = arguments.nodes.split_last() else {
            let Arguments { native, mut values, input, .. } = *arguments;
            values.reverse();
            let value = native.run(&self.context, input.value, &values)?;
            return give(input.trail, value, next);
        };
        arguments.nodes = rest;
        let (env, value) = (arguments.env.clone(), arguments.input.value.clone());
        aside(last, env, value, Frame::before(next, Step::Argument(arguments))?)
    }
}

/// A value before any of its changes.
pub(super) fn changes(value: &Value) -> SharedChanges {
    Rc::new(RefCell::new(Changes { value: value.clone(), ..Changes::default() }))
}

/// Evaluates a path expression for all its paths.
pub(super) fn find_paths<'p>(
    paths: &'p Node,
    env: Env<'p>,
    value: Value,
    changes: SharedChanges,
) -> Stepped<'p> {
    let trail = Some(Trail::root(value.clone())?);
    let next = Frame::before(None, Step::FoundPath(changes))?;
    Ok(Control::eval(paths, env, Subject { value, trail }, next))
}

/// An output that takes its input's place.
pub(super) fn give<'p>(trail: Option<Trail>, value: Value, next: Next<'p>) -> Stepped<'p> {
    Ok(Control::Give(Subject::replaced(trail, value), next))
}

/// Evaluates a node whose paths do not matter: a key, a condition, an operand.
pub(super) fn aside<'p>(node: &'p Node, env: Env<'p>, value: Value, next: Next<'p>) -> Stepped<'p> {
    Ok(Control::eval(node, env, Subject::plain(value), next))
}

fn eval_index<'p>(key: &'p Node, stepping: Stepping<'p>, next: Next<'p>) -> Stepped<'p> {
    if let Node::Literal(key) = key {
        return step_into(key.clone(), stepping, next);
    }
    let (env, value) = (stepping.env.clone(), stepping.input.value.clone());
    aside(key, env, value, Frame::before(next, Step::IndexKey(Box::new(stepping)))?)
}

fn eval_slice<'p>(
    bounds: (Option<&'p Node>, Option<&'p Node>),
    stepping: Stepping<'p>,
    next: Next<'p>,
) -> Stepped<'p> {
    let (env, value) = (stepping.env.clone(), stepping.input.value.clone());
    let stepping = Box::new(stepping);
    match bounds {
        (Some(from), upto) => {
            aside(from, env, value, Frame::before(next, Step::SliceFrom { upto, stepping })?)
        }
        (None, Some(upto)) => {
            let step = Step::SliceUpto { from: Value::Null, stepping };
            aside(upto, env, value, Frame::before(next, step)?)
        }
        (None, None) => Ok(Control::Backtrack),
    }
}

/// Evaluates what a key steps into.
pub(super) fn step_into<'p>(key: Value, stepping: Stepping<'p>, next: Next<'p>) -> Stepped<'p> {
    let Stepping { target, is_optional, env, input } = stepping;
    if let Node::Identity = target {
        return give_part(input, key, is_optional, next);
    }
    Ok(Control::eval(target, env, input, Frame::before(next, Step::IndexTarget { key, is_optional })?))
}

/// Steps into an output; an optional step that fails gives nothing.
pub(super) fn give_part<'p>(output: Subject, key: Value, is_optional: bool, next: Next<'p>) -> Stepped<'p> {
    match output.step(key) {
        Ok(subject) => Ok(Control::Give(subject, next)),
        Err(Stop::Error(_)) if is_optional => Ok(Control::Backtrack),
        Err(stop) => Err(stop),
    }
}

fn eval_logic<'p>(
    stops_at: bool,
    left: &'p Node,
    right: &'p Node,
    env: Env<'p>,
    input: Subject,
    next: Next<'p>,
) -> Stepped<'p> {
    let value = input.value.clone();
    let step = Step::Logic { stops_at, right, env: env.clone(), input };
    aside(left, env, value, Frame::before(next, step)?)
}

/// Evaluates the next key of an object, or gives the object.
pub(super) fn build<'p>(building: Box<Building<'p>>, next: Next<'p>) -> Stepped<'p> {
    let Some(((key, _), _)) = building.entries.split_first() else {
        return give(building.input.trail, Value::Object(building.object), next);
    };
    let (env, value) = (building.env.clone(), building.input.value.clone());
    aside(key, env, value, Frame::before(next, Step::ObjectKey(building))?)
}

/// Evaluates the last part of a string that is not written, or gives the string.
pub(super) fn write<'p>(mut writing: Box<Writing<'p>>, next: Next<'p>) -> Stepped<'p> {
    use crate::compile::TextPart;
    while let Some((last, rest)) = writing.parts.split_last() {
        writing.parts = rest;
        match last {
            TextPart::Text(text) => writing.written.push(Value::string(text.as_str())?),
            TextPart::Fill(node) => {
                let (env, value) = (writing.env.clone(), writing.input.value.clone());
                return aside(node, env, value, Frame::before(next, Step::TextFill(writing))?);
            }
        }
    }
    let mut text = String::new();
    for part in writing.written.iter().rev() {
        if let Value::String(part) = part {
            text.push_str(part.as_str());
        }
    }
    give(writing.input.trail, Value::string(text)?, next)
}
