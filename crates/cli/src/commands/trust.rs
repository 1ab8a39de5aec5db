//! `trust`: accepts a directory that belongs to another user.

use std::path::PathBuf;

use memory_core::{Code, Error, Result};
use serde_json::json;

use crate::shell::{Shell, Speech, Status};
use crate::trust::TrustedDirectories;

/// Trust a directory that belongs to another user
///
/// Project banks (.slop-mcp/), conversations (memory_db/) and compartments (memory.json) in a directory of
/// another user are not used until you trust that directory.
///
/// Example: memory trust /srv/shared/project
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Directory to trust
    #[arg(value_name = "DIR", required_unless_present = "list")]
    directory: Option<PathBuf>,
    /// Remove the directory from the trusted ones
    #[arg(long, conflicts_with = "list")]
    remove: bool,
    /// List the trusted directories
    #[arg(long)]
    list: bool,
}

pub(crate) fn run(args: &Args, shell: &Shell) -> Result<Status> {
    let (ground, files) = (shell.ground(), shell.files());
    let trusted = TrustedDirectories::of(&ground.environment, &ground.flags);
    let mut directories = trusted.list(files)?;
    let Some(directory) = &args.directory else {
        return list(&directories, shell);
    };
    let given = ground.environment.absolute(directory);
    let resolved = files.real_path(&given).unwrap_or_else(|| given.clone());
    let position = directories.iter().position(|known| *known == resolved);
    let sentence = match (args.remove, position) {
        (true, Some(n)) => {
            directories.remove(n);
            format!("{} is no longer trusted", resolved.display())
        }
        (true, None) => {
            return Err(Error::new(
                Code::NotFound,
                format!("{} is not trusted", resolved.display()),
            )
            .hint("'memory trust --list' shows the directories that are"));
        }
        (false, Some(_)) => format!("{} is already trusted", resolved.display()),
        (false, None) if !files.owner(&resolved)?.is_some_and(|found| found.is_folder) => {
            return Err(Error::new(
                Code::NotFound,
                format!("Directory {} does not exist", given.display()),
            ));
        }
        (false, None)
            if resolved
                .to_str()
                .is_none_or(|name| name.contains(char::is_control)) =>
        {
            return Err(Error::new(
                Code::InvalidArgument,
                "The name of the directory cannot be stored",
            )
            .hint("Rename it: it has control characters, or is not UTF-8"));
        }
        (false, None) => {
            directories.push(resolved.clone());
            format!("{} is trusted", resolved.display())
        }
    };
    trusted.write(files, &directories)?;
    match shell.speech {
        Speech::Json => shell.show(&json!({ "directory": resolved, "trusted": !args.remove })),
        Speech::People => shell.print(&format!("{sentence}\n")),
    }
}

fn list(directories: &[PathBuf], shell: &Shell) -> Result<Status> {
    match shell.speech {
        Speech::Json => shell.show(&json!({ "directories": directories })),
        Speech::People if directories.is_empty() => {
            shell.print("No directory of another user is trusted\n")
        }
        Speech::People => {
            let lines = directories
                .iter()
                .map(|directory| format!("{}\n", directory.display()));
            shell.print(&lines.collect::<String>())
        }
    }
}
