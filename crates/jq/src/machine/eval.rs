//! Starting on a node: what it does first with its input.

use std::cell::Cell;
use std::rc::Rc;

use super::build::{Arguments, Building, Writing, build, write};
use super::choice::Choice;
use super::env::Binding;
use super::fold::fold_step;
use super::frame::{Frame, Next, Step};
use super::part::{Parting, eval_key, eval_slice};
use super::scene::Scene;
use super::subject::{Subject, Trail};
use super::{Control, Machine, Stepped, give};
use crate::compile::{DefinitionId, Node, Passed};
use crate::natives::format;
use crate::stop::Stop;
use crate::value::Object;

impl<'p> Machine<'p> {
    /// Nodes that stand for themselves, then those of [`Machine::eval_built`] and so on.
    pub(super) fn eval(&mut self, node: &'p Node, scene: Scene<'p>, next: Next<'p>) -> Stepped<'p> {
        match node {
            Node::Identity => Ok(Control::Give(scene.input, next)),
            Node::Empty => Ok(Control::Backtrack),
            Node::Literal(value) => give(scene.input.trail, value.clone(), next),
            Node::Variable(distance) => give(scene.input.trail, scene.env.value(*distance), next),
            Node::Pipe(left, right) => {
                let next = Frame::before(next, Step::Pipe(right, scene.env.clone()))?;
                Ok(Control::Eval(left, scene, next))
            }
            Node::Comma(nodes) => self.comma(nodes, scene, next),
            Node::Index {
                target,
                key,
                is_optional,
            } => eval_key(
                key,
                Parting {
                    target,
                    is_optional: *is_optional,
                    scene,
                },
                next,
            ),
            Node::Slice {
                target,
                from,
                upto,
                is_optional,
            } => {
                let parting = Parting {
                    target,
                    is_optional: *is_optional,
                    scene,
                };
                eval_slice(from.as_deref(), upto.as_deref(), parting, next)
            }
            Node::Iterate {
                target,
                is_optional,
            } => {
                let step = Step::Iterate {
                    is_optional: *is_optional,
                };
                Ok(Control::Eval(target, scene, Frame::before(next, step)?))
            }
            Node::Argument(distance) => match scene.env.filter(*distance) {
                Some((node, env)) => Ok(Control::Eval(node, Scene::new(env, scene.input), next)),
                None => Ok(Control::Backtrack),
            },
            Node::Call {
                definition,
                drop,
                arguments,
            } => self.call(*definition, *drop, arguments, scene, next),
            node => self.eval_built(node, scene, next),
        }
    }

    /// Nodes that make a value of other nodes' outputs.
    fn eval_built(&mut self, node: &'p Node, scene: Scene<'p>, next: Next<'p>) -> Stepped<'p> {
        match node {
            Node::Array(body) => self.collect(body, scene, next),
            Node::Object(entries) => build(
                Box::new(Building {
                    entries,
                    object: Object::new()?,
                    scene,
                }),
                next,
            ),
            Node::Text { format, parts } => {
                let format = format.as_deref();
                write(
                    Box::new(Writing {
                        format,
                        parts,
                        written: Vec::new(),
                        scene,
                    }),
                    next,
                )
            }
            Node::Format(name) => {
                let text = format(name, &scene.input.value)?;
                give(scene.input.trail, text, next)
            }
            Node::Native { native, arguments } => {
                let values = Vec::with_capacity(arguments.len());
                let arguments = Arguments {
                    native: *native,
                    nodes: arguments,
                    values,
                    scene,
                };
                self.run_native(Box::new(arguments), next)
            }
            node => self.eval_control(node, scene, next),
        }
    }

    /// Nodes that decide what is evaluated and what is caught.
    fn eval_control(&mut self, node: &'p Node, scene: Scene<'p>, next: Next<'p>) -> Stepped<'p> {
        match node {
            Node::Alternative(left, right) => {
                let gave = Rc::new(Cell::new(false));
                self.choices.push(Choice::Alternative {
                    gave: Rc::clone(&gave),
                    node: right,
                    scene: scene.clone(),
                    next: next.clone(),
                })?;
                Ok(Control::Eval(
                    left,
                    scene,
                    Frame::before(next, Step::Alternative(gave))?,
                ))
            }
            Node::Try { body, catch } => {
                let guard = Rc::new(Cell::new(true));
                self.choices.push(Choice::Try {
                    guard: Rc::clone(&guard),
                    catch: catch.as_deref().map(|catch| (catch, scene.env.clone())),
                    trail: scene.input.trail.clone(),
                    next: next.clone(),
                })?;
                Ok(Control::Eval(
                    body,
                    scene,
                    Frame::before(next, Step::LeaveGuard(guard))?,
                ))
            }
            Node::FirstFitting(nodes) => self.fit(nodes, scene, next),
            Node::Rebind { drop, picks, body } => {
                let mut env = scene.env.without(*drop);
                for pick in picks {
                    let value = pick
                        .map(|distance| scene.env.value(distance))
                        .unwrap_or_default();
                    env = env.with(Binding::Value(value))?;
                }
                Ok(Control::Eval(body, Scene::new(env, scene.input), next))
            }
            Node::Label(body) => {
                self.labels += 1;
                self.choices.push(Choice::Label(self.labels))?;
                let next = Frame::before(next, Step::LeaveLabel(self.labels))?;
                let env = scene.env.with(Binding::Label(self.labels))?;
                Ok(Control::Eval(body, Scene::new(env, scene.input), next))
            }
            Node::Break(distance) => {
                Err(Stop::Break(scene.env.label(*distance).unwrap_or_default()))
            }
            Node::Update { paths, update } => self.update(paths, update, scene, next),
            Node::FoldStep(step) => fold_step(step, scene, next),
            Node::Path(body) => {
                let trail = Some(Trail::root(scene.input.value.clone())?);
                let next = Frame::before(next, Step::Path(scene.input.trail))?;
                let input = Subject {
                    value: scene.input.value,
                    trail,
                };
                Ok(Control::Eval(body, Scene::new(scene.env, input), next))
            }
            node => eval_first(node, scene, next),
        }
    }

    /// Evaluates the first of several nodes and leaves the others for later.
    pub(super) fn comma(
        &mut self,
        nodes: &'p [Node],
        scene: Scene<'p>,
        next: Next<'p>,
    ) -> Stepped<'p> {
        let Some((first, rest)) = nodes.split_first() else {
            return Ok(Control::Backtrack);
        };
        if !rest.is_empty() {
            self.choices.push(Choice::Comma {
                nodes: rest,
                scene: scene.clone(),
                next: next.clone(),
            })?;
        }
        Ok(Control::Eval(first, scene, next))
    }

    /// Evaluates the first pattern's node; the others follow if it fails.
    pub(super) fn fit(
        &mut self,
        nodes: &'p [Node],
        scene: Scene<'p>,
        next: Next<'p>,
    ) -> Stepped<'p> {
        match nodes {
            [] => Ok(Control::Backtrack),
            [last] => Ok(Control::Eval(last, scene, next)),
            [first, rest @ ..] => {
                let guard = Rc::new(Cell::new(true));
                self.choices.push(Choice::Fitting {
                    guard: Rc::clone(&guard),
                    nodes: rest,
                    scene: scene.clone(),
                    next: next.clone(),
                })?;
                Ok(Control::Eval(
                    first,
                    scene,
                    Frame::before(next, Step::LeaveGuard(guard))?,
                ))
            }
        }
    }

    /// Evaluates a definition's body; nothing is left behind, so it can call itself for ever.
    fn call(
        &mut self,
        definition: DefinitionId,
        drop: usize,
        arguments: &'p [Passed],
        scene: Scene<'p>,
        next: Next<'p>,
    ) -> Stepped<'p> {
        let mut env = scene.env.without(drop);
        for argument in arguments {
            env = env.with(match argument {
                Passed::Value(distance) => Binding::Value(scene.env.value(*distance)),
                Passed::Node(node) => Binding::Filter(node, scene.env.clone()),
                Passed::Argument(distance) => match scene.env.filter(*distance) {
                    Some((node, seen)) => Binding::Filter(node, seen),
                    None => return Ok(Control::Backtrack),
                },
            })?;
        }
        let body = &self.program.definitions[definition.0];
        Ok(Control::Eval(body, Scene::new(env, scene.input), next))
    }
}

/// Nodes that wait for the output of one of their parts.
fn eval_first<'p>(node: &'p Node, scene: Scene<'p>, next: Next<'p>) -> Stepped<'p> {
    let aside = scene.aside();
    let (first, step) = match node {
        Node::If {
            condition,
            then,
            otherwise,
        } => (
            &**condition,
            Step::Branch {
                then,
                otherwise,
                scene,
            },
        ),
        Node::Bind { source, body } => (&**source, Step::Bind(body, scene)),
        Node::Calculate(calculation, left, right) => (
            &**right,
            Step::CalculateRight {
                calculation: *calculation,
                left,
                scene,
            },
        ),
        Node::Compare(comparison, left, right) => (
            &**right,
            Step::CompareRight {
                comparison: *comparison,
                left,
                scene,
            },
        ),
        Node::And(left, right) => (
            &**left,
            Step::Logic {
                stops_at: false,
                right,
                scene,
            },
        ),
        Node::Or(left, right) => (
            &**left,
            Step::Logic {
                stops_at: true,
                right,
                scene,
            },
        ),
        Node::Negate(operand) => (&**operand, Step::Negate(scene.input.trail)),
        Node::Reduce(fold) => (
            &fold.start,
            Step::FoldStart {
                fold,
                shows: false,
                scene,
            },
        ),
        Node::Foreach(fold) => (
            &fold.start,
            Step::FoldStart {
                fold,
                shows: true,
                scene,
            },
        ),
        Node::Assign { paths, value } => (&**value, Step::AssignValue { paths, scene }),
        Node::GetPath(path) => (&**path, Step::GetPath(scene.input)),
        Node::Range(from, upto) => (&**from, Step::RangeFrom(upto, scene)),
        Node::Limit { count, body } => (&**count, Step::LimitCount(body, scene)),
        Node::Skip { count, body } => (&**count, Step::SkipCount(body, scene)),
        // Every other node was evaluated before it came here.
        _ => return Ok(Control::Backtrack),
    };
    Ok(Control::Eval(first, aside, Frame::before(next, step)?))
}
