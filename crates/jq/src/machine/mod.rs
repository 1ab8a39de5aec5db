//! Running a compiled filter.
//!
//! A machine without recursion: what is to be done with an output waits in a chain of frames,
//! what else could be tried waits on a stack of choices. Both live on the heap and are charged to
//! the budget, so the depth of a filter's recursion is bounded by memory, not by the stack; a
//! call in tail position leaves no frame behind and can go on for ever (or until the steps end).

mod backtrack;
mod build;
mod change;
mod choice;
mod env;
mod eval;
mod fold;
mod frame;
mod part;
mod resume;
mod scene;
mod subject;

use choice::Choices;
use env::Env;
use frame::Next;
use scene::Scene;
use subject::{Subject, Trail};

use crate::budget;
use crate::compile::{Node, Program};
use crate::natives::Context;
use crate::stop::Stop;
use crate::value::Value;

/// A filter at work on one input.
pub(crate) struct Machine<'p> {
    program: &'p Program,
    context: Context,
    choices: Choices<'p>,
    labels: u64,
    /// What to do next; none when the last output was given.
    control: Option<Control<'p>>,
}

/// What the machine does next.
enum Control<'p> {
    Eval(&'p Node, Scene<'p>, Next<'p>),
    /// A node gave an output.
    Give(Subject, Next<'p>),
    /// A node has no further output.
    Backtrack,
}

/// What comes out of a step of the machine.
type Stepped<'p> = Result<Control<'p>, Stop>;

/// An output that takes its input's place.
fn give<'p>(trail: Option<Trail>, value: Value, next: Next<'p>) -> Stepped<'p> {
    Ok(Control::Give(Subject { value, trail }, next))
}

impl<'p> Machine<'p> {
    pub(crate) fn new(program: &'p Program, context: Context, input: Value) -> Self {
        let scene = Scene::new(Env::default(), Subject::plain(input));
        let control = Some(Control::Eval(&program.main, scene, None));
        Machine {
            program,
            context,
            choices: Choices::default(),
            labels: 0,
            control,
        }
    }

    /// The next output of the filter; an error is the last thing it gives.
    pub(crate) fn next_output(&mut self) -> Result<Option<Value>, Stop> {
        let Some(mut control) = self.control.take() else {
            return Ok(None);
        };
        loop {
            budget::spend(1)?;
            let stepped = match control {
                Control::Eval(node, scene, next) => self.eval(node, scene, next),
                Control::Give(subject, None) => {
                    self.control = Some(Control::Backtrack);
                    return Ok(Some(subject.value));
                }
                Control::Give(subject, Some(frame)) => self.resume(subject, frame),
                Control::Backtrack => match self.choices.pop() {
                    Some(choice) => self.take(choice),
                    None => return Ok(None),
                },
            };
            control = match stepped {
                Ok(control) => control,
                Err(stop) => self.unwind(stop)?,
            };
        }
    }
}
