//! The providers whose models the owner of a tenant may connect with an API key.

use llm::Provider;
use wire::Problem;

use super::catalogue;
use super::layers::Layers;
use super::listening::words;
use super::value::{Raw, Value};

/// What `server.model_providers` says: short names of known providers, or addresses.
pub(super) fn take(layers: &mut Layers<'_>) -> Result<Vec<Provider>, Problem> {
    layers.take_or(&catalogue::MODEL_PROVIDERS, Provider::known())
}

impl Value for Vec<Provider> {
    fn read(raw: &Raw) -> Result<Self, String> {
        let provider = |word: &str| Provider::named(word).or_else(|| word.parse().ok().map(Provider::at));
        let providers: Option<Self> =
            words(raw).ok().and_then(|words| words.into_iter().map(provider).collect());
        providers.ok_or_else(|| {
            let known: Vec<_> = Provider::known().into_iter().map(|provider| provider.id).collect();
            format!(
                "must be a list of providers ({}) or addresses such as `https://models.example.org/v1`",
                known.join(", ")
            )
        })
    }

    fn shown(&self) -> String {
        let known = |provider: &Provider| Provider::named(&provider.id).is_some();
        let word = |it: &Provider| if known(it) { it.id.clone() } else { it.base_url.to_string() };
        self.iter().map(word).collect::<Vec<_>>().join(",")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn providers_are_named_or_given_by_address_and_nonsense_is_refused() {
        let read = |text: &str| Vec::<Provider>::read(&Raw::Text(text.to_owned())).map(|all| all.shown());
        assert_eq!(
            read("openai, https://models.example.org/v1"),
            Ok("openai,https://models.example.org/v1".to_owned())
        );
        assert_eq!(read("https://api.mistral.ai/v1"), Ok("mistral".to_owned()));
        assert!(read("nobody").unwrap_err().contains("anthropic"));
        assert_eq!(Vec::<Provider>::read(&Raw::List(Vec::new())), Ok(Vec::new()));
    }
}
