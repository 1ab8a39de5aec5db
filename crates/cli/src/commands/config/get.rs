//! `config get`: the value in effect.

use memory_core::{Result, printable};

use crate::config;
use crate::shell::{Shell, Speech, Status};

/// Print the effective value of a setting
///
/// Example: memory config get daemon.interval
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The setting, such as daemon.interval
    key: String,
}

pub(crate) fn run(args: Args, shell: &Shell) -> Result<Status> {
    let setting = config::find(&args.key).ok_or_else(|| config::unknown(&args.key))?;
    let loaded = config::load(shell.ground())?;
    loaded.warnings().for_each(|warning| shell.warn(&warning));
    let found = config::in_effect(setting, &loaded, shell.ground());
    match shell.speech {
        Speech::Json => shell.show(&found.to_json()),
        Speech::People => shell.print(&format!(
            "{}\n",
            printable(found.text.as_deref().unwrap_or_default())
        )),
    }
}
