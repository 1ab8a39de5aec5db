//! `memory doctor`: whether everything is as it should be, and what to do where it is not.
//!
//! Each file below looks at one thing and returns checks. Without `--fix` all of them look at a disk
//! that can't be changed.

mod check;
mod clients;
mod daemon;
mod kinds;
mod leftovers;
mod roots;
mod settings;

use std::sync::Arc;

use memory_core::Result;
use memory_files::{Disk, Found, LookingDisk, RealDisk, Spot};

use crate::house::{self, House};
use crate::places;
use crate::shell::{Shell, Speech, Status};
use check::{Check, Level};
pub(super) use roots::trash_size;

/// Check that everything is as it should be
///
/// Looks at folders and their permissions, settings, what a crash has left, damage in every kind of
/// memory, the trash, the daemon and the connected clients. Each line says what is so and, where
/// something is wrong, what to do. Ends with 1 when something is bad.
///
/// Examples:
///   memory doctor
///   memory doctor --fix
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Args {
    /// Mend what can be mended
    #[arg(long)]
    fix: bool,
}

/// What the checks look at.
struct Patient<'s> {
    house: House,
    shell: &'s Shell,
    /// The folders of the kinds that are there, each with all that is in it.
    stores: Vec<(&'static str, Spot, Vec<Found>)>,
    fixes: bool,
}

pub(crate) fn run(args: Args, shell: &Shell) -> Result<Status> {
    let disk: Arc<dyn Disk> = if args.fix { Arc::new(RealDisk) } else { Arc::new(LookingDisk::default()) };
    let (house, problem) = house::build_anyway(shell.ground().flags.clone(), disk)?;
    let stores = stores(&house);
    let patient = Patient { house, shell, stores, fixes: args.fix };
    let checks: Vec<Check> = [
        settings::configuration(problem.as_ref(), &patient),
        roots::check(&patient),
        leftovers::check(&patient),
        kinds::check(&patient),
        roots::trash(&patient),
        daemon::check(&patient),
        settings::time_zone(&patient),
        settings::notifications(&patient),
        clients::check(&patient),
    ]
    .concat();
    match shell.speech {
        Speech::Json => shell.show(&serde_json::json!({ "checks": checks }))?,
        Speech::People => shell.print_styled(&check::lines(&checks))?,
    };
    Ok(Status(u8::from(checks.iter().any(|check| check.status == Level::Bad))))
}

fn stores(house: &House) -> Vec<(&'static str, Spot, Vec<Found>)> {
    let ground = &house.ground;
    let notes = places::notes_root(&ground.environment, &ground.flags, &house.config).map(Spot::anchor);
    let banks = places::user_banks(&ground.environment, &house.config);
    let journal = places::journal(&ground.environment, &house.config).map(Spot::anchor);
    let conversations = places::conversations(&ground.environment, &house.config).map(Spot::anchor);
    let named = [("notes", notes), ("banks", banks), ("journal", journal), ("conversations", conversations)];
    named
        .into_iter()
        .filter_map(|(name, root)| {
            let root = root?;
            let found = ground.files.walk(&root);
            Some((name, root, found))
        })
        .collect()
}
