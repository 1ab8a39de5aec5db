//! `mcp`: the memories as an MCP server, for agents that speak that protocol.

use std::net::{Ipv4Addr, SocketAddr};

use memory_core::{Ids, Result};
use memory_serve::{Desk, HttpPlace, Level, Log, serve_http, serve_stdio};

use crate::commands::serve;
use crate::shell::{Shell, Status};

/// The file of the token, in the root.
const TOKEN: &str = ".mcp-token";
const TOKEN_BYTES: u64 = 4 << 10;
/// The toolsets of MCP, as far as there are any.
const USUAL: [&str; 3] = ["notes", "recall", "compartments"];

/// Serve the memories to an agent by the Model Context Protocol
///
/// Over standard input and output, as agents start it; with --http at http://ADDR/mcp.
///
/// Example: claude mcp add memory -- memory mcp
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Toolsets to offer, or all (default: notes, recall and compartments)
    #[arg(long, value_name = "SET,…", value_delimiter = ',')]
    tools: Vec<String>,
    /// Listen here for HTTP, such as 127.0.0.1:8123 or 8123
    #[arg(long, value_name = "ADDR", value_parser = address)]
    http: Option<SocketAddr>,
    /// A name by which HTTP clients may call this machine, beside localhost
    #[arg(long, value_name = "NAME", requires = "http")]
    host: Vec<String>,
    /// Ask HTTP clients for the token in .mcp-token of the root; beyond this machine it is always asked for
    #[arg(long, requires = "http")]
    token: bool,
    /// What is logged to stderr: error, warn, info or debug
    #[arg(long, value_name = "LEVEL", default_value = "info")]
    log: Level,
}

pub(crate) fn run(args: Args, shell: &Shell) -> Result<Status> {
    shell.stay();
    let desk = Desk::open(shell.registry().clone(), &args.tools, &USUAL)?;
    match args.http {
        None => serve_stdio(desk)?,
        Some(address) => {
            let log = serve::log(args.log, shell);
            let is_asked_for = args.token || !address.ip().is_loopback();
            let token = if is_asked_for { Some(token(shell, &log)?) } else { None };
            serve_http(desk, HttpPlace { address, hosts: args.host, token }, log)?;
        }
    }
    Ok(Status::DONE)
}

/// Returns the token of HTTP clients, which is made when it is first needed, and says where it is.
fn token(shell: &Shell, log: &Log) -> Result<String> {
    let root = serve::root(shell)?;
    let at = root.join(TOKEN);
    let read = || shell.files().read(&at, TOKEN_BYTES).map(|seen| seen.map(|seen| seen.bytes));
    let kept = read()?.and_then(|bytes| String::from_utf8(bytes).ok());
    let token = match kept.map(|text| text.trim().to_owned()).filter(|text| !text.is_empty()) {
        Some(token) => token,
        None => {
            // Chosen by chance whatever a seed says: nobody may guess it.
            let token = Ids::random().uuid().replace('-', "");
            shell.files().ensure_folder(&root)?;
            shell.files().replace(&at, format!("{token}\n").as_bytes())?;
            token
        }
    };
    log.info(&format!("Clients must send 'Authorization: Bearer TOKEN'; it is in {}", at.path().display()));
    Ok(token)
}

/// Reads an address; a port alone means this machine's own.
fn address(text: &str) -> std::result::Result<SocketAddr, String> {
    let local = |port: &str| Some(SocketAddr::from((Ipv4Addr::LOCALHOST, port.parse().ok()?)));
    let port = text.strip_prefix("localhost:").unwrap_or(text);
    let read = local(port).or_else(|| text.parse().ok());
    read.ok_or_else(|| "not an address like 127.0.0.1:8123".to_owned())
}
