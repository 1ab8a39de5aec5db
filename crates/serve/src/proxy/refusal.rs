//! What a client is told when something is wrong, in the shape that OpenAI's clients understand.

use hyper::body::Bytes;
use hyper::header::{CONTENT_TYPE, HeaderValue};
use hyper::{Response, StatusCode};
use serde_json::json;

use super::body::{Answer, full};

/// An answer of our own to a request that can't be served.
#[derive(Debug)]
pub(super) struct Refusal {
    pub(super) status: StatusCode,
    message: String,
    kind: &'static str,
    code: Option<&'static str>,
    pub(super) param: Option<String>,
}

impl Refusal {
    fn new(
        status: StatusCode,
        message: &str,
        kind: &'static str,
        code: Option<&'static str>,
    ) -> Self {
        Refusal {
            status,
            message: message.to_owned(),
            kind,
            code,
            param: None,
        }
    }

    /// The request can't be understood.
    pub(super) fn bad_request(message: &str, param: Option<&str>) -> Self {
        let refusal = Refusal::new(
            StatusCode::BAD_REQUEST,
            message,
            "invalid_request_error",
            None,
        );
        Refusal {
            param: param.map(str::to_owned),
            ..refusal
        }
    }

    /// The method is none that an API needs.
    pub(super) fn bad_method(method: &str) -> Self {
        let message = format!("{method} is not passed to the upstream");
        Refusal::new(
            StatusCode::METHOD_NOT_ALLOWED,
            &message,
            "invalid_request_error",
            None,
        )
    }

    /// The request is longer than we read.
    pub(super) fn too_large(limit: usize) -> Self {
        let message = format!("The body has more than {limit} bytes");
        Refusal::new(
            StatusCode::PAYLOAD_TOO_LARGE,
            &message,
            "invalid_request_error",
            Some("body_too_large"),
        )
    }

    /// The client does not go on with its request.
    pub(super) fn too_slow() -> Self {
        let message = "The request body was not received in time";
        Refusal::new(
            StatusCode::REQUEST_TIMEOUT,
            message,
            "invalid_request_error",
            Some("request_timeout"),
        )
    }

    /// There is no room for the request now.
    pub(super) fn busy(message: &str) -> Self {
        Refusal::new(
            StatusCode::SERVICE_UNAVAILABLE,
            message,
            "server_error",
            Some("overloaded"),
        )
    }

    /// Another site's page asks, or one that calls us by a name that is not ours.
    pub(super) fn forbidden(message: &str) -> Self {
        Refusal::new(
            StatusCode::FORBIDDEN,
            message,
            "permission_error",
            Some("forbidden"),
        )
    }

    /// The client is not the user's, and has not sent the token.
    pub(super) fn unknown_client() -> Self {
        let message = "Only processes of the user who runs the proxy may ask here; others send the token in \
                       .mcp-token of the notes' folder as their API key";
        let code = Some("invalid_api_key");
        Refusal::new(
            StatusCode::UNAUTHORIZED,
            message,
            "authentication_error",
            code,
        )
    }

    /// The upstream can't be reached, or what it sends is no answer.
    pub(super) fn bad_gateway(message: &str, code: &'static str) -> Self {
        Refusal::new(
            StatusCode::BAD_GATEWAY,
            message,
            "upstream_error",
            Some(code),
        )
    }

    /// The upstream does not respond in time.
    pub(super) fn too_late(message: &str) -> Self {
        Refusal::new(
            StatusCode::GATEWAY_TIMEOUT,
            message,
            "upstream_error",
            Some("upstream_timeout"),
        )
    }

    pub(super) fn message(&self) -> &str {
        &self.message
    }

    /// Returns the body, which is also what a stream tells when it fails.
    pub(super) fn to_json(&self) -> String {
        let (kind, code, param) = (self.kind, self.code, &self.param);
        json!({ "error": { "message": self.message, "type": kind, "param": param, "code": code } })
            .to_string()
    }

    /// Returns the event that tells a client in the midst of a stream.
    pub(super) fn to_event(&self) -> Bytes {
        format!("data: {}\n\n", self.to_json()).into()
    }
}

impl From<Refusal> for Answer {
    fn from(refusal: Refusal) -> Answer {
        let mut answer = Response::new(full(refusal.to_json()));
        *answer.status_mut() = refusal.status;
        answer
            .headers_mut()
            .insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
        answer
    }
}
