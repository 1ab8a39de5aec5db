//! `memory bank …`, which is `memory-cli …`: one file a command.

mod delete;
mod export;
mod gc;
mod import;
mod list;
mod query;
mod read;
mod repair;
mod schema;
mod search;
mod update;
mod write;

use clap::{CommandFactory, Subcommand, ValueEnum};
use memory_banks::{Scope, ScopeChoice};
use memory_core::{Code, Error, Flaw, Json, Result};
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::commands::{completions, man};
use crate::completion::{Program, Values};
use crate::house::{self, GlobalArgs};
use crate::shell::{Shell, Status};

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    #[command(aliases = ["get", "show"])]
    Read(read::Args),
    #[command(alias = "set")]
    Write(write::Args),
    Update(update::Args),
    #[command(aliases = ["rm", "remove"])]
    Delete(delete::Args),
    #[command(alias = "ls")]
    List(list::Args),
    Query(query::Args),
    Search(search::Args),
    Export(export::Args),
    Import(import::Args),
    Gc(gc::Args),
    Repair(repair::Args),
    Schema(schema::Args),
}

/// The commands of `memory-cli`: the bank commands, and what any program has.
#[derive(Debug, Subcommand)]
pub(crate) enum RootCommand {
    #[command(flatten)]
    Bank(Command),
    Completions(completions::Args),
    Man(man::Args),
}

/// What the shell completes.
pub(crate) const COMPLETED: Program = Program {
    definition: || crate::BankCliArgs::command(),
    open: || house::build_banks(GlobalArgs::default()),
    values: |_, argument| match argument {
        "bank" => Some(Values::Banks),
        "key" | "key_or_filter" => Some(Values::Keys),
        _ => None,
    },
};

pub(crate) fn run_root(command: RootCommand, shell: &Shell) -> Result<Status> {
    match command {
        RootCommand::Bank(command) => run(command, shell),
        RootCommand::Completions(args) => completions::run(&args, "memory-cli", shell),
        RootCommand::Man(args) => man::run::<crate::BankCliArgs>(args, shell),
    }
}

pub(crate) fn run(command: Command, shell: &Shell) -> Result<Status> {
    match command {
        Command::Read(args) => read::run(args, shell),
        Command::Write(args) => write::run(args, shell),
        Command::Update(args) => update::run(args, shell),
        Command::Delete(args) => delete::run(args, shell),
        Command::List(args) => list::run(args, shell),
        Command::Query(args) => query::run(args, shell),
        Command::Search(args) => search::run(args, shell),
        Command::Export(args) => export::run(args, shell),
        Command::Import(args) => import::run(args, shell),
        Command::Gc(args) => gc::run(args, shell),
        Command::Repair(args) => repair::run(args, shell),
        Command::Schema(args) => schema::run(args, shell),
    }
}

fn ask<R: DeserializeOwned>(shell: &Shell, tool: &str, params: &impl Serialize) -> Result<R> {
    shell.ask("banks", tool, params)
}

/// Where an entry is.
#[derive(Debug, Clone, Copy, ValueEnum)]
enum ScopeArg {
    User,
    Project,
}

impl From<ScopeArg> for Scope {
    fn from(argument: ScopeArg) -> Scope {
        match argument {
            ScopeArg::User => Scope::User,
            ScopeArg::Project => Scope::Project,
        }
    }
}

/// Which scopes are meant.
#[derive(Debug, Clone, Copy, ValueEnum)]
enum ScopesArg {
    User,
    Project,
    All,
}

impl From<ScopesArg> for ScopeChoice {
    fn from(argument: ScopesArg) -> ScopeChoice {
        match argument {
            ScopesArg::User => ScopeChoice::User,
            ScopesArg::Project => ScopeChoice::Project,
            ScopesArg::All => ScopeChoice::All,
        }
    }
}

/// How lists are shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum ListFormat {
    Json,
    Table,
}

/// Reads an argument that is JSON.
fn json_argument(name: &str, text: &str) -> Result<Json> {
    Json::parse(text)
        .map_err(|flaw| Error::new(Code::InvalidJson, format!("{name} is not JSON: {flaw}")))
}

/// Tells of what could not be read, beside a table that has no room for it.
fn warn_of(shell: &Shell, flaws: &[Flaw]) {
    flaws
        .iter()
        .for_each(|flaw| shell.warn(&format!("{}: {}", flaw.place, flaw.problem)));
}
