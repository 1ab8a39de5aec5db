//! `man`: the manual, from the same definitions as the help.

use std::path::PathBuf;

use clap::{Command, CommandFactory};
use clap_mangen::Man;
use memory_core::{Code, Error, Result};

use crate::shell::{Shell, Status};

/// Print the manual page, or write all pages to a directory
///
/// Example: memory man | man -l -
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Write one page per command to this directory
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
}

pub(crate) fn run<A: CommandFactory>(args: Args, shell: &Shell) -> Result<Status> {
    let mut command = A::command();
    command.build();
    match args.out {
        None => shell.print(&String::from_utf8_lossy(&page(
            &command,
            command.get_name(),
        )?)),
        Some(folder) => {
            // Whoever reads manual pages may be another user.
            let files = shell.files().clone().shared();
            for (name, bytes) in pages(&command, command.get_name())? {
                files.replace_named(&folder.join(format!("{name}.1")), &bytes)?;
            }
            Ok(Status::DONE)
        }
    }
}

/// Returns the page of a command and of all below it.
fn pages(command: &Command, name: &str) -> Result<Vec<(String, Vec<u8>)>> {
    let mut found = vec![(name.to_owned(), page(command, name)?)];
    for below in command
        .get_subcommands()
        .filter(|below| below.get_name() != "help")
    {
        found.extend(pages(below, &format!("{name}-{}", below.get_name()))?);
    }
    Ok(found)
}

fn page(command: &Command, name: &str) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let man = Man::new(command.clone().disable_help_subcommand(true)).title(name.to_uppercase());
    let rendered = man.render(&mut bytes);
    rendered.map_err(|e| Error::new(Code::IoError, "The manual could not be made").because(e))?;
    Ok(bytes)
}
