//! Asking a model what to remember of an exchange.
//!
//! A model that does not answer, or not with a list of memories, costs nothing: the turn waits and is
//! asked about again a little later. When that has failed often enough the rules form it instead, and
//! both the log and the memories say so.

use formation::{Exchange, Formed, Speaker};
use llm::{Backend, Complete, Message, Model, Request};
use serde_json::json;

use crate::Engine;
use crate::converse::Role;
use crate::personas::Found;

/// The longest answer, in tokens.
const LONGEST_ANSWER: u32 = 1_200;
const INSTRUCTION: &str = include_str!("PROPOSE.md");

/// What an exchange leaves behind, and who says so.
pub(super) struct Judgement {
    pub(super) formed: Vec<Formed>,
    pub(super) by: By,
}

/// Who decided what is remembered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum By {
    /// The built-in rules.
    Rules,
    /// A model, by its name.
    Model(String),
    /// The rules, because the model of this name failed too often.
    RulesInsteadOf(String),
}

impl By {
    /// How a memory says who formed it; nothing where no model is configured.
    pub(super) fn told(&self) -> Option<String> {
        match self {
            Self::Rules => None,
            Self::Model(name) => Some(format!("model {name}")),
            Self::RulesInsteadOf(name) => Some(format!("rules, since model {name} failed")),
        }
    }
}

/// A model did not say what to remember; the log says why.
pub(super) struct Unanswered;

impl Engine {
    /// What `exchange` leaves behind: by the model if there is one, else by the rules.
    pub(super) async fn judgement(
        &self,
        found: &Found,
        exchange: &Exchange<'_>,
        patience: Patience,
    ) -> Result<Judgement, Unanswered> {
        let role = self.roles.forming();
        let Backend::Model(model) = role.backend.as_ref() else {
            return Ok(Judgement { formed: formation::form(exchange), by: By::Rules });
        };
        // Where there is nothing to propose, the rules say so too, and say what was refused.
        let Some(request) = request(found, role, exchange) else {
            return Ok(Judgement { formed: formation::form(exchange), by: By::Rules });
        };
        if patience == Patience::Over {
            let model = role.model_name.clone();
            tracing::warn!(model, "a turn was formed by the rules, since the model failed too often");
            return Ok(Judgement { formed: formation::form(exchange), by: By::RulesInsteadOf(model) });
        }
        let proposals = asked(model, &request).await?;
        let formed = formation::judged(exchange, &proposals);
        Ok(Judgement { formed, by: By::Model(role.model_name.clone()) })
    }
}

/// Whether a model is still asked about a turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Patience {
    /// It is.
    Left,
    /// It failed too often.
    Over,
}

async fn asked(model: &Model, request: &Request) -> Result<Vec<formation::Proposal>, Unanswered> {
    let answer = model.complete(request).await.map_err(|error| {
        tracing::warn!(%error, "a model was not able to say what to remember; the turn waits");
        Unanswered
    })?;
    formation::proposals(answer.text.as_str()).map_err(|_| {
        tracing::warn!(
            length = answer.text.as_str().len(),
            "a model's answer is no list of memories; the turn waits"
        );
        Unanswered
    })
}

/// The question; none if nothing of the exchange may or need be kept.
fn request(found: &Found, role: &Role, exchange: &Exchange<'_>) -> Option<Request> {
    let readable = formation::readable(exchange)?;
    let record = json!({
        "today": exchange.today.to_string(),
        "speaker": match exchange.speaker {
            Speaker::Owner => "owner",
            Speaker::Guest => "guest",
        },
        "youHadSaid": readable.before,
        "theySaid": readable.said,
        "youKnowAlready": exchange.reminded,
    });
    let persona = recall::on_one_line(&found.standing.document.identity.display_name);
    Some(Request {
        system: INSTRUCTION.replace("{persona}", &persona).as_str().into(),
        messages: vec![Message::User(record.to_string().as_str().into())],
        temperature: Some(role.temperature.unwrap_or(0.0)),
        max_tokens: Some(role.max_tokens.unwrap_or(LONGEST_ANSWER)),
        ..Request::default()
    })
}
