//! `compartment clear`: takes entries away.

use memory_compartments::tools::clear::{Params, Reply};
use memory_core::Result;

use super::filters::FilterArgs;
use super::{answer, ask};
use crate::shell::{Shell, Status};

/// Clear a compartment, or the entries that match the filters
///
/// 'memory undo' restores what was cleared.
///
/// Examples:
///   memory compartment clear plan
///   memory compartment clear session --category draft --tags old,done
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Args {
    #[command(flatten)]
    pub(super) filters: FilterArgs,
}

pub(crate) fn run(args: Args, shell: &Shell) -> Result<Status> {
    let FilterArgs {
        compartment,
        id,
        category,
        tags,
        place,
    } = args.filters;
    let params = Params {
        compartment,
        id,
        category,
        tags,
        run: place.run,
    };
    let reply: Reply = ask(shell, "clear_memory", &params)?;
    answer(shell, &reply, &reply.flaws, message)
}

/// Says what was done, and how to take it back if it was anything.
pub(super) fn message(reply: &Reply) -> String {
    match reply.cleared {
        0 => format!("{}\n", reply.message),
        _ => format!("{}; 'memory undo' reverts it\n", reply.message),
    }
}
