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

/// Import Markdown files of Obsidian, Logseq, Claude and others
///
/// Can be repeated: unchanged files are skipped, and changed files update their notes. Credentials are
/// masked. The source files are never modified.
///
/// Examples:
///   memory ingest --source obsidian --path ~/my-vault
///   memory ingest --source all --dry-run
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Args {
    /// claude, car-agent, fingersaver, logseq, obsidian, or all that are found
    #[arg(short, long, default_value = ALL)]
    source: String,
    /// Directory to read (default: the usual directory of the program)
    #[arg(short, long, value_name = "DIR")]
    path: Option<PathBuf>,
    /// Show what would change, without changing anything
    #[arg(long)]
    dry_run: bool,
}

pub(crate) fn run(args: Args, shell: &Shell) -> Result<Status> {
    let sources = sources(&args, shell)?;
    let reply: Reply = ask(
        shell,
        "ingest",
        &Params {
            sources,
            dry_run: args.dry_run,
        },
    )?;
    if reply.sources.is_empty() {
        return Err(
            Error::new(Code::NotFound, "No files of a supported program were found")
                .hint("Pass the program with --source and its directory with --path"),
        );
    }
    warn_of(shell, &reply.flaws);
    let is_empty = |taken: &&Taken| {
        taken.new + taken.changed + taken.unchanged + taken.duplicate + taken.skipped == 0
    };
    for taken in reply.sources.iter().filter(is_empty) {
        shell.warn(&format!(
            "No notes of {} were found in {}",
            taken.source,
            taken.path.display()
        ));
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
        return Ok(vec![From {
            source: source.to_string(),
            path,
            optional: false,
        }]);
    }
    if args.path.is_some() {
        return Err(
            Error::new(Code::InvalidArgument, "--path needs a single source")
                .hint("Pass the source of the directory with --source"),
        );
    }
    let wanted = Source::ALL
        .into_iter()
        .filter(|source| shell.config().ingestion.includes(*source));
    let from = |source: Source| {
        Ok(From {
            source: source.to_string(),
            path: usual_path(source, shell)?,
            optional: true,
        })
    };
    wanted.map(from).collect()
}

fn usual_path(source: Source, shell: &Shell) -> Result<PathBuf> {
    places::vault(shell.ground(), shell.config(), source).ok_or_else(|| {
        Error::new(Code::InvalidArgument, "HOME is not set").hint("Pass --path DIR, or set HOME")
    })
}

fn bad_source(word: &str) -> Error {
    let known: Vec<&str> = Source::ALL
        .iter()
        .map(|source| source.as_str())
        .chain([ALL])
        .collect();
    let error = Error::new(
        Code::InvalidArgument,
        format!(
            "'{}' is not a source; it can be {}",
            printable(word),
            known.join(", ")
        ),
    );
    match nearest(word, known) {
        Some(meant) => error.hint(format!("Did you mean '{meant}'?")),
        None => error,
    }
}

fn told(reply: &Reply) -> String {
    let names = [
        "SOURCE",
        "NEW",
        "CHANGED",
        "UNCHANGED",
        "DUPLICATE",
        "SKIPPED",
        "MASKED",
        "FOLDER",
    ];
    let rows: Vec<Vec<String>> = reply
        .sources
        .iter()
        .map(|taken| {
            let numbers = [
                taken.new,
                taken.changed,
                taken.unchanged,
                taken.duplicate,
                taken.skipped,
                taken.masked,
            ];
            let mut row = vec![taken.source.clone()];
            row.extend(numbers.iter().map(usize::to_string));
            row.push(taken.path.display().to_string());
            row
        })
        .collect();
    let dry = if reply.dry_run {
        "Nothing was changed\n"
    } else {
        ""
    };
    format!(
        "{}{}{dry}",
        table(&names, &rows),
        unresolved(&reply.unresolved)
    )
}
