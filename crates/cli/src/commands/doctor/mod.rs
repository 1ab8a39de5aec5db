//! `memory doctor`: whether everything is as it should be, and what to do where it is not.
//!
//! Each file below looks at one thing and returns checks. Without `--fix` all of them look at a disk
//! that can't be changed.

mod access;
mod check;
mod clients;
mod daemon;
mod hooks;
mod index;
mod kinds;
mod leftovers;
mod locks;
mod roots;
mod settings;
mod stores;

use std::path::PathBuf;
use std::sync::Arc;

use memory_core::{Code, Error, Result};
use memory_files::{Disk, Found, LookingDisk, RealDisk};

use crate::house::{self, House};
use crate::shell::{Shell, Speech, Status};
use check::{Check, Level};
pub(super) use roots::trash_size;
use stores::Store;

/// Check stores, settings and agents, and repair them
///
/// Checks directories and permissions, settings, locks, leftover files, damage in every kind of memory,
/// the index, the trash, the daemon, hooks and connected clients. Each line shows the state and, if
/// something is wrong, what to do. Exits with 1 if there is an error.
///
/// Examples:
///   memory doctor
///   memory doctor --fix
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Args {
    /// Repair what can be repaired
    #[arg(long)]
    fix: bool,
}

/// What the checks look at.
struct Patient<'s> {
    house: House,
    shell: &'s Shell,
    stores: Vec<Store>,
    /// What could not be read or written before.
    opened: Vec<PathBuf>,
    fixes: bool,
}

impl Patient<'_> {
    /// Says whether a file of a store, such as `broken.json (user)`, may not be read.
    fn is_closed(&self, place: &str) -> bool {
        let name = place.split(" (").next().unwrap_or(place);
        let is_meant = |one: &&Found| one.at.path().ends_with(name);
        self.stores
            .iter()
            .flat_map(|store| &store.found)
            .filter(is_meant)
            .any(Found::is_closed)
    }
}

pub(crate) fn run(args: Args, shell: &Shell) -> Result<Status> {
    let disk: Arc<dyn Disk> = if args.fix {
        Arc::new(RealDisk::default())
    } else {
        Arc::new(LookingDisk::default())
    };
    let flags = || shell.ground().flags.clone();
    let (mut house, mut problem) = house::build_anyway(flags(), disk.clone())?;
    let opened = if args.fix {
        access::open(&house)
    } else {
        vec![]
    };
    if !opened.is_empty() {
        // The settings may be among what can be read now, and may say that other folders are meant.
        (house, problem) = house::build_anyway(flags(), disk)?;
    }
    let stores = stores::all(&house);
    let patient = Patient {
        house,
        shell,
        stores,
        opened,
        fixes: args.fix,
    };
    let checks: Vec<Check> = [
        settings::configuration(problem.as_ref(), &patient),
        roots::check(&patient),
        locks::check(&patient),
        leftovers::check(&patient),
        kinds::check(&patient),
        index::check(&patient),
        roots::trash(&patient),
        daemon::check(&patient),
        hooks::check(&patient),
        settings::time_zone(&patient),
        settings::notifications(&patient),
        clients::check(&patient),
    ]
    .concat();
    match shell.speech {
        Speech::Json => shell.show(&serde_json::json!({ "checks": checks }))?,
        Speech::People => shell.print_styled(&check::lines(&checks))?,
    };
    let bad: Vec<&str> = checks
        .iter()
        .filter(|check| check.status == Level::Bad)
        .map(|check| check.name.as_str())
        .collect();
    if bad.is_empty() {
        return Ok(Status::DONE);
    }
    if shell.speech == Speech::Json {
        // Programs find an error object on stderr whenever a command ends with a failure.
        let error = Error::new(
            Code::Corrupted,
            format!("Failed checks: {}", bad.join(", ")),
        );
        shell.fail(&error.with("checks", bad));
    }
    Ok(Status(1))
}
