//! The example persona: Nora, concierge of a small hotel, with a timeline and three weeks of memories.
//!
//! She is created through the same verbs as every persona. Her past is dated back from the day of her
//! creation, so running the demo again finds everything and changes nothing.

mod life;
mod memories;

use std::fs;
use std::path::Path;

use domain::{Seed, TenantName};
use serde_json::Value;
use wire::fields::fields;
use wire::persona::{CreatePersona, PersonaAnswer, PersonaDetails, PersonaList, PersonaView, UpdatePersona};
use wire::verb;
use wire::{Code, Problem};

use crate::config::Settings;
use crate::home_client::HomeClient;
use crate::request::Request;

const SEED: &str = include_str!("../demo/persona.json");
const EMOJI: &str = "⚓";
const GREETING: &str = "Welcome to the Harbour House. I'm Nora, the concierge. What can I do for you?";
/// Files with more about her than a template has.
const FILES: [(&str, &str); 3] = [
    ("IDENTITY.md", include_str!("../demo/IDENTITY.md")),
    ("SOUL.md", include_str!("../demo/SOUL.md")),
    ("USER.md", include_str!("../demo/USER.md")),
];

/// Creates the example persona, or what is missing of her.
pub(crate) fn load(client: &HomeClient, settings: &Settings) -> Result<(), Problem> {
    let tenant = settings.acting_tenant()?;
    let nora = match find(client)? {
        Some(nora) => nora,
        None => make(client, &tenant, &settings.home)?,
    };
    let name = nora.name.to_string();
    let details: PersonaDetails = client.ask(Request::<verb::ShowPersona>::to(&[&name])?)?;
    life::load(client, &tenant, &nora)?;
    memories::load(client, &nora, &details.document)
}

fn find(client: &HomeClient) -> Result<Option<PersonaView>, Problem> {
    let seed: Seed = read(SEED)?;
    let PersonaList { personas, .. } = client.ask(Request::<verb::ListPersonas>::to(&[])?)?;
    Ok(personas.into_iter().find(|persona| persona.seed.as_ref() == Some(&seed)))
}

fn make(client: &HomeClient, tenant: &TenantName, home: &Path) -> Result<PersonaView, Problem> {
    let seed: Value = read(SEED)?;
    let body = fields!(CreatePersona {
        tenant_id: Some(tenant.as_str()),
        seed: Some(seed),
        template: Some(domain::Template::Hospitality.as_str())
    });
    let PersonaAnswer { persona } = client.ask(Request::<verb::CreatePersona>::to(&[])?.with_body(body))?;
    let face = fields!(UpdatePersona { emoji: Some(EMOJI), greeting: Some(GREETING) });
    let id = persona.id.to_string();
    let PersonaAnswer { persona } =
        client.ask(Request::<verb::UpdatePersona>::to(&[&id])?.with_body(face))?;
    let folder = store::home::Paths::new(home).persona(&persona.tenant_id, &persona.name);
    for (name, text) in FILES {
        let path = folder.join(name);
        fs::write(&path, text).map_err(|error| {
            Problem::new(Code::IoFailed, format!("can't write {}: {error}", path.display()))
        })?;
    }
    Ok(persona)
}

fn read<T: serde::de::DeserializeOwned>(text: &str) -> Result<T, Problem> {
    serde_json::from_str(text)
        .map_err(|error| Problem::new(Code::Internal, format!("the demo can't be read: {error}")))
}
