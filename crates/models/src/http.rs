//! The HTTP client of this crate, and its failures.

use std::io::Read;
use std::time::Duration;

use memory_http::{Body, Client, Request, RequestError, Response};

use crate::ModelError;

/// Longest time that connecting may take.
const CONNECT: Duration = Duration::from_secs(15);
/// Largest answer that is read whole.
const ANSWER_BYTES: u64 = 256 << 20;

pub(crate) type Answer = Response<Body>;

/// Returns a client that waits this long for an answer to begin, and between its parts.
pub(crate) fn client(patience: Duration) -> Result<Client, RequestError> {
    Client::new(
        concat!("memory/", env!("CARGO_PKG_VERSION")),
        patience.min(CONNECT),
        patience,
    )
}

/// Builds a request without a body.
pub(crate) fn bare(
    method: &str,
    url: &str,
    headers: &[(&str, &str)],
) -> Result<Request<Vec<u8>>, RequestError> {
    with_body(method, url, headers, Vec::new())
}

/// Builds a request.
pub(crate) fn with_body(
    method: &str,
    url: &str,
    headers: &[(&str, &str)],
    body: Vec<u8>,
) -> Result<Request<Vec<u8>>, RequestError> {
    let request = Request::builder().method(method).uri(url);
    let request = headers.iter().fold(request, |request, (name, value)| {
        request.header(*name, *value)
    });
    request
        .body(body)
        .map_err(|error| RequestError::Failed(error.to_string()))
}

/// Says why a server could not be reached, without a key that may stand in the URL.
pub(crate) fn unreachable(url: &str, why: &dyn std::fmt::Display) -> ModelError {
    ModelError::Unreachable {
        url: url.to_owned(),
        why: why.to_string(),
    }
}

/// Reads an answer whole.
pub(crate) fn read_whole(url: &str, answer: &mut Answer) -> Result<Vec<u8>, ModelError> {
    let mut bytes = Vec::new();
    let read = answer.body_mut().take(ANSWER_BYTES).read_to_end(&mut bytes);
    read.map_err(|error| unreachable(url, &error))?;
    Ok(bytes)
}
