//! Long output in the user's pager.

use std::io::{IsTerminal, Write};
use std::process::{Command, Stdio};

use crate::environment;

/// Shows a text in the pager if it has more lines than the terminal; returns whether it did.
///
/// The pager is `PAGER`, or `less`. An empty `PAGER`, or `cat`, turns it off.
pub(crate) fn show(text: &str) -> bool {
    if !std::io::stdout().is_terminal() || !std::io::stdin().is_terminal() {
        return false;
    }
    let height =
        terminal_size::terminal_size().map_or(usize::MAX, |(_, height)| usize::from(height.0));
    if text.lines().count() < height {
        return false;
    }
    let Some(pager) = environment::pager().filter(|pager| is_pager(pager)) else {
        return false;
    };
    let text = match anstream::AutoStream::choice(&std::io::stdout()) {
        anstream::ColorChoice::Never => anstream::adapter::strip_str(text).to_string(),
        _ => text.to_owned(),
    };
    run(&pager, &text).unwrap_or(false)
}

fn is_pager(command: &str) -> bool {
    !matches!(command.trim(), "" | "cat")
}

/// Runs the pager as a shell does, since `PAGER` may contain arguments; returns whether it could be run.
fn run(pager: &str, text: &str) -> std::io::Result<bool> {
    let mut command = Command::new("sh");
    command.args(["-c", pager]).stdin(Stdio::piped());
    if !environment::has_less_options() {
        // Leave what fits on the screen, keep colours, do not clear the screen at the end.
        command.env("LESS", "FRX");
    }
    let mut child = command.spawn()?;
    if let Some(mut input) = child.stdin.take() {
        // The user may leave the pager before it has read everything.
        let _ = input.write_all(text.as_bytes());
    }
    let status = child.wait()?;
    // 126 and 127: the shell could not run the pager.
    Ok(!matches!(status.code(), Some(126 | 127)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_empty_pager_and_cat_turn_paging_off() {
        assert!(!is_pager("") && !is_pager(" ") && !is_pager("cat"));
        assert!(is_pager("less") && is_pager("bat -p"));
    }

    #[test]
    fn a_pager_that_does_not_exist_is_reported() {
        assert!(!run("/no/such/pager", "text").unwrap());
        assert!(run("cat > /dev/null", "text").unwrap());
    }
}
