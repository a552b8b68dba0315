//! One model: its server, its name there, and its credentials.

use std::fs;
use std::path::PathBuf;

use llm::{
    Anthropic, ApiKey, Backend, BaseUrl, Embedder, Endpoint, Jitter, LlmError, OpenAi, Retries, Timeouts,
};
use vault::randomness::random_bytes;
use wire::{Code, Problem};

use crate::clock;
use crate::config::catalogue::Entry;
use crate::config::layers::Layers;
use crate::config::value::{Raw, Value, text};

/// The URL of Anthropic's API.
const ANTHROPIC: &str = "https://api.anthropic.com/v1";

/// The settings of `[models.NAME]`.
pub(crate) struct Model {
    name: String,
    kind: Kind,
    base_url: Option<BaseUrl>,
    served_as: String,
    embeddings: Option<String>,
    key: Key,
    timeouts: Timeouts,
}

/// The supported protocols.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    OpenAi,
    Anthropic,
    Offline,
}

/// Where a key is stored; never in the settings themselves.
enum Key {
    None,
    Variable(String, Option<ApiKey>),
    File(PathBuf),
}

/// Reads the settings of one model.
struct Fields<'a, 'b> {
    layers: &'a mut Layers<'b>,
    model: &'a str,
}

impl Fields<'_, '_> {
    fn take<T: Value>(&mut self, field: &str) -> Result<Option<T>, Problem> {
        let key = format!("models.{}.{field}", self.model);
        self.layers.take(&Entry { key: &key, flag: None, environment: &[] })
    }

    fn need<T: Value>(&mut self, field: &str, example: &str) -> Result<T, Problem> {
        let detail = format!("`[models.{}]` in selfhood.toml has no `{field}`; add {example}", self.model);
        self.take(field)?.ok_or_else(|| Problem::new(Code::ConfigInvalid, detail))
    }

    fn key(&mut self) -> Result<Key, Problem> {
        let variable: Option<String> = self.take("api_key_env")?;
        match (variable, self.take("api_key_file")?) {
            (None, None) => Ok(Key::None),
            (None, Some(file)) => Ok(Key::File(file)),
            (Some(name), None) => {
                let value = self.layers.secret(&name).map(ApiKey::new);
                Ok(Key::Variable(name, value))
            }
            (Some(_), Some(_)) => {
                let detail =
                    format!("`[models.{}]` has both `api_key_env` and `api_key_file`; keep one", self.model);
                Err(Problem::new(Code::ConfigInvalid, detail))
            }
        }
    }

    fn timeouts(&mut self) -> Result<Timeouts, Problem> {
        let usual = Timeouts::default();
        Ok(Timeouts {
            connect: self.take("connect_timeout")?.unwrap_or(usual.connect),
            first_byte: self.take("first_byte_timeout")?.unwrap_or(usual.first_byte),
            between_chunks: self.take("chunk_timeout")?.unwrap_or(usual.between_chunks),
            whole: self.take("answer_timeout")?.unwrap_or(usual.whole),
        })
    }
}

impl Model {
    pub(super) fn take(layers: &mut Layers<'_>, name: &str) -> Result<Self, Problem> {
        let mut fields = Fields { layers, model: name };
        let kind = fields.need("kind", "`kind = \"openai\"`, `\"anthropic\"` or `\"offline\"`")?;
        let (base_url, served_as) = match kind {
            Kind::Offline => (fields.take("base_url")?, fields.take("model")?.unwrap_or_default()),
            Kind::OpenAi => (
                Some(fields.need("base_url", "`base_url = \"http://127.0.0.1:11434/v1\"`, or where it is")?),
                fields.need("model", "`model = \"…\"`, as its server calls it")?,
            ),
            Kind::Anthropic => (
                fields.take("base_url")?.or_else(|| ANTHROPIC.parse().ok()),
                fields.need("model", "`model = \"…\"`, as its server calls it")?,
            ),
        };
        let embeddings = fields.take("embeddings")?;
        let (key, timeouts) = (fields.key()?, fields.timeouts()?);
        Ok(Self { name: name.to_owned(), kind, base_url, served_as, embeddings, key, timeouts })
    }

    /// Its name on the server.
    pub(crate) fn served_as(&self) -> &str {
        &self.served_as
    }

    /// The client of the model; nothing is asked yet.
    pub(crate) fn backend(&self) -> Result<Backend, Problem> {
        let Some(endpoint) = self.endpoint(&self.served_as)? else { return Ok(Backend::Offline) };
        let model = match self.kind {
            Kind::OpenAi => OpenAi::new(&endpoint).map(llm::Model::OpenAi),
            Kind::Anthropic => Anthropic::new(&endpoint).map(llm::Model::Anthropic),
            Kind::Offline => return Ok(Backend::Offline),
        };
        model.map(|model| Backend::Model(Box::new(model))).map_err(|error| unusable(&error))
    }

    /// The embedder, if one is configured.
    pub(crate) fn embedder(&self) -> Result<Option<Embedder>, Problem> {
        let Some(name) = &self.embeddings else { return Ok(None) };
        let Some(endpoint) = self.endpoint(name)? else { return Ok(None) };
        Embedder::new(&endpoint).map(Some).map_err(|error| unusable(&error))
    }

    fn endpoint(&self, model: &str) -> Result<Option<Endpoint>, Problem> {
        let Some(base_url) = self.base_url.clone() else { return Ok(None) };
        Ok(Some(Endpoint {
            name: self.name.clone(),
            base_url,
            model: model.to_owned(),
            api_key: self.api_key()?,
            timeouts: self.timeouts,
            retries: Retries::default(),
            jitter: Jitter::new(chance),
        }))
    }

    fn api_key(&self) -> Result<Option<ApiKey>, Problem> {
        match &self.key {
            Key::None => Ok(None),
            Key::Variable(_, Some(key)) => Ok(Some(key.clone())),
            Key::Variable(name, None) => {
                let detail = format!(
                    "model `{}` takes its key from {name}, which is not set; set it, or write it into the \
                    home's .env",
                    self.name
                );
                Err(Problem::new(Code::ConfigInvalid, detail))
            }
            Key::File(path) => {
                let failed = |error| {
                    let (model, path) = (&self.name, path.display());
                    Problem::new(
                        Code::ConfigInvalid,
                        format!("can't read the key of model `{model}` from {path}: {error}"),
                    )
                };
                fs::read_to_string(path).map(|key| Some(ApiKey::new(&key))).map_err(failed)
            }
        }
    }
}

/// A number in `[0, 1)`; 0 if the system gives no random bytes.
fn chance() -> f64 {
    let bytes: [u8; 4] = random_bytes(&clock::chance()).unwrap_or_default();
    f64::from(u32::from_le_bytes(bytes)) / (f64::from(u32::MAX) + 1.0)
}

fn unusable(error: &LlmError) -> Problem {
    Problem::new(Code::ConfigInvalid, error.to_string())
}

impl Value for Kind {
    fn read(raw: &Raw) -> Result<Self, String> {
        match text(raw, "a word")? {
            "openai" => Ok(Self::OpenAi),
            "anthropic" => Ok(Self::Anthropic),
            "offline" => Ok(Self::Offline),
            _ => Err("must be one of openai, anthropic, offline".to_owned()),
        }
    }

    fn shown(&self) -> String {
        match self {
            Self::OpenAi => "openai",
            Self::Anthropic => "anthropic",
            Self::Offline => "offline",
        }
        .to_owned()
    }
}

impl Value for BaseUrl {
    fn read(raw: &Raw) -> Result<Self, String> {
        text(raw, "an address")?.parse().map_err(|rule: llm::InvalidBaseUrl| rule.to_string())
    }

    fn shown(&self) -> String {
        self.to_string()
    }
}

impl Value for String {
    fn read(raw: &Raw) -> Result<Self, String> {
        text(raw, "a name").map(str::to_owned)
    }

    fn shown(&self) -> String {
        self.clone()
    }
}
