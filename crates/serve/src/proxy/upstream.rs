//! The server behind the proxy: where it is, and how a request gets there.
//!
//! The address comes from the configuration alone. Nothing that a client sends, and nothing that
//! the upstream answers, leads anywhere else: redirects are refused.

use std::net::{IpAddr, SocketAddr};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use hyper::body::Incoming;
use hyper::header::HeaderValue;
use hyper::http::uri::Scheme;
use hyper::{HeaderMap, Method, Request, Response, StatusCode, Uri};
use hyper_util::client::legacy::Client;
use hyper_util::rt::{TokioExecutor, TokioTimer};
use memory_core::{Code, Error, Result};
use memory_http::{Connector, ConnectorError, Proxies, root_cause};
use tokio::time::timeout;

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
    client: Client<Connector, AnyBody>,
}

impl Upstream {
    /// Returns the server at an address like `http://127.0.0.1:11434/v1`; the key is for clients that
    /// bring none of their own.
    pub fn new(base: &str, key: Option<&str>) -> Result<Self> {
        let (base, is_secure) = read_base(base)?;
        let bad_key = |error| {
            Error::new(
                Code::InvalidArgument,
                "The key contains characters that an HTTP header cannot carry",
            )
            .because(error)
        };
        let bearer = |key| HeaderValue::try_from(format!("Bearer {key}")).map_err(bad_key);
        let mut key = key.map(bearer).transpose()?;
        key.iter_mut().for_each(|key| key.set_sensitive(true));
        let client = Client::builder(TokioExecutor::new())
            .pool_timer(TokioTimer::new())
            .build(connector(is_secure)?);
        Ok(Upstream {
            base,
            key,
            model: Arc::default(),
            client,
        })
    }

    /// Returns the address as it is used, for those who ask it something of their own.
    pub fn base(&self) -> &str {
        &self.base
    }

    /// Says whether this is the server that listens here: whatever it is asked would come back without end.
    pub fn is_at(&self, address: SocketAddr) -> bool {
        let Ok(uri) = self.base.parse::<Uri>() else {
            return false;
        };
        let host = uri.host().unwrap_or_default().trim_matches(['[', ']']);
        let is_here = match host.parse::<IpAddr>() {
            Ok(ip) => ip == address.ip() || (ip.is_loopback() && address.ip().is_unspecified()),
            Err(_) => host == "localhost",
        };
        let usual = if uri.scheme() == Some(&Scheme::HTTPS) {
            443
        } else {
            80
        };
        is_here && uri.port_u16().unwrap_or(usual) == address.port()
    }

    /// Says whether the key goes over a network where others may read it.
    pub fn exposes_key(&self) -> bool {
        let Ok(uri) = self.base.parse::<Uri>() else {
            return false;
        };
        let host = uri.host().unwrap_or_default().trim_matches(['[', ']']);
        let is_local =
            host == "localhost" || host.parse::<IpAddr>().is_ok_and(|ip| ip.is_loopback());
        self.key.is_some() && uri.scheme() == Some(&Scheme::HTTP) && !is_local
    }

    /// Notes which model a client asks for.
    pub(super) fn note_model(&self, name: String) {
        *self.model.lock().unwrap_or_else(PoisonError::into_inner) = Some(name);
    }

    /// Returns the model that was asked for last.
    pub fn model_asked_for(&self) -> Option<String> {
        self.model
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }

    pub(super) fn key(&self) -> Option<&HeaderValue> {
        self.key.as_ref()
    }

    /// Returns where a request to us goes: below the base, which has the version already.
    fn target(&self, asked: &Uri) -> Result<Uri, Refusal> {
        let path = asked.path();
        let below = path
            .strip_prefix(VERSION)
            .filter(|rest| rest.is_empty() || rest.starts_with('/'));
        let query = asked
            .query()
            .map(|query| format!("?{query}"))
            .unwrap_or_default();
        let target = format!("{}{}{query}", self.base, below.unwrap_or(path));
        target
            .parse()
            .map_err(|_| Refusal::bad_request("The path cannot be forwarded", None))
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
        let answer = sent
            .map_err(|_| self.too_late())?
            .map_err(|error| self.unreachable(&error))?;
        match answer.status() {
            StatusCode::NOT_MODIFIED => Ok(answer),
            status if status.is_redirection() => Err(self.elsewhere(&answer)),
            _ => Ok(answer),
        }
    }

    fn too_late(&self) -> Refusal {
        Refusal::too_late(&format!("The upstream {} does not respond", self.base))
    }

    fn unreachable(&self, error: &hyper_util::client::legacy::Error) -> Refusal {
        let cause = root_cause(error);
        if error.is_connect() {
            let advice = if cause.contains("UnknownIssuer") {
                "; SSL_CERT_FILE names the certificates that the proxy trusts"
            } else {
                ""
            };
            let message = format!(
                "The upstream {} cannot be reached: {cause}{advice}",
                self.base
            );
            Refusal::bad_gateway(&message, "upstream_unreachable")
        } else {
            let message = format!("The upstream {} closed the connection: {cause}", self.base);
            Refusal::bad_gateway(&message, "upstream_failed")
        }
    }

    fn elsewhere(&self, answer: &Response<Incoming>) -> Refusal {
        let to = answer
            .headers()
            .get("location")
            .and_then(|to| to.to_str().ok())
            .unwrap_or("another place");
        let message = format!(
            "The upstream {} redirects to {to}; redirects are not followed",
            self.base
        );
        Refusal::bad_gateway(&message, "upstream_redirect")
    }
}

/// Checks an address; says whether it is one of HTTPS. One without a path means the usual version.
fn read_base(text: &str) -> Result<(String, bool)> {
    let bad = |why: &str| {
        Error::new(
            Code::InvalidArgument,
            format!("'{text}' is not a valid upstream address: {why}"),
        )
        .hint("Examples: http://127.0.0.1:11434/v1, https://api.openai.com/v1")
    };
    let uri: Uri = text.parse().map_err(|_| bad("it is not a URL"))?;
    let is_secure = match uri.scheme() {
        Some(scheme) if *scheme == Scheme::HTTPS => true,
        Some(scheme) if *scheme == Scheme::HTTP => false,
        _ => return Err(bad("it does not begin with http:// or https://")),
    };
    match uri.authority() {
        None => return Err(bad("it has no host")),
        Some(authority) if authority.as_str().contains('@') => {
            let hidden = Error::new(
                Code::InvalidArgument,
                "An upstream address cannot contain a password",
            );
            return Err(hidden.hint("Pass --openai-api-key, or set OPENAI_API_KEY"));
        }
        Some(_) if uri.query().is_some() => return Err(bad("it has a query")),
        Some(_) => {}
    }
    let base = text.trim_end_matches('/');
    let version = if uri.path() == "/" { VERSION } else { "" };
    Ok((format!("{base}{version}"), is_secure))
}

fn connector(is_secure: bool) -> Result<Connector> {
    memory_http::connector(is_secure, Proxies::None, limits::CONNECT_TIME).map_err(|error| {
        let hint = match error {
            ConnectorError::NoCertificates(_) => {
                Some("Install ca-certificates, or set SSL_CERT_FILE")
            }
            ConnectorError::Tls(_) => None,
        };
        let failed = Error::new(Code::IoError, error.to_string()).because(error);
        hint.into_iter().fold(failed, Error::hint)
    })
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
        check(
            "http://u:1/v1",
            "/v1/models?a=b%20c&d",
            "http://u:1/v1/models?a=b%20c&d",
        );
        check(
            "http://u:1/v1/",
            "/v1/chat/completions",
            "http://u:1/v1/chat/completions",
        );
        check("http://u:1", "/v1/models", "http://u:1/v1/models");
        check("http://u:1/", "/models", "http://u:1/v1/models");
        check(
            "http://u/v1beta/openai",
            "/v1/models",
            "http://u/v1beta/openai/models",
        );
        check("http://u/v1", "/v10/x", "http://u/v1/v10/x");
        check(
            "http://u/v1",
            "http://evil.example/v1/models",
            "http://u/v1/models",
        );
    }

    #[test]
    fn an_upstream_that_is_the_proxy_itself_is_known() {
        let check = |base: &str, address: &str, expected| {
            let upstream = Upstream::new(base, None).unwrap();
            assert_eq!(
                upstream.is_at(address.parse().unwrap()),
                expected,
                "{base} at {address}"
            );
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
            assert_eq!(
                Upstream::new(base, key).unwrap().exposes_key(),
                expected,
                "{base}"
            );
        };
        check("http://10.0.0.7:11434/v1", Some("k"), true);
        check("http://models.lan/v1", Some("k"), true);
        check("http://models.lan/v1", None, false);
        for local in [
            "http://127.0.0.1:1/v1",
            "http://localhost:1",
            "http://[::1]:1/v1",
            "http://127.1.2.3/v1",
        ] {
            check(local, Some("k"), false);
        }
    }

    #[test]
    fn what_is_no_address_is_refused_and_a_password_is_not_repeated() {
        for bad in [
            "",
            "u:1/v1",
            "/v1",
            "ftp://u/v1",
            "http://",
            "http://u/v1?key=1",
            "http://u v",
        ] {
            assert_eq!(
                Upstream::new(bad, None).unwrap_err().code,
                Code::InvalidArgument,
                "{bad}"
            );
        }
        let error = Upstream::new("http://me:secret@u/v1", None).unwrap_err();
        assert!(!error.message.contains("secret"));
        assert!(Upstream::new("http://u/v1", Some("bad\nkey")).is_err());
    }
}
