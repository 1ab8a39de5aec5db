//! The server behind the proxy: where it is, and how a request gets there.
//!
//! The address comes from the configuration alone. Nothing that a client sends, and nothing that
//! the upstream answers, leads anywhere else: redirects are refused.

use std::error::Error as StdError;
use std::net::{IpAddr, SocketAddr};
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll};
use std::time::Duration;

use hyper::body::Incoming;
use hyper::header::HeaderValue;
use hyper::http::uri::Scheme;
use hyper::{HeaderMap, Method, Request, Response, StatusCode, Uri};
use hyper_rustls::{HttpsConnector, HttpsConnectorBuilder};
use hyper_util::client::legacy::Client;
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::rt::{TokioExecutor, TokioTimer};
use memory_core::{Code, Error, Result};
use rustls::crypto::ring;
use rustls::{ClientConfig, RootCertStore};
use tokio::time::timeout;
use tower_service::Service;

use super::body::AnyBody;
use super::refusal::Refusal;
use crate::limits;

const VERSION: &str = "/v1";

/// An OpenAI-compatible server.
#[derive(Clone)]
pub struct Upstream {
    /// Without a slash at its end.
    base: String,
    key: Option<HeaderValue>,
    /// The model that a client asked for last.
    model: Arc<Mutex<Option<String>>>,
    client: Client<Patient<HttpsConnector<HttpConnector>>, AnyBody>,
}

impl Upstream {
    /// Returns the server at an address like `http://127.0.0.1:11434/v1`; the key is for clients that
    /// bring none of their own.
    pub fn new(base: &str, key: Option<&str>) -> Result<Self> {
        let (base, is_secure) = read_base(base)?;
        let bad_key =
            |error| Error::new(Code::InvalidArgument, "The key can't stand in a header").because(error);
        let bearer = |key| HeaderValue::try_from(format!("Bearer {key}")).map_err(bad_key);
        let mut key = key.map(bearer).transpose()?;
        key.iter_mut().for_each(|key| key.set_sensitive(true));
        let client = Client::builder(TokioExecutor::new())
            .pool_timer(TokioTimer::new())
            .build(Patient(connector(is_secure)?));
        Ok(Upstream { base, key, model: Arc::default(), client })
    }

    /// Returns the address as it is used, for those who ask it something of their own.
    pub fn base(&self) -> &str {
        &self.base
    }

    /// Says whether this is the server that listens here: whatever it is asked would come back without end.
    pub fn is_at(&self, address: SocketAddr) -> bool {
        let Ok(uri) = self.base.parse::<Uri>() else { return false };
        let host = uri.host().unwrap_or_default().trim_matches(['[', ']']);
        let is_here = match host.parse::<IpAddr>() {
            Ok(ip) => ip == address.ip() || (ip.is_loopback() && address.ip().is_unspecified()),
            Err(_) => host == "localhost",
        };
        let usual = if uri.scheme() == Some(&Scheme::HTTPS) { 443 } else { 80 };
        is_here && uri.port_u16().unwrap_or(usual) == address.port()
    }

    /// Says whether the key goes over a network where others may read it.
    pub fn exposes_key(&self) -> bool {
        let Ok(uri) = self.base.parse::<Uri>() else { return false };
        let host = uri.host().unwrap_or_default().trim_matches(['[', ']']);
        let is_local = host == "localhost" || host.parse::<IpAddr>().is_ok_and(|ip| ip.is_loopback());
        self.key.is_some() && uri.scheme() == Some(&Scheme::HTTP) && !is_local
    }

    /// Notes which model a client asks for.
    pub(super) fn note_model(&self, name: String) {
        *self.model.lock().unwrap_or_else(PoisonError::into_inner) = Some(name);
    }

    /// Returns the model that was asked for last.
    pub fn model_asked_for(&self) -> Option<String> {
        self.model.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    pub(super) fn key(&self) -> Option<&HeaderValue> {
        self.key.as_ref()
    }

    /// Returns where a request to us goes: below the base, which has the version already.
    fn target(&self, asked: &Uri) -> Result<Uri, Refusal> {
        let path = asked.path();
        let below = path.strip_prefix(VERSION).filter(|rest| rest.is_empty() || rest.starts_with('/'));
        let query = asked.query().map(|query| format!("?{query}")).unwrap_or_default();
        let target = format!("{}{}{query}", self.base, below.unwrap_or(path));
        target.parse().map_err(|_| Refusal::bad_request("The path can't be passed on", None))
    }

    /// Returns a request to us as it goes there.
    pub(super) fn request(
        &self,
        method: Method,
        asked: &Uri,
        headers: HeaderMap,
        body: AnyBody,
    ) -> Result<Request<AnyBody>, Refusal> {
        let mut request = Request::new(body);
        *request.method_mut() = method;
        *request.uri_mut() = self.target(asked)?;
        *request.headers_mut() = headers;
        Ok(request)
    }

    /// Sends a request and returns the answer as soon as it begins.
    pub(super) async fn send(
        &self,
        request: Request<AnyBody>,
        patience: Duration,
    ) -> Result<Response<Incoming>, Refusal> {
        let sent = timeout(patience, self.client.request(request)).await;
        let answer = sent.map_err(|_| self.too_late())?.map_err(|error| self.unreachable(&error))?;
        match answer.status() {
            StatusCode::NOT_MODIFIED => Ok(answer),
            status if status.is_redirection() => Err(self.elsewhere(&answer)),
            _ => Ok(answer),
        }
    }

    fn too_late(&self) -> Refusal {
        Refusal::too_late(&format!("The upstream {} does not answer", self.base))
    }

    fn unreachable(&self, error: &hyper_util::client::legacy::Error) -> Refusal {
        let cause = root_cause(error);
        match error.is_connect() {
            true => {
                let advice = match cause.contains("UnknownIssuer") {
                    true => "; SSL_CERT_FILE names the certificates that the proxy trusts",
                    false => "",
                };
                let message = format!("The upstream {} can't be reached: {cause}{advice}", self.base);
                Refusal::bad_gateway(&message, "upstream_unreachable")
            }
            false => {
                let message = format!("The upstream {} broke off: {cause}", self.base);
                Refusal::bad_gateway(&message, "upstream_failed")
            }
        }
    }

    fn elsewhere(&self, answer: &Response<Incoming>) -> Refusal {
        let to = answer.headers().get("location").and_then(|to| to.to_str().ok()).unwrap_or("another place");
        let message = format!("The upstream {} sends to {to}, and redirects are not followed", self.base);
        Refusal::bad_gateway(&message, "upstream_redirect")
    }
}

/// Checks an address; says whether it is one of HTTPS. One without a path means the usual version.
fn read_base(text: &str) -> Result<(String, bool)> {
    let bad = |why: &str| {
        Error::new(Code::InvalidArgument, format!("'{text}' is no address of an upstream: {why}"))
            .hint("It looks like http://127.0.0.1:11434/v1 or https://api.openai.com/v1")
    };
    let uri: Uri = text.parse().map_err(|_| bad("it can't be read"))?;
    let is_secure = match uri.scheme() {
        Some(scheme) if *scheme == Scheme::HTTPS => true,
        Some(scheme) if *scheme == Scheme::HTTP => false,
        _ => return Err(bad("it does not begin with http:// or https://")),
    };
    match uri.authority() {
        None => return Err(bad("it names no host")),
        Some(authority) if authority.as_str().contains('@') => {
            let hidden =
                Error::new(Code::InvalidArgument, "The address of an upstream can't hold a password");
            return Err(hidden.hint("Say --openai-api-key, or set OPENAI_API_KEY"));
        }
        Some(_) if uri.query().is_some() => return Err(bad("it has a query")),
        Some(_) => {}
    }
    let base = text.trim_end_matches('/');
    let version = if uri.path() == "/" { VERSION } else { "" };
    Ok((format!("{base}{version}"), is_secure))
}

fn connector(is_secure: bool) -> Result<HttpsConnector<HttpConnector>> {
    let mut plain = HttpConnector::new();
    plain.enforce_http(false);
    plain.set_nodelay(true);
    plain.set_keepalive(Some(limits::UPSTREAM_KEEPALIVE));
    let builder = HttpsConnectorBuilder::new();
    let builder = match is_secure {
        true => builder.with_provider_and_native_roots(ring::default_provider()).map_err(|error| {
            Error::new(Code::IoError, "There are no certificates to know the upstream by")
                .hint("Install ca-certificates, or set SSL_CERT_FILE")
                .because(error)
        })?,
        false => builder.with_tls_config(without_roots()?),
    };
    Ok(builder.https_or_http().enable_http1().wrap_connector(plain))
}

/// A configuration that trusts nobody, for an upstream that is not asked over TLS.
fn without_roots() -> Result<ClientConfig> {
    let builder = ClientConfig::builder_with_provider(ring::default_provider().into())
        .with_safe_default_protocol_versions()
        .map_err(|error| Error::new(Code::IoError, "TLS can't be set up").because(error))?;
    Ok(builder.with_root_certificates(RootCertStore::empty()).with_no_client_auth())
}

/// Returns what an error came from, which says more than where it was seen.
pub(super) fn root_cause(error: &(dyn StdError + 'static)) -> String {
    let mut cause = error;
    while let Some(deeper) = cause.source() {
        cause = deeper;
    }
    cause.to_string()
}

/// A connector that gives up in time, TLS included.
#[derive(Clone)]
struct Patient<C>(C);

type BoxError = Box<dyn StdError + Send + Sync>;

impl<C> Service<Uri> for Patient<C>
where
    C: Service<Uri>,
    C::Future: Send + 'static,
    C::Error: Into<BoxError>,
{
    type Response = C::Response;
    type Error = BoxError;
    type Future = Pin<Box<dyn Future<Output = std::result::Result<C::Response, BoxError>> + Send>>;

    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<std::result::Result<(), BoxError>> {
        self.0.poll_ready(context).map_err(Into::into)
    }

    fn call(&mut self, to: Uri) -> Self::Future {
        let connected = self.0.call(to);
        Box::pin(async {
            match timeout(limits::CONNECT_TIME, connected).await {
                Ok(connected) => connected.map_err(Into::into),
                Err(_) => Err("nobody answered in time".into()),
            }
        })
    }
}

impl std::fmt::Debug for Upstream {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Upstream").field(&self.base).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(base: &str, asked: &str, target: &str) {
        let upstream = Upstream::new(base, None).unwrap();
        assert_eq!(upstream.target(&asked.parse().unwrap()).unwrap(), target);
    }

    #[test]
    fn the_version_stands_in_a_path_once() {
        check("http://u:1/v1", "/v1/models?a=b%20c&d", "http://u:1/v1/models?a=b%20c&d");
        check("http://u:1/v1/", "/v1/chat/completions", "http://u:1/v1/chat/completions");
        check("http://u:1", "/v1/models", "http://u:1/v1/models");
        check("http://u:1/", "/models", "http://u:1/v1/models");
        check("http://u/v1beta/openai", "/v1/models", "http://u/v1beta/openai/models");
        check("http://u/v1", "/v10/x", "http://u/v1/v10/x");
        check("http://u/v1", "http://evil.example/v1/models", "http://u/v1/models");
    }

    #[test]
    fn an_upstream_that_is_the_proxy_itself_is_known() {
        let check = |base: &str, address: &str, expected| {
            let upstream = Upstream::new(base, None).unwrap();
            assert_eq!(upstream.is_at(address.parse().unwrap()), expected, "{base} at {address}");
        };
        check("http://127.0.0.1:8100/v1", "127.0.0.1:8100", true);
        check("http://localhost:8100", "127.0.0.1:8100", true);
        check("http://[::1]:8100/v1", "[::1]:8100", true);
        check("http://127.0.0.1:8100/v1", "0.0.0.0:8100", true);
        check("http://127.0.0.1/v1", "127.0.0.1:80", true);
        check("http://127.0.0.1:11434/v1", "127.0.0.1:8100", false);
        check("http://10.0.0.7:8100/v1", "127.0.0.1:8100", false);
        check("http://memory.example:8100/v1", "127.0.0.1:8100", false);
    }

    #[test]
    fn a_key_is_exposed_where_it_leaves_the_machine_unencrypted() {
        let check = |base: &str, key: Option<&str>, expected| {
            assert_eq!(Upstream::new(base, key).unwrap().exposes_key(), expected, "{base}");
        };
        check("http://10.0.0.7:11434/v1", Some("k"), true);
        check("http://models.lan/v1", Some("k"), true);
        check("http://models.lan/v1", None, false);
        for local in
            ["http://127.0.0.1:1/v1", "http://localhost:1", "http://[::1]:1/v1", "http://127.1.2.3/v1"]
        {
            check(local, Some("k"), false);
        }
    }

    #[test]
    fn what_is_no_address_is_refused_and_a_password_is_not_repeated() {
        for bad in ["", "u:1/v1", "/v1", "ftp://u/v1", "http://", "http://u/v1?key=1", "http://u v"] {
            assert_eq!(Upstream::new(bad, None).unwrap_err().code, Code::InvalidArgument, "{bad}");
        }
        let error = Upstream::new("http://me:secret@u/v1", None).unwrap_err();
        assert!(!error.message.contains("secret"));
        assert!(Upstream::new("http://u/v1", Some("bad\nkey")).is_err());
    }
}
