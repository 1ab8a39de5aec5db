//! Which headers pass, and which belong to one connection alone.

use hyper::HeaderMap;
use hyper::header::{
    ACCEPT_ENCODING, AUTHORIZATION, CONNECTION, CONTENT_LENGTH, EXPECT, HOST, HeaderName,
    HeaderValue, TE, TRAILER, TRANSFER_ENCODING, UPGRADE,
};

/// Headers that mean something to one connection only (RFC 9110, 7.6.1).
const ONE_HOP: [HeaderName; 8] = [
    CONNECTION,
    HeaderName::from_static("keep-alive"),
    HeaderName::from_static("proxy-connection"),
    HeaderName::from_static("proxy-authorization"),
    TE,
    TRAILER,
    TRANSFER_ENCODING,
    UPGRADE,
];
const OURS: HeaderName = HeaderName::from_static("x-memory-id");

/// Returns the headers of a request as the upstream gets them.
pub(super) fn towards_upstream(mut headers: HeaderMap, key: Option<&HeaderValue>) -> HeaderMap {
    drop_one_hop(&mut headers);
    for name in [HOST, EXPECT, OURS] {
        headers.remove(name);
    }
    if let (false, Some(key)) = (headers.contains_key(AUTHORIZATION), key) {
        headers.insert(AUTHORIZATION, key.clone());
    }
    headers
}

/// Returns the headers of a request whose body is another one now, and whose answer we must read.
pub(super) fn of_a_chat(headers: HeaderMap, key: Option<&HeaderValue>) -> HeaderMap {
    let mut headers = towards_upstream(headers, key);
    headers.remove(CONTENT_LENGTH);
    headers.insert(ACCEPT_ENCODING, HeaderValue::from_static("identity"));
    headers
}

/// Returns the headers of an answer as the client gets them.
pub(super) fn towards_client(mut headers: HeaderMap) -> HeaderMap {
    drop_one_hop(&mut headers);
    headers
}

fn drop_one_hop(headers: &mut HeaderMap) {
    let named: Vec<HeaderName> = headers
        .get_all(CONNECTION)
        .iter()
        .filter_map(|value| value.to_str().ok())
        .flat_map(|names| names.split(','))
        .filter_map(|name| name.trim().parse().ok())
        .collect();
    for name in named.iter().chain(&ONE_HOP) {
        headers.remove(name);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn headers(pairs: &[(&'static str, &'static str)]) -> HeaderMap {
        pairs
            .iter()
            .map(|(name, value)| (name.parse().unwrap(), HeaderValue::from_static(value)))
            .collect()
    }

    fn names(headers: &HeaderMap) -> Vec<&str> {
        let mut names: Vec<&str> = headers.keys().map(HeaderName::as_str).collect();
        names.sort_unstable();
        names
    }

    #[test]
    fn what_belongs_to_one_connection_stays_there() {
        let sent = headers(&[
            ("connection", "keep-alive, X-Own"),
            ("x-own", "1"),
            ("transfer-encoding", "chunked"),
            ("host", "127.0.0.1"),
            ("x-memory-id", "a"),
            ("openai-organization", "org"),
            ("content-length", "7"),
        ]);
        let key = HeaderValue::from_static("Bearer own");
        let passed = towards_upstream(sent.clone(), Some(&key));
        assert_eq!(
            names(&passed),
            ["authorization", "content-length", "openai-organization"]
        );
        assert_eq!(
            names(&of_a_chat(sent, None)),
            ["accept-encoding", "openai-organization"]
        );
    }

    #[test]
    fn the_key_of_the_client_goes_before_ours() {
        let key = HeaderValue::from_static("Bearer own");
        let passed = towards_upstream(headers(&[("authorization", "Bearer client")]), Some(&key));
        assert_eq!(passed[AUTHORIZATION], "Bearer client");
    }
}
