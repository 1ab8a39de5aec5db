//! `undo`: takes the last change back, in any kind.

use std::path::PathBuf;

use memory_core::{Actor, Code, Error, Result, Step, Undone, instant, printable};

use crate::environment;
use crate::render::table::{table, time};
use crate::shell::{Shell, Speech, Status};

/// The number of changed memories that are named one by one; --json names all.
const SHOWN: usize = 20;

/// Undo your last change
///
/// Steps of agents and of maintenance are listed too; --step or --any undoes them. Memories that have
/// changed since the step are left unchanged and listed.
///
/// Examples:
///   memory undo --list
///   memory undo --step 019e02a1
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Args {
    /// The same as --step
    #[arg(value_name = "STEP", conflicts_with_all = ["list", "any", "step"])]
    id: Option<String>,
    /// Undo this step; the first characters of its id suffice
    #[arg(long, value_name = "ID", conflicts_with_all = ["list", "any"])]
    step: Option<String>,
    /// Undo the last step of any actor
    #[arg(long, conflicts_with = "list")]
    any: bool,
    /// List the steps that can be undone, newest first
    #[arg(long)]
    list: bool,
    /// Compartment file whose steps are undone (default: memory.json in the working directory)
    #[arg(long, value_name = "FILE")]
    file: Option<PathBuf>,
}

impl Args {
    pub(super) fn file(&self) -> Option<PathBuf> {
        self.file.clone()
    }

    fn wanted(&self) -> Option<&str> {
        self.id.as_deref().or(self.step.as_deref())
    }
}

pub(crate) fn run(args: Args, shell: &Shell) -> Result<Status> {
    let survey = shell.registry().steps();
    survey
        .flaws
        .iter()
        .for_each(|flaw| shell.warn(&format!("{}: {}", flaw.place, flaw.problem)));
    if args.list {
        list(&survey.good, shell)
    } else if args.wanted().is_some() {
        undo(&survey.good, &args, shell)
    } else {
        // The step that could not be read may be the last one.
        undo(&survey.complete()?, &args, shell)
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
        .map(|step| {
            vec![
                step.id.clone(),
                time(&instant(step.at)),
                actor(step),
                step.what.clone(),
            ]
        })
        .collect();
    shell.print_long(&table(&["STEP", "WHEN", "BY", "WHAT"], &rows))
}

/// Returns who made a step, for people.
fn actor(step: &Step) -> String {
    if is_local(step) {
        step.by.to_string()
    } else {
        "another machine".to_owned()
    }
}

/// Returns whether this machine made a step. A repository or a synced folder may contain others.
pub(super) fn is_local(step: &Step) -> bool {
    !step.is_foreign && (environment::holds_clock() || step.was_made_here())
}

fn undo(steps: &[Step], args: &Args, shell: &Shell) -> Result<Status> {
    let mut candidates: Vec<&Step> = match args.wanted() {
        Some(id) => steps
            .iter()
            .filter(|step| step.id.starts_with(id))
            .collect(),
        None => steps
            .iter()
            .filter(|step| is_local(step) && (args.any || step.by == Actor::Person))
            .collect(),
    };
    if let (Some(id), [_, _, ..]) = (args.wanted(), &candidates[..]) {
        candidates.retain(|step| step.id == id);
        if candidates.is_empty() {
            return Err(Error::new(
                Code::AmbiguousId,
                format!("Several steps begin with '{id}'"),
            ));
        }
    }
    for step in candidates {
        // A step that another process undoes at this moment is skipped.
        if let Some(undone) = shell.registry().undo(step)? {
            let newest = steps.first().filter(|newest| newest.id != step.id);
            if args.wanted().is_none()
                && let Some(newest) = newest
            {
                let what = printable(&newest.what);
                let hint = format!("'memory undo --step {}' undoes it", newest.id);
                shell.warn(&format!(
                    "A newer step by {} was left: {what}; {hint}",
                    actor(newest)
                ));
            }
            return show(step, &undone, "Undid", shell);
        }
    }
    if let Some(id) = args.wanted() {
        let message = format!("Step '{id}' was not found, or was undone already");
        let hint = "'memory undo --list' lists the steps";
        return Err(Error::new(Code::NotFound, message).hint(hint));
    }
    let error = Error::new(Code::NotFound, "There is nothing to undo");
    Err(if steps.is_empty() {
        error
    } else {
        error.hint(
            "'memory undo --list' lists the steps, also of agents; 'memory undo --step ID' undoes one",
        )
    })
}

pub(super) fn show(step: &Step, undone: &Undone, verb: &str, shell: &Shell) -> Result<Status> {
    let changed: Vec<String> = undone
        .changes
        .iter()
        .map(|change| change.address.to_string())
        .collect();
    if changed.is_empty() && !undone.conflicts.is_empty() {
        let message = format!(
            "'{}' was not undone: its memories have changed since",
            step.what
        );
        return Err(Error::new(Code::Conflict, message)
            .with("unchanged", undone.conflicts.clone())
            .hint("Undo the later changes first; 'memory undo --list' lists them"));
    }
    if shell.speech == Speech::Json {
        return shell.show(&serde_json::json!({
            "undone": step, "changed": changed, "unchanged": undone.conflicts,
        }));
    }
    let mut text = format!("{verb}: {}\n{}", printable(&step.what), lines(&changed));
    if !undone.conflicts.is_empty() {
        text += "Left unchanged, because they have changed since:\n";
        text += &lines(&undone.conflicts);
    }
    shell.print(&text)
}

fn lines(addresses: &[String]) -> String {
    let mut lines: String = addresses
        .iter()
        .take(SHOWN)
        .map(|address| format!("  {}\n", printable(address)))
        .collect();
    match addresses.len().saturating_sub(SHOWN) {
        0 => {}
        more => lines += &format!("  and {more} more\n"),
    }
    lines
}
