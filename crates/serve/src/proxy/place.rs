//! By which names a client may call the proxy, and which web pages may be behind it.

use std::net::{IpAddr, SocketAddr};

use hyper::HeaderMap;
use hyper::header::{HOST, HeaderName, ORIGIN};

use super::refusal::Refusal;

const LOCAL: [&str; 3] = ["localhost", "127.0.0.1", "::1"];
const FETCH_SITE: HeaderName = HeaderName::from_static("sec-fetch-site");

/// Where we listen, as far as it decides who may ask.
#[derive(Debug, Clone)]
pub(super) struct Names {
    known: Vec<String>,
    port: u16,
}

impl Names {
    /// Returns the names of an address, and others that the user gave it.
    pub(super) fn of(address: SocketAddr, others: &[String]) -> Self {
        let own = [address.ip().to_string()];
        let known = LOCAL
            .iter()
            .map(|name| (*name).to_owned())
            .chain(own)
            .chain(others.iter().cloned());
        Names {
            known: known.map(|name| name.to_lowercase()).collect(),
            port: address.port(),
        }
    }

    /// Refuses a request that a page of another site may have caused: a browser lets any page send
    /// requests to this machine, and a name that someone else owns may lead here. `local` is the
    /// address at which the client has reached us.
    pub(super) fn check(&self, headers: &HeaderMap, local: IpAddr) -> Result<(), Refusal> {
        let text = |name: &HeaderName| {
            headers
                .get(name)
                .map(|value| value.to_str().unwrap_or_default())
        };
        if let Some(origin) = text(&ORIGIN).filter(|origin| !self.is_own_page(origin, local)) {
            return Err(Refusal::forbidden(&format!(
                "Requests from the origin '{origin}' are not allowed"
            )));
        }
        if matches!(text(&FETCH_SITE), Some("cross-site" | "same-site")) {
            return Err(Refusal::forbidden(
                "Requests from other origins are not allowed",
            ));
        }
        // A request without the header comes from no browser.
        let hosts = headers
            .get_all(HOST)
            .iter()
            .map(|value| value.to_str().unwrap_or_default());
        for host in hosts {
            if !self.is_known(name_of(host), local) || !has_port_or_none(host) {
                return Err(Refusal::forbidden(&format!(
                    "'{host}' is not an allowed host name; --allow-host adds one"
                )));
            }
        }
        Ok(())
    }

    fn is_known(&self, name: &str, local: IpAddr) -> bool {
        self.known.contains(&name.to_lowercase()) || name.parse() == Ok(local.to_canonical())
    }

    fn is_own_page(&self, origin: &str, local: IpAddr) -> bool {
        let Some(site) = origin.strip_prefix("http://") else {
            return false;
        };
        self.is_known(name_of(site), local) && port_of(site) == self.port
    }
}

/// Returns the name in `name:port`, `[::1]:port` or `name`.
fn name_of(host: &str) -> &str {
    match host.strip_prefix('[').and_then(|rest| rest.split_once(']')) {
        Some((name, _)) => name,
        None => host.split_once(':').map_or(host, |(name, _)| name),
    }
}

/// Says whether nothing but a port follows the name in a `Host` header.
fn has_port_or_none(host: &str) -> bool {
    let after = match host.strip_prefix('[').and_then(|rest| rest.split_once(']')) {
        Some((_, after)) => after,
        None => host.find(':').map_or("", |at| &host[at..]),
    };
    after.is_empty()
        || after
            .strip_prefix(':')
            .is_some_and(|port| port.parse::<u16>().is_ok())
}

fn port_of(host: &str) -> u16 {
    let after = host
        .rsplit_once(':')
        .filter(|(_, port)| !port.ends_with(']'));
    after.map_or(80, |(_, port)| port.parse().unwrap_or(0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(address: &str, headers: &[(&str, &'static str)], admitted: bool) {
        let names = Names::of(address.parse().unwrap(), &["box.lan".to_owned()]);
        let local = "192.168.1.5".parse().unwrap();
        let mut sent = HeaderMap::new();
        for (name, value) in headers {
            sent.append(name.parse::<HeaderName>().unwrap(), value.parse().unwrap());
        }
        assert_eq!(names.check(&sent, local).is_ok(), admitted, "{headers:?}");
    }

    #[test]
    fn the_proxy_is_called_by_its_own_names_at_every_address() {
        for address in ["127.0.0.1:8100", "0.0.0.0:8100", "[::]:8100"] {
            for host in [
                "localhost:8100",
                "127.0.0.1:8100",
                "[::1]:8100",
                "LOCALHOST",
                "box.lan:8100",
            ] {
                check(address, &[("host", host)], true);
            }
            check(address, &[("host", "192.168.1.5:8100")], true);
            for host in [
                "evil.example:8100",
                "evil.example",
                "127.0.0.1.evil.example",
                "192.168.1.6",
                "",
            ] {
                check(address, &[("host", host)], false);
            }
            for host in [
                "localhost:8100.evil.example",
                "[::1].evil.example",
                "localhost:",
                "[::1]x:8100",
            ] {
                check(address, &[("host", host)], false);
            }
            check(
                address,
                &[("host", "localhost:8100"), ("host", "evil.example")],
                false,
            );
        }
    }

    #[test]
    fn pages_of_other_sites_are_refused_everywhere() {
        let host = ("host", "localhost:8100");
        check(
            "127.0.0.1:8100",
            &[host, ("origin", "http://localhost:8100")],
            true,
        );
        for origin in [
            "http://localhost:3000",
            "https://evil.example",
            "null",
            "http://evil.example:8100",
        ] {
            check("127.0.0.1:8100", &[host, ("origin", origin)], false);
            check("0.0.0.0:8100", &[host, ("origin", origin)], false);
        }
        check(
            "127.0.0.1:8100",
            &[host, ("sec-fetch-site", "cross-site")],
            false,
        );
        check(
            "127.0.0.1:8100",
            &[host, ("sec-fetch-site", "same-origin")],
            true,
        );
        let rebound = [
            ("host", "evil.example:8100"),
            ("origin", "http://evil.example:8100"),
        ];
        check("0.0.0.0:8100", &rebound, false);
        check(
            "0.0.0.0:8100",
            &[("host", "box.lan:8100"), ("origin", "http://box.lan:8100")],
            true,
        );
        check(
            "0.0.0.0:8100",
            &[
                ("host", "192.168.1.5:8100"),
                ("origin", "http://192.168.1.5:8100"),
            ],
            true,
        );
    }
}
