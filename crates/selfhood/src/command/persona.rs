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
use crate::door::WithoutHome;
use crate::output::{Output, Table};

/// Runs a persona command.
pub(crate) fn run(verb: &Persona, settings: &Settings, output: &Output) -> Result<Exit, Problem> {
    match verb {
        Persona::New(asked) => {
            at_the_door(settings, output, WithoutHome::Make, |at_hand| new::run(asked, at_hand))
        }
        Persona::List => at_the_door(settings, output, WithoutHome::Refuse, list::run),
        Persona::Show(asked) => {
            at_the_door(settings, output, WithoutHome::Refuse, |at_hand| show::run(asked, at_hand))
        }
        Persona::Copy(asked) => {
            at_the_door(settings, output, WithoutHome::Refuse, |at_hand| copy::run(asked, at_hand))
        }
        Persona::Edit(asked) => edit::run(asked, settings),
        Persona::Delete(asked) => {
            at_the_door(settings, output, WithoutHome::Refuse, |at_hand| delete::run(asked, at_hand))
        }
        Persona::Validate(asked) => validate::run(asked, settings, output),
        Persona::Sign(asked) => sign::run(asked, settings, output),
        Persona::Export(asked) => {
            at_the_door(settings, output, WithoutHome::Refuse, |at_hand| export::run(asked, at_hand))
        }
        Persona::Import(asked) => {
            at_the_door(settings, output, WithoutHome::Make, |at_hand| import::run(asked, at_hand))
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
