//! MCP over streamable HTTP at `/mcp`, for clients that [`Access`] admits; `Host` and `Origin` are checked.

use std::borrow::Cow;
use std::convert::Infallible;
use std::net::SocketAddr;
use std::sync::Arc;

use http_body_util::combinators::BoxBody;
use http_body_util::{BodyExt, Empty, Full, LengthLimitError, Limited};
use hyper::body::{Bytes, Incoming};
use hyper::header::{CONTENT_LENGTH, CONTENT_TYPE, HeaderValue, WWW_AUTHENTICATE};
use hyper::service::{Service, service_fn};
use hyper::{Method, Request, Response, StatusCode};
use hyper_util::service::TowerToHyperService;
use memory_core::{Code, Error, Result};
use rmcp::model::JsonRpcError;
use rmcp::transport::streamable_http_server::{StreamableHttpServerConfig, StreamableHttpService};
use tokio::net::TcpListener;
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;

use super::Server;
use super::message::{self, Refusal};
use super::sessions::Sessions;
use crate::access::{Access, Peer};
use crate::connections::{Connections, address_of, listen};
use crate::desk::Desk;
use crate::limits;
use crate::log::Log;
use crate::runtime;
use crate::slots::Slot;

const PATH: &str = "/mcp";

type Answer = Response<BoxBody<Bytes, Infallible>>;
type Protocol = TowerToHyperService<StreamableHttpService<Server, Sessions>>;

/// Where to listen, and by which names clients may call the place.
#[derive(Debug, Clone)]
pub struct HttpPlace {
    pub address: SocketAddr,
    /// Names beside `localhost` and the address itself.
    pub hosts: Vec<String>,
    pub access: Access,
}

/// Serves clients over HTTP until SIGINT, SIGTERM or SIGHUP.
pub fn serve_http(desk: Desk, place: HttpPlace, log: Log) -> Result<()> {
    runtime::run(async {
        let stop = runtime::signalled(&log)?;
        let listener = listen(place.address).await?;
        desk.pauses()
            .tended(serve(listener, desk.clone(), &place, &log, stop))
            .await
    })
}

async fn serve(
    listener: TcpListener,
    desk: Desk,
    place: &HttpPlace,
    log: &Log,
    stop: impl Future<Output = ()>,
) -> Result<()> {
    let address = address_of(&listener)?;
    let stopped = CancellationToken::new();
    let protocol = protocol(desk, address, &place.hosts, &stopped);
    log.info(&format!("MCP at http://{address}{PATH}"));
    let is_local = address.ip().to_canonical().is_loopback();
    let access = if is_local {
        place.access.clone()
    } else {
        place.access.clone().only_with_token()
    };
    let header_time = limits::HEADER_TIME;
    let (most, log) = (limits::CONNECTIONS, log.clone());
    let connections = Connections {
        listener,
        header_time,
        most,
        access: access.clone(),
        log,
    };
    let answer = service_fn(move |mut request: Request<Incoming>| {
        let protocol = protocol.clone();
        let peer = request.extensions().get().copied().unwrap_or(Peer::UNKNOWN);
        let is_admitted = access.admits(peer, request.headers_mut());
        async move {
            match request.uri().path() {
                PATH if !is_admitted => Ok(unknown_client()),
                PATH => match prepare(request).await {
                    Ok(request) => protocol.call(request).await,
                    Err(answer) => Ok(answer),
                },
                _ => Ok(empty(StatusCode::NOT_FOUND)),
            }
        }
    });
    connections.serve(answer, &stopped, stop).await;
    Ok(())
}

fn protocol(
    desk: Desk,
    address: SocketAddr,
    hosts: &[String],
    stopped: &CancellationToken,
) -> Protocol {
    let mut names: Vec<String> = ["localhost", "127.0.0.1", "::1"].map(str::to_owned).into();
    names.extend(hosts.iter().cloned());
    names.push(address.ip().to_string());
    let origins: Vec<String> = names
        .iter()
        .map(|name| origin(name, address.port()))
        .collect();
    let config = StreamableHttpServerConfig::default()
        .with_allowed_hosts(names)
        .with_allowed_origins(origins)
        .enforce_origin_validation()
        .with_max_request_body_bytes(limits::MESSAGE_BYTES)
        .with_cancellation_token(stopped.clone());
    let sessions = Sessions::bounded(limits::SESSIONS);
    let server = move || Ok(Server::of_many(desk.clone()));
    TowerToHyperService::new(StreamableHttpService::new(
        server,
        Arc::new(sessions),
        config,
    ))
}

fn origin(name: &str, port: u16) -> String {
    if name.contains(':') {
        format!("http://[{name}]:{port}")
    } else {
        format!("http://{name}:{port}")
    }
}

fn unknown_client() -> Answer {
    let error = Error::new(
        Code::PermissionDenied,
        "Only processes of the user who runs the server are accepted",
    )
    .hint("Send the token in ~/.memory/.mcp-token as 'Authorization: Bearer TOKEN'");
    let mut answer = json(StatusCode::UNAUTHORIZED, error.to_value().to_string());
    answer
        .headers_mut()
        .insert(WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
    answer
}

/// Reads a request whole, and takes the arguments of a tool out of it; answers what can't be read.
async fn prepare(request: Request<Incoming>) -> std::result::Result<Request<Full<Bytes>>, Answer> {
    let (mut parts, body) = request.into_parts();
    let reading = parts.extensions.get::<Arc<Slot>>().map(Slot::reading);
    let body = timeout(
        limits::LINE_TIME,
        Limited::new(body, limits::MESSAGE_BYTES).collect(),
    )
    .await;
    let body = match body {
        Ok(Ok(body)) => body.to_bytes(),
        Ok(Err(error)) if error.is::<LengthLimitError>() => {
            return Err(empty(StatusCode::PAYLOAD_TOO_LARGE));
        }
        Ok(Err(_)) => return Err(empty(StatusCode::BAD_REQUEST)),
        Err(_) => return Err(empty(StatusCode::REQUEST_TIMEOUT)),
    };
    drop(reading);
    if parts.method != Method::POST {
        return Ok(Request::from_parts(parts, Full::new(body)));
    }
    let message = message::read(&body).map_err(refused)?;
    let text = match message.text {
        Cow::Borrowed(_) => body.clone(),
        Cow::Owned(text) => {
            parts.headers.insert(CONTENT_LENGTH, text.len().into());
            text.into()
        }
    };
    message
        .arguments
        .map(|arguments| parts.extensions.insert(arguments));
    Ok(Request::from_parts(parts, Full::new(text)))
}

fn refused(refusal: Refusal) -> Answer {
    let error = JsonRpcError::new(refusal.id, refusal.error);
    json(
        StatusCode::BAD_REQUEST,
        serde_json::to_vec(&error).unwrap_or_default(),
    )
}

fn json(status: StatusCode, text: impl Into<Bytes>) -> Answer {
    let mut answer = Response::new(Full::new(text.into()).boxed());
    *answer.status_mut() = status;
    answer
        .headers_mut()
        .insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    answer
}

fn empty(status: StatusCode) -> Answer {
    let mut answer = Response::new(Empty::new().boxed());
    *answer.status_mut() = status;
    answer
}

#[cfg(test)]
mod tests {
    use tokio::io::{AsyncReadExt, AsyncWriteExt};
    use tokio::net::TcpStream;

    use super::*;
    use crate::access::OwnerOf;
    use crate::testing::desk;

    const INITIALIZE: &str = concat!(
        r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","#,
        r#""capabilities":{},"clientInfo":{"name":"test","version":"1"}}}"#
    );

    /// Starts a server, sends one request with these headers and returns the answer's status.
    async fn status(path: &str, host: &str, more: &str, body: &str) -> String {
        status_with(Access::new(None), path, host, more, body).await
    }

    async fn status_with(access: Access, path: &str, host: &str, more: &str, body: &str) -> String {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let (stop, stopped) = tokio::sync::oneshot::channel::<()>();
        let server = tokio::spawn(async move {
            let stopped = async { drop(stopped.await) };
            let place = HttpPlace {
                address,
                hosts: vec!["memory.example".to_owned()],
                access,
            };
            serve(listener, desk().0, &place, &Log::silent(), stopped).await
        });
        let more = more.replace("PORT", &address.port().to_string());
        let request = format!(
            "POST {path} HTTP/1.1\r\nHost: {host}\r\n{more}Content-Type: application/json\r\nAccept: application/json, \
             text/event-stream\r\nConnection: close\r\nContent-Length: {}\r\n\r\n{body}",
            body.len()
        );
        let mut client = TcpStream::connect(address).await.unwrap();
        client.write_all(request.as_bytes()).await.unwrap();
        let mut start = [0; 12];
        client.read_exact(&mut start).await.unwrap();
        drop(client);
        drop(stop);
        server.await.unwrap().unwrap();
        String::from_utf8_lossy(&start[9..]).into_owned()
    }

    #[tokio::test]
    async fn only_this_machine_is_answered_under_its_own_names() {
        for host in ["127.0.0.1:1", "localhost", "[::1]:1", "memory.example"] {
            assert_eq!(status("/mcp", host, "", INITIALIZE).await, "200", "{host}");
        }
        assert_eq!(status("/mcp", "evil.example", "", INITIALIZE).await, "403");
        assert_eq!(status("/", "localhost", "", INITIALIZE).await, "404");
    }

    #[tokio::test]
    async fn pages_of_others_are_turned_away() {
        let from = |origin: &str| format!("Origin: {origin}\r\n");
        assert_eq!(
            status(
                "/mcp",
                "localhost",
                &from("http://localhost:PORT"),
                INITIALIZE
            )
            .await,
            "200"
        );
        for origin in [
            "http://evil.example",
            "http://localhost:1",
            "null",
            "https://localhost:PORT",
        ] {
            assert_eq!(
                status("/mcp", "localhost", &from(origin), INITIALIZE).await,
                "403",
                "{origin}"
            );
        }
    }

    #[tokio::test]
    async fn where_a_token_is_required_only_those_who_send_it_are_answered() {
        let access = || Access::new(Some("right".to_owned()));
        let sent = |token: &str| format!("Authorization: {token}\r\n");
        for (token, expected) in [
            ("Bearer right", "200"),
            ("Bearer righ", "401"),
            ("Bearer right2", "401"),
            ("right", "401"),
        ] {
            let access = access().only_with_token();
            let status = status_with(access, "/mcp", "localhost", &sent(token), INITIALIZE).await;
            assert_eq!(status, expected, "{token}");
        }
        let required = access().only_with_token();
        assert_eq!(
            status_with(required, "/mcp", "localhost", "", INITIALIZE).await,
            "401"
        );
        assert_eq!(
            status_with(access(), "/mcp", "localhost", "", INITIALIZE).await,
            "200"
        );
    }

    #[tokio::test]
    async fn a_process_of_another_user_or_of_an_unknown_one_needs_the_token() {
        let another: OwnerOf = |_, _| Some(rustix::process::geteuid().as_raw() + 1);
        let unknown: OwnerOf = |_, _| None;
        for owner_of in [another, unknown] {
            let access = || Access::new(Some("right".to_owned())).with_owners(owner_of);
            assert_eq!(
                status_with(access(), "/mcp", "localhost", "", INITIALIZE).await,
                "401"
            );
            let sent = "Authorization: Bearer right\r\n";
            assert_eq!(
                status_with(access(), "/mcp", "localhost", sent, INITIALIZE).await,
                "200"
            );
        }
    }

    #[tokio::test]
    async fn what_can_not_be_read_is_a_bad_request() {
        assert_eq!(status("/mcp", "localhost", "", "garbage").await, "400");
        let nameless = r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{}}"#;
        assert_eq!(status("/mcp", "localhost", "", nameless).await, "400");
        let large = format!(r#"{{"x":"{}"}}"#, "x".repeat(limits::MESSAGE_BYTES));
        assert_eq!(status("/mcp", "localhost", "", &large).await, "413");
    }

    #[tokio::test]
    async fn the_number_of_sessions_is_bounded_and_a_closed_one_is_not_found() {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let place = HttpPlace {
            address,
            hosts: vec![],
            access: Access::new(None),
        };
        let server = tokio::spawn(async move {
            serve(
                listener,
                desk().0,
                &place,
                &Log::silent(),
                std::future::pending(),
            )
            .await
        });
        let ask = async |session: Option<&str>, body: &str| {
            let session = session
                .map(|id| format!("Mcp-Session-Id: {id}\r\n"))
                .unwrap_or_default();
            let request = format!(
                "POST /mcp HTTP/1.1\r\nHost: localhost\r\n{session}Content-Type: application/json\r\nAccept: \
                 application/json, text/event-stream\r\nConnection: close\r\nContent-Length: {}\r\n\r\n{body}",
                body.len()
            );
            let mut client = TcpStream::connect(address).await.unwrap();
            client.write_all(request.as_bytes()).await.unwrap();
            let mut answer = String::new();
            client.read_to_string(&mut answer).await.unwrap();
            answer.to_lowercase()
        };
        let mut ids = Vec::new();
        for _ in 0..=limits::SESSIONS {
            let answer = ask(None, INITIALIZE).await;
            let id = answer
                .split("mcp-session-id: ")
                .nth(1)
                .and_then(|rest| rest.lines().next());
            ids.push(id.unwrap().to_owned());
        }
        let initialized = r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#;
        assert!(
            ask(Some(&ids[0]), initialized)
                .await
                .starts_with("http/1.1 404")
        );
        for id in [&ids[1], ids.last().unwrap()] {
            assert!(ask(Some(id), initialized).await.starts_with("http/1.1 202"));
        }
        server.abort();
    }

    #[tokio::test]
    async fn the_modern_era_is_answered_without_a_session() {
        let body = concat!(
            r#"{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{"#,
            r#""io.modelcontextprotocol/protocolVersion":"2026-07-28","#,
            r#""io.modelcontextprotocol/clientCapabilities":{}}}}"#
        );
        let headers = "MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: tools/list\r\n";
        assert_eq!(status("/mcp", "localhost", headers, body).await, "200");
        let wrong = "MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: tools/call\r\n";
        assert_eq!(status("/mcp", "localhost", wrong, body).await, "400");
    }
}
