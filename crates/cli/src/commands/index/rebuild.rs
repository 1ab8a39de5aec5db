//! `index rebuild`: forgets what recall knows, and reads everything again.

use memory_core::Result;

use super::{recollection, status};
use crate::render::progress::Bar;
use crate::shell::{Shell, Status};

/// Make the index anew from the files
///
/// Nothing is lost: everything in it comes from the files. It is never needed, since a damaged index
/// is made anew by itself.
///
/// Example: memory index rebuild
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Args {}

pub(crate) fn run(_: Args, shell: &Shell) -> Result<Status> {
    let bar = Bar::new();
    let rebuilt = recollection(shell)?.rebuild(shell.registry().clock().now(), &bar);
    bar.finish();
    status::show(rebuilt?, shell)
}
