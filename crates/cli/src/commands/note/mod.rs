//! The note commands, which stand at the root of `memory`: one file a command.

mod backlinks;
mod consolidate;
mod decay;
mod delete;
mod dream;
mod export;
mod filters;
mod import;
mod ingest;
mod link;
mod list;
mod notify;
mod read;
mod resolve_links;
mod restore;
mod search;
mod tag;
mod trash;
mod unlink;
mod upgrade;
mod upkeep;
mod write;

use clap::Subcommand;
use memory_core::{Code, Error, Result};
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::people::{answer, count, short, warn_of};
use crate::shell::{Shell, Status};

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    #[command(alias = "remember")]
    Write(write::Args),
    #[command(aliases = ["show", "get", "cat"])]
    Read(read::Args),
    #[command(alias = "ls")]
    List(list::Args),
    #[command(aliases = ["find", "grep"])]
    Search(search::Args),
    #[command(aliases = ["rm", "remove"])]
    Delete(delete::Args),
    Tag(tag::Args),
    Link(link::Args),
    Unlink(unlink::Args),
    ResolveLinks(resolve_links::Args),
    Backlinks(backlinks::Args),
    Dream(dream::Args),
    Notify(notify::Args),
    Ingest(ingest::Args),
    Upgrade(upgrade::Args),
    Decay(decay::Args),
    Consolidate(consolidate::Args),
    Export(export::Args),
    Import(import::Args),
    Restore(restore::Args),
    Trash(trash::Args),
}

pub(crate) fn run(command: Command, shell: &Shell) -> Result<Status> {
    match command {
        Command::Write(args) => write::run(args, shell),
        Command::Read(args) => read::run(args, shell),
        Command::List(args) => list::run(args, shell),
        Command::Search(args) => search::run(args, shell),
        Command::Delete(args) => delete::run(args, shell),
        Command::Tag(args) => tag::run(args, shell),
        Command::Link(args) => link::run(args, shell),
        Command::Unlink(args) => unlink::run(args, shell),
        Command::ResolveLinks(args) => resolve_links::run(args, shell),
        Command::Backlinks(args) => backlinks::run(args, shell),
        Command::Dream(args) => dream::run(args, shell),
        Command::Notify(args) => notify::run(args, shell),
        Command::Ingest(args) => ingest::run(args, shell),
        Command::Upgrade(args) => upgrade::run(args, shell),
        Command::Decay(args) => decay::run(args, shell),
        Command::Consolidate(args) => consolidate::run(args, shell),
        Command::Export(args) => export::run(args, shell),
        Command::Import(args) => import::run(args, shell),
        Command::Restore(args) => restore::run(args, shell),
        Command::Trash(args) => trash::run(args, shell),
    }
}

fn ask<R: DeserializeOwned>(shell: &Shell, tool: &str, params: &impl Serialize) -> Result<R> {
    if !shell.registry().kinds().any(|kind| kind.name() == "notes") {
        return Err(Error::new(
            Code::InvalidArgument,
            "The directory of the notes is not known",
        )
        .hint("Set HOME or MEMORY_ROOT, or pass --root DIR"));
    }
    shell.ask("notes", tool, params)
}

/// Returns the names of all categories.
pub(super) fn categories() -> Vec<&'static str> {
    memory_notes::Category::ALL
        .iter()
        .map(|category| category.as_str())
        .collect()
}
