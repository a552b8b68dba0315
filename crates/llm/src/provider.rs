//! Model providers with known addresses, so that a person needs only an API key to use one.

use crate::anthropic::Anthropic;
use crate::endpoint::{BaseUrl, Endpoint};
use crate::error::LlmError;
use crate::model::Model;
use crate::openai::OpenAi;

/// The protocols that models are called by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Protocol {
    /// Chat completions, as defined by OpenAI.
    OpenAi,
    /// Anthropic's Messages API.
    Anthropic,
}

impl Protocol {
    /// A client for the model at `endpoint`; nothing is sent yet.
    pub fn client(self, endpoint: &Endpoint) -> Result<Model, LlmError> {
        match self {
            Self::OpenAi => OpenAi::new(endpoint).map(Model::OpenAi),
            Self::Anthropic => Anthropic::new(endpoint).map(Model::Anthropic),
        }
    }
}

/// A company, or a server of one's own, that runs models for holders of an API key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Provider {
    /// Its short name in the configuration; for an address without one, its host.
    pub id: String,
    /// What people call it.
    pub name: String,
    /// Where its routes are.
    pub base_url: BaseUrl,
    /// How it is spoken to.
    pub protocol: Protocol,
}

/// Short name, name and address of each provider with a known address.
const KNOWN: [(&str, &str, &str); 8] = [
    ("openai", "OpenAI", "https://api.openai.com/v1"),
    ("anthropic", "Anthropic", "https://api.anthropic.com/v1"),
    ("google", "Google Gemini", "https://generativelanguage.googleapis.com/v1beta/openai"),
    ("mistral", "Mistral", "https://api.mistral.ai/v1"),
    ("openrouter", "OpenRouter", "https://openrouter.ai/api/v1"),
    ("groq", "Groq", "https://api.groq.com/openai/v1"),
    ("deepseek", "DeepSeek", "https://api.deepseek.com/v1"),
    ("together", "Together AI", "https://api.together.xyz/v1"),
];
/// The only one of them with a protocol of its own.
const ANTHROPIC: &str = "anthropic";

impl Provider {
    /// The providers with known addresses.
    #[must_use]
    pub fn known() -> Vec<Self> {
        KNOWN.iter().filter_map(|(id, ..)| Self::named(id)).collect()
    }

    /// The provider with this short name.
    #[must_use]
    pub fn named(id: &str) -> Option<Self> {
        let (id, name, address) = KNOWN.into_iter().find(|(known, ..)| *known == id)?;
        let protocol = if id == ANTHROPIC { Protocol::Anthropic } else { Protocol::OpenAi };
        Some(Self { id: id.to_owned(), name: name.to_owned(), base_url: address.parse().ok()?, protocol })
    }

    /// The server at an address that an operator named; it is spoken to as most servers are.
    #[must_use]
    pub fn at(base_url: BaseUrl) -> Self {
        let known = Self::known().into_iter().find(|provider| provider.base_url == base_url);
        known.unwrap_or_else(|| {
            let host = base_url.authority();
            Self { id: host.clone(), name: host, base_url, protocol: Protocol::OpenAi }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_known_provider_has_an_encrypted_address_and_only_one_a_protocol_of_its_own() {
        let known = Provider::known();
        assert_eq!(known.len(), KNOWN.len());
        assert!(known.iter().all(|provider| provider.base_url.scheme() == "https"));
        let own: Vec<_> = known.iter().filter(|provider| provider.protocol != Protocol::OpenAi).collect();
        assert_eq!(own.iter().map(|provider| provider.id.as_str()).collect::<Vec<_>>(), ["anthropic"]);
    }

    #[test]
    fn an_address_is_a_known_provider_or_is_named_after_its_host() {
        let at = |address: &str| Provider::at(address.parse().unwrap());
        assert_eq!(at("https://api.mistral.ai/v1").id, "mistral");
        assert_eq!(at("https://models.example.org/v1").name, "models.example.org");
        assert_eq!(at("http://127.0.0.1:4000/v1").id, "127.0.0.1:4000");
    }
}
