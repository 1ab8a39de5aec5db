//! The programs whose Markdown we read (specification 001, "Ingestion").

use std::fmt;
use std::path::{Path, PathBuf};
use std::str::FromStr;

/// A program that keeps Markdown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Source {
    Claude,
    CarAgent,
    Fingersaver,
    Logseq,
    Obsidian,
}

/// A word that names no program we know.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("'{0}' is not a source; expected claude, car-agent, fingersaver, logseq or obsidian")]
pub struct BadSource(pub String);

impl Source {
    /// Every source, in the order of the specification.
    pub const ALL: [Source; 5] = [
        Source::Claude,
        Source::CarAgent,
        Source::Fingersaver,
        Source::Logseq,
        Source::Obsidian,
    ];

    /// Returns the word for it.
    pub fn as_str(self) -> &'static str {
        match self {
            Source::Claude => "claude",
            Source::CarAgent => "car-agent",
            Source::Fingersaver => "fingersaver",
            Source::Logseq => "logseq",
            Source::Obsidian => "obsidian",
        }
    }

    /// Returns where the program keeps its files unless the user says otherwise.
    pub fn default_path(self, home: &Path) -> PathBuf {
        home.join(match self {
            Source::Claude => ".claude",
            Source::CarAgent => ".car-agent",
            Source::Fingersaver => ".fingersaver",
            Source::Logseq => "logseq",
            Source::Obsidian => "obsidian",
        })
    }
}

impl FromStr for Source {
    type Err = BadSource;

    fn from_str(word: &str) -> Result<Self, BadSource> {
        let known = Source::ALL
            .into_iter()
            .find(|source| source.as_str() == word);
        known.ok_or_else(|| BadSource(word.to_owned()))
    }
}

impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_source_is_known_by_its_word_and_has_a_place() {
        for source in Source::ALL {
            assert_eq!(source.as_str().parse(), Ok(source));
        }
        assert_eq!(
            "notion".parse::<Source>(),
            Err(BadSource("notion".to_owned()))
        );
        assert_eq!(
            Source::CarAgent.default_path(Path::new("/home/me")),
            Path::new("/home/me/.car-agent")
        );
    }
}
