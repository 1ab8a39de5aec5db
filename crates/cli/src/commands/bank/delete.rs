//! `bank delete`: takes one entry away, or a whole bank.

use memory_banks::tools::delete::{Params, Reply};
use memory_banks::tools::list;
use memory_banks::{Scope, ScopeChoice};
use memory_core::{Code, Error, Json, Result, printable};

use super::{ScopeArg, ask};
use crate::shell::{Shell, Status};

/// Delete an entry, or an entire bank with --bank
///
/// 'memory undo' restores what was deleted.
///
/// Examples:
///   memory-cli delete session context
///   memory-cli delete session --bank --confirm
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Args {
    /// Bank of the entry
    bank: String,
    /// Key inside the bank
    #[arg(conflicts_with = "whole")]
    key: Option<String>,
    /// Storage scope (default: where it is)
    #[arg(long)]
    scope: Option<ScopeArg>,
    /// Delete the entire bank, not just a key
    #[arg(long = "bank", id = "whole")]
    whole: bool,
    /// Do not ask for confirmation
    #[arg(long)]
    confirm: bool,
}

pub(crate) fn run(args: Args, shell: &Shell) -> Result<Status> {
    if args.key.is_none() && !args.whole {
        return Err(Error::new(Code::InvalidArgument, "No key was given")
            .hint("Pass a key, or --bank to delete the entire bank"));
    }
    if args.whole && !args.confirm {
        require_bank(&args, shell)?;
        let question = format!(
            "Delete bank '{}' with all its entries?",
            printable(&args.bank)
        );
        match shell.confirm(&question) {
            Some(true) => {}
            Some(false) => return Ok(Status(1)),
            None => return Err(unconfirmed(&args.bank)),
        }
    }
    let params = Params {
        bank: args.bank,
        key: args.key,
        scope: args.scope.map(Into::into),
    };
    let reply: Reply = ask(shell, "memory_delete", &params)?;
    shell.show(&reply)
}

/// Nobody should be asked about a bank that is not there.
fn require_bank(args: &Args, shell: &Shell) -> Result<()> {
    let scope = args.scope.map(|scope| match Scope::from(scope) {
        Scope::User => ScopeChoice::User,
        Scope::Project => ScopeChoice::Project,
    });
    let params = list::Params {
        bank: Some(args.bank.clone()),
        scope,
        verbose: false,
    };
    match ask::<Json>(shell, "memory_list", &params) {
        Err(error) if matches!(error.code, Code::BankNotFound | Code::InvalidBankName) => {
            Err(error)
        }
        // A damaged bank may be deleted too.
        _ => Ok(()),
    }
}

fn unconfirmed(bank: &str) -> Error {
    Error::new(
        Code::ConfirmationRequired,
        format!("Deleting bank '{}' requires confirmation", printable(bank)),
    )
    .hint("Add --confirm")
    .with("bank", bank)
}
