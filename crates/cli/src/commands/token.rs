//! The token that HTTP clients send, in a file that only the user can read.

use memory_core::{Ids, Result};
use memory_files::Spot;
use memory_serve::Log;

use crate::commands::serve;
use crate::shell::Shell;

/// The file of the token, in the root.
const TOKEN: &str = ".mcp-token";
const TOKEN_BYTES: u64 = 4 << 10;

/// Returns the token of HTTP clients, and logs where it is; a first one is made.
pub(super) fn token(shell: &Shell, log: &Log) -> Result<String> {
    let root = serve::root(shell)?;
    let at = root.join(TOKEN);
    let token = match kept(shell, &at, log)? {
        Some(token) => token,
        None => make(shell, &root, &at)?,
    };
    log.info(&format!(
        "The token for other users and machines is in {}",
        at.path().display()
    ));
    Ok(token)
}

/// Returns the token, or `None` with a warning if there can be none; then only the user's own processes
/// are answered.
pub(super) fn token_if_possible(shell: &Shell, log: &Log) -> Option<String> {
    let unkept = |error| {
        log.warn(&format!(
            "The token for other users could not be created: {error}"
        ))
    };
    token(shell, log).map_err(unkept).ok()
}

/// Returns the token that was made before, unless somebody else may have read it.
fn kept(shell: &Shell, at: &Spot, log: &Log) -> Result<Option<String>> {
    if shell.files().is_open_to_others(at) {
        let path = at.path();
        log.warn(&format!(
            "{} was readable by other users: clients need the new token in it",
            path.display()
        ));
        shell.files().remove(at)?;
        return Ok(None);
    }
    let seen = shell.files().read(at, TOKEN_BYTES)?;
    let text = seen
        .and_then(|seen| String::from_utf8(seen.bytes).ok())
        .unwrap_or_default();
    let text = text.trim();
    Ok((!text.is_empty()).then(|| text.to_owned()))
}

fn make(shell: &Shell, root: &Spot, at: &Spot) -> Result<String> {
    // Random whatever MEMORY_SEED says: nobody may guess it.
    let token = Ids::random().uuid().replace('-', "");
    shell.files().ensure_folder(root)?;
    shell.files().replace(at, format!("{token}\n").as_bytes())?;
    Ok(token)
}
