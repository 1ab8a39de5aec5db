//! The two programs, from their arguments to their exit status.
//!
//! This crate puts the house together: it alone reads the environment and the configuration, and
//! it alone prints. One command is one file below `commands`; no rule of a kind lives here.

mod commands;
mod config;
mod environment;
mod house;
mod places;
mod render;
mod shell;
mod signals;
mod usage;

use std::process::ExitCode;

use clap::{CommandFactory, Parser};
use memory_core::{Error, Result};

use commands::bank;
use environment::Environment;
use house::GlobalArgs;
use shell::{Shell, Speech, Status};

/// One memory for every AI agent, in plain files
///
/// Keeps what agents and their people need to remember as Markdown, JSON and JSONL that anyone
/// can read, edit, diff and back up.
#[derive(Debug, Parser)]
#[command(name = "memory", version, max_term_width = 100)]
pub struct MemoryArgs {
    #[command(flatten)]
    global: GlobalArgs,
    #[command(subcommand)]
    command: commands::Command,
}

/// Structured file-based memory banks for agent sessions
#[derive(Debug, Parser)]
#[command(name = "memory-cli", version, max_term_width = 100)]
pub struct BankCliArgs {
    #[command(flatten)]
    global: GlobalArgs,
    #[command(subcommand)]
    command: bank::RootCommand,
}

/// Runs `memory`.
pub fn memory() -> ExitCode {
    signals::prepare();
    let speech = Speech::guess_from(&environment::arguments());
    let ended = parse::<MemoryArgs>(speech).and_then(|args| {
        let shell = args.command.speech().shell(args.global)?;
        commands::run(args.command, &shell)
    });
    finish(ended, speech)
}

/// Runs `memory-cli`.
pub fn memory_cli() -> ExitCode {
    signals::prepare();
    let ended = parse::<BankCliArgs>(Speech::Json).and_then(|args| {
        let shell = Speech::Json.shell(args.global)?;
        bank::run_root(args.command, &shell)
    });
    finish(ended, Speech::Json)
}

/// How reading the arguments can end without a command to run.
enum Early {
    /// Help or the version was asked for, and has been shown.
    Shown(ExitCode),
    Failed(Error),
}

impl From<Error> for Early {
    fn from(error: Error) -> Self {
        Early::Failed(error)
    }
}

fn parse<A: Parser + CommandFactory>(speech: Speech) -> std::result::Result<A, Early> {
    A::try_parse_from(environment::arguments()).map_err(|error| match usage::is_help(&error, speech) {
        true => Early::Shown(shell::show_help(&error)),
        false => Early::Failed(usage::explain(&error)),
    })
}

fn finish(ended: std::result::Result<Status, Early>, speech: Speech) -> ExitCode {
    match ended {
        Ok(status) => status.into(),
        Err(Early::Shown(code)) => code,
        Err(Early::Failed(error)) => shell::fail(&error, speech).into(),
    }
}

impl Speech {
    fn shell(self, global: GlobalArgs) -> Result<Shell> {
        let environment = Environment::read()?;
        Ok(Shell::new(house::build(&environment, &global)?, self))
    }
}
