//! `memory hook`: tells an agent what is relevant, when a session begins and when a prompt is sent.
//!
//! A client waits for this, and takes exit 2 for a veto: whatever happens, it ends with 0 and soon.
//! Nothing is ever written, because the house that it looks into stands on a disk without writing. Where
//! the index has too much to read, notes are found by their words, and a process of its own reads it.

mod background;
mod event;
mod input;
mod prompt;
mod start;
mod words;

use std::ffi::OsString;
use std::io::{self, Write};
use std::process::ExitCode;
use std::sync::mpsc::{self, Sender};
use std::thread;
use std::time::{Duration, Instant};

use memory_core::{Address, Fenced, Recall as _, Result, Silent};
use memory_notes::Category;
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::environment;
use crate::house::{self, GlobalArgs, House};
use event::{Event, Input};

/// Most characters of an answer: over 10,000 Claude Code shows a preview only.
const MOST_CHARACTERS: usize = 8_000;

/// Print context for a hook of an agent (called by agents)
///
/// Reads the hook JSON of Claude Code, Codex or Gemini CLI from standard input and prints notes that
/// are relevant to the session or the prompt, or nothing. Always exits with 0.
///
/// Example: echo '{"hook_event_name":"SessionStart","source":"startup"}' | memory hook
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Args {
    /// The calling agent: claude, codex or gemini; notes of its scope are included
    #[arg(long, value_name = "NAME")]
    agent: Option<String>,
}

/// After this long there is no answer any more.
const DEADLINE: Duration = Duration::from_millis(250);
/// The same where the clock is held still: a question that has been read is answered.
const DEADLINE_OF_A_STILL_CLOCK: Duration = Duration::from_secs(10);

/// Says whether arguments that could not be read were meant for this command.
pub(crate) fn is_meant(arguments: &[OsString]) -> bool {
    let asks_for_help = arguments
        .iter()
        .any(|argument| argument == "--help" || argument == "-h");
    arguments.iter().skip(1).any(|argument| argument == "hook") && !asks_for_help
}

/// What the one who looks for an answer has to say.
enum Heard {
    /// The question has been read.
    Question,
    /// The index has too much to read.
    Behind,
    Answer(Answer),
}

/// What the client is given, and which notes are in it.
pub(crate) struct Answer {
    pub(crate) text: String,
    pub(crate) delivered: Vec<Address>,
}

/// Answers, if an answer is ready in time.
pub(crate) fn run(args: Args, flags: GlobalArgs) -> ExitCode {
    // A client may show what we say beside the answer: a failure of ours is not its user's concern.
    std::panic::set_hook(Box::new(|_| {}));
    let (started, places) = (Instant::now(), flags.clone());
    let (sender, heard) = mpsc::channel();
    thread::spawn(move || {
        let answer = answer_to_input(&args, flags, &sender);
        answer.map(|answer| sender.send(Heard::Answer(answer)))
    });
    let (mut is_behind, mut deadline, mut delivered) = (false, DEADLINE, Vec::new());
    while let Ok(heard) = heard.recv_timeout(deadline.saturating_sub(started.elapsed())) {
        match heard {
            Heard::Question if environment::holds_clock() => deadline = DEADLINE_OF_A_STILL_CLOCK,
            Heard::Question => {}
            Heard::Behind => is_behind = true,
            Heard::Answer(answer) => {
                let _ = io::stdout().write_all(answer.text.as_bytes());
                delivered = answer.delivered;
                break;
            }
        }
    }
    record_access(&places, &delivered);
    // Last of all, so that it takes no time from the answer.
    if is_behind {
        background::catch_up(&places);
    }
    ExitCode::SUCCESS
}

/// Counts an access for each note that was delivered. What the hook looks into cannot be written to.
fn record_access(places: &GlobalArgs, delivered: &[Address]) {
    if !delivered.is_empty()
        && let Ok(house) = house::build(places.clone())
        && let Some(recall) = house.recollection
    {
        recall.record_access(delivered);
    }
}

fn answer_to_input(args: &Args, flags: GlobalArgs, told: &Sender<Heard>) -> Option<Answer> {
    let input: Input = input::read(io::stdin().lock())?;
    let event = input.event()?;
    told.send(Heard::Question).ok()?;
    let house = house::build_to_look_at(flags).ok()?;
    answer(args, &input, &event, house, told)
}

/// Answers an event of a client, as the command does when the client calls it.
#[cfg(test)]
pub(crate) fn answer_in(house: House, input: &str) -> Option<Answer> {
    let input: Input = serde_json::from_str(input).ok()?;
    let (told, _heard) = mpsc::channel();
    answer(&Args { agent: None }, &input, &input.event()?, house, &told)
}

fn answer(
    args: &Args,
    input: &Input,
    event: &Event,
    house: House,
    told: &Sender<Heard>,
) -> Option<Answer> {
    let agent = args
        .agent
        .clone()
        .unwrap_or_else(|| input.agent().to_owned());
    let recall = Recall {
        agent,
        house,
        told: told.clone(),
    };
    let (context, delivered) = match event {
        Event::Start => start::context(&recall),
        Event::Prompt(prompt) => prompt::context(&recall, prompt),
    }?;
    let answer = serde_json::json!({
        "hookSpecificOutput": { "hookEventName": input.name(), "additionalContext": context }
    });
    Some(Answer {
        text: format!("{answer}\n"),
        delivered,
    })
}

fn address(id: &str) -> Address {
    Address::new("notes", id)
}

/// The memory as one agent may see it.
struct Recall {
    house: House,
    agent: String,
    told: Sender<Heard>,
}

impl Recall {
    /// Sees to it that nobody waits for the index, and tells if it has too much to read.
    fn hurry(&self) {
        if self
            .house
            .recollection
            .as_ref()
            .is_some_and(|recollection| recollection.hurry())
        {
            let _ = self.told.send(Heard::Behind);
        }
    }

    fn ask<R: DeserializeOwned>(&self, tool: &str, params: &impl Serialize) -> Result<R> {
        self.house.registry.ask("notes", tool, params, &Silent)
    }
}

/// Returns a note with what it is and where it is from.
fn note_piece(category: Category, id: &str, created_at: &str, source: &str, text: &str) -> Fenced {
    let id: String = id.chars().take(8).collect();
    Fenced::new(&format!("{category}, note {id}"), created_at, source, text)
}
