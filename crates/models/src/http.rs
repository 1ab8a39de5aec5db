//! The one HTTP client of this crate: asking a server, and saying why it did not answer.

use std::io::Read;
use std::time::Duration;

use ureq::Agent;
use ureq::http::Response;

use crate::ModelError;

/// Largest answer that is read whole.
const ANSWER_BYTES: u64 = 256 << 20;

pub(crate) type Answer = Response<ureq::Body>;

/// Returns a client that tells every status, follows no redirect by itself and waits so long for
/// an answer to begin.
pub(crate) fn client(patience: Duration) -> Agent {
    let config = Agent::config_builder()
        .http_status_as_error(false)
        .max_redirects(0)
        .timeout_connect(Some(patience.min(Duration::from_secs(15))))
        .timeout_recv_response(Some(patience))
        .user_agent(concat!("memory/", env!("CARGO_PKG_VERSION")));
    config.build().new_agent()
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
