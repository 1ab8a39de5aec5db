//! Bringing the index up to date in a process of its own, for the prompts after this one.
//!
//! The hook itself never writes and can't wait. However often this is started, one of them reads
//! (`memory index sync --catch-up`), and the others end at once.

use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Command, Stdio};

use crate::environment;
use crate::house::GlobalArgs;

/// Starts it, if that can be done; it outlives this process.
pub(super) fn catch_up(flags: &GlobalArgs) {
    if let Some(program) = environment::program() {
        let _ = command(&program, flags).spawn();
    }
}

fn command(program: &Path, flags: &GlobalArgs) -> Command {
    let mut command = Command::new(program);
    let places = [
        ("--root", &flags.root),
        ("--project", &flags.project),
        ("--config", &flags.config),
    ];
    for (flag, place) in places
        .iter()
        .filter_map(|(flag, place)| Some((flag, place.as_ref()?)))
    {
        command.arg(flag).arg(place);
    }
    command.args(["index", "sync", "--catch-up"]);
    // A client waits until everyone has closed its pipes, and may end what it has started as a group.
    command
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .process_group(0);
    command
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_looks_where_the_hook_looked() {
        let flags = GlobalArgs {
            root: Some("/r".into()),
            config: Some("c".into()),
            ..GlobalArgs::default()
        };
        let command = command(Path::new("/bin/memory"), &flags);
        let arguments: Vec<_> = command
            .get_args()
            .filter_map(|argument| argument.to_str())
            .collect();
        assert_eq!(
            arguments,
            [
                "--root",
                "/r",
                "--config",
                "c",
                "index",
                "sync",
                "--catch-up"
            ]
        );
    }
}
