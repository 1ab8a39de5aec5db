//! `ingest`: makes notes of other programs' files.

use std::path::PathBuf;

use memory_core::{Code, Error, Result, nearest, printable};
use memory_notes::ingest::Source;
use memory_notes::tools::ingest::{From, Params, Reply, Taken};

use super::upkeep::unresolved;
use super::{answer, ask, warn_of};
use crate::places;
use crate::render::table::table;
use crate::shell::{Shell, Status};

const ALL: &str = "all";

/// Import the Markdown of Obsidian, Logseq, Claude and others
///
/// A second run finds nothing new, and a file that has changed updates its note. Credentials are
/// masked. The files themselves are only read.
///
/// Examples:
///   memory ingest --source obsidian --path ~/my-vault
///   memory ingest --source all --dry-run
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Args {
    /// claude, car-agent, fingersaver, logseq, obsidian or all: those that keep files here
    #[arg(short, long, default_value = ALL)]
    source: String,
    /// Folder to read (default: where the program keeps its files)
    #[arg(short, long, value_name = "DIR")]
    path: Option<PathBuf>,
    /// Show what would happen
    #[arg(long)]
    dry_run: bool,
}

pub(crate) fn run(args: Args, shell: &Shell) -> Result<Status> {
    let sources = sources(&args, shell)?;
    let reply: Reply = ask(shell, "ingest", &Params { sources, dry_run: args.dry_run })?;
    if reply.sources.is_empty() {
        return Err(Error::new(Code::NotFound, "None of the programs keeps files here")
            .hint("Name a program with --source and its folder with --path"));
    }
    warn_of(shell, &reply.flaws);
    let is_empty =
        |taken: &&Taken| taken.new + taken.changed + taken.unchanged + taken.duplicate + taken.skipped == 0;
    for taken in reply.sources.iter().filter(is_empty) {
        shell.warn(&format!("There is no note of {} in {}", taken.source, taken.path.display()));
    }
    answer(shell, &reply, told)
}

fn sources(args: &Args, shell: &Shell) -> Result<Vec<From>> {
    if args.source != ALL {
        let source: Source = args.source.parse().map_err(|_| bad_source(&args.source))?;
        let path = match &args.path {
            Some(path) => shell.ground().environment.absolute(path),
            None => usual_path(source, shell)?,
        };
        return Ok(vec![From { source: source.to_string(), path, optional: false }]);
    }
    if args.path.is_some() {
        return Err(Error::new(Code::InvalidArgument, "--path belongs to one source")
            .hint("Name the source that the folder belongs to"));
    }
    let wanted = Source::ALL.into_iter().filter(|source| shell.config().ingestion.includes(*source));
    let from = |source: Source| {
        Ok(From { source: source.to_string(), path: usual_path(source, shell)?, optional: true })
    };
    wanted.map(from).collect()
}

fn usual_path(source: Source, shell: &Shell) -> Result<PathBuf> {
    places::vault(shell.ground(), shell.config(), source).ok_or_else(|| {
        Error::new(Code::InvalidArgument, "There is no home to look in").hint("Say --path DIR, or set HOME")
    })
}

fn bad_source(word: &str) -> Error {
    let known: Vec<&str> = Source::ALL.iter().map(|source| source.as_str()).chain([ALL]).collect();
    let error = Error::new(
        Code::InvalidArgument,
        format!("'{}' is not a source; it can be {}", printable(word), known.join(", ")),
    );
    match nearest(word, known) {
        Some(meant) => error.hint(format!("Did you mean '{meant}'?")),
        None => error,
    }
}

fn told(reply: &Reply) -> String {
    let names = ["SOURCE", "NEW", "CHANGED", "UNCHANGED", "DUPLICATE", "SKIPPED", "MASKED", "FOLDER"];
    let rows: Vec<Vec<String>> = reply
        .sources
        .iter()
        .map(|taken| {
            let numbers =
                [taken.new, taken.changed, taken.unchanged, taken.duplicate, taken.skipped, taken.masked];
            let mut row = vec![taken.source.clone()];
            row.extend(numbers.iter().map(usize::to_string));
            row.push(taken.path.display().to_string());
            row
        })
        .collect();
    let dry = if reply.dry_run { "Nothing was changed\n" } else { "" };
    format!("{}{}{dry}", table(&names, &rows), unresolved(&reply.unresolved))
}
