//! A note's file as text: parse, render, and nothing else.
//!
//! What we write has the thirteen fields of specification 001 in its order. What others wrote is
//! read kindly: any order, missing fields, no head at all. Fields that we do not know come back as
//! they were.

use memory_core::{Timestamp, instant, parse_instant};
use memory_text::front_matter::{self, Field};
use memory_text::yaml;

use crate::note::{Note, Origin, Reminder, Standing, unique};
use crate::{Category, NoteId, NoteScope};

/// What a file's place tells of a note whose head does not.
#[derive(Debug, Clone)]
pub struct Hints {
    /// From the file's name.
    pub id: NoteId,
    /// From the folder's name.
    pub category: Category,
    /// When the file was last changed.
    pub modified: Timestamp,
}

/// The fields of specification 001, in its order, then those of ours that only some notes have.
pub(crate) const KNOWN: [&str; 19] = [
    "id",
    "content_hash",
    "phase",
    "category",
    "scope",
    "tags",
    "source",
    "created_at",
    "updated_at",
    "expires_at",
    "access_count",
    "links",
    "version",
    "due_at",
    "notified_at",
    "acknowledged_at",
    "reminded",
    "source_path",
    "source_hash",
];

/// Reads a note's file, or says what is wrong with it.
pub fn parse(text: &str, hints: &Hints) -> Result<Note, String> {
    let parts = front_matter::split(text);
    let fields = front_matter::fields(parts.head.unwrap_or_default());
    let head = Head(&fields);
    let (links, other_links) = head.links()?;
    let category = head
        .read("category", |word| word.parse().ok())?
        .unwrap_or(hints.category);
    let created_at = head.time("created_at")?;
    let updated_at = head
        .time("updated_at")?
        .or(created_at)
        .unwrap_or(hints.modified);
    Ok(Note {
        id: head
            .read("id", |text| NoteId::parse(text).ok())?
            .unwrap_or_else(|| hints.id.clone()),
        content: front_matter::content(parts.body).to_owned(),
        standing: match category {
            Category::Inbox => Standing::Inbox {
                expires_at: head.time("expires_at")?,
            },
            category => Standing::Organized { category },
        },
        scope: head
            .read("scope", |text| text.parse().ok())?
            .unwrap_or(NoteScope::Global),
        tags: unique(head.list("tags")?),
        source: head
            .read("source", |text| Some(text.to_owned()))?
            .unwrap_or_default(),
        created_at: created_at.unwrap_or(updated_at),
        updated_at,
        access_count: head
            .read("access_count", |text| text.parse().ok())?
            .unwrap_or(0),
        links,
        other_links,
        version: head.read("version", |text| text.parse().ok())?.unwrap_or(1),
        reminder: head.reminder()?,
        reminded: head.list("reminded")?,
        origin: head.origin()?,
        unknown: front_matter::others(&fields, &KNOWN),
    })
}

/// Renders a note's file.
pub fn render(note: &Note) -> String {
    let time = |at: Option<Timestamp>| at.map_or("null".to_owned(), instant);
    let ids = note.links.iter().map(|id| yaml::write_id(id.as_str()));
    let others = note.other_links.iter().map(|text| yaml::write_scalar(text));
    let links: String = ids
        .chain(others)
        .map(|link| format!("  - {link}\n"))
        .collect();
    let links = if links.is_empty() {
        "links: []\n".to_owned()
    } else {
        format!("links:\n{links}")
    };
    let head = [
        format!("id: {}\n", yaml::write_id(note.id.as_str())),
        format!("content_hash: {}\n", note.content_hash()),
        format!("phase: {}\n", note.standing.phase().as_str()),
        format!("category: {}\n", note.standing.category()),
        format!("scope: {}\n", write_scope(&note.scope)),
        yaml::write_list("tags", &note.tags),
        format!("source: {}\n", yaml::write_scalar(&note.source)),
        format!("created_at: {}\n", instant(note.created_at)),
        format!("updated_at: {}\n", instant(note.updated_at)),
        format!("expires_at: {}\n", time(note.standing.expires_at())),
        format!("access_count: {}\n", note.access_count),
        links,
        format!("version: {}\n", note.version),
    ];
    let head = format!("{}{}{}", head.concat(), rarer_fields(note), note.unknown);
    front_matter::join(&head, &note.content)
}

/// The fields that only reminders, their sources and ingested notes have.
fn rarer_fields(note: &Note) -> String {
    let mut lines = String::new();
    let mut add = |name: &str, value: Option<String>| {
        lines.extend(value.map(|value| format!("{name}: {value}\n")));
    };
    add(
        "due_at",
        note.reminder.map(|reminder| instant(reminder.due_at)),
    );
    add(
        "notified_at",
        note.reminder
            .and_then(|reminder| reminder.notified_at)
            .map(instant),
    );
    add(
        "acknowledged_at",
        note.reminder
            .and_then(|reminder| reminder.acknowledged_at)
            .map(instant),
    );
    if !note.reminded.is_empty() {
        lines.push_str(&yaml::write_list("reminded", &note.reminded));
    }
    if let Some(origin) = &note.origin {
        lines.push_str(&format!(
            "source_path: {}\n",
            yaml::write_scalar(&origin.path)
        ));
        lines.push_str(&format!("source_hash: {}\n", yaml::write_id(&origin.hash)));
    }
    lines
}

/// Returns the title that a note's front matter gives it, which stands among the fields that we leave alone.
pub fn title(unknown: &str) -> Option<String> {
    let fields = front_matter::fields(unknown);
    let title = fields.iter().find(|field| field.name == "title")?;
    yaml::scalar(title.lines)
        .map(|title| title.trim().to_owned())
        .filter(|title| !title.is_empty())
}

/// Returns the other names of a note, which stand among the fields that we leave alone.
pub fn aliases(unknown: &str) -> Vec<String> {
    let names = front_matter::fields(unknown);
    let lists = names
        .iter()
        .filter(|field| matches!(field.name, "aliases" | "alias"));
    lists
        .filter_map(|field| yaml::list(field.lines))
        .flatten()
        .collect()
}

/// Returns the fields that we leave alone with these other names of the note in place of those that it had.
pub(crate) fn with_aliases(unknown: &str, names: &[String]) -> String {
    let fields = front_matter::fields(unknown);
    front_matter::others(&fields, &["aliases", "alias"]) + &yaml::write_list("aliases", names)
}

/// `agent:claude` is a plain scalar to every reader: no space follows its colon.
fn write_scope(scope: &NoteScope) -> String {
    let text = scope.to_string();
    let name = text.split_once(':').map_or(text.as_str(), |(_, name)| name);
    if name.is_ascii() {
        text
    } else {
        yaml::write_scalar(&text)
    }
}

struct Head<'a>(&'a [Field<'a>]);

impl Head<'_> {
    fn lines(&self, name: &str) -> Option<&str> {
        self.0
            .iter()
            .rev()
            .find(|field| field.name == name)
            .map(|field| field.lines)
    }

    /// Reads a scalar; none when it is not there or null, an error when it is something else.
    fn read<T>(&self, name: &str, read: impl Fn(&str) -> Option<T>) -> Result<Option<T>, String> {
        front_matter::read(self.0, name, read)
    }

    fn time(&self, name: &str) -> Result<Option<Timestamp>, String> {
        self.read(name, time)
    }

    /// Takes ids apart from what a hand has written in their place.
    fn links(&self) -> Result<(Vec<NoteId>, Vec<String>), String> {
        let (mut ids, mut others) = (Vec::new(), Vec::new());
        for text in unique(self.list("links")?) {
            match NoteId::parse(&text) {
                Ok(id) => ids.push(id),
                Err(_) => others.push(text),
            }
        }
        Ok((ids, others))
    }

    fn reminder(&self) -> Result<Option<Reminder>, String> {
        let Some(due_at) = self.time("due_at")? else {
            return Ok(None);
        };
        let (notified_at, acknowledged_at) =
            (self.time("notified_at")?, self.time("acknowledged_at")?);
        Ok(Some(Reminder {
            due_at,
            notified_at,
            acknowledged_at,
        }))
    }

    fn origin(&self) -> Result<Option<Origin>, String> {
        let text = |name| self.read(name, |text| Some(text.to_owned()));
        let Some(path) = text("source_path")? else {
            return Ok(None);
        };
        Ok(Some(Origin {
            path,
            hash: text("source_hash")?.unwrap_or_default(),
        }))
    }

    fn list(&self, name: &str) -> Result<Vec<String>, String> {
        match self.lines(name) {
            None => Ok(vec![]),
            Some(lines) => yaml::list(lines).ok_or_else(|| format!("its {name} are not a list")),
        }
    }
}

/// Reads RFC 3339, or a day alone, as people write it: the day's beginning in UTC.
fn time(text: &str) -> Option<Timestamp> {
    parse_instant(text).or_else(|| parse_instant(&format!("{text}T00:00:00Z")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::note::Phase;

    const GOLDEN: &str = include_str!("../tests/golden/note.md");

    fn hints() -> Hints {
        Hints {
            id: NoteId::parse("from-name").unwrap(),
            category: Category::Knowledge,
            modified: parse_instant("2026-01-01T00:00:00Z").unwrap(),
        }
    }

    #[test]
    fn rendering_what_was_parsed_gives_back_the_same_bytes() {
        assert_eq!(render(&parse(GOLDEN, &hints()).unwrap()), GOLDEN);
    }

    #[test]
    fn a_file_without_a_head_is_a_note_by_its_place() {
        let note = parse("# A title\n\nand text\n", &hints()).unwrap();
        assert_eq!(
            (note.id.as_str(), note.title()),
            ("from-name", "A title".into())
        );
        assert_eq!(
            (note.standing.phase(), note.standing.category()),
            (Phase::Organized, Category::Knowledge)
        );
        assert_eq!(note.content, "# A title\n\nand text");
        assert_eq!(note.created_at, hints().modified);
    }

    #[test]
    fn other_programs_heads_are_read_kindly_and_their_fields_kept() {
        let text = "---\r\ntags: [a, b, a]\r\naliases:\r\n  - one\r\ncreated_at: 2026-05-07\r\n---\r\nline\r\n---\r\nmore\r\n";
        let note = parse(text, &hints()).unwrap();
        assert_eq!(note.tags, ["a", "b"]);
        assert_eq!(note.created_at.to_string(), "2026-05-07T00:00:00Z");
        assert_eq!(note.content, "line\r\n---\r\nmore");
        assert!(render(&note).contains("aliases:\r\n  - one\r\n"));
    }

    #[test]
    fn what_can_not_be_meant_is_told() {
        let flaw = |field: &str| parse(&format!("---\n{field}\n---\nx\n"), &hints()).unwrap_err();
        assert_eq!(
            flaw("category: nonsense"),
            "its category cannot be 'nonsense'"
        );
        assert_eq!(flaw("created_at: soon"), "its created_at cannot be 'soon'");
        assert_eq!(flaw("access_count: -1"), "its access_count cannot be '-1'");
        assert_eq!(flaw("tags:\n  a: b"), "its tags are not a list");
        assert_eq!(
            flaw("source: >\n  folded"),
            "its source has an unsupported format"
        );
    }

    fn any_note() -> impl proptest::strategy::Strategy<Value = Note> {
        use proptest::prelude::*;
        let text = "[\\PC\n\r]{0,40}";
        (
            text,
            prop::collection::vec("\\PC{1,8}", 0..4),
            "\\PC{0,8}",
            0u64..9,
        )
            .prop_map(|(content, tags, source, n)| {
                let mut note = parse("", &hints()).unwrap();
                note.content = content;
                note.add_tags(&tags);
                note.source = source;
                note.access_count = n;
                note.standing = match n % 2 {
                    0 => Standing::Inbox {
                        expires_at: Some(hints().modified),
                    },
                    _ => Standing::Organized {
                        category: Category::Soul,
                    },
                };
                note
            })
    }

    proptest::proptest! {
        #[test]
        fn every_note_comes_back_as_it_was(note in any_note()) {
            assert_eq!(parse(&render(&note), &hints()).unwrap(), note);
        }

        #[test]
        fn any_text_is_read_or_told(text in "(---\n)?([a-z_]{0,9}: ?[-a-z0-9\\[\\]\"]{0,6}\n){0,5}(---\n)?[\\PC\n]{0,30}") {
            if let Ok(note) = parse(&text, &hints()) {
                assert_eq!(parse(&render(&note), &hints()).unwrap(), note);
            }
        }
    }

    #[test]
    fn a_file_of_any_shape_is_read_in_linear_time() {
        let hints = hints();
        for unit in [
            "\n",
            "tags:\n",
            "  - a\n",
            "x: y\n",
            "\"",
            "- ",
            "---\n",
            "a ",
            ": ",
            "[a, ",
            "aliases: [a]\n",
        ] {
            let text = |n: usize| format!("---\ntags:\n{}\n---\n", unit.repeat(n));
            let growth = memory_steps::Growth::of(2_000, text, |text| {
                if let Ok(note) = parse(&text, &hints) {
                    let _ = (title(&note.unknown), aliases(&note.unknown));
                }
            });
            assert!(growth.is_linear(), "{unit:?}: {growth:?}");
        }
    }
}
