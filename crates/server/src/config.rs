//! The server configuration: addresses, access and limits.

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

/// The server configuration.
#[derive(Clone, Debug)]
pub struct Config {
    /// The address to listen on; port 0 takes any free one.
    pub listen: SocketAddr,
    /// Whether other machines may connect.
    pub reach: Exposure,
    /// Certificate and key, if the server does TLS itself.
    pub tls: Option<TlsFiles>,
    /// The public URL behind a reverse proxy.
    pub public_url: Option<PublicUrl>,
    /// Further host names, exactly as they appear in `Host`.
    pub hosts: Vec<String>,
    /// The proxies whose `X-Forwarded-*` headers are trusted.
    pub forwarders: Vec<Forwarder>,
    /// The private socket of the home, if there is one.
    pub private: Option<PrivateSocketConfig>,
    /// The secret with which Open WebUI signs its users' names, if configured.
    pub user_secret: Option<SharedSecret>,
    /// The source of the web page.
    pub page: Page,
    /// How much may pass.
    pub limits: Limits,
}

impl Default for Config {
    fn default() -> Self {
        Self {
            listen: SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), 0),
            reach: Exposure::Loopback,
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
    /// Refuses to listen on other interfaces unless that is configured.
    pub fn check_reach(&self) -> Result<(), Problem> {
        match self.reach {
            Exposure::Loopback if !self.listen.ip().is_loopback() => Err(Problem::new(
                Code::ConfigInvalid,
                format!(
                    "{} can be reached from other machines; listen on 127.0.0.1, or allow it explicitly",
                    self.listen
                ),
            )),
            Exposure::Loopback | Exposure::Network => Ok(()),
        }
    }

    /// Refuses an address that can't be bound. It is checked before anything else, so that a port in use is
    /// the first error people see.
    pub fn check_address(&self) -> Result<(), Problem> {
        self.check_reach()?;
        std::net::TcpListener::bind(self.listen).map(drop).map_err(|error| self.not_listening(&error))
    }

    /// Whether other machines reach it without TLS of its own or of a proxy.
    #[must_use]
    pub fn is_in_clear(&self) -> bool {
        let is_clear = self.tls.is_none() && self.public_url.is_none();
        is_clear && self.reach == Exposure::Network && !self.listen.ip().is_loopback()
    }

    /// Refuses a certificate or a key that can't be used.
    pub fn check_certificate(&self) -> Result<(), Problem> {
        self.tls.clone().map(Certificate::read).transpose().map(drop)
    }

    pub(crate) fn not_listening(&self, error: &io::Error) -> Problem {
        let wanted = self.listen;
        let detail = if error.kind() == io::ErrorKind::AddrInUse {
            format!(
                "{wanted} is in use by another program; stop that one, or choose another port with --port \
                (0 takes any \
                 free one)"
            )
        } else if error.kind() == io::ErrorKind::PermissionDenied {
            format!("this user may not listen on {wanted}; choose a port from 1024 on with --port")
        } else {
            format!("can't listen on {wanted}: {error}; choose another with --addr and --port")
        };
        Problem::new(Code::IoFailed, detail)
    }
}

/// The source of the web page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Page {
    /// Embedded in the program.
    Embedded,
    /// This folder, read for every request: for development.
    Folder(PathBuf),
}

/// Who can connect.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exposure {
    /// This machine only.
    Loopback,
    /// Other machines; only if configured.
    Network,
}

/// The paths of the certificate chain and its private key, both PEM.
#[derive(Clone, Debug)]
pub struct TlsFiles {
    /// The chain, the server's own certificate first.
    pub certificate: PathBuf,
    /// The private key.
    pub key: PathBuf,
}

/// The private socket: a process that can open it has all rights.
#[derive(Clone, Debug)]
pub struct PrivateSocketConfig {
    /// Inside the home; created with mode 0600.
    pub path: PathBuf,
    /// The name of its users in the audit log.
    pub actor: Actor,
}

/// The URL people type, such as `https://memory.example.org`.
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

/// Limits on sizes, rates and durations.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// The most bytes of a request body.
    pub body_bytes: usize,
    /// The most bytes of an import.
    pub import_bytes: usize,
    /// Average requests per second and key.
    pub requests_per_second: u32,
    /// Requests that a key may send at once after a pause.
    pub burst: u32,
    /// Unknown keys that may be tried from one address at once; then one per second.
    pub wrong_keys: u32,
    /// Concurrent requests per tenant.
    pub requests_at_once: u32,
    /// Open streams per tenant; event streams take at most half of them.
    pub streams_at_once: u32,
    /// Bytes of request bodies in memory per key; a tenant has twice as many.
    pub body_bytes_at_once: usize,
    /// Open connections.
    pub connections: u32,
    /// Open connections per address; behind a trusted proxy, requests and streams per client.
    pub connections_per_address: u32,
    /// The time limit for the head of a request, and for an idle connection.
    pub head: Duration,
    /// The time limit for the body of a request.
    pub body: Duration,
    /// The time limit for an answer.
    pub answer: Duration,
    /// How long open requests may take to end at shutdown.
    pub drain: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            body_bytes: 1024 * 1024,
            import_bytes: 64 * 1024 * 1024,
            requests_per_second: 1000,
            burst: 2000,
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
        assert!(listening_on([127, 0, 0, 1], Exposure::Loopback).check_reach().is_ok());
        assert!(listening_on([0, 0, 0, 0], Exposure::Network).check_reach().is_ok());
        assert!(listening_on([0, 0, 0, 0], Exposure::Loopback).check_reach().is_err());
    }
}
