//! `index sync`: reads what has changed, and has the model read it.

use memory_core::Result;

use super::{recollection, status};
use crate::render::progress::Bar;
use crate::shell::{Shell, Status};

/// Read what has changed, and have the active model read it
///
/// Recall does the first by itself, and the second for a few memories at a time. After installing a
/// model this reads everything at once.
///
/// Example: memory index sync
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Args {
    /// Only read, say nothing, and leave it to another process that is doing so
    #[arg(long, hide = true)]
    catch_up: bool,
}

pub(crate) fn run(args: Args, shell: &Shell) -> Result<Status> {
    if args.catch_up {
        recollection(shell)?.catch_up(shell.registry().clock().now())?;
        return Ok(Status::DONE);
    }
    let bar = Bar::new();
    let synced = recollection(shell)?.sync(shell.registry().clock().now(), &bar);
    bar.finish();
    status::show(synced?, shell)
}
