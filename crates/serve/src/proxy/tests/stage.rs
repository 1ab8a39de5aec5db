//! A proxy between a scripted upstream and a client, all in one process.

use std::convert::Infallible;
use std::io;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use http_body_util::BodyExt;
use hyper::body::{Bytes, Frame, Incoming};
use hyper::header::HeaderValue;
use hyper::service::service_fn;
use hyper::{HeaderMap, Request, Response};
use hyper_util::client::legacy::Client;
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::rt::TokioExecutor;
use tokio::net::TcpListener;
use tokio::sync::{mpsc, oneshot};
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

use super::kind::{Diary, Listener, listener};
use super::{HI_STREAMED, next};
use crate::access::Access;
use crate::connections::Connections;
use crate::log::Log;
use crate::proxy::body::{Answer, AnyBody, Piece, full, piecewise};
use crate::proxy::bounds::Bounds;
use crate::proxy::{Proxy, Upstream};

/// A request as the upstream got it.
#[derive(Debug, Clone)]
pub(super) struct Got {
    pub(super) method: String,
    pub(super) target: String,
    pub(super) headers: HeaderMap,
    pub(super) body: String,
}

/// What the upstream answers to each request.
type Script = Arc<dyn Fn(&Got) -> Answer + Send + Sync>;

/// A proxy on a stage.
pub(super) struct Stage {
    pub(super) address: SocketAddr,
    pub(super) diary: Diary,
    pub(super) got: Arc<Mutex<Vec<Got>>>,
    pub(super) upstream: Upstream,
    client: Client<HttpConnector, AnyBody>,
    stop: Option<oneshot::Sender<()>>,
    pub(super) ended: JoinHandle<()>,
}

pub(super) fn stage(script: impl Fn(&Got) -> Answer + Send + Sync + 'static) -> Setting {
    Setting {
        script: Arc::new(script),
        kind: listener(),
        bounds: Bounds::default(),
        key: None,
        access: Access::new(None),
    }
}

/// What can be set before a proxy begins.
pub(super) struct Setting {
    script: Script,
    kind: Listener,
    bounds: Bounds,
    key: Option<&'static str>,
    access: Access,
}

impl Setting {
    pub(super) fn with_kind(self, kind: Listener) -> Self {
        Setting { kind, ..self }
    }

    pub(super) fn with_bounds(self, bounds: Bounds) -> Self {
        Setting { bounds, ..self }
    }

    pub(super) fn with_key(self, key: &'static str) -> Self {
        Setting {
            key: Some(key),
            ..self
        }
    }

    pub(super) fn with_access(self, access: Access) -> Self {
        Setting { access, ..self }
    }

    pub(super) async fn begin(self) -> Stage {
        let got = Arc::new(Mutex::new(Vec::new()));
        let upstream = upstream(self.script.clone(), got.clone()).await;
        self.begin_before(&format!("http://{upstream}/v1"), got)
            .await
    }

    /// Begins in front of an upstream at this address.
    pub(super) async fn begin_before(self, base: &str, got: Arc<Mutex<Vec<Got>>>) -> Stage {
        let diary = self.kind.diary.clone();
        let upstream = Upstream::new(base, self.key).unwrap();
        let proxy = Proxy {
            registry: self.kind.registry(),
            upstream: upstream.clone(),
            hosts: vec![],
            access: self.access,
            memory_store: "/memories".to_owned(),
            default_top_k: 5,
            log: Log::silent(),
        };
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let (stop, stopped) = oneshot::channel();
        let ended = tokio::spawn(async move {
            proxy
                .serve(listener, self.bounds, async { drop(stopped.await) })
                .await
                .unwrap();
        });
        let client = Client::builder(TokioExecutor::new()).build_http();
        Stage {
            address,
            diary,
            got,
            upstream,
            client,
            stop: Some(stop),
            ended,
        }
    }
}

async fn upstream(script: Script, got: Arc<Mutex<Vec<Got>>>) -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let (header_time, access) = (Duration::from_secs(60), Access::new(None));
    let connections = Connections {
        listener,
        header_time,
        most: 256,
        access,
        log: Log::silent(),
    };
    let service = service_fn(move |request: Request<Incoming>| {
        let (script, got) = (script.clone(), got.clone());
        async move {
            let (head, body) = request.into_parts();
            let body = body
                .collect()
                .await
                .map(|body| body.to_bytes())
                .unwrap_or_default();
            let request = Got {
                method: head.method.to_string(),
                target: head.uri.to_string(),
                headers: head.headers,
                body: String::from_utf8_lossy(&body).into_owned(),
            };
            got.lock().unwrap().push(request.clone());
            Ok::<_, Infallible>(script(&request))
        }
    });
    tokio::spawn(async move {
        connections
            .serve(service, &CancellationToken::new(), std::future::pending())
            .await;
    });
    address
}

impl Stage {
    /// Sends a request and returns the answer as soon as it begins.
    pub(super) async fn send(
        &self,
        method: &str,
        path: &str,
        headers: &[(&str, &str)],
        body: &str,
    ) -> Response<Incoming> {
        let mut request = Request::builder()
            .method(method)
            .uri(format!("http://{}{path}", self.address));
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        self.client
            .request(request.body(full(body.to_owned())).unwrap())
            .await
            .unwrap()
    }

    /// Asks for a chat and returns status and body.
    pub(super) async fn chat(&self, body: &str) -> (u16, String) {
        whole(
            self.send(
                "POST",
                "/v1/chat/completions",
                &[("content-type", "application/json")],
                body,
            )
            .await,
        )
        .await
    }

    /// Asks for a chat and returns the answer as soon as it begins.
    pub(super) async fn open_chat(&self, body: &str) -> Response<Incoming> {
        self.send("POST", "/v1/chat/completions", &[], body).await
    }

    pub(super) fn last_got(&self) -> Got {
        self.got.lock().unwrap().last().unwrap().clone()
    }

    pub(super) fn stop(&mut self) {
        drop(self.stop.take());
    }
}

/// Reads an answer to its end.
pub(super) async fn whole(answer: Response<Incoming>) -> (u16, String) {
    let status = answer.status().as_u16();
    let body = answer.into_body().collect().await.unwrap().to_bytes();
    (status, String::from_utf8(body.to_vec()).unwrap())
}

/// An answer with a status and a body of JSON.
pub(super) fn json(status: u16, body: impl Into<Bytes>) -> Answer {
    let mut answer = Response::new(full(body));
    *answer.status_mut() = status.try_into().unwrap();
    answer
        .headers_mut()
        .insert("content-type", HeaderValue::from_static("application/json"));
    answer
}

/// A reply that says something.
pub(super) fn reply(text: &str) -> String {
    let message = serde_json::json!({ "role": "assistant", "content": text });
    serde_json::json!({ "id": "r", "choices": [{ "index": 0, "message": message }] }).to_string()
}

/// An answer whose pieces are sent by whoever holds the other end.
pub(super) fn streamed() -> (mpsc::Sender<Piece>, Answer) {
    let (send, body) = piecewise();
    let mut answer = Response::new(body);
    answer.headers_mut().insert(
        "content-type",
        HeaderValue::from_static("text/event-stream; charset=utf-8"),
    );
    (send, answer)
}

/// A proxy whose upstream has sent one piece of a stream, which has reached the client; whoever holds the
/// other end goes on.
pub(super) async fn streaming(
    kind: Listener,
    first: &str,
) -> (Stage, mpsc::Sender<Piece>, Response<Incoming>) {
    streaming_within(Bounds::default(), kind, first).await
}

/// The same with other bounds.
pub(super) async fn streaming_within(
    bounds: Bounds,
    kind: Listener,
    first: &str,
) -> (Stage, mpsc::Sender<Piece>, Response<Incoming>) {
    let (send, answer) = streamed();
    let answer = Mutex::new(Some(answer));
    let stage = stage(move |_| answer.lock().unwrap().take().unwrap());
    let stage = stage.with_bounds(bounds).with_kind(kind).begin().await;
    let (sender, piece) = (send.clone(), event(first));
    let sent = tokio::spawn(async move { sender.send(Ok(Frame::data(piece.into()))).await });
    let mut answer = stage.open_chat(HI_STREAMED).await;
    sent.await.unwrap().unwrap();
    assert_eq!(next(&mut answer).await, event(first));
    (stage, send, answer)
}

/// An answer of pieces that all come, and then end or break off.
pub(super) fn pieces(bytes: Vec<Bytes>, breaks_off: bool) -> Answer {
    let (send, answer) = streamed();
    tokio::spawn(async move {
        for piece in bytes {
            if send.send(Ok(Frame::data(piece))).await.is_err() {
                return;
            }
        }
        if breaks_off {
            // Nobody may see the end of a connection before what came first.
            tokio::task::yield_now().await;
            let _ = send.send(Err(io::Error::other("cut"))).await;
        }
    });
    answer
}

/// An event that says a piece of an answer.
pub(super) fn event(text: &str) -> String {
    let choice =
        serde_json::json!({ "index": 0, "delta": { "content": text }, "finish_reason": null });
    format!(
        "data: {}\n\n",
        serde_json::json!({ "id": "c", "choices": [choice] })
    )
}

pub(super) const DONE: &str = "data: {\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n";
