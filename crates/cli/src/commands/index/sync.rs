//! `index sync`: reads what has changed, and has the model read it.

use memory_core::Result;

use super::{recollection, status};
use crate::render::progress::Bar;
use crate::shell::{Shell, Status};

/// Index changed files and embed them with the active model
///
/// Recall indexes changed files itself and embeds a few memories at a time. After you install a model,
/// this command embeds everything at once.
///
/// Example: memory index sync
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Args {
    /// Only index, print nothing, and exit if another process is already indexing
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
