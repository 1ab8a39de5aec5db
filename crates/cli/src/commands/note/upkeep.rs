//! How people are told what upkeep did: a line for each deed, and what it comes to.

use memory_core::printable;
use memory_notes::{Deed, Unresolved, summary};

use super::short;
use crate::render::table::table;
use crate::render::text::cut;

/// Tells what was done, or would be.
pub(super) fn told(deeds: &[Deed], dry_run: bool) -> String {
    if deeds.is_empty() {
        return "There is nothing to do\n".to_owned();
    }
    let rows: Vec<Vec<String>> = deeds.iter().map(row).collect();
    let sum = summary(deeds);
    let end = if dry_run {
        format!("Would be: {sum}; nothing was changed\n")
    } else {
        format!("{sum}; 'memory undo' reverts it\n")
    };
    format!("{}{end}", table(&["ID", "WHAT", "NOTE", "WHY"], &rows))
}

fn row(deed: &Deed) -> Vec<String> {
    let what = match (&deed.category, &deed.other) {
        (Some(category), _) => format!("{} → {category}", deed.action.done()),
        (None, Some(other)) => format!("{} → {}", deed.action.done(), other.short()),
        (None, None) => deed.action.done().to_owned(),
    };
    let title = cut(&deed.title, 48);
    vec![deed.id.short().to_owned(), what, title, deed.why.clone()]
}

/// Tells which names mean no note.
pub(super) fn unresolved(names: &[Unresolved]) -> String {
    const SHOWN: usize = 20;
    if names.is_empty() {
        return String::new();
    }
    let mut lines = match names.len() {
        1 => "1 link does not match any note and is left unchanged:\n".to_owned(),
        many => format!("{many} links do not match any note and are left unchanged:\n"),
    };
    for name in names.iter().take(SHOWN) {
        let (id, link, title) = (
            short(name.id.as_str()),
            printable(&name.name),
            printable(&name.title),
        );
        lines.push_str(&format!("  {id}  [[{link}]] in '{title}'\n"));
    }
    if names.len() > SHOWN {
        lines.push_str(&format!(
            "  and {} more; --json shows all\n",
            names.len() - SHOWN
        ));
    }
    lines
}
