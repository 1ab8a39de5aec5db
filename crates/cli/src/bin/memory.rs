//! `memory`: one memory for every AI agent.

use std::process::ExitCode;

fn main() -> ExitCode {
    memory_cli::memory()
}
