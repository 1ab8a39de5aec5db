//! Whose files are meant, where they are, and how our program is called in them.

use std::path::{Path, PathBuf};

use memory_core::{Code, Error, Result};
use memory_files::Spot;

use crate::clients::{self, Client, Finder, PROGRAM, Places, Program};
use crate::shell::Shell;

/// Returns our program as clients are to start it.
///
/// In a project's files it is called by its name, if that leads here: its path is this machine's
/// alone. For the same reason only the user's own files are told what a variable says.
pub(crate) fn program(shell: &Shell) -> Result<Program> {
    let ground = shell.ground();
    let none = || Error::new(Code::IoError, "The path of this program is not known");
    let path = ground
        .environment
        .own_program(&ground.files)
        .ok_or_else(none)?;
    let finder = Finder::new(&ground.environment, &ground.files);
    let flag = |name: &str, value: Option<PathBuf>| {
        value
            .map(|path| vec![name.to_owned(), path.display().to_string()])
            .unwrap_or_default()
    };
    let given =
        |value: &Option<PathBuf>| value.as_ref().map(|path| ground.environment.absolute(path));
    let is_project = ground.flags.project.is_some();
    let of_user = if is_project {
        None
    } else {
        ground.environment.root.clone()
    };
    let root = flag("--root", given(&ground.flags.root).or(of_user));
    let flags = [root, flag("--config", given(&ground.flags.config))].concat();
    let by_path = Program::new(&path, flags.clone(), finder.clone());
    Ok(if is_project && by_path.is_this(PROGRAM) {
        Program::new(Path::new(PROGRAM), flags, finder)
    } else {
        by_path
    })
}

/// Returns where a client keeps its files: the user's, or those of the project that was named.
pub(crate) fn places(client: Client, shell: &Shell) -> Option<Places> {
    let ground = shell.ground();
    clients::find_places(
        client,
        &ground.environment,
        &ground.files,
        project(shell).as_deref(),
    )
}

/// Refuses a project that is not there: its files would make one of a typing mistake.
pub(super) fn check_project(shell: &Shell) -> Result<()> {
    match project(shell) {
        Some(project) if !matches!(shell.files().stamp(&Spot::anchor(&project)), Ok(Some(_))) => {
            let sentence = format!("Directory {} does not exist", project.display());
            Err(Error::new(Code::NotFound, sentence)
                .hint("--project takes the directory of a project"))
        }
        _ => Ok(()),
    }
}

/// Returns where a client that was named keeps its files; to remove us from it, it may be gone.
pub(super) fn named(client: Client, may_be_gone: bool, shell: &Shell) -> Result<Places> {
    let title = client.title();
    let places = places(client, shell).ok_or_else(|| match shell.ground().flags.project {
        Some(_) => Error::new(
            Code::InvalidArgument,
            format!("{title} has no project configuration"),
        )
        .hint("Omit --project to register it for your user"),
        None => Error::new(
            Code::InvalidArgument,
            "HOME is not set, so clients cannot be found",
        )
        .hint("Set HOME"),
    })?;
    if places.is_found || may_be_gone {
        return Ok(places);
    }
    Err(Error::new(Code::NotFound, format!("{title} was not found"))
        .hint(format!(
            "Install and start it once; its configuration would be {}",
            places.server.display()
        ))
        .with("client", client.name()))
}

fn project(shell: &Shell) -> Option<PathBuf> {
    let ground = shell.ground();
    ground
        .flags
        .project
        .as_ref()
        .map(|project| ground.environment.absolute(project))
}
