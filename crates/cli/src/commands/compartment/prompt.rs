//! `compartment prompt`: the section for a prompt, with the memory of a run.

use memory_compartments::PromptSection;
use memory_compartments::tools::end_run::Params;
use memory_core::Result;

use super::{WhereArgs, answer, ask};
use crate::shell::{Shell, Status};

/// Print the section for a prompt: how to use the tools, and the run's memory
///
/// Session and plan memory are not in it: a model asks for them with get_memory.
///
/// Example: memory compartment prompt --run nightly
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    pub(super) place: WhereArgs,
}

pub(crate) fn run(args: Args, shell: &Shell) -> Result<Status> {
    let section: PromptSection = ask(shell, "prompt", &Params { run: args.place.run })?;
    answer(shell, &section, &[], PromptSection::text)
}
