//! `serve`: the daemon that tends the memories and answers at the socket.

mod install;
mod status;

use std::io::Write as _;
use std::sync::Arc;

use memory_core::{Code, Error, Result, Span, instant, printable};
use memory_files::Spot;
use memory_serve::{Daemon, Desk, Level, Log, run_daemon};

use crate::notifier::Notifier;
use crate::places;
use crate::shell::{Shell, Status};

/// The toolsets of the socket, as far as there are any.
const USUAL: [&str; 2] = ["notes", "recall"];

/// Run the daemon: maintenance, reminders and a socket for agents
///
/// Runs in the foreground until it is interrupted: expires, decays, sorts and merges notes periodically,
/// runs dreams when idle, shows due reminders, and answers JSON-RPC lines at ROOT/memory.sock.
///
/// Example: memory serve --interval 5m --log debug
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Interval of maintenance (default: daemon.interval, 60s)
    #[arg(long, value_name = "TIME")]
    interval: Option<Span>,
    /// Toolsets to serve, or all (default: notes and recall)
    #[arg(long, value_name = "SET,…", value_delimiter = ',')]
    tools: Vec<String>,
    /// Log level: error, warn, info (default) or debug
    #[arg(long, value_name = "LEVEL")]
    log: Option<Level>,
    /// Run in the foreground (always the case)
    #[arg(long)]
    foreground: bool,
    /// Show whether a daemon is running; exits with 0 if so, otherwise with 3
    #[arg(long, conflicts_with_all = ["install", "uninstall"])]
    status: bool,
    /// Install a user service that starts the daemon at login
    #[arg(long, conflicts_with = "uninstall")]
    install: bool,
    /// Remove the user service
    #[arg(long)]
    uninstall: bool,
}

pub(crate) fn run(args: Args, shell: &Shell) -> Result<Status> {
    let root = root(shell)?;
    match () {
        () if args.status => status::run(&root, shell),
        () if args.install => install::install(&args, shell),
        () if args.uninstall => install::uninstall(shell),
        () => serve(args, root, shell),
    }
}

fn serve(args: Args, root: Spot, shell: &Shell) -> Result<Status> {
    shell.stay();
    let notifier = Notifier::choose(&shell.config().notification, &shell.ground().environment);
    run_daemon(Daemon {
        desk: Desk::open(shell.registry().clone(), &args.tools, &USUAL)?,
        files: shell.files().clone(),
        root,
        interval: args.interval.unwrap_or(shell.config().daemon.interval),
        log: log(args.log.unwrap_or(Level::Info), shell),
        push: Arc::new(move |notice| notifier.push(&notice.title, &notice.text)),
    })?;
    Ok(Status::DONE)
}

pub(super) fn root(shell: &Shell) -> Result<Spot> {
    let ground = shell.ground();
    let root = places::notes_root(&ground.environment, &ground.flags, shell.config());
    root.map(Spot::anchor).ok_or_else(|| {
        Error::new(
            Code::InvalidArgument,
            "The directory of the notes is not known",
        )
        .hint("Set HOME or MEMORY_ROOT, or pass --root DIR")
    })
}

pub(super) fn log(most: Level, shell: &Shell) -> Log {
    let clock = shell.ground().environment.clock;
    Log::new(most, move |level, line| {
        let _ = writeln!(
            std::io::stderr(),
            "{} {:5} {}",
            instant(clock.now()),
            level.as_str(),
            printable(line)
        );
    })
}
