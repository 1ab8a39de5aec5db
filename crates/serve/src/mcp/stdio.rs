//! MCP over standard input and output: ends with its input, and quietly.

use std::io;
use std::os::fd::AsFd;

use memory_core::{Code, Error, Result};
use rmcp::model::JsonRpcMessage;
use rmcp::service::{RxJsonRpcMessage, ServerInitializeError, TxJsonRpcMessage};
use rmcp::transport::Transport;
use rmcp::transport::async_rw::AsyncRwTransport;
use rmcp::{RoleServer, ServiceExt};
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite};
use tokio::net::unix::pipe;

use super::Server;
use crate::desk::Desk;
use crate::limits::MESSAGE_BYTES;
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
    let pipe = io::stdin().as_fd().try_clone_to_owned().and_then(pipe::Receiver::from_owned_fd);
    pipe.map_or_else(|_| Box::new(tokio::io::stdin()) as _, |pipe| Box::new(pipe) as _)
}

/// Standard output, likewise.
fn output() -> Box<dyn AsyncWrite + Send + Unpin> {
    let pipe = io::stdout().as_fd().try_clone_to_owned().and_then(pipe::Sender::from_owned_fd);
    pipe.map_or_else(|_| Box::new(tokio::io::stdout()) as _, |pipe| Box::new(pipe) as _)
}

pub(super) async fn converse<R, W>(desk: Desk, read: R, write: W) -> Result<()>
where
    R: AsyncRead + Send + Unpin + 'static,
    W: AsyncWrite + Send + Unpin + 'static,
{
    // The last line may have no end: it is a message all the same.
    let lines = read.chain(&b"\n"[..]);
    let transport = AsyncRwTransport::new_server(lines, write).with_max_line_length(MESSAGE_BYTES);
    let running = match Server::of_one(desk).serve(Patient { inner: transport, has_begun: false }).await {
        Ok(running) => running,
        // The client has left before it asked for anything.
        Err(ServerInitializeError::ConnectionClosed(_) | ServerInitializeError::TransportError { .. }) => {
            return Ok(());
        }
        Err(error) => {
            return Err(
                Error::new(Code::InvalidArgument, "The client did not begin as MCP says").because(error)
            );
        }
    };
    running
        .waiting()
        .await
        .map(|_| ())
        .map_err(|error| Error::new(Code::IoError, "The conversation broke off").because(error))
}

/// Passes over what is no request until the first request comes: `rmcp` would take it for the end.
struct Patient<T> {
    inner: T,
    has_begun: bool,
}

impl<T: Transport<RoleServer>> Transport<RoleServer> for Patient<T> {
    type Error = T::Error;

    fn send(
        &mut self,
        message: TxJsonRpcMessage<RoleServer>,
    ) -> impl Future<Output = std::result::Result<(), T::Error>> + Send + 'static {
        self.inner.send(message)
    }

    async fn receive(&mut self) -> Option<RxJsonRpcMessage<RoleServer>> {
        loop {
            let message = self.inner.receive().await?;
            self.has_begun |= matches!(message, JsonRpcMessage::Request(_));
            if self.has_begun {
                return Some(message);
            }
        }
    }

    async fn close(&mut self) -> std::result::Result<(), T::Error> {
        self.inner.close().await
    }
}
