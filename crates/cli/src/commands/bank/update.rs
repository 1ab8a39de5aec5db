//! `bank update`: changes one entry by a jq filter.

use memory_banks::tools::update::Params;
use memory_banks::tools::write::Reply;
use memory_core::Result;

use super::{ScopeArg, ask};
use crate::shell::{Shell, Status};

/// Change an entry with a jq filter
///
/// The filter receives the value and must return exactly one: the new value. The TTL is kept.
///
/// Examples:
///   memory-cli update tasks items '.items += ["new task"]'
///   memory-cli update stats visits '.count += 1' --create
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Args {
    /// Bank of the entry
    bank: String,
    /// Key inside the bank
    key: String,
    /// jq filter to apply
    filter: String,
    /// Storage scope (default: where the entry is)
    #[arg(long)]
    scope: Option<ScopeArg>,
    /// Create the entry if it does not exist, starting from null
    #[arg(long)]
    create: bool,
    /// Store the value even if it looks like a credential
    #[arg(long)]
    allow_secret: bool,
}

pub(crate) fn run(args: Args, shell: &Shell) -> Result<Status> {
    let params = Params {
        bank: args.bank,
        key: args.key,
        filter: args.filter,
        scope: args.scope.map(Into::into),
        create: args.create,
        allow_secret: args.allow_secret,
    };
    let reply: Reply = ask(shell, "memory_update", &params)?;
    shell.show(&reply)
}
