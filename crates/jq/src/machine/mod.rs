//! Running a compiled filter.
//!
//! A machine without recursion: what is to be done with an output waits in a chain of frames,
//! what else could be tried waits on a stack of choices. Both live on the heap and are charged to
//! the budget, so the depth of a filter's recursion is bounded by memory, not by the stack; a
//! call in tail position leaves no frame behind and can go on for ever (or until the steps end).

mod backtrack;
mod choice;
mod env;
mod eval;
mod frame;
mod resume;
mod subject;

use choice::Choices;
use env::Env;
use frame::Next;
use subject::Subject;

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
    Eval {
        node: &'p Node,
        env: Env<'p>,
        input: Subject,
        next: Next<'p>,
    },
    /// A node gave an output.
    Give(Subject, Next<'p>),
    /// A node has no further output.
    Backtrack,
}

impl<'p> Control<'p> {
    fn eval(node: &'p Node, env: Env<'p>, input: Subject, next: Next<'p>) -> Self {
        Control::Eval { node, env, input, next }
    }
}

/// What comes out of a step of the machine.
type Stepped<'p> = Result<Control<'p>, Stop>;

impl<'p> Machine<'p> {
    pub(crate) fn new(program: &'p Program, context: Context, input: Value) -> Self {
        let control = Control::eval(&program.main, Env::default(), Subject::plain(input), None);
        Machine { program, context, choices: Choices::default(), labels: 0, control: Some(control) }
    }

    /// The next output of the filter; an error is the last thing it gives.
    pub(crate) fn next_output(&mut self) -> Result<Option<Value>, Stop> {
        let mut control = match self.control.take() {
            Some(control) => control,
            None => return Ok(None),
        };
        loop {
            budget::spend(1)?;
            let stepped = match control {
                Control::Eval { node, env, input, next } => self.eval(node, env, input, next),
                Control::Give(subject, None) => {
                    self.control = Some(Control::Backtrack);
                    return Ok(Some(subject.value));
                }
                Control::Give(subject, Some(frame)) => self.resume(subject, frame),
                Control::Backtrack => match self.backtrack()? {
                    Some(control) => Ok(control),
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
