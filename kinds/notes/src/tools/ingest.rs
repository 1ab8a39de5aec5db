//! `ingest`: makes notes of other programs' files, and keeps them in step with them.
//!
//! A file is known by its path: one that has changed updates its note, one that has not is left
//! alone, and content that is there already makes no second note. Foreign files are only read.

use std::collections::HashMap;
use std::path::PathBuf;

use memory_core::{Actor, Call, Done, Flaw, Rehearsal};
use memory_text::yaml;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::card::Card;
use crate::change::{Recall, Work};
use crate::ingest::{self, Foreign, IngestError, Source};
use crate::links::{Unresolved, resolve};
use crate::store::Store;
use crate::tools::checked_tags;
use crate::{
    Category, ContentHash, Note, NoteError, NoteId, NoteScope, Origin, Standing, format, limits,
};

#[derive(Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Params {
    pub sources: Vec<From>,
    #[serde(default)]
    pub dry_run: bool,
}

/// What to read, and where.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct From {
    pub source: String,
    pub path: PathBuf,
    /// It is no failure when there is nothing.
    #[serde(default)]
    pub optional: bool,
}

#[derive(Debug, Default, Serialize, Deserialize)]
pub struct Reply {
    pub sources: Vec<Taken>,
    /// Names in the new notes that mean no note; they stay as they are written.
    pub unresolved: Vec<Unresolved>,
    pub dry_run: bool,
    /// What was skipped, and why.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub flaws: Vec<Flaw>,
}

/// What was taken from one source.
#[derive(Debug, Default, Serialize, Deserialize)]
pub struct Taken {
    pub source: String,
    pub path: PathBuf,
    pub new: usize,
    pub changed: usize,
    /// Files that are as they were when they were last read.
    pub unchanged: usize,
    /// Files whose content is there already, under another name.
    pub duplicate: usize,
    pub skipped: usize,
    /// Credentials that were masked.
    pub masked: usize,
}

pub fn run(store: &Store, call: &Call<'_>, params: Params) -> Result<Done<Reply>, NoteError> {
    let mut reply = Reply {
        dry_run: params.dry_run,
        ..Reply::default()
    };
    let mut hauls = Vec::new();
    for from in params.sources {
        let source: Source = from
            .source
            .parse()
            .map_err(|bad: ingest::BadSource| NoteError::bad(bad.to_string()))?;
        let haul = match ingest::read(
            source,
            &from.path,
            &store.files,
            &store.settings.zone,
            call.progress,
        ) {
            Err(IngestError::NoFolder { .. }) if from.optional => continue,
            ended => ended?,
        };
        let (skipped, path) = (haul.skipped.len(), from.path);
        reply.sources.push(Taken {
            source: source.to_string(),
            path,
            skipped,
            ..Taken::default()
        });
        reply.flaws.extend(haul.skipped);
        hauls.push((source, haul.found));
    }
    let is_idle = hauls.iter().all(|(_, found)| found.is_empty());
    let how = Rehearsal::dry_if(params.dry_run || is_idle);
    let mut work = store.work(call.now, how)?;
    let mut intake = Intake::new(&work);
    for ((source, found), taken) in hauls.into_iter().zip(&mut reply.sources) {
        for foreign in found {
            intake.take(&mut work, source, foreign, taken)?;
        }
    }
    let (_, unresolved) = resolve(&mut work)?;
    reply.unresolved = unresolved
        .into_iter()
        .filter(|name| intake.touched.contains(&name.id))
        .collect();
    let counts = |count: fn(&Taken) -> usize| reply.sources.iter().map(count).sum::<usize>();
    let what = format!(
        "ingest: {} new, {} changed",
        counts(|taken| taken.new),
        counts(|taken| taken.changed)
    );
    let changes = work.commit(Recall::Step(&what, Actor::Import))?;
    let changes = if how.is_dry() { vec![] } else { changes };
    Ok(Done::changed(reply, changes))
}

/// What is there already, by where it came from and by what it says.
struct Intake {
    by_origin: HashMap<(String, String), (NoteId, String)>,
    by_content: HashMap<ContentHash, NoteId>,
    touched: std::collections::HashSet<NoteId>,
}

impl Intake {
    fn new(work: &Work<'_>) -> Self {
        let cards = work.cards();
        let origins = cards.iter().filter_map(|card| {
            let origin = card.origin.as_ref()?;
            Some((
                (card.source.to_string(), origin.path.clone()),
                (card.id.clone(), origin.hash.clone()),
            ))
        });
        let is_same_kind = |card: &&&Card| {
            card.scope == NoteScope::Global && card.category() != Category::Reminders
        };
        let globals = cards.iter().filter(is_same_kind);
        Intake {
            by_origin: origins.collect(),
            by_content: globals
                .map(|card| (card.content_hash, card.id.clone()))
                .collect(),
            touched: std::collections::HashSet::new(),
        }
    }

    fn take(
        &mut self,
        work: &mut Work<'_>,
        source: Source,
        foreign: Foreign,
        taken: &mut Taken,
    ) -> Result<(), NoteError> {
        taken.masked += foreign.masked;
        let origin = Origin {
            path: foreign.path.display().to_string(),
            hash: fingerprint(&foreign),
        };
        let key = (source.to_string(), origin.path.clone());
        let hash = ContentHash::of(&foreign.content);
        match (
            self.by_origin.get(&key).cloned(),
            self.by_content.get(&hash).cloned(),
        ) {
            (Some((_, known)), _) if known == origin.hash => taken.unchanged += 1,
            (Some((id, _)), _) => {
                update(work, &id, foreign, origin)?;
                self.touched.insert(id);
                taken.changed += 1;
            }
            (None, Some(id)) => {
                taken.duplicate += 1;
                add_place(work, &id, foreign, origin)?;
            }
            (None, None) => {
                let note = new_note(work, source, foreign, origin);
                self.by_content.insert(hash, note.id.clone());
                self.touched.insert(note.id.clone());
                work.add(note);
                taken.new += 1;
            }
        }
        Ok(())
    }
}

/// The version of what is taken from a file: notes of an earlier one are updated by the next ingestion.
const TAKEN: &str = "2";

/// The hash of all that is taken from a file.
fn fingerprint(foreign: &Foreign) -> String {
    let taken = format!(
        "{TAKEN}\n{}\n{}\n{}\n{}\n{}",
        foreign.content,
        foreign.title,
        foreign.tags.join(","),
        foreign.aliases.join(","),
        foreign.extra
    );
    ContentHash::of(&taken).to_string()
}

fn new_note(work: &Work<'_>, source: Source, foreign: Foreign, origin: Origin) -> Note {
    // It stays while its source exists, so that it has no time to expire.
    let standing = match foreign.category {
        Some(category) => Standing::Organized { category },
        None => Standing::Inbox { expires_at: None },
    };
    let unknown = unknown_fields(&foreign);
    let mut note = Note::new(work.new_id(), foreign.content, standing, work.now);
    note.created_at = foreign.created_at.unwrap_or(foreign.modified).min(work.now);
    note.updated_at = foreign.modified.min(work.now);
    note.add_tags(&fitting_tags(&foreign.tags));
    note.source = source.to_string();
    note.origin = Some(origin);
    note.unknown = unknown;
    note
}

fn update(
    work: &mut Work<'_>,
    id: &NoteId,
    foreign: Foreign,
    origin: Origin,
) -> Result<(), NoteError> {
    let now = work.now;
    work.edit(id, |note| {
        note.unknown = unknown_fields(&foreign);
        if let (Standing::Inbox { .. }, Some(category)) = (note.standing, foreign.category) {
            note.standing = Standing::Organized { category };
        }
        note.add_tags(&fitting_tags(&foreign.tags));
        note.content = foreign.content;
        note.origin = Some(origin);
        note.touch(now);
    })
}

/// Tells a note of another file with the same content: its name finds the note, and it takes the place of a file that
/// is gone, as after a renaming.
fn add_place(
    work: &mut Work<'_>,
    id: &NoteId,
    foreign: Foreign,
    origin: Origin,
) -> Result<(), NoteError> {
    let files = &work.store().files;
    let is_gone = |known: &Origin| files.is_missing(known.path.as_ref());
    let takes_place = work
        .card(id)
        .and_then(|card| card.origin.as_ref())
        .is_some_and(|known| is_gone(known));
    work.edit(id, |note| {
        if takes_place {
            note.origin = Some(origin);
        }
        note.add_names(std::iter::once(foreign.title).chain(foreign.aliases));
    })
}

/// Tags of others that can't be ours are left out: they still stand in the content.
fn fitting_tags(tags: &[String]) -> Vec<String> {
    let fit = tags
        .iter()
        .filter_map(|tag| checked_tags(std::slice::from_ref(tag)).ok())
        .flatten();
    fit.take(limits::TAGS).collect()
}

/// Its title, the names by which others link to it, and what else its head said. A title in the head takes
/// precedence; then the page's name is one of its other names.
fn unknown_fields(foreign: &Foreign) -> String {
    let own_title = format::title(&foreign.extra);
    let mut names = foreign.aliases.clone();
    let title = match &own_title {
        None => format!("title: {}\n", yaml::write_scalar(&foreign.title)),
        Some(title) => {
            if *title != foreign.title && !names.contains(&foreign.title) {
                names.push(foreign.title.clone());
            }
            String::new()
        }
    };
    let aliases = if names.is_empty() {
        String::new()
    } else {
        yaml::write_list("aliases", &names)
    };
    title + &aliases + &foreign.extra
}
