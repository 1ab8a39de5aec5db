//! What the pages say of the notes: their text, and nothing of the disk.

use std::borrow::Cow;
use std::cmp::Reverse;
use std::fmt::Write as _;

use memory_core::{Timestamp, instant, is_visible, visible};

use crate::card::Card;
use crate::catalog::Filed;
use crate::limits::LISTED;
use crate::{Category, NoteScope};

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

/// Says whether a note is listed as another is: then the pages that list one tell the truth of the other.
pub(crate) fn are_listed_alike(a: &Card, b: &Card) -> bool {
    let listing = |card: &'_ Card| (card.category(), card.created_at, card.reminder());
    listing(a) == listing(b)
        && (&a.id, &a.title, &a.tags, &a.scope) == (&b.id, &b.title, &b.tags, &b.scope)
}

pub(crate) fn index(notes: &[Listed<'_>]) -> String {
    let mut by_category: Vec<_> = notes
        .iter()
        .map(|listed| (listed.order(), listed))
        .collect();
    by_category.sort_unstable_by_key(|(order, _)| *order);
    let sections: Vec<_> = by_category.chunk_by(|(a, _), (b, _)| a.0 == b.0).collect();
    let lines: usize = sections.iter().map(|here| here.len().min(LISTED)).sum();
    let mut page = String::with_capacity(LINE_BYTES * (lines + 2));
    let _ = writeln!(page, "{TITLE}{}{ABOUT}", counted(notes.len()));
    let mut day = Day::default();
    for here in sections {
        let category = here[0].0.0;
        let _ = write!(page, "{}{}{END_OF_HEADING}", heading(category), here.len());
        here.iter()
            .take(LISTED)
            .for_each(|(_, listed)| add_line(&mut page, listed, &mut day));
        page.push_str(&older(category, here.len()));
    }
    page
}

/// Returns the index with one more note, the newest of its category; none if others of the category
/// are not there yet, or if the page is not one of ours.
pub(crate) fn with_newest(index: &str, card: &Card, path: &str) -> Option<String> {
    let (all, rest) = index.strip_prefix(TITLE)?.split_once(ABOUT)?;
    let all: usize = all.split_once(' ')?.0.parse().ok()?;
    let heading = heading(card.category());
    let (others, section) = rest.split_once(&heading)?;
    let (here, section) = section.split_once(END_OF_HEADING)?;
    let here: usize = here.parse().ok()?;
    let (mut lines, rest) =
        section.split_at(section.find("\n\n").map_or(section.len(), |end| end + 1));
    let rest = rest.strip_prefix(&older(card.category(), here))?;
    if here >= LISTED {
        let last = lines.trim_end().rfind('\n')?;
        lines = &lines[..=last];
    }
    let mut page = String::with_capacity(index.len() + 2 * LINE_BYTES);
    let _ = write!(
        page,
        "{TITLE}{}{ABOUT}{others}{heading}{}{END_OF_HEADING}",
        counted(all + 1),
        here + 1
    );
    add_line(&mut page, &Listed::Next(card, path), &mut Day::default());
    [lines, &older(card.category(), here + 1), rest]
        .iter()
        .for_each(|part| page.push_str(part));
    Some(page)
}

const TITLE: &str = "# Memory\n\n";
const ABOUT: &str =
    ". This page is made from the files below `categories/`: edit those, not this one.";
const END_OF_HEADING: &str = ")\n\n";

fn heading(category: Category) -> String {
    format!("\n## {category} (")
}

fn counted(notes: usize) -> String {
    match notes {
        1 => "1 note".to_owned(),
        many => format!("{many} notes"),
    }
}

/// Tells of the notes of a category that are not listed, if there are any.
fn older(category: Category, notes: usize) -> String {
    match notes.saturating_sub(LISTED) {
        0 => String::new(),
        more => format!("\nand {more} older: `memory list --category {category}`\n"),
    }
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
            [
                "categories/",
                entry.folder.as_str(),
                "/",
                &escaped_path(&entry.file),
            ]
            .iter()
            .for_each(|part| page.push_str(part));
        }
        Listed::Next(_, path) => page.push_str(&escaped_path(path)),
    }
    page.push_str(">)");
    for tag in &card.tags {
        page.push_str(" #");
        page.push_str(&escaped(tag));
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

pub(crate) fn is_pending(card: &Card) -> bool {
    card.reminder()
        .is_some_and(|reminder| reminder.is_pending())
}

pub(crate) fn pending(notes: &[Listed<'_>]) -> String {
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
        let _ = writeln!(
            page,
            "- [ ] {due} `{}` [{}](<{}>)",
            card.id.short(),
            escaped(&card.title),
            escaped_path(&path)
        );
    }
    page
}

/// Returns a text as it may stand on a page: on one line, nothing hidden in it, no bracket that ends a link and
/// no HTML.
fn escaped(text: &str) -> Cow<'_, str> {
    with_escapes(text, &['[', ']', '<', '>', '\\'])
}

/// Returns a path as it may stand between `<` and `>` as the aim of a link.
fn escaped_path(path: &str) -> Cow<'_, str> {
    with_escapes(path, &['<', '>', '\\'])
}

/// Returns a visible text with a backslash before each of some signs. Most texts stay as they are.
fn with_escapes<'t>(text: &'t str, signs: &[char]) -> Cow<'t, str> {
    let shown = if is_visible(text) {
        Cow::Borrowed(text)
    } else {
        Cow::Owned(visible(text))
    };
    if !shown.contains(signs) {
        return shown;
    }
    let mut page = String::with_capacity(shown.len() + 8);
    for c in shown.chars() {
        if signs.contains(&c) {
            page.push('\\');
        }
        page.push(c);
    }
    Cow::Owned(page)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Note, NoteId, Standing};

    fn card(n: usize, category: Category) -> (Card, String) {
        let at = Timestamp::from_second(1_700_000_000 + i64::try_from(n).unwrap()).unwrap();
        let id = NoteId::parse(&format!("note-{n}")).unwrap();
        let standing = match category {
            Category::Inbox => Standing::Inbox { expires_at: None },
            category => Standing::Organized { category },
        };
        let mut note = Note::new(id, format!("## inbox (7) [of] {n}"), standing, at);
        note.tags = vec![format!("tag{}", n % 3)];
        (
            Card::of(&note),
            format!("categories/{category}/note-{n}.md"),
        )
    }

    #[test]
    fn no_title_tag_or_file_brings_html_or_hidden_text_onto_the_page() {
        let (mut card, _) = card(1, Category::Soul);
        card.title = "<img src=x> \\<b> a\u{202e}b\u{e0041} [c]".into();
        card.tags = vec!["<i>".to_owned()].into();
        let page = index(&[Listed::Next(&card, "categories/soul/a><img src=y> [x].md")]);
        let link =
            r"[\<img src=x\> \\\<b\> ab \[c\]](<categories/soul/a\>\<img src=y\> [x].md>) #\<i\>";
        assert!(page.contains(link), "{page}");
    }

    #[test]
    fn an_index_with_one_more_note_is_the_index_of_all_of_them() {
        let categories = [
            Category::Inbox,
            Category::Lessons,
            Category::Inbox,
            Category::Soul,
        ];
        let cards: Vec<_> = (0..2 * LISTED + 9)
            .map(|n| card(n, categories[n % 4]))
            .collect();
        let listed: Vec<Listed<'_>> = cards
            .iter()
            .map(|(card, path)| Listed::Next(card, path))
            .collect();
        let mut page = index(&listed[..4]);
        for (n, (card, path)) in cards.iter().enumerate().skip(4) {
            page = with_newest(&page, card, path).unwrap();
            if !(20..2 * LISTED - 8).contains(&n) {
                assert_eq!(page, index(&listed[..=n]), "{n}");
            }
        }
        assert!(
            page.contains("\n\nand 5 older: `memory list --category inbox`\n"),
            "{page}"
        );
    }

    #[test]
    fn a_page_that_is_not_ours_or_lacks_the_category_gets_no_line() {
        let ((first, path), (other, elsewhere)) =
            (card(1, Category::Inbox), card(2, Category::Soul));
        let page = index(&[Listed::Next(&first, &path)]);
        assert_eq!(with_newest(&page, &other, &elsewhere), None);
        assert_eq!(with_newest("# Memory\n\nscribbled", &first, &path), None);
        assert_eq!(
            with_newest(&page.replace("(1)", "(2000)"), &first, &path),
            None
        );
    }
}
