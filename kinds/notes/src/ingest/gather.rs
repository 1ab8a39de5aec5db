//! From a folder to texts: the only part of ingestion that walks and reads files.

use std::path::{Path, PathBuf};

use jiff::tz::TimeZone;
use memory_core::{Flaw, Progress, Timestamp};
use memory_files::{DiskError, Files, ForeignFile, ForeignTree, Wanted};

use super::{Foreign, Haul, IngestError, Source};

/// What every reader needs: which folder, the way to it, and who watches.
pub(super) struct Ground<'a> {
    pub source: Source,
    pub root: &'a Path,
    pub files: &'a Files,
    pub zone: &'a TimeZone,
    pub watch: &'a dyn Progress,
}

/// A file as text, with `\n` line ends and no byte order mark.
#[derive(Debug, Clone)]
pub(super) struct Text {
    pub path: PathBuf,
    pub relative: String,
    pub text: String,
    pub modified: Timestamp,
}

/// The texts of a folder, and the files that are none.
#[derive(Debug, Default)]
pub(super) struct Gathered {
    pub texts: Vec<Text>,
    pub skipped: Vec<Flaw>,
}

impl Ground<'_> {
    /// Finds the wanted files.
    pub(super) fn survey(&self, wanted: &Wanted<'_>) -> Result<ForeignTree, IngestError> {
        if self.files.is_regular(self.root) {
            return Err(IngestError::File {
                program: self.source,
                path: self.root.to_owned(),
            });
        }
        let tree = self.files.survey_foreign(self.root, wanted)?;
        tree.ok_or_else(|| IngestError::NoFolder {
            program: self.source,
            path: self.root.to_owned(),
        })
    }

    /// Reads the files of a tree; those that can't be read are told.
    pub(super) fn gather(&self, tree: &ForeignTree, most: u64) -> Gathered {
        let mut gathered = Gathered {
            skipped: tree.flaws.clone(),
            ..Gathered::default()
        };
        let total = tree.files.len();
        for (done, (path, read)) in tree.read(most).enumerate() {
            let relative = path.relative.to_string_lossy();
            self.watch.advance(done, total, &relative);
            let place = Place {
                root: &tree.root,
                relative: &path.relative,
            };
            match place.text(read) {
                Ok(text) => gathered.texts.push(text),
                Err(problem) => gathered.skipped.push(Flaw::new(relative, problem)),
            }
        }
        gathered
    }
}

impl Gathered {
    /// Turns each text into what may become a note; texts in which nothing stands are told.
    pub(super) fn turn(self, note: impl Fn(&Text) -> Option<Foreign>) -> Haul {
        let mut haul = Haul {
            found: Vec::with_capacity(self.texts.len()),
            skipped: self.skipped,
        };
        for text in &self.texts {
            match note(text) {
                Some(foreign) => haul.found.push(foreign),
                None => haul.skipped.push(Flaw::new(&text.relative, "has no text")),
            }
        }
        haul
    }
}

impl Text {
    /// Returns the file's name without its ending.
    pub(super) fn stem(&self) -> &str {
        let name = self.relative.rsplit('/').next().unwrap_or_default();
        name.rsplit_once('.').map_or(name, |(stem, _)| stem)
    }

    /// Returns the folders that it lies in, below the root.
    pub(super) fn folders(&self) -> impl DoubleEndedIterator<Item = &str> {
        let folder = self
            .relative
            .rsplit_once('/')
            .map_or("", |(folder, _)| folder);
        folder.split('/').filter(|name| !name.is_empty())
    }
}

struct Place<'a> {
    root: &'a Path,
    relative: &'a Path,
}

impl Place<'_> {
    fn text(&self, read: Result<ForeignFile, DiskError>) -> Result<Text, String> {
        let file = read.map_err(|error| error.problem())?;
        let relative = self
            .relative
            .to_str()
            .ok_or("has a name that is not UTF-8")?;
        Ok(Text {
            path: self.root.join(self.relative),
            relative: relative.to_owned(),
            text: plain_text(file.bytes).ok_or("is not UTF-8")?,
            modified: whole_second(file.modified),
        })
    }
}

/// Returns the text of a file with `\n` line ends and no byte order mark; none if it is no UTF-8.
pub(super) fn plain_text(bytes: Vec<u8>) -> Option<String> {
    let text = String::from_utf8(bytes).ok()?;
    Some(if text.contains('\r') || text.starts_with('\u{feff}') {
        text.trim_start_matches('\u{feff}').replace("\r\n", "\n")
    } else {
        text
    })
}

fn whole_second(time: Timestamp) -> Timestamp {
    Timestamp::from_second(time.as_second()).unwrap_or(time)
}

/// Says whether a path's last name begins with a dot.
pub(super) fn is_hidden(path: &Path) -> bool {
    path.file_name()
        .is_some_and(|name| name.as_encoded_bytes().starts_with(b"."))
}

/// Says whether a file is Markdown by its name.
pub(super) fn is_markdown(path: &Path) -> bool {
    path.extension()
        .is_some_and(|ending| ending.eq_ignore_ascii_case("md"))
}
