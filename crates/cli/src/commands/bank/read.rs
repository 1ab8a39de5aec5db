//! `bank read`: shows one entry, or every live entry of a bank.

use clap::ValueEnum;
use memory_banks::tools::read::{One, Params, WholeBank};
use memory_core::{Json, Result};
use serde_json::value::RawValue;

use super::{ScopeArg, ask, json_argument, query};
use crate::shell::{Shell, Status};

/// Read an entry, or a whole bank
///
/// Without --scope, the project's bank is read first, then the user's.
///
/// Examples:
///   memory-cli read session
///   memory-cli read session context --format value
///   memory-cli read session missing --default '{"empty": true}'
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Args {
    /// Bank to read from
    bank: String,
    /// Key inside the bank (default: all keys)
    key: Option<String>,
    /// Storage scope (default: auto-detect)
    #[arg(long)]
    scope: Option<ScopeArg>,
    /// JSON value to return if the key or the bank does not exist
    #[arg(long, value_name = "JSON")]
    default: Option<String>,
    /// The entry with its metadata, or only its value
    #[arg(long, default_value = "json")]
    format: Format,
    /// Print only the value, strings without quotes
    #[arg(short, long)]
    raw: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    Json,
    Value,
}

pub(crate) fn run(args: Args, shell: &Shell) -> Result<Status> {
    let default = args
        .default
        .as_deref()
        .map(|text| json_argument("--default", text))
        .transpose()?;
    let one_entry = args.key.is_some() || default.is_some();
    let params = Params {
        bank: args.bank,
        key: args.key,
        scope: args.scope.map(Into::into),
        default,
    };
    let reply: Json = ask(shell, "memory_read", &params)?;
    let value_only = args.raw || args.format == Format::Value;
    if one_entry {
        match reply.read::<One>() {
            Ok(one) if value_only => show_value(&one.value, args.raw, shell),
            Ok(one) => shell.show(&One { scope: None, ..one }),
            Err(_) => show_bank(&reply, value_only, shell),
        }
    } else {
        show_bank(&reply, value_only, shell)
    }
}

fn show_value(value: &Json, raw: bool, shell: &Shell) -> Result<Status> {
    let text = if raw {
        query::raw(value)
    } else {
        value.pretty()
    };
    shell.print(&format!("{text}\n"))
}

fn show_bank(reply: &Json, value_only: bool, shell: &Shell) -> Result<Status> {
    match reply.read::<WholeBank>() {
        Ok(bank) if value_only => {
            let values: Vec<(&String, &Json)> = bank
                .entries
                .iter()
                .map(|(key, one)| (key, &one.value))
                .collect();
            shell.show(&Members(values))
        }
        _ => shell.show(reply),
    }
}

/// Keys and values as one object, in their order.
struct Members<'a>(Vec<(&'a String, &'a Json)>);

impl serde::Serialize for Members<'_> {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(key, value)| {
            let raw: Option<&RawValue> = serde_json::from_str(value.as_str()).ok();
            (key, raw)
        }))
    }
}
