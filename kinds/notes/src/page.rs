//! The pages that are made from the notes: `memory.md`, the index of everything, and `pending.md`.
//!
//! Both are derived. They are compared with the truth whenever the notes are looked at, and written
//! anew when they differ; deleting them loses nothing.

use std::fmt::Write as _;

use memory_core::{instant, printable};
use memory_files::{DiskError, Draft, Held};

use crate::card::Card;
use crate::store::Store;
use crate::{Category, NoteError, NoteScope, limits};

pub(crate) const INDEX: &str = "memory.md";
pub(crate) const PENDING: &str = "pending.md";

/// A note, and its path below the root.
type Listed<'a> = (&'a Card, String);

/// Says whether the pages on the disk are what the notes say.
pub(crate) fn are_true(store: &Store, notes: &[Listed<'_>]) -> bool {
    if notes.is_empty() && !is_there(store, INDEX) {
        return true;
    }
    reads(store, INDEX, &index(notes)) && pending_is_true(store, notes)
}

fn pending_is_true(store: &Store, notes: &[Listed<'_>]) -> bool {
    let nothing_is_pending = !notes.iter().any(|(card, _)| is_pending(card));
    (nothing_is_pending && !is_there(store, PENDING)) || reads(store, PENDING, &pending(notes))
}

/// Pages that are written and synced, and not yet in their places.
pub(crate) struct Pages<'h> {
    held: &'h Held<'h>,
    drafts: Vec<Draft<'h>>,
}

/// Writes the pages that will differ beside those that are there.
///
/// Done before notes change: a disk that is full says so while nothing has happened yet. What a
/// hand has put in a page's place is left alone, since nothing depends on pages.
///
/// The index is left out when it changes together with the notes.
pub(crate) fn draft<'h>(
    store: &Store,
    held: &'h Held<'h>,
    notes: &[Listed<'_>],
    with_index: bool,
) -> Result<Pages<'h>, NoteError> {
    let mut pages = Pages { held, drafts: vec![] };
    let text = if with_index { index(notes) } else { String::new() };
    if with_index && !reads(store, INDEX, &text) {
        pages.add(store, INDEX, &text)?;
    }
    if !pending_is_true(store, notes) {
        pages.add(store, PENDING, &pending(notes))?;
    }
    Ok(pages)
}

/// Brings the pages up to date.
pub(crate) fn mend(store: &Store, held: &Held<'_>, notes: &[Listed<'_>]) -> Result<(), NoteError> {
    draft(store, held, notes, true)?.settle()
}

impl Pages<'_> {
    fn add(&mut self, store: &Store, name: &str, text: &str) -> Result<(), NoteError> {
        if can_be(store, name) {
            self.drafts.push(self.held.draft(&store.root.join(name), text.as_bytes())?);
        }
        Ok(())
    }

    /// Puts the pages in their places, durably.
    pub(crate) fn settle(self) -> Result<(), NoteError> {
        for draft in self.drafts {
            self.held.commit(draft, None, None)?;
        }
        Ok(())
    }
}

/// Says whether the index can be put in its place: nothing stands there, or a file.
pub(crate) fn can_be_index(store: &Store) -> bool {
    can_be(store, INDEX)
}

fn can_be(store: &Store, name: &str) -> bool {
    let seen = store.files.read(&store.root.join(name), limits::DERIVED_BYTES);
    !matches!(seen, Err(DiskError::Unsafe { .. } | DiskError::TooLarge { .. }))
}

fn is_there(store: &Store, name: &str) -> bool {
    store.files.stamp(&store.root.join(name)).is_ok_and(|there| there.is_some())
}

fn reads(store: &Store, name: &str, text: &str) -> bool {
    let seen = store.files.read(&store.root.join(name), limits::DERIVED_BYTES);
    seen.is_ok_and(|seen| seen.is_some_and(|seen| seen.bytes == text.as_bytes()))
}

pub(crate) fn index(notes: &[Listed<'_>]) -> String {
    let mut by_category: Vec<&Listed<'_>> = notes.iter().collect();
    by_category.sort_by(|(a, _), (b, _)| {
        (a.category(), b.created_at, &a.id).cmp(&(b.category(), a.created_at, &b.id))
    });
    let count = match notes.len() {
        1 => "1 note".to_owned(),
        many => format!("{many} notes"),
    };
    let mut page = format!(
        "# Memory\n\n{count}. This page is made from the files below `categories/`: edit those, not this one.\n"
    );
    for category in Category::ALL {
        let here: Vec<_> = by_category.iter().filter(|(card, _)| card.category() == category).collect();
        if !here.is_empty() {
            let _ = write!(page, "\n## {category} ({})\n\n", here.len());
            here.iter().for_each(|(card, path)| add_line(&mut page, card, path));
        }
    }
    page
}

/// Adds a note's line. All lines are made with every look, so they are pushed and not formatted.
fn add_line(page: &mut String, card: &Card, path: &str) {
    for part in ["- [", &escaped(&card.title), "](<", path, ">)"] {
        page.push_str(part);
    }
    for tag in &card.tags {
        page.push_str(" #");
        page.push_str(&printable(tag));
    }
    if let NoteScope::Agent(_) = card.scope {
        let _ = write!(page, " ({})", card.scope);
    }
    let _ = match card.reminder {
        Some(reminder) => writeln!(page, ", due {}", instant(reminder.due_at)),
        None => writeln!(page, ", {}", card.created_at.strftime("%Y-%m-%d")),
    };
}

fn is_pending(card: &Card) -> bool {
    card.reminder.is_some_and(|reminder| reminder.is_pending())
}

fn pending(notes: &[Listed<'_>]) -> String {
    let mut waiting: Vec<_> = notes
        .iter()
        .filter(|(card, _)| is_pending(card))
        .filter_map(|(card, path)| Some((card.reminder?, card, path)))
        .collect();
    waiting.sort_by(|(a, first, _), (b, second, _)| {
        (a.notified_at, a.due_at, &first.id).cmp(&(b.notified_at, b.due_at, &second.id))
    });
    if waiting.is_empty() {
        return "# Pending reminders\n\nNothing is pending.\n".to_owned();
    }
    let mut page =
        "# Pending reminders\n\nAcknowledge one with `memory notify --ack ID`, all with `memory notify --ack --all`.\n\n"
            .to_owned();
    for (reminder, card, path) in waiting {
        let due = instant(reminder.due_at);
        let _ = writeln!(page, "- [ ] {due} `{}` [{}](<{path}>)", card.id.short(), escaped(&card.title));
    }
    page
}

/// A title as the text of a link: on one line, its brackets harmless.
fn escaped(title: &str) -> String {
    let shown = printable(title);
    match shown.contains(['[', ']']) {
        true => shown.replace('[', "\\[").replace(']', "\\]"),
        false => shown,
    }
}
