//! `memory-cli mcp`, which starts `memory mcp`.
//!
//! Package runners such as `npx` and `uvx` run the program that has the name of the package, and MCP clients give them
//! the argument `mcp`. `memory-cli` contains only banks, so it replaces itself by the program beside it.

use std::io;
use std::os::unix::process::CommandExt;
use std::process::Command;

use memory_core::{Code, Error};

use crate::environment;

/// Returns whether the arguments are those of `memory-cli mcp`.
pub(crate) fn is_meant() -> bool {
    environment::arguments()
        .get(1)
        .is_some_and(|word| word == "mcp")
}

/// Replaces this process by `memory` with the same arguments; returns only if that failed.
pub(crate) fn run() -> Error {
    let Some(program) = environment::program() else {
        return failure(&io::Error::from(io::ErrorKind::NotFound));
    };
    let mut command = Command::new(program.with_file_name("memory"));
    failure(
        &command
            .args(environment::arguments().into_iter().skip(1))
            .exec(),
    )
}

fn failure(error: &io::Error) -> Error {
    let message = format!("The program memory could not be started beside memory-cli: {error}");
    Error::new(Code::IoError, message)
        .hint("Install both programs in one directory, or start 'memory mcp'")
}
