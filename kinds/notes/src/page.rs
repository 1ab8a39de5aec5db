//! The pages that are made from the notes: `memory.md`, the index of everything, and `pending.md`.
//!
//! Both are derived. They are compared with the truth whenever the notes are looked at, and written
//! anew when they differ; deleting them loses nothing.

use std::borrow::Cow;
use std::cmp::Reverse;
use std::fmt::Write as _;

use memory_core::{Timestamp, instant, printable};
use memory_files::{DiskError, Draft, Held, Stamp};

use crate::card::Card;
use crate::catalog::Filed;
use crate::store::Store;
use crate::{Category, NoteError, NoteScope, limits};

pub(crate) const INDEX: &str = "memory.md";
pub(crate) const PENDING: &str = "pending.md";

const DAY_NANOSECONDS: i128 = 86_400_000_000_000;

/// A note as pages list it.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Listed<'a> {
    /// As it stands on the disk.
    There(&'a Card, &'a Filed),
    /// As it will be, with its path below the root.
    Next(&'a Card, &'a str),
}

impl<'a> Listed<'a> {
    /// Returns what a file has to be listed; none when it can't be read.
    pub(crate) fn there(entry: &'a Filed) -> Option<Self> {
        Some(Listed::There(entry.found.as_ref().ok()?, entry))
    }

    pub(crate) fn card(&self) -> &'a Card {
        match self {
            Listed::There(card, _) | Listed::Next(card, _) => card,
        }
    }

    pub(crate) fn path(&self) -> Cow<'a, str> {
        match self {
            Listed::There(_, entry) => Cow::Owned(entry.path()),
            Listed::Next(_, path) => Cow::Borrowed(path),
        }
    }

    /// What the index is ordered by: categories, and in each the newest first.
    fn order(&self) -> (Category, Reverse<Timestamp>, &'a str) {
        let card = self.card();
        (card.category(), Reverse(card.created_at), card.id.as_str())
    }
}

/// Says whether the pages on the disk are what the notes say.
pub(crate) fn are_true(store: &Store, notes: &[Listed<'_>]) -> bool {
    if notes.is_empty() && !is_there(store, INDEX) {
        return true;
    }
    is_text(store, INDEX, &index(notes)) && pending_is_true(store, notes)
}

fn pending_is_true(store: &Store, notes: &[Listed<'_>]) -> bool {
    let nothing_is_pending = !notes.iter().any(|listed| is_pending(listed.card()));
    (nothing_is_pending && !is_there(store, PENDING)) || is_text(store, PENDING, &pending(notes))
}

/// Pages that are written, and not yet in their places. Nothing waits for them to be on the disk: after
/// a power cut they are made again.
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
    if with_index {
        pages.add(store, INDEX, &index(notes))?;
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

impl<'h> Pages<'h> {
    /// Pages that need not change.
    pub(crate) fn none(held: &'h Held<'h>) -> Self {
        Pages { held, drafts: vec![] }
    }

    fn add(&mut self, store: &Store, name: &str, text: &str) -> Result<(), NoteError> {
        if reads(store, name, text).is_ok_and(|is_true| !is_true) {
            self.drafts.push(self.held.draft_derived(&store.root.join(name), text.as_bytes())?);
        }
        Ok(())
    }

    /// Puts the pages in their places.
    pub(crate) fn settle(self) -> Result<(), NoteError> {
        for draft in self.drafts {
            self.held.settle_derived(draft)?;
        }
        Ok(())
    }
}

/// Says whether the index can be put in its place: nothing stands there, or a file.
pub(crate) fn can_be_index(store: &Store) -> bool {
    reads(store, INDEX, "").is_ok()
}

/// Returns what tells one state of the pages from another.
pub(crate) fn stamps(store: &Store) -> Vec<Option<Stamp>> {
    store.files.stamps(&store.root, &[INDEX, PENDING]).unwrap_or_default()
}

fn is_text(store: &Store, name: &str, text: &str) -> bool {
    reads(store, name, text).is_ok_and(|is_true| is_true)
}

fn is_there(store: &Store, name: &str) -> bool {
    store.files.stamp(&store.root.join(name)).is_ok_and(|there| there.is_some())
}

/// Says whether a page is this text; an error when something else is in its place. One of another
/// length need not be read.
fn reads(store: &Store, name: &str, text: &str) -> Result<bool, InTheWay> {
    let at = store.root.join(name);
    let seen = match store.files.read_part(&at, 0, 0) {
        Ok(Some(seen)) if seen.stamp.size > limits::DERIVED_BYTES => return Err(InTheWay),
        Ok(Some(seen)) if seen.stamp.size == text.len() as u64 => {
            store.files.read(&at, limits::DERIVED_BYTES)
        }
        other => other.map(|_| None),
    };
    match seen {
        Ok(seen) => Ok(seen.is_some_and(|seen| seen.bytes == text.as_bytes())),
        Err(DiskError::Unsafe { .. } | DiskError::TooLarge { .. }) => Err(InTheWay),
        Err(_) => Ok(false),
    }
}

/// What a hand has put in a page's place is no file, or too large for one of ours.
struct InTheWay;

/// Says whether a note is listed as another is: then the pages that list one tell the truth of the other.
pub(crate) fn are_listed_alike(a: &Card, b: &Card) -> bool {
    let listing = |card: &'_ Card| (card.category(), card.created_at, card.reminder());
    listing(a) == listing(b) && (&a.id, &a.title, &a.tags, &a.scope) == (&b.id, &b.title, &b.tags, &b.scope)
}

pub(crate) fn index(notes: &[Listed<'_>]) -> String {
    let mut by_category: Vec<_> = notes.iter().map(|listed| (listed.order(), listed)).collect();
    by_category.sort_unstable_by_key(|(order, _)| *order);
    let count = match notes.len() {
        1 => "1 note".to_owned(),
        many => format!("{many} notes"),
    };
    let mut page = String::with_capacity(LINE_BYTES * (notes.len() + 2));
    let _ = writeln!(
        page,
        "# Memory\n\n{count}. This page is made from the files below `categories/`: edit those, not this one."
    );
    let mut day = Day::default();
    for here in by_category.chunk_by(|(a, _), (b, _)| a.0 == b.0) {
        let _ = write!(page, "\n## {} ({})\n\n", here[0].0.0, here.len());
        here.iter().for_each(|(_, listed)| add_line(&mut page, listed, &mut day));
    }
    page
}

/// About so long is a line of the index.
const LINE_BYTES: usize = 160;

/// Adds a note's line. All lines are made with every look, so they are pushed and not formatted.
fn add_line(page: &mut String, listed: &Listed<'_>, day: &mut Day) {
    let card = listed.card();
    page.push_str("- [");
    page.push_str(&escaped(&card.title));
    page.push_str("](<");
    match listed {
        Listed::There(_, entry) => {
            ["categories/", entry.folder.as_str(), "/", &entry.file]
                .iter()
                .for_each(|part| page.push_str(part));
        }
        Listed::Next(_, path) => page.push_str(path),
    }
    page.push_str(">)");
    for tag in &card.tags {
        page.push_str(" #");
        page.push_str(&shown(tag));
    }
    if let NoteScope::Agent(_) = card.scope {
        let _ = write!(page, " ({})", card.scope);
    }
    match card.reminder() {
        Some(reminder) => {
            let _ = write!(page, ", due {}", instant(reminder.due_at));
        }
        None => {
            page.push_str(", ");
            page.push_str(day.of(card.created_at));
        }
    }
    page.push('\n');
}

/// The day that was last written: the next note is often of the same one.
#[derive(Default)]
struct Day {
    number: Option<i128>,
    text: String,
}

impl Day {
    fn of(&mut self, at: Timestamp) -> &str {
        let number = Some(at.as_nanosecond().div_euclid(DAY_NANOSECONDS));
        if number != self.number {
            (self.number, self.text) = (number, at.strftime("%Y-%m-%d").to_string());
        }
        &self.text
    }
}

fn is_pending(card: &Card) -> bool {
    card.reminder().is_some_and(|reminder| reminder.is_pending())
}

fn pending(notes: &[Listed<'_>]) -> String {
    let mut waiting: Vec<_> = notes
        .iter()
        .filter(|listed| is_pending(listed.card()))
        .filter_map(|listed| Some((listed.card().reminder()?, listed.card(), listed.path())))
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
fn escaped(title: &str) -> Cow<'_, str> {
    let shown = shown(title);
    match shown.contains(['[', ']']) {
        true => Cow::Owned(shown.replace('[', "\\[").replace(']', "\\]")),
        false => shown,
    }
}

/// Returns a text as it may stand on a page, which most may as they are.
fn shown(text: &str) -> Cow<'_, str> {
    match text.contains(char::is_control) {
        true => Cow::Owned(printable(text)),
        false => Cow::Borrowed(text),
    }
}
