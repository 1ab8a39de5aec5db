//! Whom an HTTP server answers: the user's own processes on this machine, and clients with the token.
//!
//! A loopback address can be reached by every user of the machine and by containers that share its
//! network, so the address alone does not tell who asks.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::sync::Arc;

use hyper::HeaderMap;
use hyper::header::{AUTHORIZATION, HeaderName};
use tokio::net::TcpStream;

/// Where clients of OpenAI-compatible servers send a key, beside `Authorization`.
const API_KEY: HeaderName = HeaderName::from_static("api-key");
const BEARER: &str = "Bearer ";

/// Tells for a connection's local and remote address which user owns the remote socket.
pub(crate) type OwnerOf = fn(SocketAddr, SocketAddr) -> Option<u32>;

/// Which clients are answered.
#[derive(Clone)]
pub struct Access {
    /// Without one only the user's own processes are answered.
    token: Option<Arc<str>>,
    is_token_required: bool,
    owner_of: OwnerOf,
}

impl Access {
    /// Returns access for the user's own processes, and for clients that send `token`.
    pub fn new(token: Option<String>) -> Self {
        let token = token.map(Arc::from);
        Access {
            token,
            is_token_required: false,
            owner_of: memory_files::peer_owner,
        }
    }

    /// Returns access for clients that send the token, and for no others.
    #[must_use]
    pub fn only_with_token(self) -> Self {
        Access {
            is_token_required: true,
            ..self
        }
    }

    #[cfg(test)]
    pub(crate) fn with_owners(self, owner_of: OwnerOf) -> Self {
        Access { owner_of, ..self }
    }

    /// Identifies the client of a connection that was just accepted.
    pub(crate) fn identify(&self, stream: &TcpStream) -> Peer {
        let Ok(local) = stream.local_addr() else {
            return Peer::UNKNOWN;
        };
        let is_owner = !self.is_token_required && self.is_owner(stream, local);
        Peer {
            local: local.ip(),
            is_owner,
        }
    }

    fn is_owner(&self, stream: &TcpStream, local: SocketAddr) -> bool {
        let Ok(remote) = stream.peer_addr() else {
            return false;
        };
        let is_local = remote.ip().to_canonical().is_loopback();
        let own = rustix::process::geteuid().as_raw();
        // While the connection is open no other socket can have the same pair of addresses; after
        // that the owner may be somebody else's.
        is_local && (self.owner_of)(local, remote) == Some(own) && stream.peer_addr().is_ok()
    }

    /// Says whether a request is answered. Removes the token from its headers, so that it goes no further.
    pub(crate) fn admits(&self, peer: Peer, headers: &mut HeaderMap) -> bool {
        self.take_token(headers) || peer.is_owner
    }

    fn take_token(&self, headers: &mut HeaderMap) -> bool {
        let Some(token) = self.token.as_deref() else {
            return false;
        };
        let mut is_sent = false;
        for (name, scheme) in [(AUTHORIZATION, BEARER), (API_KEY, "")] {
            let sent = headers
                .get(&name)
                .and_then(|value| value.as_bytes().strip_prefix(scheme.as_bytes()));
            if sent.is_some_and(|sent| is_equal(sent, token.as_bytes())) {
                headers.remove(name);
                is_sent = true;
            }
        }
        is_sent
    }
}

impl std::fmt::Debug for Access {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Access")
            .field("is_token_required", &self.is_token_required)
            .finish_non_exhaustive()
    }
}

/// What is known of the client at the other end of a connection.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Peer {
    /// The address at which it has reached us.
    pub(crate) local: IpAddr,
    /// Whether it is a process of the user who runs the server.
    is_owner: bool,
}

impl Peer {
    pub(crate) const UNKNOWN: Peer = Peer {
        local: IpAddr::V4(Ipv4Addr::UNSPECIFIED),
        is_owner: false,
    };
}

/// Compares in a time that does not depend on how many of the bytes are right.
fn is_equal(sent: &[u8], expected: &[u8]) -> bool {
    let differs = sent
        .iter()
        .zip(expected)
        .fold(0, |differs, (a, b)| differs | (a ^ b));
    sent.len() == expected.len() && differs == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn headers(pairs: &[(&str, &str)]) -> HeaderMap {
        let header = |(name, value): &(&str, &str)| {
            (name.parse::<HeaderName>().unwrap(), value.parse().unwrap())
        };
        pairs.iter().map(header).collect()
    }

    const OWNER: Peer = Peer {
        is_owner: true,
        ..Peer::UNKNOWN
    };

    #[track_caller]
    fn check(peer: Peer, sent: &[(&str, &str)], expected: bool) {
        let access = Access::new(Some("right".to_owned()));
        assert_eq!(
            access.admits(peer, &mut headers(sent)),
            expected,
            "{sent:?}"
        );
    }

    #[test]
    fn others_need_the_token_and_the_owner_does_not() {
        check(OWNER, &[], true);
        check(OWNER, &[("authorization", "Bearer sk-own")], true);
        check(Peer::UNKNOWN, &[("authorization", "Bearer right")], true);
        check(Peer::UNKNOWN, &[("api-key", "right")], true);
        for wrong in [
            "right",
            "Bearer righ",
            "Bearer right2",
            "Bearer ",
            "Bearer Right",
        ] {
            check(Peer::UNKNOWN, &[("authorization", wrong)], false);
        }
        check(Peer::UNKNOWN, &[("api-key", "Bearer right")], false);
        check(Peer::UNKNOWN, &[], false);
        assert!(!Access::new(None).admits(Peer::UNKNOWN, &mut headers(&[("api-key", "")])));
    }

    #[test]
    fn the_token_is_taken_out_of_the_headers_and_other_keys_stay() {
        let access = Access::new(Some("right".to_owned()));
        let mut sent = headers(&[("authorization", "Bearer sk-own"), ("api-key", "right")]);
        assert!(access.admits(OWNER, &mut sent));
        assert_eq!(sent, headers(&[("authorization", "Bearer sk-own")]));
    }
}
