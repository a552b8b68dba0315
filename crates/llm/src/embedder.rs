//! Embeddings from a server, as an alternative to the built-in embedder.

use std::future::Future;

use serde_json::{Value, json};

use crate::endpoint::Endpoint;
use crate::error::{LlmError, Reason};
use crate::http::Http;
use crate::openai;
use crate::words::Words;

/// The number of texts per request.
const BATCH: usize = 64;
const EXPECTED: &str = "one embedding of the same length per text";

/// A source of embeddings.
pub trait Embed {
    /// One vector per text, in the order of the texts and all of one length.
    fn embed(&self, texts: &[Words]) -> impl Future<Output = Result<Vec<Vec<f32>>, LlmError>> + Send;
}

/// A model behind `POST …/embeddings`, as defined by OpenAI and supported by most servers.
#[derive(Debug)]
pub struct Embedder {
    http: Http,
    model: String,
}

impl Embedder {
    /// A client for `endpoint`; nothing is sent yet.
    pub fn new(endpoint: &Endpoint) -> Result<Self, LlmError> {
        Ok(Self { http: openai::client(endpoint)?, model: endpoint.model.clone() })
    }

    async fn batch(&self, texts: &[Words]) -> Result<Vec<Vec<f32>>, LlmError> {
        let input: Vec<_> = texts.iter().map(Words::as_str).collect();
        let body = json!({ "model": self.model, "input": input, "encoding_format": "float" });
        let answer = self.http.ask("embeddings", &body, EXPECTED).await?;
        vectors(&answer, texts.len()).ok_or_else(|| self.malformed())
    }

    fn malformed(&self) -> LlmError {
        self.http.error(Reason::Malformed { expected: EXPECTED })
    }
}

impl Embed for Embedder {
    async fn embed(&self, texts: &[Words]) -> Result<Vec<Vec<f32>>, LlmError> {
        let mut all: Vec<Vec<f32>> = Vec::with_capacity(texts.len());
        for texts in texts.chunks(BATCH) {
            all.extend(self.batch(texts).await?);
        }
        let length = all.first().map_or(0, Vec::len);
        let alike = all.iter().all(|vector| vector.len() == length && length > 0);
        if alike { Ok(all) } else { Err(self.malformed()) }
    }
}

/// The vectors by their index; a missing, duplicate or infinite one makes the whole response invalid.
fn vectors(answer: &Value, count: usize) -> Option<Vec<Vec<f32>>> {
    let rows = answer.get("data")?.as_array()?;
    let mut placed: Vec<Option<Vec<f32>>> = vec![None; count];
    for (position, row) in rows.iter().enumerate() {
        let index =
            row.get("index").and_then(Value::as_u64).map_or(Some(position), |it| it.try_into().ok())?;
        let place = placed.get_mut(index)?;
        if place.replace(vector(row.get("embedding")?)?).is_some() {
            return None;
        }
    }
    placed.into_iter().collect()
}

fn vector(numbers: &Value) -> Option<Vec<f32>> {
    #[expect(clippy::cast_possible_truncation, reason = "vectors are f32 everywhere")]
    let number = |number: &Value| number.as_f64().map(|it| it as f32).filter(|it| it.is_finite());
    numbers.as_array()?.iter().map(number).collect()
}
