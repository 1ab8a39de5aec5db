//! `compartment end-run`: clears what belongs to one run, and to no other.

use memory_compartments::tools::clear::Reply;
use memory_compartments::tools::end_run::Params;
use memory_core::Result;

use super::clear::message;
use super::{WhereArgs, answer, ask};
use crate::shell::{Shell, Status};

/// End a run: clear its memory
///
/// Also clears its plan if plans belong to runs (compartments.plan_scope).
///
/// Example: memory compartment end-run --run nightly
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    pub(super) place: WhereArgs,
}

pub(crate) fn run(args: Args, shell: &Shell) -> Result<Status> {
    let reply: Reply = ask(
        shell,
        "end_run",
        &Params {
            run: args.place.run,
        },
    )?;
    answer(shell, &reply, &reply.flaws, message)
}
