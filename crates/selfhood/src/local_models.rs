//! Model servers on this machine: found, offered, and never used unasked.

use llm::{Found, LocalServer, detect};

/// The most models that are named; more would hide the rest.
const NAMED: usize = 5;

/// What was found, and what to write to use it.
pub(crate) struct Offer {
    /// The server and its models, in a sentence.
    pub(crate) found: String,
    /// The lines for `selfhood.toml`.
    pub(crate) lines: String,
}

/// Looks on the usual ports.
pub(crate) async fn offers() -> Vec<Offer> {
    detect(&LocalServer::USUAL).await.iter().map(offer).collect()
}

fn offer(found: &Found) -> Offer {
    let (name, base_url) = (found.name, &found.base_url);
    let models: Vec<_> = found.models.iter().take(NAMED).map(String::as_str).collect();
    let more = found.models.len().saturating_sub(NAMED);
    let model = models.first().copied().unwrap_or("NAME");
    let listed = match (models.is_empty(), more) {
        (true, _) => "without a model yet".to_owned(),
        (false, 0) => format!("with {}", models.join(", ")),
        (false, more) => format!("with {} and {more} more", models.join(", ")),
    };
    Offer {
        found: format!("found a model server at {base_url} (probably {name}) {listed}"),
        lines: format!(
            "[models.local]\nkind = \"openai\"\nbase_url = \"{base_url}\"\nmodel = \"{model}\"\n\n[roles.chat]\nmodel = \"local\""
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_offer_names_the_models_and_can_be_pasted() {
        let base_url = "http://127.0.0.1:11434/v1".parse().unwrap();
        let models = (1..=7).map(|number| format!("m{number}")).collect();
        let offer = offer(&Found { name: "Ollama", base_url, models });
        assert_eq!(
            offer.found,
            "found a model server at http://127.0.0.1:11434/v1 (probably Ollama) with m1, m2, m3, m4, m5 and 2 more"
        );
        let pasted: toml::Table = offer.lines.parse().unwrap();
        assert_eq!(pasted["models"]["local"]["model"].as_str(), Some("m1"));
        assert_eq!(pasted["roles"]["chat"]["model"].as_str(), Some("local"));
    }
}
