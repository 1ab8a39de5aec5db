//! Connections: TCP, through a proxy if the environment names one, then TLS if the URL asks for it.

use std::error::Error;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use hyper::Uri;
use hyper::http::uri::Scheme;
use hyper_rustls::{HttpsConnector, HttpsConnectorBuilder};
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::client::legacy::connect::proxy::Tunnel;
use hyper_util::client::proxy::matcher::Matcher;
use hyper_util::rt::TokioIo;
use rustls::crypto::ring;
use rustls::{ClientConfig, RootCertStore};
use tokio::net::TcpStream;
use tokio::time::timeout;
use tower_service::Service;

/// How long a connection without traffic lives before the system probes it.
const KEEPALIVE: Duration = Duration::from_secs(60);

type BoxError = Box<dyn Error + Send + Sync>;
type BoxFuture<T> = Pin<Box<dyn Future<Output = Result<T, BoxError>> + Send>>;

/// Connects to `http://` and `https://` addresses, with a time limit that includes TLS.
pub type Connector = Deadline<HttpsConnector<Dialer>>;

/// Whether connections go through the proxy that the environment names (`HTTPS_PROXY`, `NO_PROXY`).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Proxies {
    Environment,
    None,
}

#[derive(Debug, thiserror::Error)]
pub enum ConnectorError {
    #[error("No TLS root certificates were found")]
    NoCertificates(#[source] std::io::Error),
    #[error("TLS cannot be set up")]
    Tls(#[from] rustls::Error),
}

/// Returns a connector that gives up after `limit`.
///
/// It trusts the root certificates of the system, or those of `SSL_CERT_FILE` and `SSL_CERT_DIR`. They are read only
/// if `needs_tls` is set: reading them takes some milliseconds.
pub fn connector(
    needs_tls: bool,
    proxies: Proxies,
    limit: Duration,
) -> Result<Connector, ConnectorError> {
    let mut plain = HttpConnector::new();
    plain.enforce_http(false);
    plain.set_nodelay(true);
    plain.set_keepalive(Some(KEEPALIVE));
    let proxies = (proxies == Proxies::Environment).then(|| Arc::new(Matcher::from_env()));
    let builder = HttpsConnectorBuilder::new();
    let builder = if needs_tls {
        builder
            .with_provider_and_native_roots(ring::default_provider())
            .map_err(ConnectorError::NoCertificates)?
    } else {
        builder.with_tls_config(without_roots()?)
    };
    let connector = builder
        .https_or_http()
        .enable_http1()
        .wrap_connector(Dialer { plain, proxies });
    Ok(Deadline { connector, limit })
}

/// Returns a configuration that trusts no certificate, for servers that are not asked over TLS.
fn without_roots() -> Result<ClientConfig, rustls::Error> {
    let builder = ClientConfig::builder_with_provider(ring::default_provider().into())
        .with_safe_default_protocol_versions()?;
    Ok(builder
        .with_root_certificates(RootCertStore::empty())
        .with_no_client_auth())
}

/// Opens TCP connections, to the server or for `https://` through a proxy.
#[derive(Clone)]
pub struct Dialer {
    plain: HttpConnector,
    proxies: Option<Arc<Matcher>>,
}

impl Service<Uri> for Dialer {
    type Response = TokioIo<TcpStream>;
    type Error = BoxError;
    type Future = BoxFuture<Self::Response>;

    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<Result<(), BoxError>> {
        self.plain.poll_ready(context).map_err(Into::into)
    }

    fn call(&mut self, to: Uri) -> Self::Future {
        let is_secure = to.scheme() == Some(&Scheme::HTTPS);
        let proxy = match &self.proxies {
            Some(proxies) if is_secure => proxies.intercept(&to),
            _ => None,
        };
        let Some(proxy) = proxy else {
            let connected = self.plain.call(to);
            return Box::pin(async { connected.await.map_err(Into::into) });
        };
        let mut tunnel = Tunnel::new(proxy.uri().clone(), self.plain.clone());
        if let Some(auth) = proxy.basic_auth() {
            tunnel = tunnel.with_auth(auth.clone());
        }
        Box::pin(async move { tunnel.call(to).await.map_err(Into::into) })
    }
}

/// A connector with a time limit.
#[derive(Clone)]
pub struct Deadline<C> {
    connector: C,
    limit: Duration,
}

impl<C> Service<Uri> for Deadline<C>
where
    C: Service<Uri>,
    C::Response: Send + 'static,
    C::Future: Send + 'static,
    C::Error: Into<BoxError>,
{
    type Response = C::Response;
    type Error = BoxError;
    type Future = BoxFuture<C::Response>;

    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<Result<(), BoxError>> {
        self.connector.poll_ready(context).map_err(Into::into)
    }

    fn call(&mut self, to: Uri) -> Self::Future {
        let connected = self.connector.call(to);
        let limit = self.limit;
        Box::pin(async move {
            match timeout(limit, connected).await {
                Ok(connected) => connected.map_err(Into::into),
                Err(_) => Err("the connection timed out".into()),
            }
        })
    }
}
