//! The front door: what callers get back, and what they are told.

#![allow(clippy::unwrap_used, clippy::panic)] // the helpers below are tests, too

use memory_jq::{FILTER_BYTES, FilterError, Limits, run};

fn ran(filter: &str, input: &str) -> (Vec<String>, Option<String>) {
    let run = run(filter, input, 1_700_000_000.5, &Limits::default()).unwrap();
    (run.outputs, run.failure.map(|failure| failure.message))
}

#[track_caller]
fn refused(filter: &str, words: &str) {
    let error = run(filter, "null", 0.0, &Limits::default()).unwrap_err();
    assert_eq!(error.to_string(), words, "{filter}");
}

#[test]
fn outputs_come_before_the_failure_that_ends_them() {
    let (outputs, failure) = ran(".[] | . + 1", "[1,2,\"a\",3]");
    assert_eq!(outputs, ["2", "3"]);
    assert_eq!(
        failure.as_deref(),
        Some("string (\"a\") and number (1) cannot be added")
    );
}

#[test]
fn an_error_that_is_no_string_is_shown_as_json() {
    assert_eq!(
        ran("error({a: 1})", "null").1.as_deref(),
        Some("(not a string): {\"a\":1}")
    );
    assert_eq!(
        ran("error(null)", "null").1.as_deref(),
        Some("(not a string): null")
    );
}

#[test]
fn halting_is_quiet_unless_it_is_an_error() {
    assert_eq!(ran("1, halt, 2", "null"), (vec!["1".to_owned()], None));
    assert_eq!(
        ran("\"bye\" | halt_error", "null").1.as_deref(),
        Some("bye")
    );
    assert_eq!(ran("{} | halt_error(1)", "null").1.as_deref(), Some("{}"));
}

#[test]
fn the_time_is_the_one_that_was_handed_in() {
    assert_eq!(
        ran("now, (now | todate)", "null").0,
        ["1700000000.5", "\"2023-11-14T22:13:20Z\""]
    );
}

#[test]
fn what_does_not_compile_is_named_with_its_place() {
    refused("foo", "foo/0 is not defined at line 1, column 1");
    refused(
        ".a |\n  map(1; 2)",
        "map/2 is not defined at line 2, column 3",
    );
    refused("$x", "$x is not defined at line 1, column 1");
    refused(
        "break $out",
        "$*label-out is not defined at line 1, column 1",
    );
    refused(
        ".a b",
        "Found 'b' where an operator or the end is expected at line 1, column 4",
    );
    refused(
        "[1, 2",
        "Found the end where ']' is expected at line 1, column 6",
    );
    refused(
        "{a: 1 b: 2}",
        "Found 'b' where ',' or '}' is expected at line 1, column 7",
    );
    refused(
        "if . then 1",
        "Found the end where 'elif', 'else' or 'end' is expected at line 1, column 12",
    );
    refused("\"abc", "Unterminated string at line 1, column 1");
    refused(".a & .b", "Unexpected character '&' at line 1, column 4");
    refused(
        "1 == 2 == 3",
        "Found '==' where a parenthesis around one of the comparisons is expected at line 1, column 8",
    );
    refused(
        "import \"a\" as a; .",
        "Modules are not available at line 1, column 1",
    );
    refused("", "The filter is empty at line 1, column 1");
    refused(
        "_match(.; .)",
        "_match/2 is not defined at line 1, column 1",
    );
}

#[test]
fn an_input_that_is_no_json_is_refused() {
    let error = run(".", "{\"a\":", 0.0, &Limits::default()).unwrap_err();
    let words = "The input is not valid JSON: Unfinished JSON term at EOF at line 1, column 5";
    assert_eq!(error.to_string(), words);
}

#[test]
fn a_filter_that_is_too_long_is_not_looked_at() {
    let filter = " ".repeat(FILTER_BYTES) + ".";
    let error = run(&filter, "null", 0.0, &Limits::default()).unwrap_err();
    assert_eq!(
        error,
        FilterError::TooLong {
            bytes: FILTER_BYTES + 1,
            limit: FILTER_BYTES
        }
    );
}

#[test]
fn filters_that_nest_too_deeply_are_refused() {
    let deep = |open: &str, middle: &str, close: &str, times: usize| {
        let filter = format!("{}{middle}{}", open.repeat(times), close.repeat(times));
        let error = run(&filter, "null", 0.0, &Limits::default()).unwrap_err();
        assert!(
            matches!(error, FilterError::Syntax { .. }),
            "{open} gave {error:?}"
        );
        assert!(
            error.to_string().contains("nests more than"),
            "{open} gave {error}"
        );
    };
    deep("[", "1", "]", 30_000);
    deep("(", "1", ")", 30_000);
    deep("[", "", "", 60_000);
    deep("{a:", "1", "}", 15_000);
    deep("1+", "1", "", 30_000);
    deep("-", "1", "", 60_000);
    deep("1|", "1", "", 30_000);
    deep("1//", "1", "", 20_000);
    deep(".a", "", "", 30_000);
    deep("if ", "1", "", 20_000);
    deep("try ", "1", "", 15_000);
    deep("\"\\(", "1", ")\"", 10_000);
    deep("def f: ", "1", "; 1", 5_000);
    deep("1 as $x|", "1", "", 8_000);
    deep("reduce ", "1", "", 8_000);
    deep("label $a|", "1", "", 7_000);
    deep(".[", "1", "]", 15_000);
    deep("f(", "1", ")", 20_000);
}

#[test]
fn patterns_that_nest_too_deeply_are_refused() {
    let filter = format!(". as {}$x{} | 1", "[".repeat(20_000), "]".repeat(20_000));
    let error = run(&filter, "null", 0.0, &Limits::default()).unwrap_err();
    assert!(error.to_string().contains("nests more than"), "{error}");
}

#[test]
fn filters_that_nest_as_deeply_as_they_may_run() {
    let nested = |open: &str, middle: &str, close: &str, times: usize| {
        ran(
            &format!("{}{middle}{}", open.repeat(times), close.repeat(times)),
            "null",
        )
        .0
    };
    assert_eq!(nested("(", "1", ")", 300), ["1"]);
    assert_eq!(nested("1+", "1", "", 900), ["901"]);
    assert_eq!(nested("-", "1", "", 900), ["1"]);
    assert_eq!(nested(".|", "1", "", 900), ["1"]);
    assert_eq!(nested("if . then 1 else ", "2", " end", 300), ["2"]);
    assert_eq!(nested("\"\\(", "1", ")\"", 300), ["\"1\""]);
    assert_eq!(nested(". as [$x] ?// $x | ", "1", "", 300), ["1"]);
}

#[test]
fn filters_that_are_only_long_run() {
    let list = (0..10_000)
        .map(|number| number.to_string())
        .collect::<Vec<_>>()
        .join(",");
    assert_eq!(ran(&format!("[{list}] | length"), "null").0, ["10000"]);
    let fields = (0..3_000)
        .map(|number| format!("k{number}:{number}"))
        .collect::<Vec<_>>()
        .join(",");
    assert_eq!(ran(&format!("{{{fields}}} | length"), "null").0, ["3000"]);
    let sum = vec!["1"; 500].join("+");
    assert_eq!(ran(&sum, "null").0, ["500"]);
}
