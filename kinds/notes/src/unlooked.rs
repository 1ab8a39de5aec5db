//! A note that is added without a look at the others, so that it costs the same however many there are.

use memory_files::{Batch, Held};

use crate::card::Card;
use crate::catalog::path_of;
use crate::recent::Recent;
use crate::store::Store;
use crate::{Note, NoteError, format, limits, listing, page};

/// What is known before a note is added.
struct Known {
    recent: Recent,
    /// Where its file will be, below the root.
    path: String,
    /// The index as it will be.
    index: String,
}

impl Store {
    /// Adds a note if it is known that no other says the same, or if that does not matter; returns its
    /// path below the root, or none if nothing was done because it takes a look.
    ///
    /// A process that stays and has looked knows the others. If it has not, it looks while it goes on.
    pub(crate) fn add_unlooked(
        &self,
        held: &Held<'_>,
        note: &Note,
        may_say_the_same: bool,
    ) -> Result<Option<String>, NoteError> {
        if self.has_looked() {
            return Ok(None);
        }
        let Some(Known {
            recent,
            path,
            index,
        }) = self.known_for(note, may_say_the_same)
        else {
            return Ok(None);
        };
        let mut batch = Batch::default();
        batch.write(&path, format::render(note));
        let pages = page::draft_index(self, held, &index)?;
        held.apply(&self.root, &batch)?;
        pages.settle()?;
        recent.add(self, note.content_hash());
        self.puts_pages_off();
        self.look_aside();
        Ok(Some(path))
    }

    fn known_for(&self, note: &Note, may_say_the_same: bool) -> Option<Known> {
        if note.reminder.is_some() {
            // It may belong on the other page, too.
            return None;
        }
        let recent = Recent::read(self)?;
        let is_other = recent.lacks(self, note.content_hash())?;
        let path = path_of(note.standing.category(), &format!("{}.md", note.id));
        let is_free = self.files.stamp(&self.root.join(&path)).ok()?.is_none();
        let index = self
            .files
            .read(&self.root.join(page::INDEX), limits::DERIVED_BYTES)
            .ok()??;
        let index = listing::with_newest(
            std::str::from_utf8(&index.bytes).ok()?,
            &Card::of(note),
            &path,
        )?;
        (is_free && (is_other || may_say_the_same)).then_some(Known {
            recent,
            path,
            index,
        })
    }
}
