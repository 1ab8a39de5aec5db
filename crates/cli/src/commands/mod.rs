//! Every command of `memory`: one file each, its arguments first, then what it does.

mod add;
mod agent;
pub(crate) mod bank;
mod compartment;
mod completions;
mod config;
mod connect;
mod conversation;
mod demo;
mod doctor;
pub(crate) mod hook;
mod index;
mod journal;
mod man;
mod mcp;
mod model;
mod note;
mod people;
mod proxy;
mod recall;
mod redo;
mod serve;
mod stats;
mod token;
mod trust;
mod undo;

use std::path::PathBuf;

use clap::{CommandFactory, Subcommand};
use memory_core::Actor;
use memory_core::Result;

use crate::completion::{Program, Values};
use crate::house::{self, GlobalArgs};
use crate::shell::{Shell, Speech, Status};

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    #[command(flatten)]
    Note(note::Command),
    /// Store structured state as JSON under keys
    ///
    /// The same as memory-cli, flag for flag.
    ///
    /// Example: memory bank write session context '{"topic": "refactoring"}'
    Bank(bank::Args),
    Recall(recall::find::Args),
    Context(recall::context::Args),
    /// Store typed records: core memories, learnings and tasks
    ///
    /// Example: memory journal add core "User prefers pytest over unittest" --tags python
    Journal(journal::Args),
    Add(add::Args),
    /// Show, search and summarize conversations
    ///
    /// Example: memory conversation search "where do I live"
    Conversation(conversation::Args),
    /// Store the working memory of a run, a session or a plan
    ///
    /// Example: memory compartment save session "The user prefers short answers"
    Compartment(compartment::Args),
    /// Show, update or rebuild the recall index
    ///
    /// Example: memory index status
    Index(index::Args),
    Agent(agent::Args),
    Serve(serve::Args),
    Mcp(mcp::Args),
    Model(model::Args),
    Proxy(proxy::Args),
    Undo(undo::Args),
    Redo(redo::Args),
    Config(config::Args),
    Connect(connect::Args),
    Hook(hook::Args),
    Demo(demo::Args),
    Doctor(doctor::Args),
    Stats(stats::Args),
    Trust(trust::Args),
    Completions(completions::Args),
    Man(man::Args),
}

impl Command {
    /// Returns the way in which this command tells failures.
    pub(crate) fn speech(&self) -> Speech {
        match self {
            Command::Bank(_) | Command::Agent(_) => Speech::Json,
            _ => Speech::People,
        }
    }

    /// Returns the compartments' file that this command was told of.
    pub(crate) fn compartments_file(&self) -> Option<PathBuf> {
        match self {
            Command::Compartment(args) => args.command.file(),
            Command::Undo(args) => args.file(),
            Command::Redo(args) => args.file(),
            _ => None,
        }
    }

    /// Returns who makes the calls of this command, as the history records it.
    pub(crate) fn actor(&self) -> Actor {
        match self {
            Command::Agent(_)
            | Command::Hook(_)
            | Command::Mcp(_)
            | Command::Proxy(_)
            | Command::Serve(_) => Actor::Agent,
            _ => Actor::Person,
        }
    }

    /// Says whether a client starts this command and tells it which project it works in.
    pub(crate) fn follows_client(&self) -> bool {
        matches!(self, Command::Mcp(_))
    }

    /// Says whether a configuration that can't be used stops this command before it begins.
    pub(crate) fn needs_configuration(&self) -> bool {
        !matches!(
            self,
            Command::Config(_) | Command::Connect(_) | Command::Demo(_) | Command::Doctor(_)
        )
    }
}

/// What the shell completes.
pub(crate) const COMPLETED: Program = Program {
    definition: || crate::MemoryArgs::command(),
    open: || house::build_to_look_at(GlobalArgs::default()),
    values,
};

fn values(path: &[&str], argument: &str) -> Option<Values> {
    match (path, argument) {
        (["bank", below @ ..], _) => (bank::COMPLETED.values)(below, argument),
        (["config", _], "key") => Some(Values::Names(config::keys)),
        (["conversation", _] | ["add"], "conversation") => Some(Values::Conversations),
        (["restore"], "ids") => Some(Values::ArchivedNotes),
        (["read" | "delete" | "tag" | "backlinks" | "upgrade"], "id" | "ids")
        | (["link" | "unlink"], "source" | "target")
        | (["notify"], "ack") => Some(Values::Notes),
        ([_], "category") => Some(Values::Names(note::categories)),
        _ => None,
    }
}

pub(crate) fn run(command: Command, shell: &Shell) -> Result<Status> {
    match command {
        Command::Note(command) => note::run(command, shell),
        Command::Bank(args) => bank::run(args.command, shell),
        Command::Recall(args) => recall::find::run(args, shell),
        Command::Context(args) => recall::context::run(args, shell),
        Command::Journal(args) => journal::run(args.command, shell),
        Command::Add(args) => add::run(args, shell),
        Command::Conversation(args) => conversation::run(args, shell),
        Command::Compartment(args) => compartment::run(args.command, shell),
        Command::Index(args) => index::run(args, shell),
        Command::Agent(args) => agent::run(args, shell),
        Command::Serve(args) => serve::run(args, shell),
        Command::Mcp(args) => mcp::run(args, shell),
        Command::Model(args) => model::run(args.command, shell),
        Command::Proxy(args) => proxy::run(args, shell),
        Command::Undo(args) => undo::run(args, shell),
        Command::Redo(_) => redo::run(shell),
        Command::Config(args) => config::run(args.command, shell),
        Command::Connect(args) => connect::run(args, shell),
        Command::Demo(args) => demo::run(&args, shell),
        Command::Doctor(args) => doctor::run(args, shell),
        Command::Stats(args) => stats::run(args, shell),
        Command::Trust(args) => trust::run(&args, shell),
        // Runs before there is a house: see `hook::run`.
        Command::Hook(_) => Ok(Status::DONE),
        Command::Completions(args) => completions::run(&args, "memory", shell),
        Command::Man(args) => man::run::<crate::MemoryArgs>(args, shell),
    }
}
