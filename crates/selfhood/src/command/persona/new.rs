//! `selfhood persona new`: from templates, or from a few facts.

use domain::PersonaName;
use serde_json::json;
use wire::fields::fields;
use wire::persona::{CreatePersona, PersonaAnswer, SetUpPersona};
use wire::verb;
use wire::{Code, Exit, Problem};

use super::{table, whole};
use crate::cli::{PersonaNew, TemplateName};
use crate::command::CommandContext;
use crate::config::StoreChoice;
use crate::report;
use crate::request::Request;

/// Creates a persona and shows it.
pub(crate) fn run(asked: &PersonaNew, context: &CommandContext<'_>) -> Result<Exit, Problem> {
    let PersonaAnswer { persona } = match &asked.name {
        Some(name) => context.client.ask(from_templates(name, asked)?)?,
        None => context.client.ask(from_facts(asked, context)?)?,
    };
    let made = [persona];
    context.output.list(&made.each_ref().map(whole), &table(&made))?;
    if context.settings.store != StoreChoice::Home {
        report::note("created; edit its documents on the web page, or through `/files`");
        return Ok(Exit::Ok);
    }
    for persona in &made {
        let folder = context
            .settings
            .home
            .join(persona.tenant_id.as_str())
            .join("persona")
            .join(persona.name.as_str());
        report::note(format_args!(
            "created {}; edit its files there, or with `selfhood persona edit`",
            folder.display()
        ));
    }
    Ok(Exit::Ok)
}

fn from_templates(name: &str, asked: &PersonaNew) -> Result<Request<verb::SetUpPersona>, Problem> {
    check_name(name)?;
    let body = fields!(SetUpPersona {
        name: Some(name),
        display_name: asked.display_name.as_deref(),
        emoji: asked.emoji.as_deref(),
        description: asked.description.as_deref(),
        template: asked.template.map(TemplateName::as_str)
    });
    Ok(Request::<verb::SetUpPersona>::to(&[])?.with_body(body))
}

/// Explains the format of a name to a user who typed a display name.
fn check_name(name: &str) -> Result<(), Problem> {
    let Err(rule) = name.parse::<PersonaName>() else { return Ok(()) };
    let folded: String = name.to_lowercase().replace(char::is_whitespace, "-");
    let way_out = match folded.parse::<PersonaName>() {
        Ok(name_of_it) => format!("; try `selfhood persona new {name_of_it} --display-name \"{name}\"`"),
        Err(_) => String::new(),
    };
    Err(Problem::new(Code::ValidationFailed, format!("{rule}{way_out}")))
}

fn from_facts(
    asked: &PersonaNew,
    context: &CommandContext<'_>,
) -> Result<Request<verb::CreatePersona>, Problem> {
    let tenant = context.settings.acting_tenant()?;
    let body = fields!(CreatePersona {
        tenant_id: Some(tenant.as_str()),
        seed: Some(seed(asked)),
        template: asked.template.map(TemplateName::as_str)
    });
    Ok(Request::<verb::CreatePersona>::to(&[])?.with_body(body))
}

fn seed(asked: &PersonaNew) -> serde_json::Value {
    json!({
        "firstName": asked.first_name,
        "lastName": asked.last_name,
        "age": asked.age,
        "location": asked.location,
        "baseOccupation": asked.occupation,
    })
}
