//! Damage in each kind of memory, as the kind itself finds and mends it.

use memory_core::{Flaw, Kind, Rehearsal};

use super::Patient;
use super::check::{Check, whole};

/// So many flaws of one kind are told one by one.
const TOLD: usize = 20;

pub(super) fn check(patient: &Patient<'_>) -> Vec<Check> {
    patient
        .house
        .registry
        .kinds()
        .flat_map(|kind| of_kind(kind, patient))
        .collect()
}

fn of_kind(kind: &dyn Kind, patient: &Patient<'_>) -> Vec<Check> {
    let title = format!("{} intact", kind.name());
    let now = patient.house.ground.environment.clock.now();
    let flaws = match kind.repair(now, Rehearsal::dry_if(!patient.fixes)) {
        Ok(flaws) => flaws,
        Err(error) => {
            let remedy = error.hint.clone().unwrap_or_else(|| "Try again".to_owned());
            return vec![Check::bad(title, whole(&error), remedy)];
        }
    };
    if flaws.is_empty() {
        return vec![Check::ok(title, "No damage")];
    }
    let mut checks: Vec<Check> = flaws
        .iter()
        .take(TOLD)
        .map(|flaw| told(&title, flaw, patient))
        .collect();
    if let Some(more) = flaws.len().checked_sub(TOLD).filter(|more| *more > 0) {
        checks.push(Check::warn(
            title,
            format!("and {more} more problems"),
            "Fix these first",
        ));
    }
    checks
}

fn told(title: &str, flaw: &Flaw, patient: &Patient<'_>) -> Check {
    let detail = format!("{}: {}", flaw.place, flaw.problem);
    // What may not be read is not damaged.
    if flaw.remedy.is_none() && patient.is_closed(&flaw.place) {
        return Check::bad(title, detail, "Make it readable for your user");
    }
    // No repair touches what lies outside of the store.
    if flaw.remedy.is_none() && flaw.problem.ends_with("is not followed") {
        return Check::bad(title, detail, "Replace it with a regular file or folder");
    }
    match (&flaw.remedy, patient.fixes) {
        (Some(remedy), true) => Check::fixed(title, format!("{detail}. {remedy}")),
        (Some(remedy), false) => {
            Check::bad(title, detail, format!("'memory doctor --fix': {remedy}"))
        }
        (None, false) => Check::bad(
            title,
            detail,
            "'memory doctor --fix' recovers what can be read and keeps a copy of the file",
        ),
        (None, true) => Check::bad(
            title,
            detail,
            "It cannot be repaired automatically; inspect it",
        ),
    }
}
