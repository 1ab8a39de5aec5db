//! An entry's file as text: parse, render, and nothing else.
//!
//! What we write has the fields of section 2.2 in its order. What others wrote is read kindly: any
//! order, missing fields, no head at all. Fields that we do not know come back as they were.

use memory_core::{Timestamp, instant, parse_instant};
use memory_text::front_matter::{self, Field};
use memory_text::yaml;

use crate::entry::{Entry, Figures, Role};
use crate::{ConversationId, Shelf};

/// What a file's place tells of an entry whose head does not.
#[derive(Debug, Clone)]
pub struct Hints {
    /// From the file's name.
    pub id: String,
    pub shelf: Shelf,
    pub conversation: Option<ConversationId>,
    /// From the file's name, or when it was last changed.
    pub created_at: Timestamp,
}

/// The fields of section 2.2, then those of ours that only some entries have.
const KNOWN: [&str; 13] = [
    "id",
    "role",
    "conversation_id",
    "created_at",
    "summary_kind",
    "replaced_by",
    "request",
    "answers",
    "summary_level",
    "input_tokens",
    "output_tokens",
    "compression_ratio",
    "model",
];

/// Reads an entry's file, or says what is wrong with it.
pub fn parse(text: &str, hints: &Hints) -> Result<Entry, String> {
    let parts = front_matter::split(text);
    let fields = front_matter::fields(parts.head.unwrap_or_default());
    let text_of = |name| front_matter::read(&fields, name, |text| Some(text.to_owned()));
    let named = |text: &str| ConversationId::parse(text).ok();
    let conversation = front_matter::read(&fields, "conversation_id", named)?;
    let conversation = conversation.or_else(|| hints.conversation.clone());
    Ok(Entry {
        id: text_of("id")?.unwrap_or_else(|| hints.id.clone()),
        role: front_matter::read(&fields, "role", Role::parse)?.unwrap_or(hints.shelf.role()),
        conversation: conversation
            .ok_or("neither the file nor its directory names a conversation")?,
        created_at: front_matter::read(&fields, "created_at", time)?.unwrap_or(hints.created_at),
        content: front_matter::content(parts.body).to_owned(),
        replaced_by: text_of("replaced_by")?,
        request: text_of("request")?,
        answers: text_of("answers")?,
        figures: figures(&fields, hints.shelf)?,
        unknown: front_matter::others(&fields, &KNOWN),
    })
}

/// Renders an entry's file.
pub fn render(entry: &Entry) -> String {
    let mut head = String::new();
    let mut add = |name: &str, value: &str| head.push_str(&format!("{name}: {value}\n"));
    add("id", &write_name(&entry.id));
    add("role", entry.role.as_str());
    add("conversation_id", &write_name(entry.conversation.as_str()));
    add("created_at", &instant(entry.created_at));
    if let Some(figures) = &entry.figures {
        add("summary_kind", &yaml::write_scalar(&figures.kind));
    }
    let optional = [
        ("replaced_by", &entry.replaced_by),
        ("request", &entry.request),
        ("answers", &entry.answers),
    ];
    for (name, value) in optional {
        if let Some(value) = value {
            add(name, &write_name(value));
        }
    }
    if let Some(figures) = &entry.figures {
        add("summary_level", &yaml::write_scalar(&figures.level));
        add("input_tokens", &figures.input_tokens.to_string());
        add("output_tokens", &figures.output_tokens.to_string());
        add("compression_ratio", &format!("{:.3}", figures.ratio()));
        add("model", &yaml::write_scalar(&figures.model));
    }
    head.push_str(&entry.unknown);
    front_matter::join(&head, &entry.content)
}

/// Ids that look like ids stand as they are; any other name is written as a string.
fn write_name(name: &str) -> String {
    let is_id = !name.is_empty()
        && name
            .bytes()
            .all(|b| b.is_ascii_alphanumeric() || b"-_".contains(&b));
    if is_id {
        yaml::write_id(name)
    } else {
        yaml::write_scalar(name)
    }
}

/// Reads what is told of a summary; nothing else has it.
fn figures(fields: &[Field<'_>], shelf: Shelf) -> Result<Option<Figures>, String> {
    let Some(level) = shelf.level() else {
        return Ok(None);
    };
    let text = |name| front_matter::read(fields, name, |text| Some(text.to_owned()));
    let number = |name| front_matter::read(fields, name, |text| text.parse().ok());
    Ok(Some(Figures {
        kind: text("summary_kind")?.unwrap_or_else(|| level.to_owned()),
        level: text("summary_level")?.unwrap_or_default(),
        input_tokens: number("input_tokens")?.unwrap_or(0),
        output_tokens: number("output_tokens")?.unwrap_or(0),
        model: text("model")?.unwrap_or_default(),
    }))
}

/// Reads RFC 3339, or a day alone, as people write it: the day's beginning in UTC.
fn time(text: &str) -> Option<Timestamp> {
    parse_instant(text).or_else(|| parse_instant(&format!("{text}T00:00:00Z")))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hints(shelf: Shelf) -> Hints {
        Hints {
            id: "from-name".into(),
            shelf,
            conversation: ConversationId::parse("default").ok(),
            created_at: parse_instant("2026-01-01T00:00:00Z").unwrap(),
        }
    }

    #[track_caller]
    fn check_golden(text: &str, shelf: Shelf) {
        assert_eq!(render(&parse(text, &hints(shelf)).unwrap()), text);
    }

    #[test]
    fn rendering_what_was_parsed_gives_back_the_same_bytes() {
        check_golden(include_str!("../tests/golden/fact.md"), Shelf::Facts);
        check_golden(include_str!("../tests/golden/turn.md"), Shelf::User);
        check_golden(include_str!("../tests/golden/summary.md"), Shelf::L3);
        check_golden(include_str!("../tests/golden/tombstone.md"), Shelf::Facts);
    }

    #[test]
    fn a_file_without_a_head_is_an_entry_by_its_place() {
        let entry = parse("User likes tea\n", &hints(Shelf::Facts)).unwrap();
        assert_eq!((entry.id.as_str(), entry.role), ("from-name", Role::Memory));
        assert_eq!(
            (entry.conversation.as_str(), entry.content.as_str()),
            ("default", "User likes tea")
        );
        let day = parse("---\ncreated_at: 2026-02-03\n---\nx\n", &hints(Shelf::User)).unwrap();
        assert_eq!(instant(day.created_at), "2026-02-03T00:00:00Z");
    }

    #[test]
    fn what_is_not_understood_is_named() {
        let problem =
            |head: &str| parse(&format!("---\n{head}\n---\nx\n"), &hints(Shelf::L3)).unwrap_err();
        assert_eq!(
            problem("created_at: soon"),
            "its created_at cannot be 'soon'"
        );
        assert_eq!(problem("role: king"), "its role cannot be 'king'");
        assert_eq!(problem("id: {a: b}"), "its id has an unsupported format");
        assert_eq!(
            problem("input_tokens: many"),
            "its input_tokens cannot be 'many'"
        );
    }

    proptest::proptest! {
        #[test]
        fn any_content_and_any_name_survive(content in "\\PC{0,20}(\r?\n\\PC{0,9}){0,3}", id in "\\PC{1,12}") {
            let conversation = ConversationId::parse("a: b # c").unwrap();
            let mut entry = Entry::new(id, Role::User, &conversation, hints(Shelf::User).created_at, "");
            entry.content = content;
            entry.unknown = "mood: [good,\n  better]\n".into();
            let again = parse(&render(&entry), &hints(Shelf::User)).unwrap();
            proptest::prop_assert_eq!(again, entry);
        }

        #[test]
        fn any_text_is_read_or_refused(text in "(---\n)?([a-z_]{0,10}:? ?[-#a-z\"]{0,4}\r?\n){0,6}(---\n)?\\PC{0,20}") {
            let _ = parse(&text, &hints(Shelf::Facts));
        }
    }

    #[test]
    fn a_file_of_any_shape_is_read_in_linear_time() {
        for unit in [
            "\n",
            "role: user\n",
            "  - a\n",
            "x: y\n",
            "\"",
            "---\n",
            "a ",
        ] {
            let text = |n: usize| format!("---\nid: a\n{}\n---\n", unit.repeat(n));
            let growth = memory_steps::Growth::of(2_000, text, |text| {
                drop(parse(&text, &hints(Shelf::User)))
            });
            assert!(growth.is_linear(), "{unit:?}: {growth:?}");
        }
    }
}
