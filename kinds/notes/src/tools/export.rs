//! `export`: notes as JSON, one a line, with all that their files have. Archived notes come last.

use memory_core::{Call, Done, Flaw};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::card::Card;
use crate::filter::{Filter, FilterParams};
use crate::portable::Portable;
use crate::store::Store;
use crate::{Note, NoteError};

#[derive(Debug, Default, Serialize, Deserialize, JsonSchema)]
pub struct Params {
    #[serde(flatten)]
    pub filter: FilterParams,
}

#[derive(Debug, Serialize, Deserialize)]
pub struct Reply {
    /// One note a line.
    pub lines: String,
    pub count: usize,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub flaws: Vec<Flaw>,
}

pub fn run(store: &Store, call: &Call<'_>, params: Params) -> Result<Done<Reply>, NoteError> {
    let filter = Filter::new(&params.filter, &store.settings.zone, call.now)?;
    let shelf = store.look()?;
    let accesses = store.accesses().unwrap_or_default();
    let mut reply = Reply {
        lines: String::new(),
        count: 0,
        flaws: shelf.flaws(),
    };
    let admitted = |entry: &&crate::catalog::Filed| {
        entry.found.as_ref().is_ok_and(|card| filter.matches(card))
    };
    let add = |reply: &mut Reply, note: Note| {
        let note = Note {
            access_count: note.access_count.saturating_add(accesses.of(&note.id)),
            ..note
        };
        reply
            .lines
            .push_str(&serde_json::to_string(&Portable::of(&note)).unwrap_or_default());
        reply.lines.push('\n');
        reply.count += 1;
    };
    let chosen: Vec<_> = shelf.entries.iter().filter(admitted).collect();
    for (n, entry) in chosen.iter().enumerate() {
        call.progress.advance(n, chosen.len(), &entry.file);
        match store.read_latest(entry) {
            Ok(Some((note, _))) => add(&mut reply, note),
            Ok(None) => {}
            Err(error) => reply.flaws.push(Flaw::new(entry.path(), error.to_string())),
        }
    }
    let archived = store.archived_notes()?;
    reply.flaws.extend(archived.flaws);
    let archived = archived.good.into_iter().map(|archived| archived.note);
    archived
        .filter(|note| filter.matches(&Card::of(note)))
        .for_each(|note| add(&mut reply, note));
    Ok(Done::read(reply))
}
