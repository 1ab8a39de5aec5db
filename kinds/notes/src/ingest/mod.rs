//! Other programs' Markdown, read as texts that can become notes.
//!
//! Nothing here writes, and nothing here knows which notes there are already: what was found is
//! handed over, and what could not be read is told. Each program has a file of its own, in which
//! a pure function turns a text into a [`Foreign`].

mod claude;
mod dates;
mod draft;
mod edits;
mod error;
mod extra;
mod gather;
mod head;
mod imports;
mod limits;
mod links;
mod logseq;
mod obsidian;
mod plain;
mod source;
mod tags;
mod yaml_field;

pub use error::IngestError;
pub use source::{BadSource, Source};

use std::path::{Path, PathBuf};

use jiff::tz::TimeZone;
use memory_core::{Flaw, Progress, Timestamp};
use memory_files::Files;

use crate::Category;
use gather::Ground;

/// A text of another program, ready to become a note.
///
/// Credentials are masked in everything but the two paths.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Foreign {
    /// Where the file lies, from the root of the file system.
    pub path: PathBuf,
    /// Where it lies below the folder that was read, with `/` between the parts.
    pub relative: String,
    /// The name by which other texts link to it.
    pub title: String,
    /// Without front matter, with `\n` line ends, never empty.
    pub content: String,
    /// As they were written, without `#`; none twice, whatever its case.
    pub tags: Vec<String>,
    /// Other names by which it may be linked.
    pub aliases: Vec<String>,
    /// The category that its type determines.
    pub category: Option<Category>,
    /// When the other program says that it began.
    pub created_at: Option<Timestamp>,
    /// When the file was last changed, in whole seconds.
    pub modified: Timestamp,
    /// What else its head said: lines of top-level YAML fields, none of them named like ours.
    pub extra: String,
    /// How many credentials were masked.
    pub masked: usize,
}

/// What a folder held.
#[derive(Debug, Default)]
pub struct Haul {
    /// In the order of their paths.
    pub found: Vec<Foreign>,
    /// What was left out, and why.
    pub skipped: Vec<Flaw>,
}

/// Reads what a program keeps below a folder. Days without an hour begin in `zone`.
pub fn read(
    source: Source,
    root: &Path,
    files: &Files,
    zone: &TimeZone,
    watch: &dyn Progress,
) -> Result<Haul, IngestError> {
    let ground = Ground {
        source,
        root,
        files,
        zone,
        watch,
    };
    match source {
        Source::Claude => claude::read(&ground),
        Source::CarAgent | Source::Fingersaver => plain::read(&ground),
        Source::Logseq => logseq::read(&ground),
        Source::Obsidian => obsidian::read(&ground),
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use memory_core::{Ids, Silent};
    use memory_files::RealDisk;

    use super::gather::Text;
    use super::*;

    /// Returns a file as its reader gets it.
    pub(super) fn text(relative: &str, text: &str) -> Text {
        Text {
            path: Path::new("/root").join(relative),
            relative: relative.to_owned(),
            text: text.to_owned(),
            modified: Timestamp::UNIX_EPOCH,
        }
    }

    /// Reads a folder with these files.
    #[allow(clippy::disallowed_methods)] // makes the folder that it reads
    pub(super) fn haul(source: Source, files: &[(&str, &str)]) -> Haul {
        let dir = tempfile::tempdir().unwrap();
        for (relative, text) in files {
            let path = dir.path().join(relative);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        }
        let disk = Files::new(Arc::new(RealDisk::default()), Ids::random());
        read(source, dir.path(), &disk, &TimeZone::UTC, &Silent).unwrap()
    }

    impl Haul {
        /// Returns the relative path, the title and the content of what was found.
        pub(super) fn lines(&self) -> Vec<String> {
            let line =
                |note: &Foreign| format!("{} ({}): {}", note.relative, note.title, note.content);
            self.found.iter().map(line).collect()
        }

        /// Returns what was left out, and why.
        pub(super) fn told(&self) -> Vec<String> {
            self.skipped
                .iter()
                .map(|flaw| format!("{} {}", flaw.place, flaw.problem))
                .collect()
        }
    }

    #[test]
    fn a_folder_that_is_not_there_is_named() {
        let disk = Files::new(Arc::new(RealDisk::default()), Ids::random());
        let ended = read(
            Source::Obsidian,
            Path::new("/no/such"),
            &disk,
            &TimeZone::UTC,
            &Silent,
        );
        let error = memory_core::Error::from(ended.unwrap_err());
        assert_eq!(
            error.message,
            "The obsidian directory /no/such does not exist"
        );
        assert_eq!(error.code, memory_core::Code::NotFound);
    }

    #[test]
    #[allow(clippy::disallowed_methods)] // makes the folder that it reads
    fn files_that_are_no_text_or_too_large_are_told() {
        let dir = tempfile::tempdir().unwrap();
        std::fs::write(dir.path().join("big.md"), "x".repeat(1024 * 1024 + 1)).unwrap();
        std::fs::write(dir.path().join("bytes.md"), b"\xff\xfe").unwrap();
        std::fs::write(dir.path().join("good.md"), "\u{feff}good\r\n").unwrap();
        let disk = Files::new(Arc::new(RealDisk::default()), Ids::random());
        let haul = read(Source::Obsidian, dir.path(), &disk, &TimeZone::UTC, &Silent).unwrap();
        assert_eq!(haul.lines(), ["good.md (good): good"]);
        assert_eq!(
            haul.told(),
            [
                "big.md has 1048577 bytes; the limit is 1048576",
                "bytes.md is not UTF-8"
            ]
        );
    }
}
