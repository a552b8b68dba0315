//! Which model servers run on this machine, so that they can be offered; they are never used unasked.

use std::time::Duration;

use futures_util::future::join_all;
use serde_json::Value;

use crate::endpoint::{BaseUrl, Endpoint};
use crate::openai;
use crate::patience::{Jitter, Retries, Timeouts};

/// A server on this machine answers at once or isn't there.
const PATIENCE: Duration = Duration::from_millis(400);
/// The most models that are named of one server.
const MOST_MODELS: usize = 50;

/// A port of this machine where a server people run at home may listen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LocalServer {
    /// What people call the one that usually takes the port, if one does.
    pub name: Option<&'static str>,
    /// Where it listens.
    pub port: u16,
}

impl LocalServer {
    /// The servers that are looked for unless somebody says otherwise.
    pub const USUAL: [Self; 4] = [
        Self { name: Some("Ollama"), port: 11434 },
        Self { name: Some("llama.cpp"), port: 8080 },
        Self { name: Some("LM Studio"), port: 1234 },
        Self { name: Some("vLLM"), port: 8000 },
    ];

    /// Whatever listens on `port`.
    #[must_use]
    pub fn at(port: u16) -> Self {
        let usual = Self::USUAL.into_iter().find(|server| server.port == port);
        usual.unwrap_or(Self { name: None, port })
    }
}

/// A server that was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// What it probably is, by its port.
    pub name: Option<&'static str>,
    /// What to write into the configuration.
    pub base_url: BaseUrl,
    /// The models it has.
    pub models: Vec<String>,
}

/// Asks every one of `servers` which models it has, all at once, and keeps those that answer as a model
/// server does. Nothing but that question leaves the program, and only to this machine.
pub async fn detect(servers: &[LocalServer]) -> Vec<Found> {
    join_all(servers.iter().map(|server| probe(*server))).await.into_iter().flatten().collect()
}

async fn probe(server: LocalServer) -> Option<Found> {
    let base_url: BaseUrl = format!("http://127.0.0.1:{}/v1", server.port).parse().ok()?;
    let endpoint = Endpoint {
        name: server.name.unwrap_or("local").to_owned(),
        base_url: base_url.clone(),
        model: "any".to_owned(),
        api_key: None,
        timeouts: Timeouts {
            connect: PATIENCE,
            first_byte: PATIENCE,
            between_chunks: PATIENCE,
            whole: PATIENCE,
        },
        retries: Retries { attempts: 1, ..Retries::default() },
        jitter: Jitter::new(|| 0.0),
    };
    let listed: Value = openai::client(&endpoint).ok()?.get("models", "a list of models").await.ok()?;
    let mut models = openai::ids(&listed)?;
    models.retain(|id| is_printable(id));
    models.truncate(MOST_MODELS);
    Some(Found { name: server.name, base_url, models })
}

/// Whatever listens on a usual port may say anything; only harmless names are shown.
fn is_printable(id: &str) -> bool {
    (1..=128).contains(&id.len())
        && id.chars().all(|c| c.is_ascii_graphic() && !matches!(c, '"' | '\\' | '`'))
}
