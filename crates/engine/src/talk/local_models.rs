//! `GET /v1/local-models`: model servers on this machine, with the configuration lines that would use them.
//!
//! Only this machine is asked, only on ports its operator chose, and only for a list of models. If several
//! tenants share the machine, only the operator, who can write the lines into `selfhood.toml`, gets an
//! answer.

use llm::{Backend, DetectedServer, LocalServer, detect};
use store::Deployment;
use wire::Problem;
use wire::local_model::{FoundServer, LocalModels};

use crate::call::Call;
use crate::{Engine, boxed};

/// Parts of model names that only make vectors and can't chat.
const SPEECHLESS: [&str; 3] = ["embed", "rerank", "bge-"];

impl Engine {
    /// The same engine, searching for model servers on these ports of its machine.
    #[must_use]
    pub fn looking_at(mut self, local_servers: Vec<LocalServer>) -> Self {
        self.talk_state.local_servers = local_servers;
        self
    }

    /// The chat model and, if none is configured, the available ones.
    #[boxed]
    pub async fn find_local_models(&self, call: &Call) -> Result<LocalModels, Problem> {
        let chat = self.role(&call.caller.tenant, None).await?;
        if let Backend::Model(_) = chat.backend.as_ref() {
            return Ok(LocalModels { answering: Some(chat.model_name), servers: None });
        }
        if !self.is_whole_house(call).await? {
            return Ok(LocalModels::default());
        }
        Ok(LocalModels { answering: None, servers: Some(local_models(&self.talk_state.local_servers).await) })
    }

    /// Whether the caller is the operator, or belongs to the only tenant.
    pub(crate) async fn is_whole_house(&self, call: &Call) -> Result<bool, Problem> {
        let tenants = self.store.tenants().await?;
        Ok(call.is_operator() || tenants.iter().all(|tenant| tenant.name == call.caller.tenant))
    }
}

/// The model servers that answer on `ports`.
#[must_use]
#[boxed]
pub async fn local_models(ports: &[LocalServer]) -> Vec<FoundServer> {
    detect(ports).await.into_iter().map(offered).collect()
}

/// The same models, those that only make vectors last.
pub(crate) fn talking_first(mut models: Vec<String>) -> Vec<String> {
    models.sort_by_key(|model| SPEECHLESS.iter().any(|part| model.contains(part)));
    models
}

fn offered(found: DetectedServer) -> FoundServer {
    let DetectedServer { name, base_url, models } = found;
    let models = talking_first(models);
    let model = models.first().map_or("NAME", String::as_str);
    let lines = format!(
        "[models.local]\nkind = \"openai\"\nbase_url = \"{base_url}\"\nmodel = \"{model}\"\n\n[roles.chat]\nmodel = \"local\""
    );
    FoundServer { name: name.map(str::to_owned), base_url: base_url.to_string(), models, lines }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_model_that_can_talk_is_offered_before_one_that_makes_vectors() {
        let base_url = "http://127.0.0.1:11434/v1".parse().unwrap();
        let models = ["nomic-embed-text", "llama3.2", "qwen3"].map(str::to_owned).to_vec();
        let offered = offered(DetectedServer { name: Some("Ollama"), base_url, models });
        assert_eq!(offered.models, ["llama3.2", "qwen3", "nomic-embed-text"]);
        assert!(offered.lines.contains("\nmodel = \"llama3.2\"\n"), "{}", offered.lines);
    }
}
