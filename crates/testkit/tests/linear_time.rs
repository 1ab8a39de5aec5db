//! Which test proves of each module that reads text from outside that it takes linear time.
//!
//! The proofs count steps and stand beside the code that they prove (see the crate `steps`). A new module that
//! reads text needs a row here.

// A test looks at source files.
#![allow(clippy::disallowed_methods)]

use std::path::{Path, PathBuf};

/// What is known of the time that a module takes.
enum Proof {
    /// A test counts its steps for a text and for one twice as long.
    Steps(&'static str, &'static str),
    /// Something else bounds its work, as this test shows.
    Bounded(&'static str, &'static str),
    /// It reads no text from outside.
    ReadsNone(&'static str),
}

use Proof::{Bounded, ReadsNone, Steps};

const TEXT: &str = "crates/text/tests/linear.rs";

/// Modules, or folders of them, and their proofs.
const PROOFS: &[(&str, Proof)] = &[
    (
        "crates/core/src/fence.rs",
        Steps(
            "crates/core/src/fence.rs",
            "any_number_of_tags_is_read_once",
        ),
    ),
    (
        "crates/core/src/secret/",
        Steps(
            "crates/core/src/secret/mod.rs",
            "a_text_of_any_shape_is_scanned_and_masked_in_linear_time",
        ),
    ),
    (
        "crates/core/src/text.rs",
        Steps(
            "crates/core/src/text.rs",
            "a_text_is_made_visible_in_linear_time",
        ),
    ),
    (
        "crates/core/src/recall.rs",
        Bounded(
            "crates/core/src/recall.rs",
            "a_long_question_is_read_as_far_as_its_first_words",
        ),
    ),
    (
        "crates/core/src/schema.rs",
        ReadsNone("derives schemas from our own types"),
    ),
    (
        "crates/cli/src/commands/bank/schema.rs",
        ReadsNone("passes arguments on"),
    ),
    (
        "crates/cli/src/render/text.rs",
        Steps(
            "crates/cli/src/render/text.rs",
            "any_number_of_places_is_marked_in_linear_time",
        ),
    ),
    (
        "crates/jq/src/syntax/parser.rs",
        Bounded(
            "crates/jq/tests/front_door.rs",
            "a_filter_that_is_too_long_is_not_looked_at",
        ),
    ),
    (
        "crates/jq/src/value/parse.rs",
        Steps(
            "crates/jq/src/value/parse.rs",
            "a_text_of_any_shape_is_read_in_linear_time",
        ),
    ),
    (
        "crates/jq/src/natives/formats.rs",
        Bounded("crates/jq/tests/bounds.rs", "large_values_end_by_memory"),
    ),
    (
        "crates/models/src/text/",
        Steps(
            "crates/models/src/text/wordpiece.rs",
            "a_text_of_any_shape_is_cut_in_linear_time",
        ),
    ),
    (
        "crates/text/src/due.rs",
        Steps(TEXT, "words_and_terms_are_read_in_linear_time"),
    ),
    (
        "crates/text/src/front_matter.rs",
        Steps(TEXT, "front_matter_is_read_in_linear_time"),
    ),
    ("crates/text/src/lib.rs", ReadsNone("names the modules")),
    (
        "crates/text/src/places.rs",
        Steps(TEXT, "links_and_code_are_looked_for_in_linear_time"),
    ),
    (
        "crates/text/src/similar/",
        Steps(TEXT, "likeness_is_read_in_linear_time"),
    ),
    (
        "crates/text/src/stem/",
        Steps(TEXT, "words_and_terms_are_read_in_linear_time"),
    ),
    (
        "crates/text/src/terms/",
        Steps(TEXT, "words_and_terms_are_read_in_linear_time"),
    ),
    (
        "crates/text/src/time/",
        Steps(TEXT, "times_are_found_in_linear_time"),
    ),
    (
        "crates/text/src/tokens.rs",
        Steps(TEXT, "words_and_terms_are_read_in_linear_time"),
    ),
    (
        "crates/text/src/wikilinks.rs",
        Steps(TEXT, "links_and_code_are_looked_for_in_linear_time"),
    ),
    (
        "crates/text/src/words.rs",
        Steps(TEXT, "words_and_terms_are_read_in_linear_time"),
    ),
    (
        "crates/text/src/yaml.rs",
        Steps(TEXT, "fields_are_read_in_linear_time"),
    ),
    (
        "kinds/banks/src/format.rs",
        Steps(
            "kinds/banks/src/format.rs",
            "a_file_of_many_members_is_read_in_linear_time",
        ),
    ),
    (
        "kinds/banks/src/schema/",
        Steps(
            "kinds/banks/src/schema/mod.rs",
            "counting_the_parts_of_a_schema_takes_linear_time",
        ),
    ),
    (
        "kinds/banks/src/tools/schema.rs",
        ReadsNone("passes the schema on to kinds/banks/src/schema"),
    ),
    (
        "kinds/compartments/src/format.rs",
        Steps(
            "kinds/compartments/src/format.rs",
            "a_file_of_many_entries_is_read_in_linear_time",
        ),
    ),
    (
        "kinds/conversations/src/facts/",
        Steps(
            "kinds/conversations/src/facts/mod.rs",
            "the_rules_read_a_message_of_any_shape_in_linear_time",
        ),
    ),
    (
        "kinds/conversations/src/format.rs",
        Steps(
            "kinds/conversations/src/format.rs",
            "a_file_of_any_shape_is_read_in_linear_time",
        ),
    ),
    (
        "kinds/journal/src/format.rs",
        Steps(
            "kinds/journal/src/format.rs",
            "a_file_of_any_shape_is_taken_apart_in_linear_time",
        ),
    ),
    (
        "kinds/notes/src/dream/reminders.rs",
        Steps(
            "kinds/notes/src/dream/reminders.rs",
            "the_sentences_of_many_times_are_found_without_reading_the_text_again",
        ),
    ),
    (
        "kinds/notes/src/format.rs",
        Steps(
            "kinds/notes/src/format.rs",
            "a_file_of_any_shape_is_read_in_linear_time",
        ),
    ),
];

/// Crates of others that read text, by how code names them: they are given text up to a limit.
const FOREIGN: &[&str] = &[
    "granit_parser::",
    "pulldown_cmark::",
    "fancy_regex::",
    "use regex::",
    "jsonschema::",
];

/// Modules that call them, and the tests of the limits.
const LIMITS: &[(&str, Proof)] = &[
    (
        "crates/cli/src/config/",
        Bounded(
            "crates/cli/tests/transcripts.rs",
            "hostile_input_does_no_harm",
        ),
    ),
    (
        "crates/jq/src/natives/",
        Bounded(
            "crates/jq/tests/bounds.rs",
            "regular_expressions_do_not_explode",
        ),
    ),
    (
        "crates/text/src/",
        Bounded(
            "kinds/notes/tests/suite/limits.rs",
            "a_file_that_is_too_large_is_told_and_hides_no_other",
        ),
    ),
    (
        "kinds/banks/src/schema/",
        Bounded(
            "kinds/banks/src/schema/mod.rs",
            "a_schema_whose_references_multiply_is_refused",
        ),
    ),
    (
        "kinds/banks/src/tools/search.rs",
        Bounded(
            "kinds/banks/tests/suite/search.rs",
            "a_pattern_that_grows_when_it_is_compiled_is_refused",
        ),
    ),
    (
        "kinds/notes/src/ingest/",
        Bounded(
            "kinds/notes/src/ingest/mod.rs",
            "files_that_are_no_text_or_too_large_are_told",
        ),
    ),
];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Returns the source files below a folder, by their paths below the root, with slashes.
fn sources(folder: &Path, found: &mut Vec<String>) {
    for entry in std::fs::read_dir(folder).expect("a folder can be read") {
        let path = entry.expect("an entry can be read").path();
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let below = path.strip_prefix(root()).expect("it is below the root");
            let parts: Vec<_> = below.iter().map(|part| part.to_string_lossy()).collect();
            found.push(parts.join("/"));
        }
    }
}

/// Says whether a module is one that reads text from outside, as its place and its name tell.
fn reads_text(module: &str) -> bool {
    let Some((_, inside)) = module.split_once("/src/") else {
        return false;
    };
    let parts: Vec<&str> = inside.trim_end_matches(".rs").split('/').collect();
    let is_named = |part: &&str| {
        ["parse", "format"]
            .iter()
            .any(|begin| part.starts_with(begin))
            || ["fence", "secret", "reminders", "schema"].contains(part)
    };
    let is_below_text =
        module.starts_with("crates/text/src/") || parts[..parts.len() - 1].contains(&"text");
    (is_below_text || parts.iter().any(is_named)) && !module.ends_with("/tests.rs")
}

fn has_row(rows: &[(&str, Proof)], module: &str) -> bool {
    let is_meant =
        |place: &str| place == module || (place.ends_with('/') && module.starts_with(place));
    rows.iter().any(|(place, _)| is_meant(place))
}

fn modules() -> Vec<String> {
    let mut modules = Vec::new();
    for folder in ["crates", "kinds"] {
        sources(&root().join(folder), &mut modules);
    }
    modules
}

fn read(file: &str) -> String {
    std::fs::read_to_string(root().join(file)).expect("a source file can be read")
}

#[test]
fn every_module_that_gives_text_to_a_crate_of_others_has_a_limit() {
    let calls = |module: &&String| {
        module.contains("/src/") && FOREIGN.iter().any(|name| read(module).contains(name))
    };
    let modules = modules();
    let callers: Vec<&String> = modules.iter().filter(calls).collect();
    assert!(callers.len() > 5, "{callers:?}");
    let unlimited: Vec<_> = callers
        .iter()
        .filter(|module| !has_row(LIMITS, module))
        .collect();
    assert!(
        unlimited.is_empty(),
        "add a test of the limit for {unlimited:?}"
    );
}

#[test]
fn every_module_that_reads_text_has_a_proof() {
    let modules = modules();
    let readers: Vec<&String> = modules.iter().filter(|module| reads_text(module)).collect();
    assert!(readers.len() > 50, "{readers:?}");
    let unproved: Vec<_> = readers
        .iter()
        .filter(|module| !has_row(PROOFS, module))
        .collect();
    assert!(
        unproved.is_empty(),
        "add a proof of linear time for {unproved:?}"
    );
    for (place, _) in PROOFS {
        let is_there = modules.iter().any(|module| module.starts_with(place));
        assert!(is_there, "{place} is not there any more");
    }
}

#[test]
fn every_proof_is_a_test_that_is_there() {
    for (module, proof) in PROOFS.iter().chain(LIMITS) {
        let (file, test, sign) = match proof {
            Steps(file, test) => (file, test, "is_linear()"),
            Bounded(file, test) => (file, test, ""),
            ReadsNone(why) => {
                assert!(!why.is_empty(), "{module}");
                continue;
            }
        };
        let source = read(file);
        assert!(
            has_test(&source, test),
            "{file} has no test {test}, which is to prove {module}"
        );
        assert!(source.contains(sign), "{test} proves nothing of {module}");
    }
}

/// Returns whether a source file has a test of this name.
fn has_test(source: &str, name: &str) -> bool {
    let Some((before, _)) = source.split_once(&format!("fn {name}()")) else {
        return false;
    };
    let attributes = before
        .lines()
        .rev()
        .skip_while(|line| line.trim().is_empty());
    attributes
        .map(str::trim)
        .take_while(|line| line.starts_with("#["))
        .any(|line| line == "#[test]")
}
