//! jq filters over values and banks: what they are given, and what their failures mean here.

use memory_core::{Json, Timestamp};
use memory_jq::{FilterError, Limits};

use crate::BankError;

/// Runs a filter over one JSON value and returns all that it yields.
pub(crate) fn run(filter: &str, input: &str, now: Timestamp) -> Result<Vec<Json>, BankError> {
    let run = memory_jq::run(filter, input, now.as_second() as f64, &Limits::default())
        .map_err(failed)?;
    if let Some(failure) = run.failure {
        return Err(BankError::FilterFailed {
            problem: failure.message,
            outputs: run.outputs,
        });
    }
    run.outputs
        .iter()
        .map(|text| Json::parse_value(text).map_err(too_deep))
        .collect()
}

/// Runs a filter that must yield exactly one value: the next state of an entry.
pub(crate) fn run_once(filter: &str, input: &str, now: Timestamp) -> Result<Json, BankError> {
    let mut outputs = run(filter, input, now)?;
    match (outputs.pop(), outputs.len()) {
        (Some(only), 0) => Ok(only),
        (last, before) => {
            let count = before + usize::from(last.is_some());
            let problem =
                format!("an update must yield exactly one value, and this filter yields {count}");
            Err(BankError::FilterFailed {
                problem,
                outputs: vec![],
            })
        }
    }
}

fn failed(error: FilterError) -> BankError {
    match error {
        FilterError::Limit(bound) => BankError::FilterLimit {
            problem: format!("it {bound}"),
        },
        FilterError::Input { message } => BankError::FilterFailed {
            problem: format!("the value cannot be read: {message}"),
            outputs: vec![],
        },
        other => BankError::FilterSyntax {
            problem: other.to_string(),
        },
    }
}

fn too_deep(flaw: memory_core::JsonFlaw) -> BankError {
    BankError::FilterLimit {
        problem: format!("its result cannot be stored: {flaw}"),
    }
}
