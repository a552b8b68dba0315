//! The ports on this machine where model servers are searched for.

use llm::LocalServer;
use wire::Problem;

use super::catalogue;
use super::layers::Layers;
use super::listening::words;
use super::value::{Raw, Value};

/// The most ports; more would be a port scan.
const MOST: usize = 16;

/// Reads `server.model_ports`.
pub(super) fn take(layers: &mut Layers<'_>) -> Result<Vec<LocalServer>, Problem> {
    layers.take_or(&catalogue::MODEL_PORTS, LocalServer::USUAL.into())
}

impl Value for Vec<LocalServer> {
    fn read(raw: &Raw) -> Result<Self, String> {
        let port = |word: &str| word.parse().ok().filter(|port| *port > 0).map(LocalServer::at);
        let ports: Option<Self> = words(raw).ok().and_then(|words| words.into_iter().map(port).collect());
        let few = ports.filter(|ports| ports.len() <= MOST);
        few.ok_or_else(|| format!("must be a list of at most {MOST} ports, each from 1 to 65535"))
    }

    fn shown(&self) -> String {
        self.iter().map(|server| server.port.to_string()).collect::<Vec<_>>().join(",")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ports_are_read_from_a_list_or_a_variable_and_nonsense_is_refused() {
        let list = |words: &[&str]| Raw::List(words.iter().map(|word| (*word).to_owned()).collect());
        let read = |raw: &Raw| Vec::<LocalServer>::read(raw).map(|servers| servers.shown());
        assert_eq!(read(&list(&["11434", "5001"])), Ok("11434,5001".to_owned()));
        assert_eq!(read(&Raw::Text("11434, 5001".to_owned())), Ok("11434,5001".to_owned()));
        assert_eq!(read(&list(&[])), Ok(String::new()));
        assert_eq!(LocalServer::at(11434).name, Some("Ollama"));
        assert_eq!(LocalServer::at(5001).name, None);
        for wrong in [list(&["0"]), list(&["65536"]), list(&["ollama"]), list(&["1"; 17]), Raw::Switch(true)]
        {
            assert!(read(&wrong).is_err(), "{wrong:?}");
        }
    }
}
