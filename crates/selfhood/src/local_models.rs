//! Messages about model servers on this machine: they are offered, and never used without being configured.

use wire::local_model::FoundServer;

/// The most models that are named.
const NAMED: usize = 5;

/// The server and its models, as a sentence.
pub(crate) fn sentence(found: &FoundServer) -> String {
    let models: Vec<_> = found.models.iter().take(NAMED).map(String::as_str).collect();
    let more = found.models.len().saturating_sub(NAMED);
    let listed = match (models.is_empty(), more) {
        (true, _) => "without a model yet".to_owned(),
        (false, 0) => format!("with {}", models.join(", ")),
        (false, more) => format!("with {} and {more} more", models.join(", ")),
    };
    let probably = found.name.as_ref().map(|name| format!(" (probably {name})")).unwrap_or_default();
    format!("found a model server at {}{probably} {listed}", found.base_url)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sentence_names_the_server_and_some_of_its_models() {
        let found = |name: Option<&str>, models: usize| FoundServer {
            name: name.map(str::to_owned),
            base_url: "http://127.0.0.1:11434/v1".to_owned(),
            models: (1..=models).map(|number| format!("m{number}")).collect(),
            lines: String::new(),
        };
        let start = "found a model server at http://127.0.0.1:11434/v1";
        for (server, rest) in [
            (found(Some("Ollama"), 7), " (probably Ollama) with m1, m2, m3, m4, m5 and 2 more"),
            (found(Some("Ollama"), 1), " (probably Ollama) with m1"),
            (found(None, 0), " without a model yet"),
        ] {
            assert_eq!(sentence(&server), format!("{start}{rest}"));
        }
    }
}
