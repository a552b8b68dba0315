//! `selfhood persona …`.

mod bundle;
mod copy;
mod delete;
mod edit;
mod export;
mod import;
mod list;
mod new;
mod show;
mod sign;
mod validate;

use serde_json::Value;
use wire::persona::{MemoryState, PersonaView};
use wire::{Exit, Problem};

use crate::cli::Persona;
use crate::command::at_the_door;
use crate::config::Settings;
use crate::home_client::WithoutHome;
use crate::output::{Output, Table};

/// Runs a persona command.
pub(crate) fn run(verb: &Persona, settings: &Settings, output: &Output) -> Result<Exit, Problem> {
    match verb {
        Persona::New(asked) => {
            at_the_door(settings, output, WithoutHome::Make, |context| new::run(asked, context))
        }
        Persona::List => at_the_door(settings, output, WithoutHome::Refuse, list::run),
        Persona::Show(asked) => {
            at_the_door(settings, output, WithoutHome::Refuse, |context| show::run(asked, context))
        }
        Persona::Copy(asked) => {
            at_the_door(settings, output, WithoutHome::Refuse, |context| copy::run(asked, context))
        }
        Persona::Edit(asked) => edit::run(asked, settings),
        Persona::Delete(asked) => {
            at_the_door(settings, output, WithoutHome::Refuse, |context| delete::run(asked, context))
        }
        Persona::Validate(asked) => validate::run(asked, settings, output),
        Persona::Sign(asked) => sign::run(asked, settings, output),
        Persona::Export(asked) => {
            at_the_door(settings, output, WithoutHome::Refuse, |context| export::run(asked, context))
        }
        Persona::Import(asked) => {
            at_the_door(settings, output, WithoutHome::Make, |context| import::run(asked, context))
        }
    }
}

/// The columns of a list of personas.
fn table(personas: &[PersonaView]) -> Table<5> {
    let mut table = Table::new(["name", "memory", "id", "createdAt", "summary"]);
    for persona in personas {
        table.push([
            persona.name.as_str().into(),
            state(persona.memory).into(),
            persona.id.to_string().into(),
            persona.created_at.to_string().into(),
            persona.summary.as_str().into(),
        ]);
    }
    table
}

fn state(memory: MemoryState) -> &'static str {
    match memory {
        MemoryState::On => "on",
        MemoryState::Off => "off",
        MemoryState::Paused => "paused",
    }
}

fn whole(persona: &PersonaView) -> Value {
    serde_json::to_value(persona).unwrap_or_default()
}
