//! A client for blocking code.
//!
//! Requests run on a thread of the client, so that it can be used on any thread, also on one that runs an asynchronous
//! runtime.

use std::io::{self, Read};
use std::thread;
use std::time::Duration;

use futures_executor::block_on;
use http_body_util::{BodyExt, Full};
use hyper::body::{Bytes, Incoming};
use hyper::header::{HeaderValue, USER_AGENT};
use hyper::{Request, Response};
use hyper_util::client::legacy;
use hyper_util::rt::TokioExecutor;
use tokio::sync::{mpsc, oneshot};
use tokio::time::timeout;

use crate::connector::{Connector, Proxies, connector};
use crate::root_cause;

/// Parts of a body that wait to be read.
const WAITING_PARTS: usize = 8;

/// The reason why a request has no response.
#[derive(Debug, thiserror::Error)]
pub enum RequestError {
    #[error("the request timed out")]
    Timeout,
    #[error("{0}")]
    Failed(String),
}

type Reply = Result<Response<Body>, RequestError>;

struct Job {
    request: Request<Full<Bytes>>,
    reply: oneshot::Sender<Reply>,
    /// Keeps the thread of the client running until the body has been read.
    client: mpsc::UnboundedSender<Job>,
}

/// A client that keeps connections open between requests.
#[derive(Debug)]
pub struct Client {
    jobs: mpsc::UnboundedSender<Job>,
    agent: HeaderValue,
}

impl Client {
    /// Returns a client whose requests fail if connecting takes longer than `connect`, or if the response does not
    /// begin, or pauses, for longer than `patience`.
    pub fn new(
        agent: &'static str,
        connect: Duration,
        patience: Duration,
    ) -> Result<Self, RequestError> {
        let failed =
            |error: &(dyn std::error::Error + 'static)| RequestError::Failed(root_cause(error));
        let connector =
            connector(true, Proxies::Environment, connect).map_err(|error| failed(&error))?;
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_io()
            .enable_time()
            .build();
        let runtime = runtime.map_err(|error| failed(&error))?;
        let (jobs, waiting) = mpsc::unbounded_channel();
        let run = move || runtime.block_on(serve(connector, waiting, patience));
        thread::Builder::new()
            .name("http client".into())
            .spawn(run)
            .map_err(|error| failed(&error))?;
        Ok(Client {
            jobs,
            agent: HeaderValue::from_static(agent),
        })
    }

    /// Sends a request and returns the response as soon as it begins. Redirects are not followed.
    pub fn send(&self, request: Request<Vec<u8>>) -> Reply {
        let mut request = request.map(|body| Full::new(Bytes::from(body)));
        request.headers_mut().insert(USER_AGENT, self.agent.clone());
        let (reply, received) = oneshot::channel();
        let ended = || RequestError::Failed("the HTTP client has ended".into());
        self.jobs
            .send(Job {
                request,
                reply,
                client: self.jobs.clone(),
            })
            .map_err(|_| ended())?;
        block_on(received).map_err(|_| ended())?
    }
}

/// Runs requests until the client is dropped.
async fn serve(connector: Connector, mut jobs: mpsc::UnboundedReceiver<Job>, patience: Duration) {
    let client = legacy::Client::builder(TokioExecutor::new()).build(connector);
    while let Some(job) = jobs.recv().await {
        tokio::spawn(run(client.clone(), job, patience));
    }
}

async fn run(client: legacy::Client<Connector, Full<Bytes>>, job: Job, patience: Duration) {
    let reply_to = job.reply;
    let (parts, received) = mpsc::channel(WAITING_PARTS);
    let reply = match timeout(patience, client.request(job.request)).await {
        Err(_) => Err(RequestError::Timeout),
        Ok(Err(error)) => Err(RequestError::Failed(root_cause(&error))),
        Ok(Ok(response)) => Ok(response),
    };
    let (reply, body) = match reply {
        Ok(response) => {
            let (head, body) = response.into_parts();
            let read = Body {
                parts: received,
                current: Bytes::new(),
                has_ended: false,
                _client: job.client,
            };
            (Ok(Response::from_parts(head, read)), Some(body))
        }
        Err(error) => (Err(error), None),
    };
    if reply_to.send(reply).is_ok()
        && let Some(body) = body
    {
        forward(body, &parts, patience).await;
    }
}

/// Forwards a body part by part, an empty part at its end; stops when the reader is dropped.
async fn forward(mut body: Incoming, parts: &mpsc::Sender<io::Result<Bytes>>, patience: Duration) {
    loop {
        let part = match timeout(patience, body.frame()).await {
            Err(_) => Err(io::Error::from(io::ErrorKind::TimedOut)),
            Ok(None) => Ok(Bytes::new()),
            Ok(Some(Err(error))) => Err(io::Error::other(root_cause(&error))),
            Ok(Some(Ok(frame))) => match frame.into_data() {
                Ok(data) if !data.is_empty() => Ok(data),
                _ => continue,
            },
        };
        let is_last = part.as_ref().map_or(true, Bytes::is_empty);
        if parts.send(part).await.is_err() || is_last {
            return;
        }
    }
}

/// The body of a response.
#[derive(Debug)]
pub struct Body {
    parts: mpsc::Receiver<io::Result<Bytes>>,
    current: Bytes,
    has_ended: bool,
    _client: mpsc::UnboundedSender<Job>,
}

impl Read for Body {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while self.current.is_empty() && !self.has_ended {
            self.current = block_on(self.parts.recv()).ok_or(io::ErrorKind::UnexpectedEof)??;
            self.has_ended = self.current.is_empty();
        }
        let count = buffer.len().min(self.current.len());
        buffer[..count].copy_from_slice(&self.current.split_to(count));
        Ok(count)
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;
    use std::net::TcpListener;

    use super::*;

    /// Answers one connection with these bytes.
    fn server(answer: &'static [u8]) -> String {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        thread::spawn(move || {
            let (mut stream, _) = listener.accept().unwrap();
            let mut asked = Vec::new();
            let mut byte = [0];
            while !asked.ends_with(b"\r\n\r\n") && stream.read(&mut byte).unwrap_or(0) > 0 {
                asked.push(byte[0]);
            }
            stream.write_all(answer).unwrap();
        });
        format!("http://{address}/")
    }

    fn client() -> Client {
        Client::new("test", Duration::from_secs(30), Duration::from_secs(30)).unwrap()
    }

    fn get(url: &str) -> Reply {
        client().send(Request::get(url).body(Vec::new()).unwrap())
    }

    #[test]
    fn a_response_is_read_whole() {
        let url = server(b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello");
        let mut text = String::new();
        get(&url)
            .unwrap()
            .body_mut()
            .read_to_string(&mut text)
            .unwrap();
        assert_eq!(text, "hello");
    }

    #[test]
    fn a_body_that_ends_early_is_an_error() {
        let url = server(b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhello");
        let mut response = get(&url).unwrap();
        assert!(response.body_mut().read_to_end(&mut Vec::new()).is_err());
    }

    #[test]
    fn a_redirect_is_returned_and_not_followed() {
        let url = server(
            b"HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:9/\r\nContent-Length: 0\r\n\r\n",
        );
        assert_eq!(get(&url).unwrap().status(), 302);
    }

    #[test]
    fn a_server_that_does_not_exist_is_reported_with_its_cause() {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("http://{}/", listener.local_addr().unwrap());
        drop(listener);
        assert!(get(&url).unwrap_err().to_string().contains("refused"));
    }

    #[test]
    fn it_works_within_an_asynchronous_runtime() {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .build()
            .unwrap();
        let url = server(b"HTTP/1.1 204 No Content\r\n\r\n");
        assert_eq!(runtime.block_on(async { get(&url) }).unwrap().status(), 204);
    }
}
