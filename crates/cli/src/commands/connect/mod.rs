//! `memory connect …`: lets the programs that people work with have this memory.
//!
//! Which clients there are and how their files are changed is `crate::clients`' knowledge; here the
//! user is shown what would happen, asked, and told what has happened.

mod overview;
mod remarks;
mod report;
mod target;

use memory_core::{Code, Error, Result};

use crate::clients::{Client, Draft, Intent, Plan, Program, Wish, round_trip};
use crate::shell::{Shell, Speech, Status};
use report::{Outcome, Verdict};
pub(crate) use target::{places, program};

/// Register memory with your agents
///
/// Registers 'memory mcp' as the MCP server "memory" in the files of each client, and for Claude Code,
/// Codex and Gemini CLI a hook that adds relevant memories to prompts. Shows the change, asks for
/// confirmation, backs up each file, and starts the server once to test it. Without arguments it shows
/// the state of each client.
///
/// With --project DIR, the configuration of that project is changed instead of your own; it refers to
/// 'memory' by name.
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
    /// Register with every client that is installed
    #[arg(long, conflicts_with = "clients")]
    all: bool,
    /// Remove the server and the hooks
    #[arg(long)]
    remove: bool,
    /// Show what would change, without changing anything
    #[arg(long)]
    dry_run: bool,
    /// Do not ask for confirmation
    #[arg(long, short)]
    yes: bool,
    /// Also register hooks (the default)
    #[arg(long, overrides_with = "no_hooks")]
    hooks: bool,
    /// Register only the server
    #[arg(long)]
    no_hooks: bool,
    /// Do not start the server to test it
    #[arg(long)]
    no_verify: bool,
}

impl Args {
    fn wish(&self) -> Wish {
        let hooks = !self.no_hooks;
        if self.remove {
            Wish::Remove { hooks }
        } else {
            Wish::Connect { hooks }
        }
    }

    /// Says whether something is to be done, and not only shown.
    fn asks_for_a_deed(&self) -> bool {
        self.remove || self.yes || self.dry_run || self.hooks || self.no_hooks || self.no_verify
    }
}

pub(crate) fn run(args: Args, shell: &Shell) -> Result<Status> {
    target::check_project(shell)?;
    let program = program(shell)?;
    if args.clients.is_empty() && !args.all {
        return if !args.asks_for_a_deed() {
            overview::show(&program, shell)
        } else {
            Err(Error::new(Code::InvalidArgument, "No client was named")
                .hint("Name one or more, as in 'memory connect codex', or pass --all"))
        };
    }
    let mut outcomes: Vec<Outcome> = choose(&args, shell)?
        .into_iter()
        .map(|client| plan(client, &args, &program, shell))
        .collect();
    if shell.speech == Speech::People {
        shell.print(&report::plans(&outcomes))?;
    }
    let changes_something = outcomes.iter().any(|outcome| !outcome.drafts.is_empty());
    if changes_something && !args.dry_run {
        confirm(&args, shell)?;
        outcomes.iter_mut().for_each(|outcome| outcome.write(shell));
    }
    let is_registered = outcomes.iter().any(|outcome| outcome.problem.is_none());
    let verdict = if is_registered && !args.remove && !args.dry_run && !args.no_verify {
        Some(verify(&program))
    } else {
        None
    };
    if !args.remove && !args.dry_run {
        outcomes
            .iter_mut()
            .for_each(|outcome| outcome.remarks = remarks::of(outcome, &program, shell));
    }
    report::show(&outcomes, verdict.as_ref(), &args, shell)
}

/// Returns the clients that are meant, each once.
fn choose(args: &Args, shell: &Shell) -> Result<Vec<Client>> {
    let is_found = |client: &Client| places(*client, shell).is_some_and(|places| places.is_found);
    let is_meant = |client: &Client| {
        if args.all {
            is_found(client)
        } else {
            args.clients.contains(client)
        }
    };
    let chosen: Vec<Client> = Client::ALL.into_iter().filter(is_meant).collect();
    if !chosen.is_empty() {
        Ok(chosen)
    } else {
        Err(Error::new(Code::NotFound, "No supported client was found")
            .hint("'memory connect' lists the paths that were checked"))
    }
}

/// Plans for each client by itself: what is wrong with one hinders no other.
fn plan(client: Client, args: &Args, program: &Program, shell: &Shell) -> Outcome {
    let is_shared = shell.ground().flags.project.is_some();
    let (wish, files) = (args.wish(), shell.files());
    let plan = match target::named(client, args.remove, shell) {
        Ok(places) => Intent {
            client,
            places: &places,
            program,
            files,
            wish,
            is_shared,
        }
        .plan(),
        Err(error) => Plan {
            problem: Some(error),
            ..Plan::default()
        },
    };
    Outcome {
        client,
        drafts: plan.drafts,
        backups: vec![],
        remarks: vec![],
        problem: plan.problem,
    }
}

fn confirm(args: &Args, shell: &Shell) -> Result<()> {
    match args
        .yes
        .then_some(true)
        .or_else(|| shell.confirm("Change these files?"))
    {
        Some(true) => Ok(()),
        Some(false) => Err(Error::new(
            Code::ConfirmationRequired,
            "Nothing was changed",
        )),
        None => Err(Error::new(
            Code::ConfirmationRequired,
            "Changing these files requires confirmation",
        )
        .hint("Pass --yes; --dry-run only shows the changes")),
    }
}

fn verify(program: &Program) -> Verdict {
    let started = std::time::Instant::now();
    let answer = round_trip::try_server(
        program.path(),
        &program.server_arguments(),
        round_trip::PATIENCE,
    );
    Verdict {
        answer,
        took: started.elapsed(),
    }
}

impl Outcome {
    fn write(&mut self, shell: &Shell) {
        let now = shell.ground().environment.clock.now();
        for draft in &self.drafts {
            match Draft::write(draft, shell.files(), now) {
                Ok(backup) => self.backups.push((draft.path.clone(), backup)),
                Err(error) => {
                    self.problem.get_or_insert(error);
                    return;
                }
            }
        }
    }
}
