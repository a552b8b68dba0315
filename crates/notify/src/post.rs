//! Delivery of one message to one channel: resolve once, check, sign, send, and retry if that may help.

use std::net::SocketAddr;
use std::time::Duration;

use reqwest::Client;
use reqwest::redirect::Policy;
use serde_json::json;
use tokio::net::lookup_host;
use tokio::time::{sleep, timeout};
use vault::encoding::{base64_standard, hex};

use crate::address::is_private;
use crate::channels::{AllowedAddresses, Channel, Kind};

/// The time limit for resolving a channel's address, and for its response.
const TIMEOUT: Duration = Duration::from_secs(5);
/// The maximum length of a message to a Nextcloud Talk room, in characters.
const LONGEST: usize = 32_000;

/// A message to deliver.
#[derive(Clone)]
pub struct Message {
    /// Its id, the same for every attempt.
    pub id: String,
    /// When it was created, in seconds since 1970.
    pub at_seconds: i64,
    /// Its kind, such as `distill.mid` or `cron.message`.
    pub kind: String,
    /// The persona that sends it.
    pub persona: String,
    /// Its text.
    pub text: String,
    /// The random value for a room's signature; different for every message.
    pub nonce: [u8; 32],
}

/// How often delivery is attempted, and the pause after the first failure; each later pause is twice as
/// long.
#[derive(Clone, Copy, Debug)]
pub struct Retries {
    /// The total number of attempts.
    pub tries: u32,
    /// The pause after the first failure.
    pub pause: Duration,
}

impl Default for Retries {
    fn default() -> Self {
        Self { tries: 4, pause: Duration::from_secs(2) }
    }
}

/// Why a message was not delivered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotDelivered {
    /// Its address is private or unassigned.
    #[error("the channel has a private address; allow it with `allow_private` in channels.json")]
    Private,
    /// Its address could not be resolved.
    #[error("the channel's host name could not be resolved")]
    Unresolved,
    /// No TLS connection can be made.
    #[error("this machine can't speak TLS; install its `ca-certificates`")]
    NoTls,
    /// There was no response in time.
    #[error("the channel did not respond")]
    Unanswered,
    /// The response was not a success.
    #[error("the channel answered {0}")]
    Answered(u16),
}

impl NotDelivered {
    /// Whether another attempt may succeed.
    const fn may_succeed(self) -> bool {
        match self {
            Self::Private | Self::NoTls => false,
            Self::Unresolved | Self::Unanswered => true,
            Self::Answered(status) => status >= 500 || status == 429 || status == 408,
        }
    }
}

/// Sends `message` to `channel`, with as many attempts as `retries` allow.
pub async fn deliver(channel: &Channel, message: &Message, retries: Retries) -> Result<(), NotDelivered> {
    let mut pause = retries.pause;
    let mut tries = 1;
    loop {
        match post(channel, message).await {
            Err(error) if error.may_succeed() && tries < retries.tries => {
                sleep(pause).await;
                (pause, tries) = (pause.saturating_mul(2), tries + 1);
            }
            ended => return ended,
        }
    }
}

async fn post(channel: &Channel, message: &Message) -> Result<(), NotDelivered> {
    let client = client(channel, &resolved(channel).await?)?;
    let request = match channel.kind {
        Kind::TalkRoom => {
            let text: String = message.text.chars().take(LONGEST).collect();
            let random = hex(&message.nonce);
            let signature = channel.secret.sign(&[random.as_bytes(), text.as_bytes()]);
            let body = json!({ "message": text, "referenceId": hex(&vault::hash::sha256(&[message.id.as_bytes()])) });
            client
                .post(channel.url.clone())
                .header("OCS-APIRequest", "true")
                .header("Accept", "application/json")
                .header("X-Nextcloud-Talk-Bot-Random", random)
                .header("X-Nextcloud-Talk-Bot-Signature", hex(&signature))
                .body(body.to_string())
        }
        Kind::Webhook => {
            let Message { id, kind, persona, text, at_seconds, .. } = message;
            let body = json!({ "type": kind, "persona": persona, "text": text }).to_string();
            let signed = format!("{id}.{at_seconds}.{body}");
            let signature = channel.secret.sign(&[signed.as_bytes()]);
            client
                .post(channel.url.clone())
                .header("webhook-id", id)
                .header("webhook-timestamp", at_seconds.to_string())
                .header("webhook-signature", format!("v1,{}", base64_standard(&signature)))
                .body(body)
        }
    };
    let sent = request.header("Content-Type", "application/json").send().await;
    match sent.map_err(|_| NotDelivered::Unanswered)?.status().as_u16() {
        200..=299 => Ok(()),
        status => Err(NotDelivered::Answered(status)),
    }
}

/// The addresses of a channel, if each of them is allowed.
async fn resolved(channel: &Channel) -> Result<Vec<SocketAddr>, NotDelivered> {
    let host = channel.url.host_str().ok_or(NotDelivered::Unresolved)?;
    let host = host.trim_start_matches('[').trim_end_matches(']');
    let port = channel.url.port_or_known_default().ok_or(NotDelivered::Unresolved)?;
    let found = timeout(TIMEOUT, lookup_host((host, port))).await;
    let found: Vec<SocketAddr> = match found {
        Ok(Ok(found)) => found.collect(),
        Ok(Err(_)) | Err(_) => return Err(NotDelivered::Unresolved),
    };
    let is_refused =
        |address: &SocketAddr| channel.reach == AllowedAddresses::Public && is_private(address.ip());
    match found.iter().any(is_refused) {
        true => Err(NotDelivered::Private),
        false if found.is_empty() => Err(NotDelivered::Unresolved),
        false => Ok(found),
    }
}

/// A client that connects to these addresses and no others: resolving the name again could give another
/// address.
fn client(channel: &Channel, addresses: &[SocketAddr]) -> Result<Client, NotDelivered> {
    let host = channel.url.host_str().unwrap_or_default();
    let tls = tls::client_config(channel.url.scheme()).map_err(|_| NotDelivered::NoTls)?;
    Client::builder()
        .tls_backend_preconfigured(tls)
        .redirect(Policy::none())
        .no_proxy()
        .timeout(TIMEOUT)
        .resolve_to_addrs(host, addresses)
        .build()
        .map_err(|_| NotDelivered::NoTls)
}
