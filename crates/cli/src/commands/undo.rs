//! `undo`: takes back the last change that took something away, in any kind.

use std::path::PathBuf;

use memory_core::{Code, Error, Result, Step, instant, printable};

use crate::environment;
use crate::render::table::{table, time};
use crate::shell::{Shell, Speech, Status};

/// So many memories that came back are named one by one; --json names all.
const SHOWN: usize = 20;

/// Undo the last change that removed or replaced something
///
/// Deleted banks and entries, entries removed by gc or replaced by an import, and cleared compartment
/// entries stay in the trash. Entries that have changed since the step are left unchanged and listed.
///
/// Example: memory undo --list
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The step to undo instead of the last one (see --list)
    step: Option<String>,
    /// List the steps that can be undone, newest first
    #[arg(long, conflicts_with = "step")]
    list: bool,
    /// Compartment file whose steps are undone (default: memory.json in the working directory)
    #[arg(long, value_name = "FILE")]
    file: Option<PathBuf>,
}

impl Args {
    pub(super) fn file(&self) -> Option<PathBuf> {
        self.file.clone()
    }
}

pub(crate) fn run(args: Args, shell: &Shell) -> Result<Status> {
    let survey = shell.registry().steps();
    survey
        .flaws
        .iter()
        .for_each(|flaw| shell.warn(&format!("{}: {}", flaw.place, flaw.problem)));
    match args.list {
        true => list(&survey.good, shell),
        // The step that could not be read may be the last one.
        false if args.step.is_none() => take_back(&survey.complete()?, &args, shell),
        false => take_back(&survey.good, &args, shell),
    }
}

fn list(steps: &[Step], shell: &Shell) -> Result<Status> {
    if shell.speech == Speech::Json {
        return shell.show(&serde_json::json!({ "steps": steps }));
    }
    if steps.is_empty() {
        return shell.print("There is nothing to undo\n");
    }
    let rows: Vec<Vec<String>> = steps
        .iter()
        .map(|step| vec![step.id.clone(), time(&instant(step.at)), step.what.clone()])
        .collect();
    shell.print_long(&table(&["STEP", "WHEN", "WHAT"], &rows))
}

fn take_back(steps: &[Step], args: &Args, shell: &Shell) -> Result<Status> {
    // A repository may bring steps of its own: those are taken back only by their ids.
    let is_ours = |step: &Step| environment::holds_clock() || step.was_made_here();
    let is_wanted = |step: &&Step| {
        args.step
            .as_ref()
            .map_or_else(|| is_ours(step), |id| step.id == *id)
    };
    for step in steps.iter().filter(is_wanted) {
        // A step that someone else takes back at this moment is theirs; ours is the one before it.
        if let Some(changes) = shell.registry().undo(step)? {
            let changed: Vec<String> = changes
                .iter()
                .map(|change| change.address.to_string())
                .collect();
            return show(step, &changed, shell);
        }
    }
    let error = Error::new(Code::NotFound, "There is nothing to undo");
    Err(match args.step {
        None if steps.is_empty() => error,
        _ => error.hint("'memory undo --list' lists the steps; 'memory undo STEP' undoes one"),
    })
}

fn show(step: &Step, changed: &[String], shell: &Shell) -> Result<Status> {
    if shell.speech == Speech::Json {
        return shell.show(&serde_json::json!({ "undone": step, "changed": changed }));
    }
    let lines: String = changed
        .iter()
        .take(SHOWN)
        .map(|address| format!("  {}\n", printable(address)))
        .collect();
    let more = match changed.len().saturating_sub(SHOWN) {
        0 => String::new(),
        more => format!("  and {more} more\n"),
    };
    shell.print(&format!("Undid: {}\n{lines}{more}", printable(&step.what)))
}
