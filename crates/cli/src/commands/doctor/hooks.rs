//! The commands that are to be told of calls: whether their programs are there.
//!
//! A hook that can't be run stops nothing, so that nobody else would notice.

use std::path::Path;

use memory_files::{Files, Spot};

use super::Patient;
use super::check::Check;
use crate::config::BeforeFails;
use crate::environment::Environment;

/// Words that a shell knows without a program, and signs that begin something else than a name.
const OF_THE_SHELL: &str = ". : [ cd case command echo eval exec exit export false for if printf read set \
     test trap true type umask unset until wait while";
const SIGNS: &[char] = &[
    '$', '`', '"', '\'', '(', '{', '!', '~', '<', '>', '&', '|', ';', '\\', '*', '?',
];

pub(super) fn check(patient: &Patient<'_>) -> Vec<Check> {
    let (hooks, ground) = (&patient.house.config.hooks, &patient.house.ground);
    let unguarded = match hooks.before_fails {
        BeforeFails::Open => "calls are not checked",
        BeforeFails::Closed => "all calls are refused",
    };
    let named = [
        ("hooks.before", &hooks.before, unguarded),
        ("hooks.after", &hooks.after, "replies are not filtered"),
        ("hooks.event", &hooks.event, "events are not reported"),
    ];
    let set = named
        .iter()
        .filter_map(|(name, command, lack)| Some((name, command.as_ref()?, lack)));
    set.map(
        |(name, command, lack)| match missing(command, &ground.environment, &ground.files) {
            None => Check::ok(*name, command),
            Some(program) => Check::bad(
                *name,
                format!("Program {program} was not found, so {lack}: {command}"),
                format!("Install it, or 'memory config set {name} COMMAND'"),
            ),
        },
    )
    .collect()
}

/// Returns the program that a command begins with, if it is certain that it is not there.
fn missing<'c>(command: &'c str, environment: &Environment, files: &Files) -> Option<&'c str> {
    let program = command
        .split_whitespace()
        .find(|word| !is_assignment(word))?;
    if program.contains(SIGNS) || OF_THE_SHELL.split_whitespace().any(|word| word == program) {
        return None;
    }
    let is_there = if program.contains('/') {
        let at = Spot::anchor(environment.absolute(Path::new(program)));
        !matches!(files.stamp(&at), Ok(None))
    } else {
        environment.find_program(program, files).is_some()
    };
    (!is_there).then_some(program)
}

fn is_assignment(word: &str) -> bool {
    word.split_once('=')
        .is_some_and(|(name, _)| name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_'))
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use memory_core::Ids;
    use memory_files::LookingDisk;

    use super::*;

    #[track_caller]
    fn check(command: &str, expected: Option<&str>) {
        let files = Files::new(Arc::new(LookingDisk::default()), Ids::random());
        let environment = Environment::default();
        assert_eq!(
            missing(command, &environment, &files),
            expected,
            "{command}"
        );
    }

    #[test]
    fn only_a_program_that_is_certainly_not_there_is_missed() {
        check("/no/such/guard --strict", Some("/no/such/guard"));
        check("MODE=x no-such-guard", Some("no-such-guard"));
        check("./no/such", Some("./no/such"));
        check("/bin/sh -c true", None);
        check("if grep -q secret; then exit 2; fi", None);
        check("\"$HOME/guard\" x", None);
        check("[ -e /x ] && exit 2", None);
        check(" ", None);
    }
}
