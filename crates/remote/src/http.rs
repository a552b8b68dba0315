//! HTTP to a service: TLS with the system's certificates, no redirects, bounded answers, a few tries.

use std::time::Duration;

use reqwest::redirect::Policy;
use reqwest::{Client, Method, Response, Url};
use tokio::time::{sleep, timeout};

use crate::error::{Reason, RemoteError};

const CONNECT: Duration = Duration::from_secs(10);
/// How often a request is sent before its failure counts, and the pause after the first one.
const TRIES: u32 = 3;
const PAUSE: Duration = Duration::from_millis(300);
/// The longest answer that is read into memory.
const LONGEST: usize = 8 * 1024 * 1024;

/// How long a service is waited for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Patience {
    /// For the begin of an answer once the request is sent, and then for its next bytes.
    pub answer: Duration,
    /// The slowest line that a request is sent over, in bytes a second.
    pub slowest: u64,
}

impl Default for Patience {
    fn default() -> Self {
        Self { answer: Duration::from_mins(1), slowest: 16 * 1024 }
    }
}

impl Patience {
    /// How long a request with a body of `bytes` may take until its answer begins. The library's read timeout runs from
    /// the start of the request, so it would break off every body that takes longer to send than an answer to come.
    fn until_answer(self, bytes: usize) -> Duration {
        self.answer + Duration::from_secs(bytes as u64 / self.slowest.max(1))
    }
}

/// A client for one service.
#[derive(Clone, Debug)]
pub(crate) struct Http {
    client: Client,
    pub(crate) patience: Patience,
    /// How errors call the service.
    pub(crate) service: String,
}

/// One request, which may be sent more than once.
#[derive(Clone, Debug)]
pub(crate) struct Outgoing {
    pub(crate) method: Method,
    pub(crate) url: Url,
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) body: Vec<u8>,
}

impl Http {
    /// A client for the service at `url`. It follows no redirect: credentials go to the configured server only.
    pub(crate) fn new(url: &Url, service: String) -> Result<Self, RemoteError> {
        let failed = |reason| RemoteError { service: service.clone(), reason };
        let tls = tls::client_config(url.scheme()).map_err(|reason| failed(Reason::Tls(reason)))?;
        let builder = Client::builder()
            .tls_backend_preconfigured(tls)
            .redirect(Policy::none())
            .referer(false)
            .user_agent(concat!("selfhood/", env!("CARGO_PKG_VERSION")))
            .connect_timeout(CONNECT);
        let builder = if is_local(url) { builder.no_proxy() } else { builder };
        let client = builder.build().map_err(|_| failed(Reason::Tls("its HTTP client can't be made")))?;
        Ok(Self { client, patience: Patience::default(), service })
    }

    pub(crate) fn error(&self, reason: Reason) -> RemoteError {
        RemoteError { service: self.service.clone(), reason }
    }

    /// The answer to the request that `make` builds, once for every attempt: a signature is valid for a few minutes only.
    pub(crate) async fn send(&self, make: impl Fn() -> Outgoing) -> Result<Response, RemoteError> {
        let (mut tries, mut pause) = (1, PAUSE);
        loop {
            match self.send_once(make()).await {
                Err(reason) if reason.may_pass() && tries < TRIES => {
                    sleep(pause).await;
                    (tries, pause) = (tries + 1, pause.saturating_mul(2));
                }
                ended => return ended.map_err(|reason| self.error(reason)),
            }
        }
    }

    /// The same, and its whole body.
    pub(crate) async fn text(&self, make: impl Fn() -> Outgoing) -> Result<String, RemoteError> {
        let mut response = self.send(make).await?;
        let bytes = self.whole(&mut response).await.map_err(|reason| self.error(reason))?;
        String::from_utf8(bytes).map_err(|_| self.error(Reason::Malformed("text")))
    }

    async fn send_once(&self, outgoing: Outgoing) -> Result<Response, Reason> {
        let request = self.client.request(outgoing.method, outgoing.url);
        let request =
            outgoing.headers.into_iter().fold(request, |request, (name, value)| request.header(name, value));
        let limit = self.patience.until_answer(outgoing.body.len());
        let sent = timeout(limit, request.body(outgoing.body).send()).await.map_err(|_| Reason::TimedOut)?;
        let mut response = sent.map_err(|error| of_sending(&error))?;
        let status = response.status().as_u16();
        if (200..300).contains(&status) {
            return Ok(response);
        }
        let body = self.whole(&mut response).await.unwrap_or_default();
        Err(Reason::Refused { status, code: short_code(&String::from_utf8_lossy(&body)) })
    }

    /// The next bytes of an answer, or `None` at its end.
    pub(crate) async fn next_bytes(
        &self,
        response: &mut Response,
    ) -> Result<Option<impl AsRef<[u8]> + use<>>, Reason> {
        let read = timeout(self.patience.answer, response.chunk()).await.map_err(|_| Reason::TimedOut)?;
        read.map_err(|error| of_sending(&error))
    }

    async fn whole(&self, response: &mut Response) -> Result<Vec<u8>, Reason> {
        let mut bytes = Vec::new();
        while let Some(chunk) = self.next_bytes(response).await? {
            bytes.extend_from_slice(chunk.as_ref());
            if bytes.len() > LONGEST {
                return Err(Reason::Malformed("of a length that is read"));
            }
        }
        Ok(bytes)
    }
}

/// What a failed sending means. The library's own text names the whole address, so it is not passed on.
fn of_sending(error: &reqwest::Error) -> Reason {
    if error.is_timeout() { Reason::TimedOut } else { Reason::Unreachable }
}

/// The short code in an answer: `<Code>` of S3, `__type` of KMS. Anything that is no word is left out: a
/// service's own message may repeat what it was sent.
fn short_code(body: &str) -> Option<String> {
    let of_json = || {
        let body: serde_json::Value = serde_json::from_str(body).ok()?;
        let name = body.get("__type")?.as_str()?;
        Some(name.rsplit('#').next().unwrap_or(name).to_owned())
    };
    let code = crate::xml::text(body, "Code").or_else(of_json)?;
    let is_word = (1..=64).contains(&code.len()) && code.bytes().all(|byte| byte.is_ascii_alphanumeric());
    is_word.then_some(code)
}

fn is_local(url: &Url) -> bool {
    let host = url.host_str().unwrap_or_default().trim_matches(['[', ']']);
    host == "localhost" || host.parse::<std::net::IpAddr>().is_ok_and(|address| address.is_loopback())
}

/// The address of a service: absolute, `http` or `https`, without credentials, query or fragment in it.
pub(crate) fn address(text: &str) -> Result<Url, Reason> {
    let url =
        Url::parse(text).map_err(|_| Reason::Address("it is no address such as https://example.org"))?;
    let is_plain = url.username().is_empty() && url.password().is_none();
    let is_plain = is_plain && url.query().is_none() && url.fragment().is_none();
    match url.scheme() {
        "http" | "https" if is_plain && url.has_host() => Ok(url),
        "http" | "https" => Err(Reason::Address("it must not hold credentials, a query or a fragment")),
        _ => Err(Reason::Address("it must begin with https:// or http://")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_word_of_a_services_answer_is_passed_on() {
        let xml = |code: &str| format!("<Error><Code>{code}</Code><Message>of you</Message></Error>");
        assert_eq!(short_code(&xml("NoSuchBucket")).as_deref(), Some("NoSuchBucket"));
        assert_eq!(short_code(&xml("Ana said hello")), None);
        assert_eq!(short_code(r#"{"__type":"a.b#NotFoundException"}"#).as_deref(), Some("NotFoundException"));
        assert_eq!(short_code("<html>"), None);
    }

    #[test]
    fn an_address_with_credentials_or_of_another_kind_is_refused() {
        assert!(address("https://s3.example.org").is_ok());
        for wrong in [
            "s3.example.org",
            "ftp://example.org",
            "https://a:b@example.org",
            "https://example.org?x=1",
            "https://example.org#x",
        ] {
            assert!(address(wrong).is_err(), "{wrong}");
        }
    }
}
