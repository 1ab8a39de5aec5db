//! What a transport has to say beside its answers: lines with a level, for whoever started it.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

/// How much a line matters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    Error,
    Warn,
    Info,
    Debug,
}

impl Level {
    pub const ALL: [Level; 4] = [Level::Error, Level::Warn, Level::Info, Level::Debug];

    /// Returns its name.
    pub fn as_str(self) -> &'static str {
        match self {
            Level::Error => "error",
            Level::Warn => "warn",
            Level::Info => "info",
            Level::Debug => "debug",
        }
    }
}

impl FromStr for Level {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let found = Level::ALL.into_iter().find(|level| level.as_str() == text);
        found.ok_or_else(|| {
            format!("'{text}' is not a log level; expected error, warn, info or debug")
        })
    }
}

type Write = dyn Fn(Level, &str) + Send + Sync;

/// Takes lines up to a level.
#[derive(Clone)]
pub struct Log {
    most: Level,
    write: Arc<Write>,
}

impl Log {
    /// Returns a log that hands lines up to `most` to `write`.
    pub fn new(most: Level, write: impl Fn(Level, &str) + Send + Sync + 'static) -> Self {
        Log {
            most,
            write: Arc::new(write),
        }
    }

    /// Returns a log that nobody reads.
    pub fn silent() -> Self {
        Log::new(Level::Error, |_, _| {})
    }

    pub fn error(&self, line: &str) {
        self.tell(Level::Error, line);
    }

    pub fn warn(&self, line: &str) {
        self.tell(Level::Warn, line);
    }

    pub fn info(&self, line: &str) {
        self.tell(Level::Info, line);
    }

    pub fn debug(&self, line: &str) {
        self.tell(Level::Debug, line);
    }

    fn tell(&self, level: Level, line: &str) {
        if level <= self.most {
            (self.write)(level, line);
        }
    }
}

impl fmt::Debug for Log {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Log").field(&self.most).finish()
    }
}
