//! `config list`: every setting, its value in effect, and who gave it.

use memory_core::Result;
use serde_json::{Value, json};

use crate::config::{self, Effective, SETTINGS};
use crate::render::table::table;
use crate::shell::{Shell, Speech, Status};

/// List every setting with its value and its origin
///
/// Example: memory config list
#[derive(Debug, clap::Args)]
pub(crate) struct Args {}

pub(crate) fn run(_: Args, shell: &Shell) -> Result<Status> {
    let loaded = config::load(shell.ground())?;
    loaded.warnings().for_each(|warning| shell.warn(&warning));
    let found = SETTINGS
        .iter()
        .map(|setting| config::in_effect(setting, &loaded, shell.ground()));
    match shell.speech {
        Speech::Json => {
            let settings: Vec<Value> = found.map(|one| one.to_json()).collect();
            shell.show(&json!({ "settings": settings }))
        }
        Speech::People => {
            let rows: Vec<Vec<String>> = found.map(row).collect();
            shell.print_long(&table(&["KEY", "VALUE", "SOURCE"], &rows))
        }
    }
}

fn row(found: Effective) -> Vec<String> {
    vec![
        found.key.to_owned(),
        found.text.unwrap_or_else(|| "-".to_owned()),
        found.source.to_string(),
    ]
}
