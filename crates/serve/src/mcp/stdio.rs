//! MCP over standard input and output: ends with its input, and quietly.

use std::io;
use std::os::fd::AsFd;

use memory_core::{Code, Error, Result};
use rmcp::ServiceExt;
use rmcp::service::ServerInitializeError;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::unix::pipe;

use super::Server;
use super::wire::Wire;
use crate::desk::Desk;
use crate::runtime;

/// Serves one client over standard input and output, until the input ends.
pub fn serve_stdio(desk: Desk) -> Result<()> {
    runtime::run(async {
        let conversation = converse(desk.clone(), input(), output());
        desk.pauses().tended(conversation).await
    })
}

/// Standard input. A pipe, which clients mostly give, is read without a thread of its own between it and us.
fn input() -> Box<dyn AsyncRead + Send + Unpin> {
    let pipe = io::stdin()
        .as_fd()
        .try_clone_to_owned()
        .and_then(pipe::Receiver::from_owned_fd);
    pipe.map_or_else(
        |_| Box::new(tokio::io::stdin()) as _,
        |pipe| Box::new(pipe) as _,
    )
}

/// Standard output, likewise.
fn output() -> Box<dyn AsyncWrite + Send + Unpin> {
    let pipe = io::stdout()
        .as_fd()
        .try_clone_to_owned()
        .and_then(pipe::Sender::from_owned_fd);
    pipe.map_or_else(
        |_| Box::new(tokio::io::stdout()) as _,
        |pipe| Box::new(pipe) as _,
    )
}

pub(super) async fn converse<R, W>(desk: Desk, read: R, write: W) -> Result<()>
where
    R: AsyncRead + Send + Unpin + 'static,
    W: AsyncWrite + Send + Unpin + 'static,
{
    let running = match Server::of_one(desk).serve(Wire::new(read, write)).await {
        Ok(running) => running,
        // The client has left before it asked for anything.
        Err(
            ServerInitializeError::ConnectionClosed(_)
            | ServerInitializeError::TransportError { .. },
        ) => {
            return Ok(());
        }
        Err(error) => {
            return Err(Error::new(
                Code::InvalidArgument,
                "The client did not send a valid MCP handshake",
            )
            .because(error));
        }
    };
    running.waiting().await.map(|_| ()).map_err(|error| {
        Error::new(Code::IoError, "The connection ended unexpectedly").because(error)
    })
}
