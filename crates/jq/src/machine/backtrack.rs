//! Going back: to the next open choice after a branch has ended, or past them after an error.

use super::change::{assigned, doom};
use super::choice::Choice;
use super::fold::folded;
use super::scene::Scene;
use super::subject::Subject;
use super::{Control, Machine, Stepped, give};
use crate::stop::Stop;
use crate::value::Value;

impl<'p> Machine<'p> {
    /// Goes on with a choice.
    pub(super) fn take(&mut self, choice: Choice<'p>) -> Stepped<'p> {
        match choice {
            Choice::Comma { nodes, scene, next } => self.comma(nodes, scene, next),
            Choice::Each {
                subject,
                place,
                next,
            } => self.each(subject, place, next),
            Choice::Range {
                from,
                upto,
                trail,
                next,
            } => {
                // `nan` is not below anything.
                if from < upto {
                    let (trail, next) = (trail.clone(), next.clone());
                    self.choices.push(Choice::Range {
                        from: from + 1.0,
                        upto,
                        trail,
                        next,
                    })?;
                } else {
                    return Ok(Control::Backtrack);
                }
                give(trail, Value::number(from), next)
            }
            Choice::Collected { items, trail, next } => {
                let array = items.borrow_mut().finish()?;
                give(trail, array, next)
            }
            Choice::Folded {
                state,
                shows,
                trail,
                next,
            } => folded(&state, shows, trail, next),
            Choice::Try { .. } | Choice::Fitting { .. } | Choice::Label(_) => {
                Ok(Control::Backtrack)
            }
            Choice::Alternative { gave, .. } if gave.get() => Ok(Control::Backtrack),
            Choice::Alternative {
                node, scene, next, ..
            } => Ok(Control::Eval(node, scene, next)),
            Choice::Reenter(guard) => {
                guard.set(true);
                Ok(Control::Backtrack)
            }
            Choice::Assign {
                changes,
                value,
                trail,
                next,
            } => give(trail, assigned(&changes, &value)?, next),
            Choice::Update(updating) => self.update_next(updating),
            Choice::Doom { changes, path } => {
                doom(&changes, path);
                Ok(Control::Backtrack)
            }
        }
    }

    /// Gives up choices until one catches what stopped the evaluation.
    pub(super) fn unwind(&mut self, stop: Stop) -> Stepped<'p> {
        match stop {
            Stop::Error(error) => self.unwind_error(error),
            Stop::Break(label) => self.unwind_break(label),
            stop => Err(stop),
        }
    }

    fn unwind_break(&mut self, label: u64) -> Stepped<'p> {
        while let Some(choice) = self.choices.pop() {
            if matches!(choice, Choice::Label(found) if found == label) {
                return Ok(Control::Backtrack);
            }
        }
        Err(Stop::Break(label))
    }

    fn unwind_error(&mut self, error: Value) -> Stepped<'p> {
        while let Some(choice) = self.choices.pop() {
            match choice {
                Choice::Try {
                    guard,
                    catch: Some((node, env)),
                    trail,
                    next,
                } if guard.get() => {
                    let scene = Scene::new(
                        env,
                        Subject {
                            value: error,
                            trail,
                        },
                    );
                    return Ok(Control::Eval(node, scene, next));
                }
                Choice::Try {
                    guard, catch: None, ..
                } if guard.get() => return Ok(Control::Backtrack),
                Choice::Fitting {
                    guard,
                    nodes,
                    scene,
                    next,
                } if guard.get() => {
                    return self.fit(nodes, scene, next);
                }
                _ => {}
            }
        }
        Err(Stop::Error(error))
    }
}
