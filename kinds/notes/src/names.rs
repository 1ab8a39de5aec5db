//! Which note a wikilink means: by path, title, file name, alias or the beginning of an id.

use std::collections::HashMap;

use crate::card::Card;
use crate::{NoteId, SHORTEST_PREFIX};

/// All names of all notes.
pub(crate) struct Names<'s> {
    /// Folded name to notes, best name first.
    named: HashMap<String, Vec<(Rank, &'s Card)>>,
    ids: Vec<&'s str>,
}

/// What kind of name it is; earlier ones win.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Rank {
    Id,
    Path,
    FileName,
    Title,
    Alias,
}

impl<'s> Names<'s> {
    /// Gathers the names of notes; each comes with its file's name without `.md`.
    pub(crate) fn of(notes: impl Iterator<Item = (&'s Card, &'s str)>) -> Self {
        let mut names = Names {
            named: HashMap::new(),
            ids: vec![],
        };
        for (card, file) in notes {
            names.ids.push(card.id.as_str());
            names.add(card.id.as_str(), Rank::Id, card);
            names.add(file, Rank::FileName, card);
            names.add(&card.title, Rank::Title, card);
            card.aliases
                .iter()
                .for_each(|alias| names.add(alias, Rank::Alias, card));
            if let Some(origin) = &card.origin {
                let path = without_ending(&origin.path);
                // "a/b/c" is also meant by "b/c" and by "c".
                let ends = path.match_indices('/').map(|(at, _)| &path[at + 1..]);
                ends.for_each(|end| {
                    names.add(
                        end,
                        if end.contains('/') {
                            Rank::Path
                        } else {
                            Rank::FileName
                        },
                        card,
                    );
                });
            }
        }
        names.ids.sort_unstable();
        for notes in names.named.values_mut() {
            notes.sort_by(|(a, first), (b, second)| {
                (a, first.created_at, &first.id).cmp(&(b, second.created_at, &second.id))
            });
        }
        names
    }

    fn add(&mut self, name: &str, rank: Rank, card: &'s Card) {
        let key = folded(name);
        if !key.is_empty() {
            self.named.entry(key).or_default().push((rank, card));
        }
    }

    /// Returns the note that a name means, as seen from a note: never itself if another is meant too.
    pub(crate) fn resolve(&self, name: &str, from: &NoteId) -> Option<&'s NoteId> {
        let candidates = self.named.get(&folded(without_ending(name)));
        let another = candidates.and_then(|all| all.iter().find(|(_, card)| card.id != *from));
        let found = another.or_else(|| candidates?.first());
        found
            .map(|(_, card)| &card.id)
            .or_else(|| self.by_prefix(name))
    }

    fn by_prefix(&self, name: &str) -> Option<&'s NoteId> {
        if name.len() < SHORTEST_PREFIX {
            return None;
        }
        let first = self.ids.partition_point(|id| *id < name);
        let mut matching = self.ids[first..]
            .iter()
            .take_while(|id| id.starts_with(name));
        let (Some(id), None) = (matching.next(), matching.next()) else {
            return None;
        };
        let cards = self.named.get(&folded(id))?;
        cards
            .iter()
            .find(|(rank, _)| *rank == Rank::Id)
            .map(|(_, card)| &card.id)
    }
}

fn without_ending(name: &str) -> &str {
    name.strip_suffix(".md").unwrap_or(name)
}

fn folded(name: &str) -> String {
    memory_text::words::fold(name.trim().trim_start_matches("./"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Category, Note, Origin, Standing};

    fn card(id: &str, content: &str, edit: impl Fn(&mut Note)) -> Card {
        let now = memory_core::parse_instant("2026-05-07T10:00:00Z").unwrap();
        let standing = Standing::Organized {
            category: Category::Knowledge,
        };
        let mut note = Note::new(NoteId::parse(id).unwrap(), content.into(), standing, now);
        edit(&mut note);
        Card::of(&note)
    }

    #[test]
    fn a_name_is_a_title_an_alias_a_file_a_path_or_the_beginning_of_an_id() {
        let cards = [
            card("aaaa1111", "# Project Plan\n\ntext", |note| {
                note.unknown = "aliases: [Roadmap]\n".into()
            }),
            card("bbbb2222", "other", |note| {
                note.origin = Some(Origin {
                    path: "/vault/work/Ideas.md".into(),
                    hash: String::new(),
                });
            }),
            card("cccc3333", "third", |note| {
                note.origin = Some(Origin {
                    path: "/vault/home/Ideas.md".into(),
                    hash: String::new(),
                });
            }),
        ];
        let files = ["aaaa1111", "by-hand", "cccc3333"];
        let names = Names::of(cards.iter().zip(files));
        let from = NoteId::parse("zzzz").unwrap();
        let check = |name: &str, id: Option<&str>| {
            assert_eq!(names.resolve(name, &from).map(NoteId::as_str), id, "{name}");
        };
        check("project plan", Some("aaaa1111"));
        check("Roadmap", Some("aaaa1111"));
        check("by-hand", Some("bbbb2222"));
        check("Ideas", Some("bbbb2222"));
        check("home/Ideas", Some("cccc3333"));
        check("home/Ideas.md", Some("cccc3333"));
        check("cccc", Some("cccc3333"));
        check("ccc", None);
        check("nobody", None);
    }
}
