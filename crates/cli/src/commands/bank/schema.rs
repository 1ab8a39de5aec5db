//! `bank schema`: the JSON Schema that a bank's values must satisfy.

use std::path::PathBuf;

use clap::Subcommand;
use memory_banks::limits;
use memory_banks::tools::schema::{Action, Params, Reply};
use memory_core::{Json, Result};
use serde::Deserialize;

use super::{ScopeArg, ask, json_argument};
use crate::shell::{Shell, Status};

/// Show, set or clear the JSON Schema of a bank
///
/// Every later write or update must satisfy it.
///
/// Examples:
///   memory-cli schema tasks set task.schema.json
///   memory-cli schema tasks
///   memory-cli schema tasks clear
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Args {
    /// Bank of the schema
    bank: String,
    #[command(subcommand)]
    what: Option<What>,
    /// Storage scope (default: where the bank is)
    #[arg(long, global = true)]
    scope: Option<ScopeArg>,
}

#[derive(Debug, Subcommand)]
enum What {
    /// Show the schema
    Show,
    /// Set the schema from a file, or from standard input with -
    Set {
        /// File with the schema
        file: PathBuf,
        /// Set it even if it looks like it contains a credential
        #[arg(long)]
        allow_secret: bool,
    },
    /// Remove the schema
    Clear,
}

/// What `show` prints has the schema beside its bank and its scope.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Shown {
    #[serde(rename = "bank")]
    _bank: String,
    #[serde(rename = "scope")]
    _scope: String,
    schema: Json,
}

/// Takes the schema out of what `show` has printed.
fn unwrapped(given: Json) -> Json {
    given
        .read::<Shown>()
        .map(|shown| shown.schema)
        .unwrap_or(given)
}

pub(crate) fn run(args: Args, shell: &Shell) -> Result<Status> {
    let (action, schema, allow_secret) = match args.what.unwrap_or(What::Show) {
        What::Show => (Action::Show, None, false),
        What::Clear => (Action::Clear, None, false),
        What::Set { file, allow_secret } => {
            let text = if file.as_os_str() == "-" {
                shell.read_input(limits::SCHEMA_BYTES)?
            } else {
                shell.text_from(Some(&file), limits::SCHEMA_BYTES)?
            };
            (
                Action::Set,
                Some(unwrapped(json_argument("The schema", &text)?)),
                allow_secret,
            )
        }
    };
    let params = Params {
        bank: args.bank,
        scope: args.scope.map(Into::into),
        action,
        schema,
        allow_secret,
    };
    let reply: Reply = ask(shell, "schema", &params)?;
    shell.show(&reply)
}
