//! Which requests may pass to the upstream: by method, and by a path that stays below the API.

use hyper::{Method, Uri};

use super::refusal::Refusal;

const METHODS: [Method; 7] = [
    Method::GET,
    Method::HEAD,
    Method::POST,
    Method::PUT,
    Method::PATCH,
    Method::DELETE,
    Method::OPTIONS,
];
/// A path that is encoded more often than this is refused.
const ROUNDS: usize = 3;

/// Refuses a method by which a server repeats headers or opens tunnels, and a path that leads upwards.
pub(super) fn check(method: &Method, uri: &Uri) -> Result<(), Refusal> {
    if !METHODS.contains(method) {
        return Err(Refusal::bad_method(method.as_str()));
    }
    if leads_upwards(uri.path().as_bytes().to_vec()) {
        Err(Refusal::bad_request("The path must not contain '..'", None))
    } else {
        Ok(())
    }
}

/// Says whether a server may find `.` or `..` in a path, however often it decodes it.
fn leads_upwards(mut path: Vec<u8>) -> bool {
    for _ in 0..=ROUNDS {
        if has_dots(&path) {
            return true;
        }
        let decoded = decode(&path);
        if decoded == path {
            return false;
        }
        path = decoded;
    }
    true
}

fn has_dots(path: &[u8]) -> bool {
    let mut segments = path.split(|byte| matches!(byte, b'/' | b'\\'));
    // Some servers take what follows a semicolon for parameters of the segment.
    segments.any(|segment| {
        let name = segment
            .split(|byte| *byte == b';')
            .next()
            .unwrap_or_default();
        name == b"." || name == b".."
    })
}

/// Decodes each `%` with two hexadecimal digits once.
fn decode(path: &[u8]) -> Vec<u8> {
    let mut decoded = Vec::with_capacity(path.len());
    let mut rest = path;
    while let [first, after @ ..] = rest {
        let digits = if *first == b'%' {
            after.get(..2).and_then(|two| std::str::from_utf8(two).ok())
        } else {
            None
        };
        // A sign would be read as a number, too.
        let digits = digits.filter(|two| two.bytes().all(|byte| byte.is_ascii_hexdigit()));
        match digits.and_then(|two| u8::from_str_radix(two, 16).ok()) {
            Some(byte) => {
                decoded.push(byte);
                rest = &after[2..];
            }
            None => {
                decoded.push(*first);
                rest = after;
            }
        }
    }
    decoded
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn refuses(method: &Method, path: &str, status: u16) {
        let refusal = check(method, &path.parse().unwrap()).unwrap_err();
        assert_eq!(refusal.status.as_u16(), status, "{method} {path}");
    }

    #[test]
    fn paths_that_lead_upwards_are_refused_however_they_are_written() {
        for path in [
            "/v1/../../admin",
            "/v1/./models",
            "/v1/..",
            "/v1/%2e%2E/x",
            "/v1/.%2e/x",
            "/v1/..%2fx",
            "/v1/..%5cx",
            "/v1/%252e%252e/x",
            "/v1/..;a=b/x",
            "/v1/%25252525252e",
        ] {
            refuses(&Method::GET, path, 400);
        }
        for path in [
            "/v1/models",
            "/v1/files/a%20b..c",
            "/v1/...",
            "/v1/100%25",
            "/v1/%",
            "/v1/%+1",
            "/",
        ] {
            assert!(
                check(&Method::GET, &path.parse().unwrap()).is_ok(),
                "{path}"
            );
        }
    }

    #[test]
    fn methods_that_repeat_headers_or_open_tunnels_are_refused() {
        refuses(&Method::TRACE, "/v1/models", 405);
        refuses(&Method::CONNECT, "example.com:443", 405);
        refuses(&"PROPFIND".parse().unwrap(), "/v1", 405);
        for method in METHODS {
            assert!(
                check(&method, &"/v1/files".parse().unwrap()).is_ok(),
                "{method}"
            );
        }
    }
}
