//! `selfhood memory add`.

use domain::DecayProfile;
use serde_json::{Value, json};
use wire::memory::MemoryAnswer;
use wire::verb;
use wire::{Exit, Problem};

use super::atoms;
use crate::cli::MemoryAdd;
use crate::command::CommandContext;
use crate::request::{Body, Request};
use crate::{clock, given_file, resolve};

/// Creates a memory and shows it.
pub(crate) fn run(asked: &MemoryAdd, context: &CommandContext<'_>) -> Result<Exit, Problem> {
    let persona = resolve::the_persona(context.client, context.settings, None)?;
    let given = given_file::object(asked.json.as_deref(), context.settings.document_limit)?;
    let request =
        Request::<verb::Remember>::to(&[&persona])?.with_body(described(Body::from_object(given), asked));
    let MemoryAnswer { memory } = context.client.ask(request)?;
    let added = [(persona, memory)];
    context.output.list(&atoms::records(&added), &atoms::table(&added))?;
    Ok(Exit::Ok)
}

/// The default decay with another half-life.
fn lasting(half_life_days: f64) -> Value {
    json!(DecayProfile { half_life_days, ..DecayProfile::default() })
}

fn described(given: Body, asked: &MemoryAdd) -> Body {
    let body = given
        .with("gist", asked.gist.as_deref())
        .with("kind", asked.kind.as_deref())
        .with_list("details", &atoms::details(&asked.details))
        .with("salience", asked.salience)
        .with("emotionalValence", asked.valence)
        .with("privacyClass", asked.privacy_class.as_deref())
        .with("consentBasis", asked.consent_basis.as_deref())
        .with("subject", asked.subject.as_deref())
        .with_list("mentions", &asked.mentions)
        .with_list("tags", &asked.tags)
        .with_list("cues", &asked.cues)
        .with("eventDate", asked.event_date.as_deref())
        .with("decayProfile", asked.half_life.map(lasting))
        .with("pinned", asked.pinned.then_some(true))
        .with("createdAt", asked.created_at.map(|moment| moment.as_of(clock::now()).to_string()));
    let class = if body.says("subject") { "guest-pii" } else { "non-pii" };
    body.or("kind", "episodic")
        .or("salience", 0.5)
        .or("privacyClass", class)
        .or("consentBasis", "not-applicable")
}
