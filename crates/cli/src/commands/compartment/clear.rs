//! `compartment clear`: takes entries away.

use memory_compartments::tools::clear::{Params, Reply};
use memory_core::Result;

use super::filters::FilterArgs;
use super::{WhereArgs, answer, ask};
use crate::shell::{Shell, Status};

/// Clear a compartment, or those of its entries that 'get' shows with the same filters
///
/// What is cleared can be brought back for 30 days with 'memory undo'.
///
/// Examples:
///   memory compartment clear plan
///   memory compartment clear session --category draft --tags old,done
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Args {
    /// run, session or plan
    compartment: String,
    #[command(flatten)]
    filters: FilterArgs,
    #[command(flatten)]
    pub(super) place: WhereArgs,
}

pub(crate) fn run(args: Args, shell: &Shell) -> Result<Status> {
    let params = Params {
        compartment: args.compartment,
        id: args.filters.id,
        category: args.filters.category,
        tags: args.filters.tags,
        run: args.place.run,
    };
    let reply: Reply = ask(shell, "clear_memory", &params)?;
    answer(shell, &reply, &reply.flaws, message)
}

/// Says what was done, and how to take it back if it was anything.
pub(super) fn message(reply: &Reply) -> String {
    match reply.cleared {
        0 => format!("{}\n", reply.message),
        _ => format!("{}; 'memory undo' takes it back\n", reply.message),
    }
}
