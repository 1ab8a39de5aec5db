//! `index rebuild`: forgets what recall knows, and reads everything again.

use memory_core::Result;

use super::{recollection, status};
use crate::render::progress::Bar;
use crate::shell::{Shell, Status};

/// Rebuild the index from the files
///
/// No data is lost, because the index is derived from the files. Normally not needed: a damaged index
/// is rebuilt automatically.
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
