//! `memory-cli`: the bank commands at the root, as specification 000 has them.

use std::process::ExitCode;

fn main() -> ExitCode {
    memory_cli::memory_cli()
}
