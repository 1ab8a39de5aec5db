//! `memory conversation …`: what was said, and what follows from it; one file a command.

mod delete;
mod forget;
mod list;
mod search;
mod show;
mod summarize;

use std::path::PathBuf;
use std::sync::Arc;

use clap::Subcommand;
use memory_core::{Code, Error, Flaw, Registry, Result};
use memory_models::Chat;
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::render::progress::Bar;
use crate::shell::{Shell, Speech, Status};
use crate::{chat, house};

const KIND: &str = "conversations";

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    List(list::Args),
    Show(show::Args),
    Search(search::Args),
    Summarize(summarize::Args),
    Forget(forget::Args),
    Delete(delete::Args),
}

/// Which conversations are meant.
#[derive(Debug, clap::Args)]
pub(super) struct PlaceArgs {
    /// Directory of the conversations (default: conversations.path, ./memory_db)
    #[arg(long, value_name = "DIR")]
    memory_path: Option<PathBuf>,
}

pub(crate) fn run(args: Args, shell: &Shell) -> Result<Status> {
    match args.command {
        Command::List(args) => list::run(args, shell),
        Command::Show(args) => show::run(args, shell),
        Command::Search(args) => search::run(args, shell),
        Command::Summarize(args) => summarize::run(args, shell),
        Command::Forget(args) => forget::run(args, shell),
        Command::Delete(args) => delete::run(args, shell),
    }
}

/// Calls a tool of the conversations at a place.
pub(super) fn ask<R: DeserializeOwned>(
    shell: &Shell,
    place: &PlaceArgs,
    tool: &str,
    params: &impl Serialize,
) -> Result<R> {
    match place.memory_path {
        Some(_) => {
            let chat = chat::chosen(shell.ground(), shell.config());
            ask_with(shell, place, chat, tool, params)
        }
        None => ask_in(shell.registry(), tool, params),
    }
}

/// Calls a tool of the conversations at a place, with a model that it may ask.
fn ask_with<R: DeserializeOwned>(
    shell: &Shell,
    place: &PlaceArgs,
    chat: Option<Arc<dyn Chat>>,
    tool: &str,
    params: &impl Serialize,
) -> Result<R> {
    let mut config = shell.config().clone();
    if let Some(path) = &place.memory_path {
        config.conversations.path = Some(shell.ground().environment.absolute(path));
    }
    let house = house::furnish_with(shell.ground().clone(), config, chat)?;
    ask_in(&house.registry, tool, params)
}

fn ask_in<R: DeserializeOwned>(
    registry: &Registry,
    tool: &str,
    params: &impl Serialize,
) -> Result<R> {
    if !registry.kinds().any(|kind| kind.name() == KIND) {
        return Err(Error::new(
            Code::InvalidArgument,
            "The directory of the conversations is not known",
        )
        .hint("Pass --memory-path DIR"));
    }
    let bar = Bar::new();
    let reply = registry.ask(KIND, tool, params, &bar);
    bar.finish();
    reply
}

/// Shows a reply as JSON if that was asked for, else as `lines` tells it to people.
fn answer<R: Serialize>(
    shell: &Shell,
    reply: &R,
    lines: impl FnOnce(&R) -> String,
) -> Result<Status> {
    match shell.speech {
        Speech::Json => shell.show(reply),
        Speech::People => shell.print_long(&lines(reply)),
    }
}

/// Tells people of what could not be read; programs find it in the reply.
pub(super) fn warn_of(shell: &Shell, flaws: &[Flaw]) {
    if shell.speech == Speech::People {
        flaws
            .iter()
            .for_each(|flaw| shell.warn(&format!("{}: {}", flaw.place, flaw.problem)));
    }
}

/// The beginning of an id that lists show.
fn short(id: &str) -> String {
    id.chars().take(8).collect()
}
