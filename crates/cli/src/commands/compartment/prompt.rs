//! `compartment prompt`: the section for a prompt, with the memory of a run.

use clap::ValueEnum;
use memory_compartments::PromptSection;
use memory_compartments::tools::end_run::Params;
use memory_core::Result;

use super::{WhereArgs, answer, ask};
use crate::shell::{Shell, Status};

/// Print the prompt section: how to use the tools, and the memory of the run
///
/// It does not include session and plan memory: a model requests them with get_memory.
///
/// Examples:
///   memory compartment prompt --run nightly
///   memory compartment prompt --part memory
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Args {
    #[command(flatten)]
    pub(super) place: WhereArgs,
    /// Only the guide (for the system prompt) or only the memory of the run (for the user's message)
    #[arg(long, value_enum)]
    part: Option<Part>,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum Part {
    Guide,
    Memory,
}

pub(crate) fn run(args: Args, shell: &Shell) -> Result<Status> {
    let section: PromptSection = ask(
        shell,
        "prompt",
        &Params {
            run: args.place.run,
        },
    )?;
    answer(shell, &section, &[], |section| match args.part {
        None => section.text(),
        Some(Part::Guide) => format!("{}\n", section.system),
        Some(Part::Memory) if section.has_memory => format!("{}\n", section.memory_content),
        Some(Part::Memory) => String::new(),
    })
}
