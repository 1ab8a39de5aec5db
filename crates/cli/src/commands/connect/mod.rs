//! `memory connect …`: lets the programs that people work with have this memory.
//!
//! Which clients there are and how their files are changed is `crate::clients`' knowledge; here the
//! user is shown what would happen, asked, and told what has happened.

mod overview;
mod report;

use std::path::PathBuf;

use memory_core::{Code, Error, Result};

use crate::clients::{self, Client, Draft, Places, Program, Wish, round_trip};
use crate::shell::{Shell, Speech, Status};
use report::{Outcome, Verdict};

/// Let your agents have this memory
///
/// Registers 'memory mcp' as the MCP server "memory" in the files of each client, and for Claude Code,
/// Codex and Gemini CLI a hook that tells them what is relevant. Shows the change, asks, keeps a
/// backup beside each file, and tries the server. Without names it shows how each client stands.
///
/// With --project DIR the files of that project are changed, not your own.
///
/// Examples:
///   memory connect
///   memory connect claude-code codex
///   memory connect --all --yes
///   memory connect --all --remove
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Args {
    /// The clients
    clients: Vec<Client>,
    /// Every client that is found
    #[arg(long, conflicts_with = "clients")]
    all: bool,
    /// Take server and hooks back
    #[arg(long)]
    remove: bool,
    /// Only show what would change
    #[arg(long)]
    dry_run: bool,
    /// Do not ask
    #[arg(long, short)]
    yes: bool,
    /// Register the hooks too (the default)
    #[arg(long, overrides_with = "no_hooks")]
    hooks: bool,
    /// Register the server alone
    #[arg(long)]
    no_hooks: bool,
    /// Do not start the server to see whether it answers
    #[arg(long)]
    no_verify: bool,
}

impl Args {
    fn wish(&self) -> Wish {
        match self.remove {
            true => Wish::Remove,
            false => Wish::Connect { hooks: !self.no_hooks },
        }
    }
}

pub(crate) fn run(args: Args, shell: &Shell) -> Result<Status> {
    let program = program(shell)?;
    if args.clients.is_empty() && !args.all {
        return overview::show(&program, shell);
    }
    let chosen = choose(&args, shell)?;
    let mut outcomes = plan(&chosen, &args, &program, shell);
    if shell.speech == Speech::People {
        shell.print(&report::plans(&outcomes))?;
    }
    let changes_something = outcomes.iter().any(|outcome| !outcome.drafts.is_empty());
    if changes_something && !args.dry_run {
        confirm(&args, shell)?;
        outcomes.iter_mut().for_each(|outcome| outcome.write(shell));
    }
    let is_registered = outcomes.iter().any(|outcome| outcome.problem.is_none());
    let verdict = match is_registered && !args.remove && !args.dry_run && !args.no_verify {
        true => Some(verify(&program)),
        false => None,
    };
    report::show(&outcomes, verdict.as_ref(), &args, shell)
}

/// Returns our program as clients are to start it.
pub(crate) fn program(shell: &Shell) -> Result<Program> {
    let ground = shell.ground();
    let none = || Error::new(Code::IoError, "This program could not find out where it is");
    let path = ground.environment.own_program(&ground.files).ok_or_else(none)?;
    let flag = |name: &str, value: &Option<PathBuf>| {
        let value = value.as_ref().map(|path| ground.environment.absolute(path));
        value.map(|path| vec![name.to_owned(), path.display().to_string()]).unwrap_or_default()
    };
    Ok(Program::new(
        &path,
        [flag("--root", &ground.flags.root), flag("--config", &ground.flags.config)].concat(),
    ))
}

/// Returns where a client keeps its files: the user's, or those of the project that was named.
pub(crate) fn places(client: Client, shell: &Shell) -> Option<Places> {
    let ground = shell.ground();
    let project = ground.flags.project.as_ref().map(|project| ground.environment.absolute(project));
    clients::find_places(client, &ground.environment, &ground.files, project.as_deref())
}

fn choose(args: &Args, shell: &Shell) -> Result<Vec<(Client, Places)>> {
    if args.all {
        let found = Client::ALL.into_iter().filter_map(|client| Some((client, places(client, shell)?)));
        let found: Vec<_> = found.filter(|(_, places)| places.is_found).collect();
        return match found.is_empty() {
            false => Ok(found),
            true => Err(Error::new(Code::NotFound, "None of the clients that we know was found here")
                .hint("'memory connect' shows where each of them was looked for")),
        };
    }
    args.clients.iter().map(|client| Ok((*client, named(*client, args, shell)?))).collect()
}

fn named(client: Client, args: &Args, shell: &Shell) -> Result<Places> {
    let title = client.title();
    let places = places(client, shell).ok_or_else(|| match shell.ground().flags.project {
        Some(_) => Error::new(Code::InvalidArgument, format!("{title} has no files in a project"))
            .hint("Leave --project away to register it for you"),
        None => Error::new(Code::InvalidArgument, "There is no home to look for clients in").hint("Set HOME"),
    })?;
    if places.is_found || args.remove {
        return Ok(places);
    }
    Err(Error::new(Code::NotFound, format!("{title} was not found here"))
        .hint(format!("Install it and start it once; its file would be {}", places.server.display()))
        .with("client", client.name()))
}

/// Plans for each client by itself: what is wrong with one hinders no other.
fn plan(chosen: &[(Client, Places)], args: &Args, program: &Program, shell: &Shell) -> Vec<Outcome> {
    let is_shared = shell.ground().flags.project.is_some();
    let outcomes = chosen.iter().map(|(client, places)| {
        let planned = clients::plan(*client, places, program, shell.files(), args.wish(), is_shared);
        let (drafts, problem) = match planned {
            Ok(drafts) => (drafts, None),
            Err(error) => (vec![], Some(error)),
        };
        Outcome { client: *client, drafts, backups: vec![], problem }
    });
    outcomes.collect()
}

fn confirm(args: &Args, shell: &Shell) -> Result<()> {
    match args.yes.then_some(true).or_else(|| shell.confirm("Change these files?")) {
        Some(true) => Ok(()),
        Some(false) => Err(Error::new(Code::ConfirmationRequired, "Nothing was changed")),
        None => Err(Error::new(Code::ConfirmationRequired, "Changing these files needs to be confirmed")
            .hint("Add --yes; --dry-run only shows the changes")),
    }
}

fn verify(program: &Program) -> Verdict {
    let started = std::time::Instant::now();
    let answer = round_trip::try_server(program.path(), &program.server_arguments(), round_trip::PATIENCE);
    Verdict { answer, took: started.elapsed() }
}

impl Outcome {
    fn write(&mut self, shell: &Shell) {
        let now = shell.ground().environment.clock.now();
        for draft in &self.drafts {
            match Draft::write(draft, shell.files(), now) {
                Ok(backup) => self.backups.push((draft.path.clone(), backup)),
                Err(error) => {
                    self.problem = Some(error);
                    return;
                }
            }
        }
    }
}
