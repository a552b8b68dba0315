//! Whether the configured models answer, and which could be configured.

use llm::{Backend, Complete as _, Embed as _, Embedder, LocalServer, Words};
use wire::Problem;
use wire::doctor::Check;
use wire::local_model::FoundServer;

use crate::config::{Model, Settings};
use crate::local_models;

const CHECK: &str = "models";

/// One finding per model; without any, the servers found on this machine.
pub(super) async fn examine(settings: &Settings) -> Vec<Check> {
    let models = &settings.models;
    if models.named.is_empty() {
        return offered(&settings.local_servers).await;
    }
    let mut checks = Vec::new();
    for (name, model) in &models.named {
        let roles: Vec<_> =
            models.roles.iter().filter(|(_, named)| *named == name).map(|(role, _)| role.as_str()).collect();
        let check = asked(model, &roles).await.unwrap_or_else(|problem| unusable(&problem));
        checks.push(Check { about: Some(name.clone()), ..check });
    }
    checks
}

async fn offered(ports: &[LocalServer]) -> Vec<Check> {
    let nothing = "no model is configured, so personas answer from memory";
    let found = engine::local_models(ports).await;
    if found.is_empty() {
        return vec![Check::ok(CHECK, nothing)];
    }
    let offer = |found: &FoundServer| {
        let way_out = format!("to use it, add to selfhood.toml:\n{}", found.lines);
        Check::warn(CHECK, format!("{nothing}; {}", local_models::sentence(found)), way_out)
    };
    found.iter().map(offer).collect()
}

/// Asks for the list of models and for one vector, which costs next to nothing.
async fn asked(model: &Model, roles: &[&str]) -> Result<Check, Problem> {
    let task = if roles.is_empty() { "in no role".to_owned() } else { format!("as {}", roles.join(", ")) };
    let Backend::Model(backend) = model.backend()? else {
        return Ok(Check::ok(CHECK, format!("offline, {task}")));
    };
    let served = model.served_as();
    let listed = match backend.models().await {
        Ok(listed) => listed,
        Err(error) => {
            return Ok(Check::warn(CHECK, error.to_string(), "personas can't answer with it until it does"));
        }
    };
    if !listed.is_empty() && !listed.iter().any(|id| is_same(id, served)) {
        let way_out = format!("its server has {}", first_few(&listed));
        return Ok(Check::warn(CHECK, format!("its server answers, and has no model `{served}`"), way_out));
    }
    match model.embedder()? {
        Some(embedder) => Ok(embedded(&embedder, &task).await),
        None => Ok(Check::ok(CHECK, format!("answers, {task}"))),
    }
}

async fn embedded(embedder: &Embedder, task: &str) -> Check {
    match embedder.embed(&[Words::new("hello")]).await {
        Ok(vectors) => {
            let length = vectors.first().map_or(0, Vec::len);
            Check::ok(CHECK, format!("answers, {task}; makes vectors of {length} numbers"))
        }
        Err(error) => Check::warn(CHECK, error.to_string(), "check `embeddings`"),
    }
}

/// Ollama lists `name:latest` and answers to `name`.
fn is_same(listed: &str, named: &str) -> bool {
    listed == named || listed.strip_suffix(":latest") == Some(named)
}

fn first_few(listed: &[String]) -> String {
    listed.iter().take(10).map(String::as_str).collect::<Vec<_>>().join(", ")
}

fn unusable(problem: &Problem) -> Check {
    Check::fail(CHECK, problem.detail.clone(), "`selfhood serve` doesn't start until this is fixed")
}
