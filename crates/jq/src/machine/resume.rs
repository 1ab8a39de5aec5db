//! Going on with an output: what the step that waits for it does.

use std::cell::{Cell, RefCell};
use std::mem;
use std::rc::Rc;

use super::choice::Choice;
use super::env::{Binding, Env};
use super::eval::{aside, build, changes, find_paths, give, give_part, step_into, write};
use super::frame::{Building, Frame, Guard, Next, Step, Stepping};
use super::subject::Subject;
use super::{Control, Machine, Stepped};
use crate::compile::{Fold, Node};
use crate::natives::format;
use crate::stop::Stop;
use crate::syntax::{Calculation, Comparison};
use crate::value::{self, Object, Value, describe, index, set_path};

/// Bytes charged for an item of an array in the making.
const ITEM: usize = mem::size_of::<Value>();

impl<'p> Machine<'p> {
    pub(super) fn resume(&mut self, output: Subject, frame: Rc<Frame<'p>>) -> Stepped<'p> {
        let (step, next) = Frame::open(frame);
        match step {
            Step::Pipe(node, env) => Ok(Control::eval(node, env, output, next)),
            Step::IndexKey(stepping) => step_into(output.value, *stepping, next),
            Step::IndexTarget { key, is_optional } => give_part(output, key, is_optional, next),
            Step::SliceFrom { upto: None, stepping } => slice(output.value, Value::Null, *stepping, next),
            Step::SliceFrom { upto: Some(upto), stepping } => {
                let (env, value) = (stepping.env.clone(), stepping.input.value.clone());
                let step = Step::SliceUpto { from: output.value, stepping };
                aside(upto, env, value, Frame::before(next, step)?)
            }
            Step::SliceUpto { from, stepping } => slice(from, output.value, *stepping, next),
            Step::Iterate { is_optional } => match self.iterate(output, next) {
                Err(Stop::Error(_)) if is_optional => Ok(Control::Backtrack),
                stepped => stepped,
            },
            Step::Collect(items) => {
                let mut items = items.borrow_mut();
                items.charge.grow(ITEM)?;
                items.items.push(output.value);
                Ok(Control::Backtrack)
            }
            Step::ObjectKey(building) => self.object_key(building, output.value, next),
            Step::ObjectValue(mut building, key) => {
                building.object.insert(key, output.value)?;
                build(building, next)
            }
            Step::TextFill(mut writing) => {
                writing.written.push(format(writing.format.unwrap_or("text"), &output.value)?);
                write(writing, next)
            }
            Step::Argument(mut arguments) => {
                arguments.values.push(output.value);
                self.run_native(arguments, next)
            }
            Step::Bind { body, env, input } => {
                Ok(Control::eval(body, env.with(Binding::Value(output.value))?, input, next))
            }
            Step::Branch { then, otherwise, env, input } => {
                let node = if output.value.is_true() { then } else { otherwise };
                Ok(Control::eval(node, env, input, next))
            }
            step => self.resume_operator(output, step, next),
        }
    }

    fn resume_operator(&mut self, output: Subject, step: Step<'p>, next: Next<'p>) -> Stepped<'p> {
        match step {
            Step::Negate(trail) => give(trail, value::negate(&output.value)?, next),
            Step::CompareRight { comparison, left, env, input } => {
                let step = Step::CompareLeft { comparison, right: output.value, trail: input.trail };
                aside(left, env, input.value, Frame::before(next, step)?)
            }
            Step::CompareLeft { comparison, right, trail } => {
                give(trail, compare(comparison, &output.value, &right)?, next)
            }
            Step::CalculateRight { calculation, left, env, input } => {
                let step = Step::CalculateLeft { calculation, right: output.value, trail: input.trail };
                aside(left, env, input.value, Frame::before(next, step)?)
            }
            Step::CalculateLeft { calculation, right, trail } => {
                give(trail, calculate(calculation, output.value, right)?, next)
            }
            Step::Logic { stops_at, right, env, input } => {
                if output.value.is_true() == stops_at {
                    return give(input.trail, Value::Bool(stops_at), next);
                }
                let step = Step::Truth(input.trail);
                aside(right, env, input.value, Frame::before(next, step)?)
            }
            Step::Truth(trail) => give(trail, Value::Bool(output.value.is_true()), next),
            Step::AssignValue { paths, env, input } => self.assign(output.value, paths, env, input, next),
            Step::FoundPath(changes) => {
                let path = Value::array(output.path()?)?;
                changes.borrow_mut().paths.push_back(path);
                Ok(Control::Backtrack)
            }
            Step::UpdateStore { changes, path, height } => {
                // The first output is what counts.
                self.choices.cut(height);
                if let Value::Array(path) = path {
                    set_path(&mut changes.borrow_mut().value, path.items(), output.value)?;
                }
                Ok(Control::Backtrack)
            }
            step => self.resume_control(output, step, next),
        }
    }

    fn resume_control(&mut self, output: Subject, step: Step<'p>, next: Next<'p>) -> Stepped<'p> {
        match step {
            Step::Alternative(gave) => {
                if !output.value.is_true() {
                    return Ok(Control::Backtrack);
                }
                gave.set(true);
                if matches!(self.choices.top(), Some(Choice::Alternative { gave: top, .. }) if Rc::ptr_eq(top, &gave))
                {
                    // The left side has no further output, so nothing is left to be asked.
                    self.choices.pop();
                }
                Ok(Control::Give(output, next))
            }
            Step::LeaveGuard(guard) => {
                self.leave(&guard)?;
                Ok(Control::Give(output, next))
            }
            Step::LeaveLabel(label) => {
                if matches!(self.choices.top(), Some(Choice::Label(top)) if *top == label) {
                    self.choices.pop();
                }
                Ok(Control::Give(output, next))
            }
            Step::FoldStart { fold, shows, env, input } => {
                self.fold(output.value, fold, shows, env, input, next)
            }
            Step::FoldItem { fold, env, trail } => {
                let env = env.with(Binding::Value(output.value))?;
                Ok(Control::eval(&fold.body, env, Subject::replaced(trail, Value::Null), next))
            }
            Step::FoldStore { step, state, env } => match &step.shows {
                None => {
                    *state.borrow_mut() = Some(output.value);
                    Ok(Control::Backtrack)
                }
                Some(shows) => {
                    *state.borrow_mut() = Some(output.value.clone());
                    Ok(Control::eval(shows, env, output, next))
                }
            },
            Step::Path(trail) => give(trail, Value::array(output.path()?)?, next),
            Step::GetPath(input) => Ok(Control::Give(input.follow(&output.value)?, next)),
            step => self.resume_generator(output, step, next),
        }
    }

    fn resume_generator(&mut self, output: Subject, step: Step<'p>, next: Next<'p>) -> Stepped<'p> {
        match step {
            Step::RangeFrom { upto, env, input } => {
                let step = Step::RangeUpto { from: output.value, trail: input.trail };
                aside(upto, env, input.value, Frame::before(next, step)?)
            }
            Step::RangeUpto { from, trail } => match (from, output.value) {
                (Value::Number(from), Value::Number(upto)) => {
                    let (from, upto) = (from.value(), upto.value());
                    self.choices.push(Choice::Range { from, upto, trail, next })?;
                    Ok(Control::Backtrack)
                }
                _ => Err(Stop::error("Range bounds must be numeric")),
            },
            Step::LimitCount { body, env, input } => {
                let left = Rc::new(Cell::new(count(&output.value)?));
                let step = Step::Limit { left, height: self.choices.height() };
                Ok(Control::eval(body, env, input, Frame::before(next, step)?))
            }
            Step::Limit { left, height } => {
                left.set(left.get() - 1.0);
                if left.get() <= 0.0 {
                    // The last output that is asked for: the body is not gone back to.
                    self.choices.cut(height);
                }
                Ok(Control::Give(output, next))
            }
            Step::SkipCount { body, env, input } => {
                let step = Step::Skip(Rc::new(Cell::new(count(&output.value)?)));
                Ok(Control::eval(body, env, input, Frame::before(next, step)?))
            }
            Step::Skip(left) => {
                left.set(left.get() - 1.0);
                if left.get() >= 0.0 { Ok(Control::Backtrack) } else { Ok(Control::Give(output, next)) }
            }
            _ => Ok(Control::Give(output, next)),
        }
    }

    pub(super) fn iterate(&mut self, subject: Subject, next: Next<'p>) -> Stepped<'p> {
        subject.check_iterable()?;
        match &subject.value {
            Value::Array(_) | Value::Object(_) => {
                self.choices.push(Choice::Each { subject, place: 0, next })?;
                Ok(Control::Backtrack)
            }
            value => Err(Stop::error(format!("Cannot iterate over {}", describe(value)?))),
        }
    }

    fn object_key(&mut self, mut building: Box<Building<'p>>, key: Value, next: Next<'p>) -> Stepped<'p> {
        let Value::String(name) = &key else {
            return Err(Stop::error(format!("Cannot use {} as object key", describe(&key)?)));
        };
        let name = name.clone();
        let Some(((_, value), rest)) = building.entries.split_first() else {
            return Ok(Control::Backtrack);
        };
        building.entries = rest;
        match value {
            Some(node) => {
                let (env, value) = (building.env.clone(), building.input.value.clone());
                aside(node, env, value, Frame::before(next, Step::ObjectValue(building, name))?)
            }
            None => {
                let value = index(&building.input.value, &key)?;
                building.object.insert(name, value)?;
                build(building, next)
            }
        }
    }

    /// An output leaves a guarded body: errors from here on are not the body's.
    fn leave(&mut self, guard: &Guard) -> Result<(), Stop> {
        let is_done = match self.choices.top() {
            Some(Choice::Try { guard: top, .. } | Choice::Fitting { guard: top, .. }) => {
                Rc::ptr_eq(top, guard)
            }
            _ => false,
        };
        if is_done {
            // The body has no further output, so nothing is left to be guarded.
            self.choices.pop();
            return Ok(());
        }
        guard.set(false);
        Ok(self.choices.push(Choice::Reenter(Rc::clone(guard)))?)
    }

    fn fold(
        &mut self,
        start: Value,
        fold: &'p Fold,
        shows: bool,
        env: Env<'p>,
        input: Subject,
        next: Next<'p>,
    ) -> Stepped<'p> {
        let state = Rc::new(RefCell::new(Some(start)));
        let trail = input.trail.clone();
        let after = if shows { next.clone() } else { None };
        self.choices.push(Choice::Folded {
            state: Rc::clone(&state),
            shows,
            trail: input.trail.clone(),
            next,
        })?;
        let bound = env.clone().with(Binding::State(state))?;
        let step = Step::FoldItem { fold, env: bound, trail };
        aside(&fold.source, env, input.value, Frame::before(after, step)?)
    }

    fn assign(
        &mut self,
        value: Value,
        paths: &'p Node,
        env: Env<'p>,
        input: Subject,
        next: Next<'p>,
    ) -> Stepped<'p> {
        let changes = changes(&input.value);
        let shared = Rc::clone(&changes);
        self.choices.push(Choice::Assign { changes: shared, value, trail: input.trail, next })?;
        find_paths(paths, env, input.value, changes)
    }
}

fn slice<'p>(from: Value, upto: Value, stepping: Stepping<'p>, next: Next<'p>) -> Stepped<'p> {
    let bounds = Object::from_entries([("start", from), ("end", upto)])?;
    step_into(Value::Object(bounds), stepping, next)
}

fn count(value: &Value) -> Result<f64, Stop> {
    match value {
        Value::Number(number) => Ok(number.value()),
        _ => Err(Stop::error("Range bounds must be numeric")),
    }
}

fn compare(comparison: Comparison, left: &Value, right: &Value) -> Result<Value, Stop> {
    Ok(Value::Bool(match comparison {
        Comparison::Equal => value::equal(left, right)?,
        Comparison::Unequal => !value::equal(left, right)?,
        Comparison::Less => value::compare(left, right)?.is_lt(),
        Comparison::LessOrEqual => value::compare(left, right)?.is_le(),
        Comparison::Greater => value::compare(left, right)?.is_gt(),
        Comparison::GreaterOrEqual => value::compare(left, right)?.is_ge(),
    }))
}

fn calculate(calculation: Calculation, left: Value, right: Value) -> Result<Value, Stop> {
    match calculation {
        Calculation::Add => value::add(left, right),
        Calculation::Subtract => value::subtract(left, right),
        Calculation::Multiply => value::multiply(left, right),
        Calculation::Divide => value::divide(left, right),
        Calculation::Remainder => value::remainder(left, right),
    }
}
