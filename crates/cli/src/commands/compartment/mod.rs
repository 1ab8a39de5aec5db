//! `memory compartment …`: one file a command.

mod clear;
mod end_run;
mod filters;
mod get;
mod prompt;
mod save;

use std::path::PathBuf;

use clap::Subcommand;
use memory_core::{Code, Error, Flaw, Result};
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::shell::{Shell, Speech, Status};

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    Save(save::Args),
    Get(get::Args),
    Clear(clear::Args),
    EndRun(end_run::Args),
    Prompt(prompt::Args),
}

/// Which file and which run are meant.
#[derive(Debug, clap::Args)]
pub(crate) struct WhereArgs {
    /// Run to use (default: MEMORY_RUN_ID, else an unnamed run)
    #[arg(long, value_name = "ID")]
    run: Option<String>,
    /// Compartment file (default: memory.json in the working directory)
    #[arg(long, value_name = "FILE")]
    file: Option<PathBuf>,
}

impl Command {
    /// Returns the file that was named: the house needs it before the command runs.
    pub(crate) fn file(&self) -> Option<PathBuf> {
        let place = match self {
            Command::Save(args) => &args.place,
            Command::Get(args) => &args.filters.place,
            Command::Clear(args) => &args.filters.place,
            Command::EndRun(args) => &args.place,
            Command::Prompt(args) => &args.place,
        };
        place.file.clone()
    }
}

pub(crate) fn run(command: Command, shell: &Shell) -> Result<Status> {
    match command {
        Command::Save(args) => save::run(args, shell),
        Command::Get(args) => get::run(args, shell),
        Command::Clear(args) => clear::run(args, shell),
        Command::EndRun(args) => end_run::run(args, shell),
        Command::Prompt(args) => prompt::run(args, shell),
    }
}

fn ask<R: DeserializeOwned>(shell: &Shell, tool: &str, params: &impl Serialize) -> Result<R> {
    if !shell
        .registry()
        .kinds()
        .any(|kind| kind.name() == "compartments")
    {
        return Err(
            Error::new(Code::InvalidArgument, "The compartment file is not known")
                .hint("Change to a directory that exists, or pass --file FILE"),
        );
    }
    shell.ask("compartments", tool, params)
}

/// Shows a reply as JSON if that was asked for; else as `lines` tells it to people, with the flaws
/// beside it, which programs find in the reply.
fn answer<R: Serialize>(
    shell: &Shell,
    reply: &R,
    flaws: &[Flaw],
    lines: impl FnOnce(&R) -> String,
) -> Result<Status> {
    if shell.speech == Speech::Json {
        return shell.show(reply);
    }
    for flaw in flaws {
        let remedy = flaw
            .remedy
            .as_ref()
            .map(|remedy| format!(". {remedy}"))
            .unwrap_or_default();
        shell.warn(&format!("{}: {}{remedy}", flaw.place, flaw.problem));
    }
    shell.print(&lines(reply))
}
