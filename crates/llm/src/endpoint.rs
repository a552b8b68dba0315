//! The address of a model, and its configured name.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use reqwest::Url;

use crate::api_key::ApiKey;
use crate::error::{LlmError, Reason};
use crate::patience::{Jitter, Retries, Timeouts};

/// Everything needed to call one model.
#[derive(Clone, Debug)]
pub struct Endpoint {
    /// Its configured name, for errors.
    pub name: String,
    /// The base address of its server.
    pub base_url: BaseUrl,
    /// The server's name for the model.
    pub model: String,
    /// The API key, if the server needs one.
    pub api_key: Option<ApiKey>,
    /// The timeouts.
    pub timeouts: Timeouts,
    /// The retry settings.
    pub retries: Retries,
    /// Random numbers that keep many clients from retrying at the same moment.
    pub jitter: Jitter,
}

impl Endpoint {
    pub(crate) fn label(&self) -> Label {
        Label { name: self.name.clone(), model: self.model.clone(), base_url: self.base_url.to_string() }
    }

    pub(crate) fn unusable_key(&self) -> LlmError {
        let reason = Reason::Unusable("its key holds characters no HTTP header can; check the key");
        LlmError { model: Arc::new(self.label()), reason }
    }
}

/// The name of a model in errors.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Label {
    name: String,
    model: String,
    base_url: String,
}

impl fmt::Display for Label {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "model `{}` ({} at {})", self.name, self.model, self.base_url)
    }
}

/// The base address of a server's routes. It can be printed: it contains no secret.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BaseUrl(Url);

/// Why an address is not a valid base address.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum InvalidBaseUrl {
    /// Not an HTTP or HTTPS address.
    #[error("must be an address such as `http://127.0.0.1:11434/v1`")]
    NotHttp,
    /// It would reveal a secret.
    #[error(
        "must hold no user, password, query or fragment; a key belongs in `api_key_env` or `api_key_file`"
    )]
    Secret,
}

impl BaseUrl {
    /// The address of a route. An address without a path gets the usual one, `/v1`.
    pub(crate) fn route(&self, path: &str) -> String {
        let base = self.0.as_str().trim_end_matches('/');
        let version = if self.0.path() == "/" { "/v1" } else { "" };
        format!("{base}{version}/{path}")
    }

    pub(crate) fn scheme(&self) -> &str {
        self.0.scheme()
    }

    /// Whether the server runs on this machine; then no proxy is used.
    pub(crate) fn is_local(&self) -> bool {
        self.0.host_str().is_some_and(|host| {
            let address = host.trim_start_matches('[').trim_end_matches(']');
            host == "localhost" || address.parse::<std::net::IpAddr>().is_ok_and(|it| it.is_loopback())
        })
    }

    /// The host, with its port unless that is the usual one.
    pub(crate) fn authority(&self) -> String {
        let host = self.0.host_str().unwrap_or_default();
        self.0.port().map_or_else(|| host.to_owned(), |port| format!("{host}:{port}"))
    }

    /// The port of a server on this machine.
    #[must_use]
    pub fn local_port(&self) -> Option<u16> {
        self.0.port_or_known_default().filter(|_| self.is_local())
    }

    pub(crate) fn is_host(&self, host: &str) -> bool {
        self.0.host_str() == Some(host)
    }
}

impl FromStr for BaseUrl {
    type Err = InvalidBaseUrl;

    fn from_str(text: &str) -> Result<Self, InvalidBaseUrl> {
        let url = Url::parse(text).map_err(|_| InvalidBaseUrl::NotHttp)?;
        if !matches!(url.scheme(), "http" | "https") || url.host_str().is_none() {
            return Err(InvalidBaseUrl::NotHttp);
        }
        let login = !url.username().is_empty() || url.password().is_some();
        if login || url.query().is_some() || url.fragment().is_some() {
            return Err(InvalidBaseUrl::Secret);
        }
        Ok(Self(url))
    }
}

impl fmt::Display for BaseUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0.as_str().trim_end_matches('/'))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn routes_lie_below_the_address_however_it_is_written() {
        for (written, route) in [
            ("http://127.0.0.1:11434", "http://127.0.0.1:11434/v1/models"),
            ("http://127.0.0.1:11434/", "http://127.0.0.1:11434/v1/models"),
            ("http://localhost:8080/v1/", "http://localhost:8080/v1/models"),
            ("https://openrouter.ai/api/v1", "https://openrouter.ai/api/v1/models"),
        ] {
            assert_eq!(written.parse::<BaseUrl>().unwrap().route("models"), route);
        }
    }

    #[test]
    fn an_address_that_is_none_or_holds_a_secret_is_refused() {
        for (written, why) in [
            ("localhost:11434", InvalidBaseUrl::NotHttp),
            ("", InvalidBaseUrl::NotHttp),
            ("file:///etc/passwd", InvalidBaseUrl::NotHttp),
            ("https://ana:secret@example.org/v1", InvalidBaseUrl::Secret),
            ("https://example.org/v1?key=secret", InvalidBaseUrl::Secret),
        ] {
            assert_eq!(written.parse::<BaseUrl>(), Err(why), "{written}");
        }
    }

    #[test]
    fn only_this_machine_is_local() {
        for (written, local) in [
            ("http://localhost:1234", true),
            ("http://127.0.0.1:1234", true),
            ("http://[::1]:1234", true),
            ("http://192.168.0.7:1234", false),
            ("https://localhost.example.org", false),
        ] {
            assert_eq!(written.parse::<BaseUrl>().unwrap().is_local(), local, "{written}");
        }
    }
}
