//! Hostile filters end, each by the bound that is meant for it.

#![allow(clippy::unwrap_used, clippy::panic)] // the helpers below are tests, too

use std::time::{Duration, Instant};

use memory_jq::{FilterError, LimitKind, Limits, run};

/// Small enough for a quick test, large enough that each filter meets the bound it is about.
fn small() -> Limits {
    Limits {
        time: Duration::from_secs(20),
        steps: 200_000,
        memory: 4 << 20,
        output: 1 << 20,
    }
}

fn limit(filter: &str, limits: &Limits) -> LimitKind {
    match run(filter, "null", 0.0, limits) {
        Err(FilterError::Limit(kind)) => kind,
        other => panic!("{filter} gave {other:?}"),
    }
}

#[track_caller]
fn ends_by_steps(filter: &str) {
    let kind = limit(filter, &small());
    assert!(
        matches!(kind, LimitKind::Steps(_)),
        "{filter} ended by {kind:?}"
    );
}

#[track_caller]
fn ends_by_memory(filter: &str) {
    let limits = Limits {
        steps: 50_000_000,
        ..small()
    };
    let kind = limit(filter, &limits);
    assert!(
        matches!(kind, LimitKind::Memory(_)),
        "{filter} ended by {kind:?}"
    );
}

#[track_caller]
fn ends_by_depth(filter: &str) {
    let limits = Limits {
        steps: 50_000_000,
        memory: 256 << 20,
        ..small()
    };
    let kind = limit(filter, &limits);
    assert!(
        matches!(kind, LimitKind::Depth(_)),
        "{filter} ended by {kind:?}"
    );
}

#[track_caller]
fn gives(filter: &str, output: &str) {
    let run = run(filter, "null", 0.0, &Limits::default()).unwrap();
    assert_eq!(
        (run.outputs, run.failure),
        (vec![output.to_owned()], None),
        "{filter}"
    );
}

#[track_caller]
fn fails(filter: &str, words: &str) {
    let run = run(filter, "null", 0.0, &Limits::default()).unwrap();
    let message = run
        .failure
        .map(|failure| failure.message)
        .unwrap_or_default();
    assert!(
        message.starts_with(words),
        "{filter} failed with {message:?}"
    );
}

#[test]
fn loops_end_by_steps() {
    ends_by_steps("last(range(1e12))");
    ends_by_steps("def f: f; f");
    ends_by_steps("def f(g): f(g); f(1)");
    ends_by_steps("def f($x): f($x + 1); f(1)");
    ends_by_steps("def f: def g: f; g; f");
    ends_by_steps("last(repeat(.))");
    ends_by_steps("isempty(repeat(empty))");
    ends_by_steps(". as $x | until(false; .)");
    ends_by_steps("reduce range(1e9) as $i (0; . + 1)");
    ends_by_steps("first(range(1e12) | select(. < 0))");
    ends_by_steps("[range(3e4)] | . - .");
}

#[test]
fn recursion_ends_by_memory_and_not_by_the_stack() {
    ends_by_memory("def f: [f]; f");
    ends_by_memory("def f: 1 + f; f");
    ends_by_memory("def f: -f; f");
    ends_by_memory("def f: f, 1; f");
    ends_by_memory("def f: {a: f}; f");
    ends_by_memory("def f: \"\\(f)\"; f");
    ends_by_memory("def f: f as $x | 1; f");
    ends_by_memory("def f: if f then 1 else 2 end; f");
    ends_by_memory("def f: try f catch .; f");
    ends_by_memory("def f: f // 1; f");
    ends_by_memory("def f: label $out | f; f");
    ends_by_memory("def f: .[0] |= f; f");
    ends_by_memory("def f: path(f); f");
    ends_by_memory("def f: reduce f as $x (0; 1); f");
    ends_by_memory("def f: first(f); f");
    ends_by_memory("def f(g): f(g + 1); f(1)");
    ends_by_memory("def f: f | f; f");
}

#[test]
fn large_values_end_by_memory() {
    ends_by_memory("[range(1e12)]");
    ends_by_memory("[limit(1e9; repeat(\"x\"))]");
    ends_by_memory("\"x\" * 1e9");
    ends_by_memory("\"x\" | reduce range(40) as $i (.; . + .)");
    ends_by_memory("reduce range(100) as $i (\"\\\"\"; tojson)");
    ends_by_memory("[recurse(. + 1)]");
    ends_by_memory(".[5e8] = 1");
    ends_by_memory("[range(1e4)] | map([range(1e4)])");
    ends_by_memory("\"a\" * 3e6 | @base64 | @base64");
    ends_by_memory("\"a\" * 1e5 | explode | [., ., . | .[0] = 1, .[1] = 1]");
    ends_by_memory("repeat(1)");
}

#[test]
fn values_that_share_their_parts_do_not_unfold() {
    let twin = "reduce range(60) as $i ([]; [., .])";
    ends_by_steps(&format!("{twin} | tojson"));
    ends_by_steps(&format!("({twin}) == ({twin})"));
    ends_by_steps(&format!("{twin} | flatten"));
    ends_by_steps(&format!("{twin} | [..] | length"));
    ends_by_steps(twin);
}

#[test]
fn values_nest_only_so_deep() {
    ends_by_depth("reduce range(1e7) as $i (null; [.])");
    ends_by_depth("reduce range(1e7) as $i (null; {a: .})");
    ends_by_depth("[limit(1e5; repeat(\"a\"))] as $p | null | setpath($p; 1)");
    ends_by_depth("[limit(1e5; repeat(0))] as $p | null | delpaths([$p])");
    fails(
        "\"[\" * 100000 | fromjson",
        "Exceeds depth limit for parsing at line 1, column 10001",
    );
}

#[test]
fn the_deepest_values_can_be_worked_with() {
    let deep = |key: &str| format!("[limit(9999; repeat({key}))] as $p | null | setpath($p; 1)");
    gives(
        &format!("{} | tojson | fromjson | tojson | length", deep("0")),
        "19999",
    );
    gives(
        &format!("{} | [. == ., flatten == [1]]", deep("0")),
        "[true,true]",
    );
    gives(&format!("{} | [..] | length", deep("\"a\"")), "10000");
    gives(&format!("{} | . * . | getpath($p)", deep("\"a\"")), "1");
    gives(&format!("{} | contains(.)", deep("\"a\"")), "true");
    gives(
        &format!("{} | delpaths([$p]) | [..] | length", deep("\"a\"")),
        "9999",
    );
    gives(&format!("{} | walk(.) | getpath($p)", deep("0")), "1");
}

#[test]
fn regular_expressions_do_not_explode() {
    gives("\"a\" * 1e5 | [match(\"(a*)*b\"; \"g\")]", "[]");
    gives("\"a\" * 40 + \"!\" | test(\"^(a+)+$\")", "false");
    fails(
        "\"a\" * 40 | test(\"^(?=(a|aa)+$)(?=(a|aa)+b)(a|aa)+\\\\1b\")",
        "Regex failure: ",
    );
    fails(
        "\"a\" | test(\"((a{1,200}){1,200}){1,200}\")",
        "Regex failure: ",
    );
}

#[test]
fn output_is_bounded() {
    let limits = Limits {
        output: 1_000,
        ..Limits::default()
    };
    assert_eq!(limit("range(1e6)", &limits), LimitKind::Output(1_000));
    assert_eq!(limit("\"x\" * 1000", &limits), LimitKind::Output(1_000));
}

#[test]
fn time_is_bounded() {
    let limits = Limits {
        time: Duration::from_millis(50),
        steps: u64::MAX,
        ..Limits::default()
    };
    let start = Instant::now();
    assert_eq!(
        limit("last(range(1e12))", &limits),
        LimitKind::Time(limits.time)
    );
    assert!(start.elapsed() < Duration::from_secs(5));
}

#[test]
fn a_bound_cannot_be_caught() {
    ends_by_steps("try last(range(1e12)) catch 1");
    ends_by_steps("[.[]?, (last(range(1e12)))?]");
    ends_by_steps("last(range(1e12)) // 1");
}

#[test]
fn long_loops_within_the_bounds_are_no_trouble() {
    gives(
        "def r: if . > 0 then . - 1 | r else \"done\" end; 100000 | r",
        "\"done\"",
    );
    gives(
        "def r: if . > 0 then (. - 1 | r) + 1 else 0 end; 50000 | r",
        "50000",
    );
    gives(
        "[recurse(if . < 50000 then . + 1 else empty end)] | length",
        "50001",
    );
    gives(
        "reduce range(20000) as $i ({}; .[\"k\\($i)\"] += 1) | length",
        "20000",
    );
    gives("reduce range(20000) as $i ([]; . + [$i]) | length", "20000");
    gives("[range(50000)] | .[] += 1 | add", "1250025000");
    gives("last(limit(100000; repeat(1)))", "1");
}

#[test]
fn nothing_outside_is_reached() {
    gives("[env, $ENV]", "[{},{}]");
    gives("[inputs]", "[]");
    gives("input_filename", "null");
    gives("get_search_list", "[]");
    fails("input", "No more inputs");
}
