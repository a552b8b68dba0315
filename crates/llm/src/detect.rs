//! Detection of model servers on this machine, so that they can be offered; they are never used without
//! being configured.

use std::time::Duration;

use futures_util::future::join_all;
use serde_json::Value;

use crate::endpoint::{BaseUrl, Endpoint};
use crate::openai;
use crate::patience::{Jitter, Retries, Timeouts};

/// A server on this machine answers at once or isn't running.
const TIMEOUT: Duration = Duration::from_millis(400);
/// The maximum number of models listed per server.
const MOST_MODELS: usize = 50;

/// A port of this machine where a local model server may listen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LocalServer {
    /// The name of the server that usually uses the port, if any.
    pub name: Option<&'static str>,
    /// The port.
    pub port: u16,
}

impl LocalServer {
    /// The servers checked by default.
    pub const USUAL: [Self; 4] = [
        Self { name: Some("Ollama"), port: 11434 },
        Self { name: Some("llama.cpp"), port: 8080 },
        Self { name: Some("LM Studio"), port: 1234 },
        Self { name: Some("vLLM"), port: 8000 },
    ];

    /// Any server on `port`.
    #[must_use]
    pub fn at(port: u16) -> Self {
        let usual = Self::USUAL.into_iter().find(|server| server.port == port);
        usual.unwrap_or(Self { name: None, port })
    }
}

/// A detected server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DetectedServer {
    /// Its probable name, by its port.
    pub name: Option<&'static str>,
    /// The address for the configuration.
    pub base_url: BaseUrl,
    /// Its models.
    pub models: Vec<String>,
}

/// Asks each of `servers` for its models, all at once, and returns those that respond like a model server.
/// Nothing else is sent, and only to this machine.
pub async fn detect(servers: &[LocalServer]) -> Vec<DetectedServer> {
    join_all(servers.iter().map(|server| probe(*server))).await.into_iter().flatten().collect()
}

async fn probe(server: LocalServer) -> Option<DetectedServer> {
    let base_url: BaseUrl = format!("http://127.0.0.1:{}/v1", server.port).parse().ok()?;
    let endpoint = Endpoint {
        name: server.name.unwrap_or("local").to_owned(),
        base_url: base_url.clone(),
        model: "any".to_owned(),
        api_key: None,
        timeouts: Timeouts { connect: TIMEOUT, first_byte: TIMEOUT, between_chunks: TIMEOUT, whole: TIMEOUT },
        retries: Retries { attempts: 1, ..Retries::default() },
        jitter: Jitter::new(|| 0.0),
    };
    let listed: Value = openai::client(&endpoint).ok()?.get("models", "a list of models").await.ok()?;
    let mut models = openai::ids(&listed)?;
    models.retain(|id| is_printable(id));
    models.truncate(MOST_MODELS);
    Some(DetectedServer { name: server.name, base_url, models })
}

/// Any program may listen on a usual port; only harmless names are shown.
fn is_printable(id: &str) -> bool {
    (1..=128).contains(&id.len())
        && id.chars().all(|c| c.is_ascii_graphic() && !matches!(c, '"' | '\\' | '`'))
}
