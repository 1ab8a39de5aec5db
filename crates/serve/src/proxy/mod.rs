//! The proxy: an OpenAI-compatible server that remembers, in front of one that does not.
//!
//! ```text
//! passage.rs    which methods and paths pass on
//! place.rs      names, web pages                   request.rs   what of a request is for the memory
//! chat.rs       a chat, from request to answer     stream.rs    an answer that comes piece by piece
//! upstream.rs   the server behind                  gather.rs    what the assistant says (sse.rs: in events)
//! memories.rs   the tools that remember            afterwork.rs what follows a reply
//! question.rs   what we ask the model ourselves
//! ```
//!
//! Framing only: what is relevant, what is kept and what follows from it is decided by the tools of
//! the set `conversations`, which are called by name.

mod afterwork;
mod body;
mod bounds;
mod chat;
mod content;
mod fields;
mod gather;
mod headers;
mod memories;
mod passage;
mod place;
mod question;
mod refusal;
mod request;
mod sse;
mod stream;
#[cfg(test)]
mod tests;
mod upstream;

use std::convert::Infallible;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use hyper::body::{Body, Incoming};
use hyper::header::{CONTENT_TYPE, HeaderValue};
use hyper::service::service_fn;
use hyper::{Method, Request, Response};
use memory_core::{Registry, Result};
use serde_json::json;
use tokio::net::TcpListener;
use tokio::sync::Semaphore;
use tokio::time::{sleep, timeout};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use self::afterwork::Afterwork;
use self::body::{Answer, full, passing};
use self::bounds::Bounds;
use self::memories::Memories;
use self::place::Names;
use self::refusal::Refusal;
pub use self::upstream::Upstream;
use crate::access::{Access, Peer};
use crate::connections::{Connections, address_of, listen};
use crate::limits;
use crate::log::Log;
use crate::runtime;
use crate::slots::Slot;

/// What takes no longer than this at the end is not worth a word.
const A_MOMENT: Duration = Duration::from_millis(100);

/// What a proxy is given to work with.
#[derive(Clone)]
pub struct Proxy {
    pub registry: Arc<Registry>,
    pub upstream: Upstream,
    /// Names beside `localhost` and the address by which clients may call the proxy.
    pub hosts: Vec<String>,
    pub access: Access,
    /// Where the memories are, and how many are recalled for a request: told to whoever asks.
    pub memory_store: String,
    pub default_top_k: usize,
    pub log: Log,
}

/// Runs a proxy until SIGINT, SIGTERM or SIGHUP, and what follows its last replies.
pub fn run_proxy(proxy: Proxy, address: SocketAddr) -> Result<()> {
    runtime::run(async {
        let stop = runtime::signalled(&proxy.log)?;
        let listener = listen(address).await?;
        proxy.serve(listener, Bounds::default(), stop).await
    })
}

impl Proxy {
    async fn serve(
        self,
        listener: TcpListener,
        bounds: Bounds,
        stop: impl Future<Output = ()>,
    ) -> Result<()> {
        let address = address_of(&listener)?;
        let (log, stopping) = (self.log.clone(), CancellationToken::new());
        let front = Arc::new(self.front(address, bounds, &stopping));
        front.afterwork.take_up();
        let (header_time, access) = (limits::CLIENT_KEEPALIVE, front.access.clone());
        let most = bounds.connections;
        let connections = Connections {
            listener,
            header_time,
            most,
            access,
            log: log.clone(),
        };
        let shared = front.clone();
        let service = service_fn(move |request| {
            let front = shared.clone();
            async move { Ok::<_, Infallible>(front.answer(request).await) }
        });
        let chats = async {
            connections.serve(service, &stopping, stop).await;
            front.end(&log).await;
        };
        front.memories.pauses().tended(chats).await;
        Ok(())
    }

    fn front(self, address: SocketAddr, bounds: Bounds, stopping: &CancellationToken) -> Front {
        let Proxy {
            registry,
            upstream,
            hosts,
            access,
            memory_store,
            default_top_k,
            log,
        } = self;
        let is_local = address.ip().to_canonical().is_loopback();
        log.info(&format!(
            "Proxy at http://{address}/v1 for {}; memories in {memory_store}",
            upstream.base()
        ));
        let memories = Memories::new(registry, log.clone());
        let tasks = TaskTracker::new();
        let health = json!({
            "status": "ok",
            "memory_store": memory_store,
            "openai_base_url": upstream.base(),
            "default_top_k": default_top_k,
        });
        Front {
            names: Names::of(address, &hosts),
            access: if is_local {
                access
            } else {
                access.only_with_token()
            },
            health: health.to_string(),
            afterwork: Afterwork::new(
                memories.clone(),
                log.clone(),
                tasks.clone(),
                stopping.clone(),
            ),
            cut: cut_after(bounds.stream_farewell, stopping),
            chats: Arc::new(Semaphore::new(bounds.chats)),
            shares: Arc::new(Semaphore::new(bounds.bodies_bytes)),
            bounds,
            memories,
            upstream,
            tasks,
            log,
        }
    }
}

/// Returns a token that is told when streams have had their time to end.
fn cut_after(time: Duration, stopping: &CancellationToken) -> CancellationToken {
    let (stopping, cut) = (stopping.clone(), CancellationToken::new());
    let told = cut.clone();
    tokio::spawn(async move {
        stopping.cancelled().await;
        sleep(time).await;
        told.cancel();
    });
    cut
}

/// What every request is answered with.
struct Front {
    names: Names,
    access: Access,
    health: String,
    memories: Memories,
    afterwork: Arc<Afterwork>,
    upstream: Upstream,
    /// What outlives its request: streams, and what follows replies.
    tasks: TaskTracker,
    /// Told when no stream may go on.
    cut: CancellationToken,
    bounds: Bounds,
    /// A permit for each chat that may be answered.
    chats: Arc<Semaphore>,
    /// A permit for each byte of requests that may be held.
    shares: Arc<Semaphore>,
    log: Log,
}

impl Front {
    async fn answer(self: Arc<Self>, mut request: Request<Incoming>) -> Answer {
        let what = format!("{} {}", request.method(), request.uri().path());
        let peer = request.extensions().get().copied().unwrap_or(Peer::UNKNOWN);
        let answered = match self.names.check(request.headers(), peer.local) {
            Ok(()) => {
                let is_admitted = self.access.admits(peer, request.headers_mut());
                self.clone().route(request, is_admitted).await
            }
            Err(refusal) => Err(refusal),
        };
        answered.unwrap_or_else(|refusal| {
            let line = format!("{what}: {} {}", refusal.status.as_u16(), refusal.message());
            if refusal.status.is_server_error() {
                self.log.warn(&line)
            } else {
                self.log.info(&line)
            }
            refusal.into()
        })
    }

    async fn route(
        self: Arc<Self>,
        request: Request<Incoming>,
        is_admitted: bool,
    ) -> Result<Answer, Refusal> {
        passage::check(request.method(), request.uri())?;
        match (request.method(), request.uri().path()) {
            (&Method::GET | &Method::HEAD, "/health") => Ok(self.healthy(is_admitted)),
            _ if !is_admitted => Err(Refusal::unknown_client()),
            (&Method::POST, "/v1/chat/completions" | "/chat/completions") => {
                chat::chat(self, request).await
            }
            _ => self.pass(request).await,
        }
    }

    /// Tells every client that the proxy works, and only those who may ask where its memories are.
    fn healthy(&self, is_admitted: bool) -> Answer {
        let health = if is_admitted {
            self.health.clone()
        } else {
            json!({ "status": "ok" }).to_string()
        };
        let mut answer = Response::new(full(health));
        answer
            .headers_mut()
            .insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
        answer
    }

    /// Lets a request pass that is none of ours, and its answer.
    async fn pass(&self, request: Request<Incoming>) -> Result<Answer, Refusal> {
        let (head, body) = request.into_parts();
        let reading = match head.extensions.get::<Arc<Slot>>() {
            Some(slot) if !body.is_end_stream() => Some(slot.reading()),
            _ => None,
        };
        let headers = headers::towards_upstream(head.headers, self.upstream.key());
        let body = passing(body, self.bounds.body_pause, reading);
        let request = self
            .upstream
            .request(head.method, &head.uri, headers, body)?;
        Ok(self.passed(self.upstream.send(request, self.bounds.first_byte).await?))
    }

    /// Returns an answer of the upstream as it passes to a client.
    fn passed(&self, answer: Response<Incoming>) -> Answer {
        let (mut head, body) = answer.into_parts();
        head.headers = headers::towards_client(head.headers);
        Response::from_parts(head, passing(body, self.bounds.pause, None))
    }

    /// Waits for what follows the last replies; a second signal ends that.
    async fn end(&self, log: &Log) {
        self.tasks.close();
        if timeout(A_MOMENT, self.tasks.wait()).await.is_err() {
            log.info("Processing pending turns; a second signal leaves them to the next start");
        }
        let Ok(again) = runtime::signalled(log) else {
            return;
        };
        let ended = tokio::select! {
            ended = timeout(self.bounds.afterwork_farewell, self.tasks.wait()) => ended.is_ok(),
            () = again => false,
        };
        if ended {
            log.info("Stopped")
        } else {
            log.warn("Stopped; pending turns are saved and will be processed at the next start")
        }
    }
}

impl std::fmt::Debug for Proxy {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Proxy")
            .field("upstream", &self.upstream)
            .field("store", &self.memory_store)
            .finish()
    }
}
