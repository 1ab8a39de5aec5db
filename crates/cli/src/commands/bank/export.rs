//! `bank export`: writes banks to standard output or a file.

use std::path::PathBuf;

use memory_banks::tools::export::{Params, Reply};
use memory_core::Result;

use super::{ScopeArg, ask, warn_of};
use crate::shell::{Shell, Status};

/// Export one bank or all banks as JSON
///
/// Examples:
///   memory-cli export session > session-backup.json
///   memory-cli export --all > all-memories.json
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Args {
    /// Bank to export
    #[arg(required_unless_present = "all")]
    bank: Option<String>,
    /// Export all banks of all scopes
    #[arg(long, conflicts_with = "bank")]
    all: bool,
    /// Storage scope (default: auto-detect; with --all, both)
    #[arg(long)]
    scope: Option<ScopeArg>,
    /// Write to this file instead of standard output
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

pub(crate) fn run(args: Args, shell: &Shell) -> Result<Status> {
    let params = Params {
        bank: args.bank,
        scope: args.scope.map(Into::into),
    };
    let reply: Reply = ask(shell, "export", &params)?;
    let text = format!("{}\n", reply.document.pretty());
    let status = match args.output {
        None => shell.print(&text)?,
        Some(path) => {
            shell.files().replace_named(&path, text.as_bytes())?;
            Status::DONE
        }
    };
    warn_of(shell, &reply.flaws);
    Ok(if reply.flaws.is_empty() {
        status
    } else {
        Status(1)
    })
}
