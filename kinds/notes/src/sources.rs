//! The files of notes as an index sees them: which there are, in what state, and what is in one.
//!
//! Each file is a source, named by its path below the root. Finding them costs a look at each and no
//! reading; what is in them is read from them and not from the catalogue, which has folded texts.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use memory_core::{Document, Flaw, Source, Survey};
use memory_files::{Spot, Stamp};

use crate::catalog::path_of;
use crate::filing::{folder_flaw, is_note, read_note, told};
use crate::store::{CATEGORIES, Store};
use crate::{Category, Note, archive, document, limits};

/// Returns every file of a note.
pub(crate) fn sources(store: &Store) -> Survey<Source> {
    store
        .at_rest(|| list(store))
        .unwrap_or_else(|error| Survey {
            good: Vec::new(),
            flaws: vec![Flaw::new(document::KIND, error.to_string())],
        })
}

fn list(store: &Store) -> Survey<Source> {
    let mut survey = Survey::default();
    for category in Category::ALL {
        match store.files.scan(&store.folder(category)) {
            Ok(sightings) => {
                let notes = sightings.iter().filter(|sighting| is_note(&sighting.name));
                survey.good.extend(notes.map(|sighting| Source {
                    name: path_of(category, &sighting.name.to_string_lossy()),
                    state: sighting.stamp.state(),
                    is_fresh: sighting.stamp.is_fresh(),
                }));
            }
            Err(error) => {
                let flaw = folder_flaw(category, &error);
                if !survey.flaws.contains(&flaw) {
                    survey.flaws.push(flaw);
                }
            }
        }
    }
    match store.archived_files() {
        Ok(files) => survey
            .good
            .extend(files.iter().map(|(category, file)| Source {
                name: archive::path_of(*category, &file.name.to_string_lossy()),
                state: file.stamp.state(),
                is_fresh: file.stamp.is_fresh(),
            })),
        Err(error) => survey
            .flaws
            .push(Flaw::new(archive::ARCHIVE, error.to_string())),
    }
    survey
}

/// Returns what has become of some files; none when that can't be told.
pub(crate) fn sources_at(
    store: &Store,
    files: &[PathBuf],
) -> Option<Vec<(String, Option<Source>)>> {
    store.at_rest(|| look_at(store, files)).ok()?
}

fn look_at(store: &Store, files: &[PathBuf]) -> Option<Vec<(String, Option<Source>)>> {
    let mut found = Vec::new();
    for file in files {
        let (folder, file) = file.parent().zip(file.file_name())?;
        let place = Place::of_folder(store, folder)?;
        if is_note(file) {
            let name = place.path_of(&file.to_string_lossy());
            let stamp = store.files.stamp(&place.folder(store).join(file)).ok()?;
            let source = |stamp: Stamp| Source {
                name: name.clone(),
                state: stamp.state(),
                is_fresh: stamp.is_fresh(),
            };
            found.push((name.clone(), stamp.map(source)));
        }
    }
    Some(found)
}

/// Reads files and hands over the note of each; nothing for one that is gone.
pub(crate) fn read_each(
    store: &Store,
    names: &[&str],
    each: &mut dyn FnMut(usize, Survey<Document>),
) {
    let places: Vec<(usize, Place, &str)> = names
        .iter()
        .enumerate()
        .filter_map(|(n, name)| place(name).map(|(at, file)| (n, at, file)))
        .collect();
    for here in places.chunk_by(|a, b| a.1 == b.1) {
        let place = here[0].1;
        let files: Vec<&OsStr> = here.iter().map(|(_, _, file)| OsStr::new(*file)).collect();
        store.files.read_each(
            &place.folder(store),
            &files,
            limits::FILE_BYTES,
            &mut |n, seen| {
                let (number, _, file) = here[n];
                let mut survey = Survey::default();
                match seen.map_err(|error| told(&error)).and_then(|seen| {
                    seen.map(|seen| read_note(place.category, file, &seen))
                        .transpose()
                }) {
                    Ok(note) => survey
                        .good
                        .extend(note.as_ref().map(|note| place.document(note))),
                    Err(problem) => survey.flaws.push(Flaw::new(
                        place.path_of(file),
                        format!("The file is damaged: {problem}"),
                    )),
                }
                each(number, survey);
            },
        );
    }
}

/// Returns the folder and the file that a source's name means.
fn place(name: &str) -> Option<(Place, &str)> {
    let (above, rest) = name.split_once('/')?;
    let (folder, file) = rest.split_once('/')?;
    let category = Category::ALL
        .into_iter()
        .find(|category| category.as_str() == folder)?;
    let is_archived = match above {
        CATEGORIES => false,
        archive::ARCHIVE => true,
        _ => return None,
    };
    (is_note(OsStr::new(file)) && !file.contains('/')).then_some((
        Place {
            category,
            is_archived,
        },
        file,
    ))
}

/// A folder of notes: that of a category, or the archive's of a category.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Place {
    category: Category,
    is_archived: bool,
}

impl Place {
    fn all() -> impl Iterator<Item = Place> {
        let both = |category| {
            [false, true].map(|is_archived| Place {
                category,
                is_archived,
            })
        };
        Category::ALL.into_iter().flat_map(both)
    }

    fn of_folder(store: &Store, folder: &Path) -> Option<Self> {
        Place::all().find(|place| place.folder(store).path() == folder)
    }

    fn folder(self, store: &Store) -> Spot {
        if self.is_archived {
            store.archive_folder(self.category)
        } else {
            store.folder(self.category)
        }
    }

    fn path_of(self, file: &str) -> String {
        if self.is_archived {
            archive::path_of(self.category, file)
        } else {
            path_of(self.category, file)
        }
    }

    fn document(self, note: &Note) -> Document {
        if self.is_archived {
            document::archived_document(note)
        } else {
            document::document(note)
        }
    }
}

/// Returns every folder that sources are in, whether it is there or not.
pub(crate) fn folders(store: &Store) -> Vec<PathBuf> {
    Place::all()
        .map(|place| place.folder(store).path())
        .collect()
}
