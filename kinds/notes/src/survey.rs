//! What the files say now: a look at each of them, and into those that the catalogue does not know as they are.

use std::ffi::OsStr;
use std::sync::Arc;

use memory_files::Stamp;

use crate::catalog::{self, Filed, HEADER, Header};
use crate::filing::{filed, folder_flaw, is_current, is_draft, is_note};
use crate::shelf::{SavedTexts, Shelf};
use crate::store::{INDEX, Store};
use crate::{Category, limits};

/// So few files are not worth a new catalogue.
const STALE_FILES: usize = 64;

impl Store {
    /// Looks at every file, and reads those that are not as the catalogue has them.
    pub(crate) fn survey_anew(&self) -> Shelf {
        self.survey_from(self.read_catalog())
    }

    /// Reads every file, for a catalogue whose texts can't be used, and writes the catalogue anew.
    pub(crate) fn read_all(&self) -> Arc<Shelf> {
        let shelf = Arc::new(self.survey_from(None));
        if let Some(kept) = self.kept.get() {
            kept.forget();
        }
        shelf
    }

    fn survey_from(&self, saved: Option<(Vec<Filed>, SavedTexts)>) -> Shelf {
        let (mut known, texts) = match saved {
            Some((entries, texts)) => (entries.into_iter().peekable(), Some(texts)),
            None => (Vec::new().into_iter().peekable(), None),
        };
        let written = texts
            .as_ref()
            .map_or(i128::MIN, |texts| texts.stamp.modified);
        let mut shelf = Shelf::new(texts);
        shelf.entries.reserve(known.len());
        for category in Category::ALL {
            let sightings = match self.files.scan(&self.folder(category)) {
                Ok(sightings) => sightings,
                Err(error) => {
                    let flaw = folder_flaw(category, &error);
                    if !shelf.flaws.contains(&flaw) {
                        shelf.flaws.push(flaw);
                    }
                    shelf.folder_failed(&error);
                    continue;
                }
            };
            if sightings.iter().any(|sighting| is_draft(&sighting.name)) {
                shelf.littered.push(category);
            }
            let mut unread = Vec::new();
            for sighting in sightings
                .into_iter()
                .filter(|sighting| is_note(&sighting.name))
            {
                let here = (category, sighting.name.to_string_lossy());
                // Both lists are in the order of folders and names.
                while known
                    .next_if(|entry| (entry.folder, entry.file.as_str()) < (here.0, &*here.1))
                    .is_some()
                {}
                let same = known
                    .next_if(|entry| (entry.folder, entry.file.as_str()) == (here.0, &*here.1));
                match same.filter(|entry| is_current(entry, sighting.stamp, written)) {
                    Some(entry) => shelf.entries.push(entry),
                    None => unread.push(sighting),
                }
            }
            let unread: Vec<(&OsStr, Stamp)> = unread
                .iter()
                .map(|sighting| (sighting.name.as_os_str(), sighting.stamp))
                .collect();
            shelf
                .entries
                .extend(self.read_files(category, &unread).into_iter().flatten());
        }
        shelf.settle();
        let fresh = shelf
            .entries
            .iter()
            .filter(|entry| entry.fresh.is_some())
            .count();
        if fresh > Store::stale(shelf.entries.len()) {
            shelf.is_catalogued(self.save_catalog(&shelf));
        }
        shelf
    }

    /// So many of the files may be read again with each look before the catalogue is worth writing anew.
    pub(crate) fn stale(files: usize) -> usize {
        STALE_FILES.max(files / 50)
    }

    /// Reads files of a folder, each with the stamp that it was seen with; none for one that is gone.
    pub(crate) fn read_files(
        &self,
        category: Category,
        unread: &[(&OsStr, Stamp)],
    ) -> Vec<Option<Filed>> {
        let names: Vec<&OsStr> = unread.iter().map(|(name, _)| *name).collect();
        let mut entries = Vec::with_capacity(unread.len());
        self.files.read_each(
            &self.folder(category),
            &names,
            limits::FILE_BYTES,
            &mut |n, seen| {
                let file = unread[n].0.to_string_lossy().into_owned();
                entries.push(match seen {
                    Ok(Some(seen)) => Some(filed(category, file, &seen)),
                    Ok(None) => None,
                    Err(error) => Some(Filed::unread(category, file, unread[n].1, &error)),
                });
            },
        );
        entries
    }

    fn read_catalog(&self) -> Option<(Vec<Filed>, SavedTexts)> {
        let at = self.catalog();
        let first = self.files.read_part(&at, 0, HEADER).ok()??;
        let header = Header::parse(&first.bytes)?;
        let rest = self
            .files
            .read_part(&at, HEADER as u64, header.entries)
            .ok()??;
        let entries = header.read_entries(&rest.bytes)?;
        Some((
            entries,
            SavedTexts {
                files: self.files.clone(),
                at,
                header,
                stamp: first.stamp,
            },
        ))
    }

    /// Writes the catalogue, and returns its stamp. A convenience: when it can't be written, reading is
    /// slower and nothing else.
    pub(crate) fn save_catalog(&self, shelf: &Shelf) -> Option<Stamp> {
        let (entries, texts) = shelf.collected()?;
        let bytes = catalog::render(&entries, &texts)?;
        self.files.ensure_folder(&self.root.join(INDEX)).ok()?;
        self.files.replace_derived(&self.catalog(), &bytes).ok()?;
        self.files.stamp(&self.catalog()).ok()?
    }
}
