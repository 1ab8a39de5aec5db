//! One run from text to text: in a thread of its own, watched by the caller.
//!
//! Values are not shared between threads, and the functions that walk them want more stack than a
//! caller may have. The caller waits a little longer than the run may take: a single regular
//! expression cannot be interrupted, so a run that does not notice its end is left behind.

use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use crate::budget;
use crate::compile::compile;
use crate::error::{Failure, FilterError, LimitKind};
use crate::limits::{FILTER_BYTES, Limits, STACK_BYTES};
use crate::machine::Machine;
use crate::natives::{Context, last_words};
use crate::stop::Stop;
use crate::syntax::{SyntaxError, parse_program};
use crate::value::{ParseError, Value, parse, print, print_into};

/// What a filter gave.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Run {
    /// The outputs, each as compact JSON.
    pub outputs: Vec<String>,
    /// The error the filter ended with, if it did; the outputs came before it.
    pub failure: Option<Failure>,
}

/// Bytes an output needs beside its text.
const OUTPUT_OVERHEAD: usize = 64;

/// How much longer than its time a run is waited for.
const GRACE: Duration = Duration::from_millis(250);

/// Runs a filter on a JSON text.
///
/// `now` is what the filter's `now` gives, in seconds since 1970.
///
/// # Errors
///
/// When the filter does not compile, the input is no JSON, or a bound is hit. A filter that ends
/// by an error of its own is a [`Run`] with a [`Failure`].
pub fn run(filter: &str, input: &str, now: f64, limits: &Limits) -> Result<Run, FilterError> {
    if filter.len() > FILTER_BYTES {
        return Err(FilterError::TooLong {
            bytes: filter.len(),
            limit: FILTER_BYTES,
        });
    }
    let (filter, input, own_limits) = (filter.to_owned(), input.to_owned(), limits.clone());
    let (sender, receiver) = mpsc::sync_channel(1);
    thread::Builder::new()
        .name("jq".to_owned())
        .stack_size(STACK_BYTES)
        .spawn(move || {
            // Nobody listens any more when the run took too long.
            let _ = sender.send(run_here(&filter, &input, now, &own_limits));
        })
        .map_err(|error| broken(&error.to_string()))?;
    match receiver.recv_timeout(limits.time.saturating_add(GRACE)) {
        Ok(result) => result,
        Err(RecvTimeoutError::Timeout) => Err(FilterError::Limit(LimitKind::Time(limits.time))),
        Err(RecvTimeoutError::Disconnected) => Err(broken("its thread ended unexpectedly")),
    }
}

fn broken(message: &str) -> FilterError {
    FilterError::Broken {
        message: message.to_owned(),
    }
}

fn run_here(filter: &str, input: &str, now: f64, limits: &Limits) -> Result<Run, FilterError> {
    budget::start(limits);
    let syntax = |error: SyntaxError| locate(filter, error);
    let term = parse_program(filter).map_err(syntax)?;
    let program = compile(&term).map_err(syntax)?;
    let input = parse(input).map_err(|error| match error {
        ParseError::Invalid(message) => FilterError::Input { message },
        ParseError::Limit(limit) => FilterError::Limit(limit),
    })?;
    let mut machine = Machine::new(&program, Context::new(now), input);
    let mut outputs = Vec::new();
    let mut left = limits.output;
    let failure = loop {
        match machine.next_output() {
            Ok(Some(output)) => outputs.push(printed(&output, &mut left, limits)?),
            Ok(None) => break None,
            Err(stop) => break failure(stop)?,
        }
    };
    Ok(Run { outputs, failure })
}

fn printed(output: &Value, left: &mut usize, limits: &Limits) -> Result<String, FilterError> {
    let text = print(output).map_err(FilterError::Limit)?;
    match left.checked_sub(text.len() + 1) {
        Some(rest) => *left = rest,
        None => return Err(FilterError::Limit(LimitKind::Output(limits.output))),
    }
    // Outputs are held until the run is over.
    budget::hold(text.len() + OUTPUT_OVERHEAD).map_err(FilterError::Limit)?;
    Ok(text)
}

/// The error a run ended with, in jq's words.
fn failure(stop: Stop) -> Result<Option<Failure>, FilterError> {
    let message = match stop {
        Stop::Limit(limit) => return Err(FilterError::Limit(limit)),
        Stop::Halt(None) => return Ok(None),
        Stop::Halt(Some(value)) => last_words(&value),
        Stop::Error(value) => error_words(&value),
        Stop::Break(_) => Ok("break".to_owned()),
    };
    match message {
        Ok(message) => Ok(Some(Failure { message })),
        Err(Stop::Limit(limit)) => Err(FilterError::Limit(limit)),
        Err(_) => Ok(Some(Failure {
            message: "error".to_owned(),
        })),
    }
}

fn error_words(value: &Value) -> Result<String, Stop> {
    if let Value::String(text) = value {
        return Ok(text.as_str().to_owned());
    }
    let mut words = "(not a string): ".to_owned();
    print_into(value, &mut words)?;
    Ok(words)
}

fn locate(filter: &str, error: SyntaxError) -> FilterError {
    let before = filter.get(..error.at).unwrap_or(filter);
    let line = before.matches('\n').count() + 1;
    let column = before
        .chars()
        .rev()
        .take_while(|character| *character != '\n')
        .count()
        + 1;
    FilterError::Syntax {
        message: error.message,
        line,
        column,
    }
}
