//! Checks the host name of a request, and whether a browser's page may change anything. Programs send neither
//! `Origin` nor `Sec-Fetch-Site`; browsers always send one of them.

use std::collections::BTreeSet;
use std::net::{IpAddr, SocketAddr};

use axum::extract::{Request, State};
use axum::http::header::{HOST, ORIGIN};
use axum::http::{HeaderMap, Method};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use wire::Code;

use super::refusal::{A_SECOND, Refusal};
use super::{Entrance, EntranceKind};
use crate::connections::{ConnectionUse, Lane};
use crate::guarded_body::guarded;
use crate::network::Network;
use crate::{Config, Forwarder};

/// The peer address of a connection, set on each request by the listener.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Peer(pub(crate) IpAddr);

/// The server's host names, and the trusted proxies.
#[derive(Clone, Debug)]
pub(crate) struct Addresses {
    hosts: BTreeSet<String>,
    scheme: &'static str,
    public_origin: Option<String>,
    forwarders: Vec<Forwarder>,
}

/// Probes come from machines that know an address and no name, and they reveal nothing.
const PROBES: [&str; 3] = ["/healthz", "/livez", "/readyz"];
/// Answered like a probe when the server is full, but only under one of the server's names.
const METRICS: &str = "/metrics";

impl Addresses {
    /// The names of a server configured by `config` that listens at `bound`.
    pub(crate) fn new(config: &Config, bound: SocketAddr) -> Self {
        let mut names = vec![bound.ip().to_string()];
        if bound.is_ipv6() {
            names = vec![format!("[{}]", bound.ip())];
        }
        if bound.ip().is_loopback() || bound.ip().is_unspecified() {
            names.extend(["127.0.0.1", "localhost", "[::1]"].map(str::to_owned));
        }
        names.extend(config.hosts.iter().map(|host| host.to_ascii_lowercase()));
        let with_port = names.iter().map(|name| format!("{name}:{}", bound.port()));
        let mut hosts: BTreeSet<String> = with_port.collect();
        hosts.extend(config.hosts.iter().map(|host| host.to_ascii_lowercase()));
        let scheme = if config.tls.is_some() { "https" } else { "http" };
        if bound.port() == own_port(scheme) {
            hosts.extend(names);
        }
        hosts.extend(config.public_url.iter().map(|url| url.authority.clone()));
        let public_origin = config.public_url.as_ref().map(crate::PublicUrl::origin);
        Self { hosts, scheme, public_origin, forwarders: config.forwarders.clone() }
    }

    pub(crate) fn is_public_https(&self) -> bool {
        self.public_origin.as_ref().is_some_and(|origin| origin.starts_with("https://"))
    }

    fn believes(&self, peer: Option<IpAddr>) -> bool {
        peer.is_some_and(|peer| self.forwarders.iter().any(|forwarder| forwarder.covers(peer)))
    }

    /// The client: the peer, or the one named by the last trusted proxy.
    pub(crate) fn client(&self, peer: Option<IpAddr>, headers: &HeaderMap) -> Option<IpAddr> {
        if !self.believes(peer) {
            return peer;
        }
        let lists = headers.get_all("x-forwarded-for").iter().rev().filter_map(|value| value.to_str().ok());
        let mut hops = lists.flat_map(|list| list.rsplit(',')).map(|hop| hop.trim().parse::<IpAddr>().ok());
        hops.find(|hop| !self.believes(*hop)).flatten().or(peer)
    }

    /// The network of a client behind a trusted proxy.
    fn forwarded_client(&self, peer: Option<IpAddr>, headers: &HeaderMap) -> Option<Network> {
        let client = self.client(peer, headers).filter(|_| self.believes(peer))?;
        Some(client.into())
    }

    /// The network under which a new connection is counted; `None` for a trusted proxy, which has many
    /// clients.
    pub(crate) fn counted(&self, peer: IpAddr) -> Option<Network> {
        (!self.believes(Some(peer))).then(|| peer.into())
    }

    /// The host name used by the client, as given by a trusted proxy if there is one.
    fn host(&self, peer: Option<IpAddr>, headers: &HeaderMap) -> Option<String> {
        let is_forwarded = self.believes(peer) && headers.contains_key("x-forwarded-host");
        let name = if is_forwarded { "x-forwarded-host" } else { HOST.as_str() };
        let mut hosts = headers.get_all(name).iter();
        let host = hosts.next()?.to_str().ok()?;
        hosts.next().is_none().then(|| host.trim().to_ascii_lowercase())
    }

    fn check_host(&self, peer: Option<IpAddr>, headers: &HeaderMap) -> Result<String, Refusal> {
        let host = self.host(peer, headers).unwrap_or_default();
        if self.hosts.contains(&host) {
            return Ok(host);
        }
        let known: Vec<&str> = self.hosts.iter().map(String::as_str).collect();
        let detail = format!("this server does not serve `{host}`; it serves {}", known.join(", "));
        Err(Refusal::new(Code::HostNotAllowed, detail))
    }

    fn check_origin(&self, peer: Option<IpAddr>, host: &str, headers: &HeaderMap) -> Result<(), Refusal> {
        let text = |name: &str| headers.get(name).map(|value| value.to_str().unwrap_or_default());
        let is_own = match (text("sec-fetch-site"), text(ORIGIN.as_str())) {
            (Some(site), _) => matches!(site, "same-origin" | "none"),
            (None, Some(origin)) => {
                let forwarded = text("x-forwarded-proto").filter(|_| self.believes(peer));
                let asked = format!("{}://{host}", forwarded.unwrap_or(self.scheme));
                origin == asked || Some(origin) == self.public_origin.as_deref()
            }
            (None, None) => true,
        };
        if is_own {
            return Ok(());
        }
        Err(Refusal::new(Code::CrossOrigin, "a page on another site may not change anything here"))
    }
}

/// The layer that checks both.
pub(crate) async fn guard(State(entrance): State<Entrance>, request: Request, next: Next) -> Response {
    let EntranceKind::Public(addresses) = &entrance.kind else { return next.run(request).await };
    let path = request.uri().path();
    if PROBES.contains(&path) {
        return next.run(request).await;
    }
    let lane = request.extensions().get::<ConnectionUse>().map(ConnectionUse::lane);
    if lane == Some(Lane::Probes) && path != METRICS {
        return full("all connections of the server are in use; retry in a second");
    }
    let peer = request.extensions().get::<Peer>().map(|peer| peer.0);
    let host = match addresses.check_host(peer, request.headers()) {
        Ok(host) => host,
        Err(refusal) => return refusal.into_response(),
    };
    if !is_safe(request.method())
        && let Err(refusal) = addresses.check_origin(peer, &host, request.headers())
    {
        return refusal.into_response();
    }
    let Some(client) = addresses.forwarded_client(peer, request.headers()) else {
        return next.run(request).await;
    };
    let Some(place) = entrance.state.forwarded.enter(&client) else {
        return full("too many requests from this address are being answered; retry in a second");
    };
    next.run(request).await.map(|body| guarded(body, place))
}

fn full(detail: &str) -> Response {
    Refusal::new(Code::Busy, detail).until(A_SECOND).into_response()
}

fn is_safe(method: &Method) -> bool {
    matches!(*method, Method::GET | Method::HEAD | Method::OPTIONS)
}

fn own_port(scheme: &str) -> u16 {
    if scheme == "https" { 443 } else { 80 }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn addresses(forwarders: &[&str], public_url: Option<&str>) -> Addresses {
        let config = Config {
            hosts: vec!["memory.lan".to_owned()],
            public_url: public_url.map(|url| url.parse().unwrap()),
            forwarders: forwarders.iter().map(|it| it.parse().unwrap()).collect(),
            ..Config::default()
        };
        Addresses::new(&config, "127.0.0.1:7411".parse().unwrap())
    }

    fn headers(pairs: &[(&'static str, &str)]) -> HeaderMap {
        pairs.iter().map(|(name, value)| (name.parse().unwrap(), value.parse().unwrap())).collect()
    }

    const PROXY: Option<IpAddr> = Some(IpAddr::V4(std::net::Ipv4Addr::new(10, 0, 0, 1)));

    #[test]
    fn only_its_own_names_are_answered_to() {
        let direct = addresses(&[], Some("https://memory.example.org"));
        for (host, answered) in [
            ("127.0.0.1:7411", true),
            ("localhost:7411", true),
            ("LOCALHOST:7411", true),
            ("[::1]:7411", true),
            ("memory.lan", true),
            ("memory.lan:7411", true),
            ("memory.example.org", true),
            ("localhost", false),
            ("localhost:80", false),
            ("evil.example", false),
            ("localhost:7411.evil.example", false),
            ("", false),
        ] {
            assert_eq!(direct.check_host(PROXY, &headers(&[("host", host)])).is_ok(), answered, "{host}");
        }
        assert!(direct.check_host(PROXY, &headers(&[])).is_err());
        let mut two = headers(&[("host", "localhost:7411")]);
        two.append(HOST, "evil.example".parse().unwrap());
        assert!(direct.check_host(PROXY, &two).is_err(), "two names are none");
    }

    #[test]
    fn only_a_trusted_proxy_is_believed() {
        let forwarded = headers(&[("host", "evil.example"), ("x-forwarded-host", "memory.lan")]);
        assert!(addresses(&["10.0.0.0/8"], None).check_host(PROXY, &forwarded).is_ok());
        assert!(addresses(&[], None).check_host(PROXY, &forwarded).is_err());

        let chain = headers(&[("x-forwarded-for", "203.0.113.9, 198.51.100.7, 10.0.0.2")]);
        let client = |trusted: &[&str]| addresses(trusted, None).client(PROXY, &chain).unwrap().to_string();
        assert_eq!(client(&["10.0.0.0/8"]), "198.51.100.7");
        assert_eq!(client(&[]), "10.0.0.1");
    }

    #[test]
    fn a_foreign_page_changes_nothing_and_a_program_is_not_a_page() {
        let own = addresses(&["10.0.0.0/8"], Some("https://memory.example.org"));
        for (sent, accepted) in [
            (vec![], true),
            (vec![("sec-fetch-site", "same-origin")], true),
            (vec![("sec-fetch-site", "none")], true),
            (vec![("sec-fetch-site", "same-site")], false),
            (vec![("sec-fetch-site", "cross-site"), ("origin", "http://127.0.0.1:7411")], false),
            (vec![("origin", "http://127.0.0.1:7411")], true),
            (vec![("origin", "https://memory.example.org")], true),
            (vec![("origin", "https://127.0.0.1:7411"), ("x-forwarded-proto", "https")], true),
            (vec![("origin", "http://127.0.0.1:9999")], false),
            (vec![("origin", "null")], false),
        ] {
            let checked = own.check_origin(PROXY, "127.0.0.1:7411", &headers(&sent));
            assert_eq!(checked.is_ok(), accepted, "{sent:?}");
        }
    }
}
