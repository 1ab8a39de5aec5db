//! Every case of `cases.txt`: what jq prints is what we print.

use memory_jq::{FilterError, Limits, run};

const CASES: &str = include_str!("cases.txt");

/// A filter with what jq makes of it.
#[derive(Default)]
struct Case {
    filter: String,
    input: Option<String>,
    outputs: Vec<String>,
    failure: Option<String>,
    is_refused: bool,
}

fn cases() -> Vec<Case> {
    CASES
        .split("\n\n")
        .map(parse)
        .filter(|case| !case.filter.is_empty())
        .collect()
}

fn parse(block: &str) -> Case {
    let mut case = Case::default();
    for line in block.lines().filter(|line| !line.starts_with('#')) {
        let (kind, text) = line.split_at(line.len().min(5));
        match kind.trim_end() {
            "jq" => case.filter = text.to_owned(),
            "in" => case.input = Some(text.to_owned()),
            "out" => case.outputs.push(text.to_owned()),
            "err" => case.failure = Some(text.to_owned()),
            "bad" => case.is_refused = true,
            _ => {}
        }
    }
    case
}

/// What is wrong with a case, if anything is.
fn check(case: &Case) -> Result<(), String> {
    let input = case.input.as_deref().unwrap_or("null");
    let run = match run(&case.filter, input, 0.0, &Limits::default()) {
        Ok(run) => run,
        Err(FilterError::Syntax { .. }) if case.is_refused => return Ok(()),
        Err(error) => return Err(error.to_string()),
    };
    let failure = run.failure.map(|failure| failure.message);
    if case.is_refused || run.outputs != case.outputs || failure != case.failure {
        return Err(format!("{:?} {failure:?}", run.outputs));
    }
    Ok(())
}

#[test]
fn filters_give_what_jq_gives() {
    let cases = cases();
    assert!(cases.len() > 300, "only {} cases were read", cases.len());
    let wrong: Vec<String> = cases
        .iter()
        .filter_map(|case| {
            check(case)
                .err()
                .map(|found| format!("{}\n  {found}", case.filter))
        })
        .collect();
    assert!(
        wrong.is_empty(),
        "{} cases differ:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
}
