//! The settings of the server: addresses, access and logging.

use std::net::{IpAddr, Ipv4Addr};
use std::path::PathBuf;

use server::logs::Format;
use server::{Forwarder, PublicUrl, TlsFiles};
use wire::{Code, Problem};

use super::catalogue;
use super::layers::Layers;
use super::value::{Raw, Secret, Value, text};

/// The default port.
const PORT: u16 = 7337;

/// The settings of `[server]`.
pub(crate) struct Listening {
    /// The configured address; only then may other machines connect.
    pub(crate) address: Option<IpAddr>,
    /// The port; 0 takes any free one.
    pub(crate) port: u16,
    /// Certificate and key, for TLS.
    pub(crate) tls: Option<TlsFiles>,
    /// The public URL, behind a reverse proxy.
    pub(crate) public_url: Option<PublicUrl>,
    /// Further host names.
    pub(crate) hosts: Vec<String>,
    /// The trusted proxies.
    pub(crate) forwarders: Vec<TrustedProxy>,
    /// The log level.
    pub(crate) log_level: LogLevel,
    /// The log format.
    pub(crate) log_format: Format,
    /// The secret with which Open WebUI signs its users' names.
    pub(crate) user_secret: Option<Secret>,
}

/// A trusted proxy, and how it was written.
pub(crate) struct TrustedProxy {
    /// The proxy.
    pub(crate) forwarder: Forwarder,
    written: String,
}

/// The log level.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LogLevel {
    /// Only failures.
    Error,
    /// Also warnings.
    Warn,
    /// Also every request.
    Info,
    /// Also broken connections.
    Debug,
}

impl Listening {
    pub(super) fn take(layers: &mut Layers<'_>) -> Result<Self, Problem> {
        let address = layers.take(&catalogue::ADDRESS)?;
        if address.is_none() {
            layers.default(&catalogue::ADDRESS, IpAddr::V4(Ipv4Addr::LOCALHOST));
        }
        let port = layers.take_or(&catalogue::PORT, PORT)?;
        let certificate: Option<PathBuf> = layers.take(&catalogue::TLS_CERTIFICATE)?;
        let key: Option<PathBuf> = layers.take(&catalogue::TLS_KEY)?;
        Ok(Self {
            address,
            port,
            tls: tls(certificate, key)?,
            public_url: layers.take(&catalogue::PUBLIC_URL)?,
            hosts: layers.take_or(&catalogue::HOSTS, Vec::new())?,
            forwarders: layers.take_or(&catalogue::FORWARDERS, Vec::new())?,
            log_level: layers.take_or(&catalogue::LOG_LEVEL, LogLevel::Warn)?,
            log_format: layers.take_or(&catalogue::LOG_FORMAT, Format::Human)?,
            user_secret: layers.take(&catalogue::USER_SECRET)?,
        })
    }
}

fn tls(certificate: Option<PathBuf>, key: Option<PathBuf>) -> Result<Option<TlsFiles>, Problem> {
    match (certificate, key) {
        (Some(certificate), Some(key)) => Ok(Some(TlsFiles { certificate, key })),
        (None, None) => Ok(None),
        (Some(_), None) | (None, Some(_)) => {
            Err(Problem::new(Code::ConfigInvalid, "TLS needs both --tls-cert and --tls-key"))
        }
    }
}

impl Value for IpAddr {
    fn read(raw: &Raw) -> Result<Self, String> {
        text(raw, "an IP address")?.parse().map_err(|_| "must be an IP address such as 127.0.0.1".to_owned())
    }

    fn shown(&self) -> String {
        self.to_string()
    }
}

impl Value for u16 {
    fn read(raw: &Raw) -> Result<Self, String> {
        let number = raw.whole_number().and_then(|number| Self::try_from(number).ok());
        number.ok_or_else(|| "must be a whole number from 0 to 65535".to_owned())
    }

    fn shown(&self) -> String {
        self.to_string()
    }
}

impl Value for PublicUrl {
    fn read(raw: &Raw) -> Result<Self, String> {
        text(raw, "an address")?.parse().map_err(|problem: Problem| problem.detail)
    }

    fn shown(&self) -> String {
        self.origin()
    }
}

impl Value for Vec<String> {
    fn read(raw: &Raw) -> Result<Self, String> {
        words(raw).map(|words| words.into_iter().map(str::to_owned).collect())
    }

    fn shown(&self) -> String {
        self.join(",")
    }
}

impl Value for Vec<TrustedProxy> {
    fn read(raw: &Raw) -> Result<Self, String> {
        let trusted = |word: &str| {
            let forwarder = word.parse().map_err(|problem: Problem| problem.detail)?;
            Ok(TrustedProxy { forwarder, written: word.to_owned() })
        };
        words(raw)?.into_iter().map(trusted).collect()
    }

    fn shown(&self) -> String {
        self.iter().map(|it| it.written.as_str()).collect::<Vec<_>>().join(",")
    }
}

impl Value for LogLevel {
    fn read(raw: &Raw) -> Result<Self, String> {
        match text(raw, "a word")? {
            "error" => Ok(Self::Error),
            "warn" => Ok(Self::Warn),
            "info" => Ok(Self::Info),
            "debug" => Ok(Self::Debug),
            _ => Err("must be one of error, warn, info, debug".to_owned()),
        }
    }

    fn shown(&self) -> String {
        match self {
            Self::Error => "error",
            Self::Warn => "warn",
            Self::Info => "info",
            Self::Debug => "debug",
        }
        .to_owned()
    }
}

impl Value for Format {
    fn read(raw: &Raw) -> Result<Self, String> {
        match text(raw, "a word")? {
            "human" => Ok(Self::Human),
            "json" => Ok(Self::Json),
            _ => Err("must be one of human, json".to_owned()),
        }
    }

    fn shown(&self) -> String {
        match self {
            Self::Human => "human",
            Self::Json => "json",
        }
        .to_owned()
    }
}

pub(super) fn words(raw: &Raw) -> Result<Vec<&str>, String> {
    match raw {
        Raw::List(words) => Ok(words.iter().map(String::as_str).collect()),
        Raw::Text(words) => Ok(words.split(',').map(str::trim).filter(|word| !word.is_empty()).collect()),
        Raw::Number(_) | Raw::Fraction(_) | Raw::Switch(_) => Err("must be a list of words".to_owned()),
    }
}
