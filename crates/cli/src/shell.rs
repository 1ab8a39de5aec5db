//! How a command talks: to the registry, to standard input, and to whoever started it.
//!
//! Answers go to stdout, everything else to stderr. A closed pipe ends quietly. Text that came
//! from a memory reaches a terminal with its control characters escaped.

use std::ffi::OsString;
use std::io::{self, IsTerminal, Read, Write};
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;

use jiff::tz::TimeZone;
use memory_core::{Code, Error, Json, Registry, Result};
use memory_files::Files;
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::config::Config;
use crate::house::{Ground, House};
use crate::recollection::Recollection;
use crate::render::pager;
use crate::render::progress::Bar;

/// How a command ended, when it did not fail.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Status(pub(crate) u8);

impl Status {
    pub(crate) const DONE: Status = Status(0);
}

impl From<Status> for ExitCode {
    fn from(status: Status) -> ExitCode {
        ExitCode::from(status.0)
    }
}

/// In which way failures are told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Speech {
    /// As specification 000's object.
    Json,
    /// As sentences.
    People,
}

impl Speech {
    /// Guesses from arguments that could not be read which way was wanted.
    pub(crate) fn guess_from(arguments: &[OsString]) -> Self {
        let is_bank = arguments.get(1).is_some_and(|first| first == "bank");
        if is_bank || arguments.iter().any(|argument| argument == "--json") {
            Speech::Json
        } else {
            Speech::People
        }
    }
}

/// What commands are given to work with.
pub(crate) struct Shell {
    house: House,
    pub(crate) speech: Speech,
}

impl Shell {
    pub(crate) fn new(house: House, speech: Speech) -> Self {
        Shell { house, speech }
    }

    pub(crate) fn registry(&self) -> &Arc<Registry> {
        &self.house.registry
    }

    /// Returns what all kinds remember together; none where there is no place for an index.
    pub(crate) fn recollection(&self) -> Option<&Arc<Recollection>> {
        self.house.recollection.as_ref()
    }

    /// Says that this process stays and answers many questions.
    pub(crate) fn stay(&self) {
        self.show_all_warnings();
        self.house.stay();
    }

    /// Shows what someone should know who starts a process that stays.
    pub(crate) fn show_all_warnings(&self) {
        self.house.warnings().show_all();
    }

    pub(crate) fn files(&self) -> &Files {
        &self.house.ground.files
    }

    pub(crate) fn config(&self) -> &Config {
        &self.house.config
    }

    /// Returns the zone that people read times in.
    pub(crate) fn zone(&self) -> TimeZone {
        self.house.config.time_zone()
    }

    pub(crate) fn ground(&self) -> &Ground {
        &self.house.ground
    }

    /// Calls a tool, with a progress bar if it takes long and someone watches.
    pub(crate) fn ask<R: DeserializeOwned>(
        &self,
        toolset: &str,
        tool: &str,
        params: &impl Serialize,
    ) -> Result<R> {
        let bar = Bar::new();
        let reply = self.house.registry.ask(toolset, tool, params, &bar);
        bar.finish();
        reply
    }

    /// Shows a reply as indented JSON.
    pub(crate) fn show(&self, reply: &impl Serialize) -> Result<Status> {
        let json = Json::of(reply).map_err(|e| {
            Error::new(Code::IoError, "The reply cannot be encoded as JSON").because(e)
        })?;
        self.print(&format!("{}\n", json.pretty()))
    }

    /// Shows text as it is.
    pub(crate) fn print(&self, text: &str) -> Result<Status> {
        let mut out = io::stdout().lock();
        match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
            Ok(()) => Ok(Status::DONE),
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(Status::DONE),
            Err(error) => Err(Error::new(
                Code::IoError,
                "The answer could not be written to standard output",
            )
            .because(error)),
        }
    }

    /// Shows text with colours, where colours can be seen.
    pub(crate) fn print_styled(&self, text: &str) -> Result<Status> {
        let choice = anstream::AutoStream::choice(&io::stdout());
        match choice {
            anstream::ColorChoice::Never => {
                self.print(&anstream::adapter::strip_str(text).to_string())
            }
            _ => self.print(text),
        }
    }

    /// Shows styled text, in a pager if it is longer than the terminal.
    pub(crate) fn print_long(&self, text: &str) -> Result<Status> {
        if pager::show(text) {
            Ok(Status::DONE)
        } else {
            self.print_styled(text)
        }
    }

    /// Tells something beside the answer, unless only programs listen.
    pub(crate) fn tell(&self, sentence: &str) {
        if self.speech == Speech::People {
            let _ = writeln!(anstream::stderr(), "{}", memory_core::printable(sentence));
        }
    }

    /// Reads a text from a file that the user named, or from standard input.
    pub(crate) fn text_from(&self, path: Option<&Path>, most: u64) -> Result<String> {
        let Some(path) = path else {
            if io::stdin().is_terminal() {
                return Err(Error::new(Code::InvalidArgument, "No input was given")
                    .hint("Pass a file with --input, or send it to standard input"));
            }
            return self.read_input(most);
        };
        let bytes = self.files().read_named(path, most)?;
        let none = || {
            Error::new(
                Code::InvalidArgument,
                format!("The file {} does not exist", path.display()),
            )
        };
        let not_text = |_| {
            Error::new(
                Code::InvalidJson,
                format!("{} is not UTF-8", path.display()),
            )
        };
        String::from_utf8(bytes.ok_or_else(none)?).map_err(not_text)
    }

    /// Reads standard input up to a limit; more is an error, and is not read.
    pub(crate) fn read_input(&self, most: u64) -> Result<String> {
        let mut bytes = Vec::new();
        let read = io::stdin().lock().take(most + 1).read_to_end(&mut bytes);
        read.map_err(|e| Error::new(Code::IoError, "Standard input could not be read").because(e))?;
        if bytes.len() as u64 > most {
            let message = format!("Standard input has more than {most} bytes");
            return Err(Error::new(Code::LimitExceeded, message).with("limit", most));
        }
        String::from_utf8(bytes)
            .map_err(|_| Error::new(Code::InvalidJson, "Standard input is not UTF-8"))
    }

    /// Asks a question on the terminal; none when there is no one to ask.
    pub(crate) fn confirm(&self, question: &str) -> Option<bool> {
        if !io::stdin().is_terminal() || !io::stderr().is_terminal() {
            return None;
        }
        let mut answer = String::new();
        let _ = write!(io::stderr(), "{question} [y/N] ");
        io::stdin().read_line(&mut answer).ok()?;
        Some(matches!(answer.trim().to_lowercase().as_str(), "y" | "yes"))
    }

    /// Tells a failure and goes on; returns the status that it would end with.
    pub(crate) fn fail(&self, error: &Error) -> Status {
        fail(error, self.speech)
    }

    /// Tells something beside the answer.
    pub(crate) fn warn(&self, sentence: &str) {
        warn(sentence);
    }
}

/// Tells something beside the answer.
pub(crate) fn warn(sentence: &str) {
    let _ = writeln!(
        anstream::stderr(),
        "\u{1b}[33mwarning:\u{1b}[0m {}",
        memory_core::printable(sentence)
    );
}

/// Tells a failure in the way that was chosen; returns the status to end with.
pub(crate) fn fail(error: &Error, speech: Speech) -> Status {
    let mut err = anstream::stderr();
    let _ = match speech {
        Speech::Json => {
            let text = Json::of(&error.to_value()).map(|json| json.pretty());
            writeln!(err, "{}", text.unwrap_or_default())
        }
        Speech::People => {
            let sentence = memory_core::printable(&error.message);
            let cause = std::error::Error::source(error)
                .map(|cause| format!(": {cause}"))
                .unwrap_or_default();
            let hint = error
                .hint
                .iter()
                .map(|hint| format!("\n\u{1b}[36mhint:\u{1b}[0m {hint}"));
            writeln!(
                err,
                "\u{1b}[31merror:\u{1b}[0m {sentence}{cause}{}",
                hint.collect::<String>()
            )
        }
    };
    Status(error.code.exit_status())
}

/// Shows help or the version; help that was not asked for goes to stderr and is a misuse.
pub(crate) fn show_help(help: &clap::Error) -> ExitCode {
    match help.print() {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => ExitCode::FAILURE,
        _ => ExitCode::from(u8::try_from(help.exit_code()).unwrap_or(1)),
    }
}
