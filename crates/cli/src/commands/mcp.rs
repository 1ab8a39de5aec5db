//! `mcp`: the memories as an MCP server, for agents that speak that protocol.

use std::net::{Ipv4Addr, SocketAddr};

use memory_core::Result;
use memory_serve::{Access, Desk, HttpPlace, Level, serve_http, serve_stdio};

use crate::commands::serve;
use crate::commands::token::{token, token_if_possible};
use crate::shell::{Shell, Status};

/// The toolsets of MCP, as far as there are any.
const USUAL: [&str; 3] = ["notes", "recall", "compartments"];

/// Run the MCP server
///
/// Serves standard input and output, as agents start it, or with --http the address http://ADDR/mcp for
/// your own processes and for clients that send the token.
///
/// Example: claude mcp add memory -- memory mcp
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Toolsets to serve, or all (default: notes, recall and compartments)
    #[arg(long, value_name = "SET,…", value_delimiter = ',')]
    tools: Vec<String>,
    /// Serve HTTP at this address, such as 127.0.0.1:8123 or 8123
    #[arg(long, value_name = "ADDR", value_parser = address)]
    http: Option<SocketAddr>,
    /// Additional host name that HTTP clients may use, besides localhost
    #[arg(long, value_name = "NAME", requires = "http")]
    host: Vec<String>,
    /// Require the token in ROOT/.mcp-token from every HTTP client, not only from other users and machines
    #[arg(long, requires = "http")]
    token: bool,
    /// Log level: error, warn, info or debug
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
            let access = if args.token || !address.ip().is_loopback() {
                Access::new(Some(token(shell, &log)?)).only_with_token()
            } else {
                Access::new(token_if_possible(shell, &log))
            };
            serve_http(
                desk,
                HttpPlace {
                    address,
                    hosts: args.host,
                    access,
                },
                log,
            )?;
        }
    }
    Ok(Status::DONE)
}

/// Reads an address; a port alone means this machine's own.
fn address(text: &str) -> std::result::Result<SocketAddr, String> {
    let local = |port: &str| Some(SocketAddr::from((Ipv4Addr::LOCALHOST, port.parse().ok()?)));
    let port = text.strip_prefix("localhost:").unwrap_or(text);
    let read = local(port).or_else(|| text.parse().ok());
    read.ok_or_else(|| "not an address like 127.0.0.1:8123".to_owned())
}
