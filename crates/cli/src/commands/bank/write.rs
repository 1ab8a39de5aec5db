//! `bank write`: keeps one value under a key.

use memory_banks::limits;
use memory_banks::tools::write::{Condition, Params, Reply};
use memory_core::{Code, Error, Result};

use super::{ScopeArg, ask, json_argument};
use crate::shell::{Shell, Status};

/// A value may be laid out with more white space than we keep; this much input is read at most.
const INPUT_BYTES: u64 = 8 << 20;

/// Store a JSON value under a key
///
/// Without --scope, the value is stored in the project if a .slop-mcp/ directory is found here or in a
/// parent directory, otherwise in the user scope.
///
/// Examples:
///   memory-cli write session context '{"topic": "testing"}'
///   echo '{"data": "value"}' | memory-cli write session data --stdin
///   memory-cli write cache token '{"jwt": "..."}' --ttl 3600
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Args {
    /// Bank to write to
    bank: String,
    /// Key inside the bank
    key: String,
    /// The value, as JSON
    #[arg(required_unless_present = "stdin", allow_negative_numbers = true)]
    value: Option<String>,
    /// Storage scope (default: the project, if there is one)
    #[arg(long)]
    scope: Option<ScopeArg>,
    /// Read the value from standard input
    #[arg(long, conflicts_with = "value")]
    stdin: bool,
    /// Expire the value after this many seconds
    #[arg(long, value_name = "SECONDS")]
    ttl: Option<u64>,
    /// Fail if the key exists
    #[arg(long, conflicts_with = "update_only")]
    create_only: bool,
    /// Fail if the key does not exist
    #[arg(long)]
    update_only: bool,
    /// Store the value even if it looks like a credential
    #[arg(long)]
    allow_secret: bool,
}

pub(crate) fn run(args: Args, shell: &Shell) -> Result<Status> {
    let text = match args.value {
        Some(text) => text,
        None => shell.read_input(INPUT_BYTES).map_err(too_large)?,
    };
    let params = Params {
        bank: args.bank,
        key: args.key,
        value: json_argument("The value", &text).map_err(unquoted)?,
        scope: args.scope.map(Into::into),
        ttl: args.ttl,
        condition: match (args.create_only, args.update_only) {
            (true, _) => Condition::CreateOnly,
            (_, true) => Condition::UpdateOnly,
            _ => Condition::None,
        },
        allow_secret: args.allow_secret,
    };
    let reply: Reply = ask(shell, "memory_write", &params)?;
    shell.show(&reply)
}

fn too_large(error: Error) -> Error {
    match error.code {
        Code::LimitExceeded => {
            let message = format!(
                "{}; the largest value has {}",
                error.message,
                limits::VALUE_BYTES
            );
            Error::new(Code::ValueTooLarge, message).with("limit", limits::VALUE_BYTES)
        }
        _ => error,
    }
}

/// The mistake that nearly everyone makes once.
fn unquoted(error: Error) -> Error {
    error.hint("A string needs its own quotes: '\"like this\"'")
}
