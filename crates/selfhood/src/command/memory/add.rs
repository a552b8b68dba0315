//! `selfhood memory add`.

use domain::DecayProfile;
use serde_json::{Value, json};
use wire::fields::{Fields, fields, list};
use wire::memory::{MemoryAnswer, Remember};
use wire::verb;
use wire::{Exit, Problem};

use super::atoms;
use crate::cli::MemoryAdd;
use crate::command::CommandContext;
use crate::request::Request;
use crate::{clock, given_file, resolve};

/// Creates a memory and shows it.
pub(crate) fn run(asked: &MemoryAdd, context: &CommandContext<'_>) -> Result<Exit, Problem> {
    let persona = resolve::the_persona(context.client, context.settings, None)?;
    let given = given_file::object(asked.json.as_deref(), context.settings.document_limit)?;
    let request =
        Request::<verb::Remember>::to(&[&persona])?.with_body(described(Fields::from_object(given), asked));
    let MemoryAnswer { memory } = context.client.ask(request)?;
    let added = [(persona, memory)];
    context.output.list(&atoms::records(&added), &atoms::table(&added))?;
    Ok(Exit::Ok)
}

/// The default decay with another half-life.
fn lasting(half_life_days: f64) -> Value {
    json!(DecayProfile { half_life_days, ..DecayProfile::default() })
}

fn described(given: Fields<Remember>, asked: &MemoryAdd) -> Fields<Remember> {
    let fields = given.overridden_by(fields!(Remember {
        gist: asked.gist.as_deref(),
        kind: asked.kind.as_deref(),
        details: list(&atoms::details(&asked.details)),
        salience: asked.salience,
        emotional_valence: asked.valence,
        privacy_class: asked.privacy_class.as_deref(),
        consent_basis: asked.consent_basis.as_deref(),
        subject: asked.subject.as_deref(),
        mentions: list(&asked.mentions),
        tags: list(&asked.tags),
        cues: list(&asked.cues),
        event_date: asked.event_date.as_deref(),
        decay_profile: asked.half_life.map(lasting),
        pinned: asked.pinned.then_some(true),
        created_at: asked.created_at.map(|moment| moment.as_of(clock::now()).to_string()),
    }));
    let class = if fields.has("subject") { "guest-pii" } else { "non-pii" };
    fields.or(fields!(Remember {
        kind: Some("episodic"),
        salience: Some(0.5),
        privacy_class: Some(class),
        consent_basis: Some("not-applicable"),
    }))
}
