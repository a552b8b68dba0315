//! What the operator decides about the door: where it is, who may reach it, and how much may pass.

use std::io;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

use axum::http::Uri;
use domain::Actor;
use vault::shared_secret::SharedSecret;
use wire::{Code, Problem};

use crate::Forwarder;
use crate::tls::Certificate;

/// Everything about the door.
#[derive(Clone, Debug)]
pub struct Config {
    /// Where it listens; port 0 takes any free one.
    pub listen: SocketAddr,
    /// Whether it may listen to other machines.
    pub reach: Reach,
    /// Certificate and key, when it speaks TLS itself.
    pub tls: Option<TlsFiles>,
    /// The address people use when a reverse proxy stands in front.
    pub public_url: Option<PublicUrl>,
    /// Further names the server answers to, exactly as they stand in `Host`.
    pub hosts: Vec<String>,
    /// The proxies whose `X-Forwarded-*` headers are believed.
    pub forwarders: Vec<Forwarder>,
    /// The socket for whoever holds the home, if there is one.
    pub private: Option<PrivateDoor>,
    /// What Open WebUI signs its users' names with, if somebody said.
    pub user_secret: Option<SharedSecret>,
    /// Where the web page comes from.
    pub page: Page,
    /// How much may pass.
    pub limits: Limits,
}

impl Default for Config {
    fn default() -> Self {
        Self {
            listen: SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), 0),
            reach: Reach::Loopback,
            tls: None,
            public_url: None,
            hosts: Vec::new(),
            forwarders: Vec::new(),
            private: None,
            user_secret: None,
            page: Page::Embedded,
            limits: Limits::default(),
        }
    }
}

impl Config {
    /// Refuses to listen to other machines unless that was asked for.
    pub fn check_reach(&self) -> Result<(), Problem> {
        match self.reach {
            Reach::Loopback if !self.listen.ip().is_loopback() => Err(Problem::new(
                Code::ConfigInvalid,
                format!(
                    "{} can be reached from other machines; listen on 127.0.0.1, or allow it explicitly",
                    self.listen
                ),
            )),
            Reach::Loopback | Reach::Network => Ok(()),
        }
    }

    /// Refuses an address that can't be listened on now. It is looked at before anything else is done, so that a port
    /// in use is the first thing people read and not the last.
    pub fn check_address(&self) -> Result<(), Problem> {
        self.check_reach()?;
        std::net::TcpListener::bind(self.listen).map(drop).map_err(|error| self.not_listening(&error))
    }

    /// Whether other machines reach it without TLS of its own or of a proxy.
    #[must_use]
    pub fn is_in_clear(&self) -> bool {
        let is_clear = self.tls.is_none() && self.public_url.is_none();
        is_clear && self.reach == Reach::Network && !self.listen.ip().is_loopback()
    }

    /// Refuses a certificate or a key that can't be used.
    pub fn check_certificate(&self) -> Result<(), Problem> {
        self.tls.clone().map(Certificate::read).transpose().map(drop)
    }

    pub(crate) fn not_listening(&self, error: &io::Error) -> Problem {
        let wanted = self.listen;
        let detail = if error.kind() == io::ErrorKind::AddrInUse {
            format!(
                "{wanted} is in use by another program; stop that one, or choose another port with --port (0 takes any \
                 free one)"
            )
        } else if error.kind() == io::ErrorKind::PermissionDenied {
            format!("{wanted} may not be listened on by this user; choose a port from 1024 on with --port")
        } else {
            format!("can't listen on {wanted}: {error}; choose another with --addr and --port")
        };
        Problem::new(Code::IoFailed, detail)
    }
}

/// Where the web page comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Page {
    /// The program itself.
    Embedded,
    /// This folder, read anew for every request: for those who work on it.
    Folder(PathBuf),
}

/// Who can reach the server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reach {
    /// This machine only.
    Loopback,
    /// Whoever the network lets through; only when the operator says so.
    Network,
}

/// Where the certificate chain and its private key are, both PEM.
#[derive(Clone, Debug)]
pub struct TlsFiles {
    /// The chain, the server's own certificate first.
    pub certificate: PathBuf,
    /// The private key.
    pub key: PathBuf,
}

/// The private socket: who can open it may do everything.
#[derive(Clone, Debug)]
pub struct PrivateDoor {
    /// Inside the home; made with mode 0600.
    pub path: PathBuf,
    /// The name the audit log knows its users by.
    pub actor: Actor,
}

/// The address people type, such as `https://memory.example.org`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PublicUrl {
    /// `http` or `https`.
    pub scheme: String,
    /// The host, with a port unless it is the scheme's own.
    pub authority: String,
}

impl PublicUrl {
    /// Scheme and host, as browsers write an origin.
    #[must_use]
    pub fn origin(&self) -> String {
        format!("{}://{}", self.scheme, self.authority)
    }
}

impl FromStr for PublicUrl {
    type Err = Problem;

    fn from_str(text: &str) -> Result<Self, Problem> {
        let refused = || {
            let detail =
                format!("`{text}` is not a public address; write it like `https://memory.example.org`");
            Problem::new(Code::ConfigInvalid, detail)
        };
        let uri: Uri = text.parse().map_err(|_| refused())?;
        let scheme =
            uri.scheme_str().filter(|scheme| matches!(*scheme, "http" | "https")).ok_or_else(refused)?;
        let authority = uri.authority().filter(|it| !it.as_str().contains('@')).ok_or_else(refused)?;
        if !matches!(uri.path(), "" | "/") || uri.query().is_some() {
            return Err(refused());
        }
        let own_port = if scheme == "https" { ":443" } else { ":80" };
        let authority = authority.as_str().to_ascii_lowercase();
        let authority = authority.strip_suffix(own_port).unwrap_or(&authority).to_owned();
        Ok(Self { scheme: scheme.to_owned(), authority })
    }
}

/// How much may pass, and how long it may take.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// The most bytes the body of a request may have.
    pub body_bytes: usize,
    /// The most bytes an import may have.
    pub import_bytes: usize,
    /// Requests a key may send each second, on average.
    pub requests_per_second: u32,
    /// Requests a key may send at once after a pause.
    pub burst: u32,
    /// Keys nobody has that may be tried from one address at once; then one a second.
    pub wrong_keys: u32,
    /// Requests of one tenant that are answered side by side.
    pub requests_at_once: u32,
    /// Answers in pieces and event streams that one tenant may have open; events take half of them at most.
    pub streams_at_once: u32,
    /// Bytes of request bodies of one key that may be in memory at once.
    pub body_bytes_at_once: usize,
    /// Connections that are kept open side by side.
    pub connections: u32,
    /// Those of one address; behind a trusted proxy, the requests and streams of one client.
    pub connections_per_address: u32,
    /// How long the head of a request may take to arrive, and an idle connection is kept.
    pub head: Duration,
    /// How long the body of a request may take to arrive.
    pub body: Duration,
    /// How long a client is kept waiting for an answer.
    pub answer: Duration,
    /// How long requests may take to end when the server stops.
    pub drain: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            body_bytes: 1024 * 1024,
            import_bytes: 64 * 1024 * 1024,
            requests_per_second: 200,
            burst: 400,
            wrong_keys: 30,
            requests_at_once: 64,
            streams_at_once: 256,
            body_bytes_at_once: 256 * 1024 * 1024,
            connections: 1024,
            connections_per_address: 512,
            head: Duration::from_secs(30),
            body: Duration::from_secs(30),
            answer: Duration::from_mins(1),
            drain: Duration::from_secs(20),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_public_address_is_a_scheme_and_a_host() {
        for (written, origin) in [
            ("https://memory.example.org", "https://memory.example.org"),
            ("https://Memory.example.org:443/", "https://memory.example.org"),
            ("http://10.0.0.5:8080", "http://10.0.0.5:8080"),
        ] {
            assert_eq!(written.parse::<PublicUrl>().unwrap().origin(), origin);
        }
        for wrong in ["memory.example.org", "ftp://x", "https://a/path", "https://u@h", "https://a/?q", ""] {
            assert_eq!(wrong.parse::<PublicUrl>().unwrap_err().code, Code::ConfigInvalid, "{wrong}");
        }
    }

    #[test]
    fn another_machine_is_reached_only_when_it_was_asked_for() {
        let listening_on =
            |ip: [u8; 4], reach| Config { listen: (ip, 80).into(), reach, ..Config::default() };
        assert!(listening_on([127, 0, 0, 1], Reach::Loopback).check_reach().is_ok());
        assert!(listening_on([0, 0, 0, 0], Reach::Network).check_reach().is_ok());
        assert!(listening_on([0, 0, 0, 0], Reach::Loopback).check_reach().is_err());
    }
}
