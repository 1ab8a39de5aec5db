//! The one HTTP client of this crate: asking a server, and saying why it did not answer.

use std::io::Read;
use std::time::Duration;

use ureq::Agent;
use ureq::http::Response;
use ureq::tls::{Certificate, RootCerts, TlsConfig};

use crate::ModelError;

/// Largest answer that is read whole.
const ANSWER_BYTES: u64 = 256 << 20;

pub(crate) type Answer = Response<ureq::Body>;

/// Returns a client that tells every status, follows no redirect by itself and waits so long for
/// an answer to begin. It believes the authorities that this machine does, as the proxy's upstream is believed.
pub(crate) fn client(patience: Duration) -> Agent {
    let config = Agent::config_builder()
        .http_status_as_error(false)
        .max_redirects(0)
        .timeout_connect(Some(patience.min(Duration::from_secs(15))))
        .timeout_recv_response(Some(patience))
        .tls_config(TlsConfig::builder().root_certs(authorities()).build())
        .user_agent(concat!("memory/", env!("CARGO_PKG_VERSION")));
    config.build().new_agent()
}

/// Returns the machine's authorities, those of `SSL_CERT_FILE` and `SSL_CERT_DIR` if they are set; where it has
/// none, the usual ones.
fn authorities() -> RootCerts {
    let found = rustls_native_certs::load_native_certs().certs;
    let known: Vec<Certificate<'_>> = found.iter().map(|der| Certificate::from_der(der).to_owned()).collect();
    match known.is_empty() {
        true => RootCerts::WebPki,
        false => RootCerts::new_with_certs(&known),
    }
}

/// Says why a server could not be reached, without a key that may stand in the URL.
pub(crate) fn unreachable(url: &str, why: &dyn std::fmt::Display) -> ModelError {
    ModelError::Unreachable { url: url.to_owned(), why: why.to_string() }
}

/// Reads an answer whole.
pub(crate) fn read_whole(url: &str, answer: &mut Answer) -> Result<Vec<u8>, ModelError> {
    let mut bytes = Vec::new();
    let read = answer.body_mut().as_reader().take(ANSWER_BYTES).read_to_end(&mut bytes);
    read.map_err(|error| unreachable(url, &error))?;
    Ok(bytes)
}
