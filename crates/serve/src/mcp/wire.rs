//! Messages of MCP as lines: what `rmcp` is given to read, and what it has to say.
//!
//! Every message that asks for an answer gets one, also one that can't be read.

use std::io::{Error, ErrorKind};
use std::sync::Arc;

use rmcp::RoleServer;
use rmcp::model::{ClientRequest, ErrorData, JsonRpcError, JsonRpcMessage};
use rmcp::service::{RxJsonRpcMessage, TxJsonRpcMessage};
use rmcp::transport::Transport;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::sync::Mutex;
use tokio::task::JoinSet;

use super::message::{self, Refusal};
use crate::limits::{CHUNK, MESSAGE_BYTES};
use crate::lines::{Line, Lines};

/// One client at the other end of a pair of streams.
pub(super) struct Wire<R, W> {
    read: R,
    chunk: Vec<u8>,
    lines: Lines,
    /// None after the end.
    write: Arc<Mutex<Option<W>>>,
    /// Refusals that are being sent: whoever waits for a message may stop doing so at any time.
    refusals: JoinSet<std::result::Result<(), Error>>,
    /// What is no request is passed over until the first one comes: `rmcp` would take it for the end.
    has_begun: bool,
}

impl<R, W> Wire<R, W> {
    pub(super) fn new(read: R, write: W) -> Self {
        Wire {
            read,
            chunk: vec![0; CHUNK],
            lines: Lines::up_to(MESSAGE_BYTES),
            write: Arc::new(Mutex::new(Some(write))),
            refusals: JoinSet::new(),
            has_begun: false,
        }
    }
}

impl<R, W> Transport<RoleServer> for Wire<R, W>
where
    R: AsyncRead + Send + Unpin,
    W: AsyncWrite + Send + Unpin + 'static,
{
    type Error = Error;

    fn send(
        &mut self,
        message: TxJsonRpcMessage<RoleServer>,
    ) -> impl Future<Output = Result<(), Error>> + Send + 'static {
        let write = self.write.clone();
        async move {
            let mut line = serde_json::to_vec(&message)?;
            line.push(b'\n');
            let mut write = write.lock().await;
            let write = write.as_mut().ok_or(ErrorKind::NotConnected)?;
            write.write_all(&line).await?;
            write.flush().await
        }
    }

    async fn receive(&mut self) -> Option<RxJsonRpcMessage<RoleServer>> {
        loop {
            while let Some(line) = self.lines.next_line() {
                match understand(line) {
                    Ok(Some(message)) => {
                        self.has_begun |= matches!(message, JsonRpcMessage::Request(_));
                        if self.has_begun {
                            return Some(message);
                        }
                    }
                    Ok(None) => {}
                    Err(Refusal { id, error }) => {
                        let refusal =
                            self.send(JsonRpcMessage::Error(JsonRpcError::new(id, error)));
                        self.refusals.spawn(refusal);
                    }
                }
            }
            if self.lines.has_ended() {
                while self.refusals.join_next().await.is_some() {}
                return None;
            }
            // A stream that breaks has ended.
            let count = self.read.read(&mut self.chunk).await.unwrap_or(0);
            self.lines.hear(&self.chunk[..count]);
        }
    }

    async fn close(&mut self) -> Result<(), Error> {
        drop(self.write.lock().await.take());
        Ok(())
    }
}

/// Reads a message; none when it asks for nothing.
fn understand(line: Line) -> Result<Option<RxJsonRpcMessage<RoleServer>>, Refusal> {
    let line = match line {
        Line::Whole(line) if line.trim_ascii().is_empty() => return Ok(None),
        Line::Whole(line) => line,
        Line::TooLong(beginning) => {
            let message =
                format!("A message has more than {MESSAGE_BYTES} bytes, and was not read");
            let id = message::id_in(&beginning);
            return Err(Refusal {
                id,
                error: ErrorData::invalid_request(message, None),
            });
        }
    };
    let read = message::read(&line)?;
    match serde_json::from_slice(&read.text) {
        Ok(mut message) => {
            if let (JsonRpcMessage::Request(request), Some(arguments)) =
                (&mut message, read.arguments)
                && let ClientRequest::CallToolRequest(call) = &mut request.request
            {
                call.extensions.insert(arguments);
            }
            Ok(Some(message))
        }
        Err(problem) => message::refuse_unknown(&read.text, &problem).map_or(Ok(None), Err),
    }
}
