//! Going on with an output: what the step that waits for it does.

use std::cell::Cell;
use std::rc::Rc;

use super::build::{build, build_value, write};
use super::change::found;
use super::choice::Choice;
use super::fold::{fold_item, fold_store};
use super::frame::{Frame, Guard, Next, Step};
use super::part::{eval_sliced, eval_target, eval_upto, give_part};
use super::scene::Scene;
use super::subject::Subject;
use super::{Control, Machine, Stepped, give};
use crate::natives::format;
use crate::stop::Stop;
use crate::syntax::{Calculation, Comparison};
use crate::value::{self, Value};

impl<'p> Machine<'p> {
    pub(super) fn resume(&mut self, output: Subject, frame: Rc<Frame<'p>>) -> Stepped<'p> {
        let (step, next) = Frame::open(frame);
        match step {
            Step::Nothing => Ok(Control::Give(output, next)),
            Step::Pipe(node, env) => Ok(Control::Eval(node, Scene::new(env, output), next)),
            Step::Key(parting) => eval_target(output.value, *parting, next),
            Step::Part { key, is_optional } => give_part(output, key, is_optional, next),
            Step::SliceFrom { upto, parting } => eval_upto(output.value, upto, parting, next),
            Step::SliceUpto { from, parting } => eval_sliced(from, output.value, *parting, next),
            Step::Iterate { is_optional } => self.iterate(output, is_optional, next),
            Step::Collect(items) => {
                items.borrow_mut().push(output.value)?;
                Ok(Control::Backtrack)
            }
            Step::ObjectKey(building) => build_value(building, output.value, next),
            Step::ObjectValue(mut building, key) => {
                building.object.insert(key, output.value)?;
                build(building, next)
            }
            Step::TextFill(mut writing) => {
                writing
                    .written
                    .push(format(writing.format.unwrap_or("text"), &output.value)?);
                write(writing, next)
            }
            Step::Argument(mut arguments) => {
                arguments.values.push(output.value);
                self.run_native(arguments, next)
            }
            Step::Bind(body, scene) => Ok(Control::Eval(body, scene.with(output.value)?, next)),
            Step::Branch {
                then,
                otherwise,
                scene,
            } => {
                let node = if output.value.is_true() {
                    then
                } else {
                    otherwise
                };
                Ok(Control::Eval(node, scene, next))
            }
            step => self.resume_operator(output, step, next),
        }
    }

    fn resume_operator(&mut self, output: Subject, step: Step<'p>, next: Next<'p>) -> Stepped<'p> {
        match step {
            Step::Negate(trail) => give(trail, value::negate(&output.value)?, next),
            Step::CompareRight {
                comparison,
                left,
                scene,
            } => {
                let trail = scene.input.trail.clone();
                let step = Step::CompareLeft {
                    comparison,
                    right: output.value,
                    trail,
                };
                Ok(Control::Eval(
                    left,
                    scene.into_aside(),
                    Frame::before(next, step)?,
                ))
            }
            Step::CompareLeft {
                comparison,
                right,
                trail,
            } => give(trail, compare(comparison, &output.value, &right)?, next),
            Step::CalculateRight {
                calculation,
                left,
                scene,
            } => {
                let trail = scene.input.trail.clone();
                let step = Step::CalculateLeft {
                    calculation,
                    right: output.value,
                    trail,
                };
                Ok(Control::Eval(
                    left,
                    scene.into_aside(),
                    Frame::before(next, step)?,
                ))
            }
            Step::CalculateLeft {
                calculation,
                right,
                trail,
            } => give(trail, calculate(calculation, output.value, right)?, next),
            Step::Logic {
                stops_at,
                right,
                scene,
            } => {
                if output.value.is_true() == stops_at {
                    return give(scene.input.trail, Value::Bool(stops_at), next);
                }
                let step = Step::Truth(scene.input.trail.clone());
                Ok(Control::Eval(
                    right,
                    scene.into_aside(),
                    Frame::before(next, step)?,
                ))
            }
            Step::Truth(trail) => give(trail, Value::Bool(output.value.is_true()), next),
            Step::Alternative(gave) => self.resume_alternative(output, &gave, next),
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
            step => self.resume_special(output, step, next),
        }
    }

    fn resume_special(&mut self, output: Subject, step: Step<'p>, next: Next<'p>) -> Stepped<'p> {
        match step {
            Step::FoldStart { fold, shows, scene } => {
                self.fold(output.value, fold, shows, scene, next)
            }
            Step::FoldItem { fold, env, trail } => fold_item(output.value, fold, env, trail, next),
            Step::FoldStore { step, state, env } => fold_store(output, step, &state, env, next),
            Step::Path(trail) => give(trail, Value::array(output.path()?)?, next),
            Step::GetPath(input) => Ok(Control::Give(input.follow(&output.value)?, next)),
            Step::AssignValue { paths, scene } => self.assign(output.value, paths, scene, next),
            Step::FoundPath(changes) => found(&output, &changes),
            Step::UpdateStore {
                changes,
                path,
                height,
            } => self.store_update(output.value, &changes, &path, height),
            Step::RangeFrom(upto, scene) => {
                let step = Step::RangeUpto {
                    from: output.value,
                    trail: scene.input.trail.clone(),
                };
                Ok(Control::Eval(
                    upto,
                    scene.into_aside(),
                    Frame::before(next, step)?,
                ))
            }
            Step::RangeUpto { from, trail } => {
                let (from, upto) = (number(&from)?, number(&output.value)?);
                self.choices.push(Choice::Range {
                    from,
                    upto,
                    trail,
                    next,
                })?;
                Ok(Control::Backtrack)
            }
            Step::LimitCount(body, scene) => {
                let left = Rc::new(Cell::new(number(&output.value)?));
                let step = Step::Limit {
                    left,
                    height: self.choices.height(),
                };
                Ok(Control::Eval(body, scene, Frame::before(next, step)?))
            }
            Step::Limit { left, height } => {
                left.set(left.get() - 1.0);
                if left.get() <= 0.0 {
                    // The last output that is asked for: the body is not gone back to.
                    self.choices.cut(height);
                }
                Ok(Control::Give(output, next))
            }
            Step::SkipCount(body, scene) => {
                let step = Step::Skip(Rc::new(Cell::new(number(&output.value)?)));
                Ok(Control::Eval(body, scene, Frame::before(next, step)?))
            }
            Step::Skip(left) => {
                left.set(left.get() - 1.0);
                if left.get() >= 0.0 {
                    Ok(Control::Backtrack)
                } else {
                    Ok(Control::Give(output, next))
                }
            }
            _ => Ok(Control::Give(output, next)),
        }
    }

    fn resume_alternative(&mut self, output: Subject, gave: &Guard, next: Next<'p>) -> Stepped<'p> {
        if !output.value.is_true() {
            return Ok(Control::Backtrack);
        }
        gave.set(true);
        if matches!(self.choices.top(), Some(Choice::Alternative { gave: top, .. }) if Rc::ptr_eq(top, gave))
        {
            // The left side has no further output, so the right side will not be asked.
            self.choices.pop();
        }
        Ok(Control::Give(output, next))
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
}

fn number(value: &Value) -> Result<f64, Stop> {
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
