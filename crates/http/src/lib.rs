//! Outgoing HTTP: one connector with TLS, and a client for blocking code.
//!
//! Redirects are never followed: the caller decides where a redirect may lead.

mod blocking;
mod connector;

pub use blocking::{Body, Client, RequestError};
pub use connector::{Connector, ConnectorError, Proxies, connector};
pub use hyper::header::{self, HeaderMap};
pub use hyper::{Method, Request, Response, StatusCode, Uri};

use std::error::Error;

/// Returns the deepest cause of an error, which says more than the errors around it.
pub fn root_cause(error: &(dyn Error + 'static)) -> String {
    let mut cause = error;
    while let Some(deeper) = cause.source() {
        cause = deeper;
    }
    cause.to_string()
}
