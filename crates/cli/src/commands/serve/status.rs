//! `serve --status`: whether a daemon runs, and where it answers.

use memory_core::{Result, instant};
use memory_files::Spot;
use memory_serve::{DAEMON_LOCK, SOCKET};
use serde::Serialize;

use crate::shell::{Shell, Speech, Status};

/// The exit status when none runs: not found.
const NONE: Status = Status(3);

#[derive(Debug, Serialize)]
struct Reply {
    running: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pid: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    since: Option<String>,
    socket: String,
}

pub(super) fn run(root: &Spot, shell: &Shell) -> Result<Status> {
    let holder = shell.files().holder(&root.join(DAEMON_LOCK))?;
    let reply = Reply {
        running: holder.is_some(),
        pid: holder.as_ref().and_then(|holder| holder.pid),
        since: holder.as_ref().map(|holder| instant(holder.since)),
        socket: root.join(SOCKET).path().display().to_string(),
    };
    match shell.speech {
        Speech::Json => shell.show(&reply)?,
        Speech::People => shell.print(&told(&reply))?,
    };
    Ok(if reply.running { Status::DONE } else { NONE })
}

fn told(reply: &Reply) -> String {
    let Some(since) = &reply.since else {
        return "No daemon is running\n".to_owned();
    };
    let pid = reply
        .pid
        .map_or("unknown".to_owned(), |pid| pid.to_string());
    format!(
        "A daemon is running\n  process  {pid}\n  since    {since}\n  socket   {}\n",
        reply.socket
    )
}
