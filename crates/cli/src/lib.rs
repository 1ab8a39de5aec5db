//! The two programs, from their arguments to their exit status.
//!
//! This crate puts the house together: it alone reads the environment and the configuration, and
//! it alone prints. One command is one file below `commands`; no rule of a kind lives here.

mod chat;
mod clients;
mod commands;
mod completion;
mod config;
mod environment;
mod forward;
mod help;
mod hooks;
mod house;
mod models;
mod notifier;
mod places;
mod recollection;
mod render;
mod shell;
mod signals;
mod splice;
#[cfg(test)]
mod tests;
mod trust;
mod usage;

use std::process::ExitCode;

use clap::{CommandFactory, Parser};
use memory_core::{Code, Result};

use commands::bank;
use house::{GlobalArgs, House};
use shell::{Shell, Speech, Status};

/// The allocator of musl returns memory to the system so often that `memory list` takes half as long again.
#[cfg(target_env = "musl")]
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// The version, with the commit and its date in a release build.
const VERSION: &str = env!("MEMORY_VERSION");

/// One memory for every AI agent, in plain files
///
/// Keeps what agents and their people need to remember as Markdown, JSON and JSONL that anyone
/// can read, edit, diff and back up.
///
/// Examples:
///   memory write "user prefers dark mode" --category preferences --tags ui
///   memory recall "which theme does the user like?"
///   memory connect
#[derive(Debug, Parser)]
#[command(name = "memory", version = VERSION, max_term_width = 100, verbatim_doc_comment)]
pub struct MemoryArgs {
    #[command(flatten)]
    global: GlobalArgs,
    #[command(subcommand)]
    command: commands::Command,
}

/// Structured file-based memory banks for agent sessions
///
/// Examples:
///   memory-cli write session context '{"topic": "refactoring"}'
///   memory-cli read session context
///   memory-cli query session '.entries | keys'
#[derive(Debug, Parser)]
#[command(name = "memory-cli", version = VERSION, max_term_width = 100, verbatim_doc_comment)]
pub struct BankCliArgs {
    #[command(flatten)]
    global: GlobalArgs,
    #[command(subcommand)]
    command: bank::RootCommand,
}

/// Runs `memory`.
pub fn memory() -> ExitCode {
    signals::prepare();
    if let Some(answered) = completion::answer(commands::COMPLETED) {
        return answered;
    }
    let guessed = Speech::guess_from(&environment::arguments());
    let definition = || {
        if help::is_wanted(&environment::arguments()) {
            help::in_groups(MemoryArgs::command())
        } else {
            MemoryArgs::command()
        }
    };
    let mut args = match parse::<MemoryArgs>(definition, guessed) {
        Ok(args) => args,
        Err(_) if commands::hook::is_meant(&environment::arguments()) => return ExitCode::SUCCESS,
        Err(code) => return code,
    };
    if let commands::Command::Hook(hook) = args.command {
        return commands::hook::run(hook, args.global);
    }
    let speech = if args.global.json {
        Speech::Json
    } else {
        args.command.speech()
    };
    args.global.compartments_file = args.command.compartments_file();
    args.global.follows_client = args.command.follows_client();
    args.global.by = args.command.actor();
    let house = if args.command.needs_configuration() {
        house::build(args.global)
    } else {
        house::build_unconfigured(args.global)
    };
    finish(house, speech, |shell| commands::run(args.command, shell))
}

/// Runs `memory-cli`.
pub fn memory_cli() -> ExitCode {
    signals::prepare();
    if let Some(answered) = completion::answer(bank::COMPLETED) {
        return answered;
    }
    if forward::is_meant() {
        return shell::fail(&forward::run(), Speech::Json).into();
    }
    let args = match parse::<BankCliArgs>(BankCliArgs::command, Speech::Json) {
        Ok(args) => args,
        Err(code) => return code,
    };
    finish(house::build_banks(args.global), Speech::Json, |shell| {
        bank::run_root(args.command, shell)
    })
}

/// Reads the arguments; when there is no command to run, shows help or the mistake.
fn parse<A: Parser>(
    definition: impl Fn() -> clap::Command,
    speech: Speech,
) -> std::result::Result<A, ExitCode> {
    let arguments = environment::arguments();
    let again = |error: clap::Error| usage::read_dashes(definition(), &arguments).ok_or(error);
    let matches = definition().try_get_matches_from(&arguments).or_else(again);
    matches
        .and_then(|matches| A::from_arg_matches(&matches))
        .map_err(|error| {
            if usage::is_help(&error, speech) || arguments.len() <= 1 {
                shell::show_help(&error)
            } else {
                shell::fail(&usage::explain(&error), speech).into()
            }
        })
}

/// Runs a command, then shows the warnings.
///
/// Programs read a failure as one JSON object: there the warning is the hint.
fn finish(
    house: Result<House>,
    speech: Speech,
    run: impl FnOnce(&Shell) -> Result<Status>,
) -> ExitCode {
    let ended = house.and_then(|house| {
        let warnings = house.warnings().clone();
        let mut ended = run(&Shell::new(house, speech));
        match &mut ended {
            Err(error) if error.code == Code::UnsafePath => {}
            Err(error) if speech == Speech::Json => {
                error.hint = error.hint.take().or_else(|| warnings.relevant().next());
            }
            _ => warnings.show_relevant(),
        }
        ended
    });
    ended
        .unwrap_or_else(|error| shell::fail(&error, speech))
        .into()
}
