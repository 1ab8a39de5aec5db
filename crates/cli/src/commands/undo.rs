//! `undo`: takes back the last change that took something away, in any kind.

use memory_core::{Code, Error, Kind, Result, Step, instant, printable};

use crate::render::table::{table, time};
use crate::shell::{Shell, Status};

/// Take back the last change that took something away
///
/// Deleted banks and entries, what gc removed and what an import replaced stay in the trash for
/// 30 days. What others have changed since is left as it is.
///
/// Example: memory undo --list
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// A step to take back instead of the last one (see --list)
    step: Option<String>,
    /// Show what can be taken back, newest first
    #[arg(long, conflicts_with = "step")]
    list: bool,
    /// Speak JSON
    #[arg(long)]
    pub(crate) json: bool,
}

pub(crate) fn run(args: Args, shell: &Shell) -> Result<Status> {
    let mut steps: Vec<(&dyn Kind, Step)> = Vec::new();
    for kind in shell.registry().kinds() {
        let survey = kind.steps();
        survey.flaws.iter().for_each(|flaw| shell.warn(&format!("{}: {}", flaw.place, flaw.problem)));
        steps.extend(survey.good.into_iter().map(|step| (kind, step)));
    }
    steps.sort_by(|(_, a), (_, b)| b.id.cmp(&a.id));
    match args.list {
        true => list(&steps, args.json, shell),
        false => take_back(&steps, &args, shell),
    }
}

fn list(steps: &[(&dyn Kind, Step)], json: bool, shell: &Shell) -> Result<Status> {
    let steps: Vec<&Step> = steps.iter().map(|(_, step)| step).collect();
    if json {
        return shell.show(&serde_json::json!({ "steps": steps }));
    }
    if steps.is_empty() {
        return shell.print("There is nothing to take back\n");
    }
    let rows: Vec<Vec<String>> =
        steps.iter().map(|step| vec![step.id.clone(), time(&instant(step.at)), step.what.clone()]).collect();
    shell.print(&table(&["STEP", "WHEN", "WHAT"], &rows))
}

fn take_back(steps: &[(&dyn Kind, Step)], args: &Args, shell: &Shell) -> Result<Status> {
    let chosen = match &args.step {
        None => steps.first(),
        Some(id) => steps.iter().find(|(_, step)| step.id == *id),
    };
    let Some((kind, step)) = chosen else {
        let error = Error::new(Code::NotFound, "There is nothing to take back");
        return Err(match args.step {
            Some(_) => error.hint("'memory undo --list' shows the steps that there are"),
            None => error,
        });
    };
    let changes = kind.undo(step, shell.registry().clock().now())?;
    let changed: Vec<String> = changes.iter().map(|change| change.address.to_string()).collect();
    if args.json {
        return shell.show(&serde_json::json!({ "undone": step, "changed": changed }));
    }
    let lines: String = changed.iter().map(|address| format!("  {}\n", printable(address))).collect();
    shell.print(&format!("Took back: {}\n{lines}", printable(&step.what)))
}
