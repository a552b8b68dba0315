//! `selfhood key …`.

mod list;
mod new;
mod operator;
mod revoke;
mod sign_in;

use serde_json::Value;
use wire::key::KeyView;
use wire::{Exit, Problem};

use crate::cli::Key;
use crate::command::at_the_door;
use crate::config::Settings;
use crate::home_client::WithoutHome;
use crate::output::{Output, Table};

/// Runs a key command. `persona` is the one given on the command line: a configured default binds no key.
pub(crate) fn run(
    verb: &Key,
    persona: Option<&str>,
    settings: &Settings,
    output: &Output,
) -> Result<Exit, Problem> {
    match verb {
        Key::New(asked) => {
            at_the_door(settings, output, WithoutHome::Make, |context| new::run(asked, persona, context))
        }
        Key::List => at_the_door(settings, output, WithoutHome::Refuse, list::run),
        Key::Revoke(asked) => {
            at_the_door(settings, output, WithoutHome::Refuse, |context| revoke::run(asked, context))
        }
        Key::SignIn => at_the_door(settings, output, WithoutHome::Refuse, sign_in::run),
        Key::Operator(verb) => {
            at_the_door(settings, output, WithoutHome::Refuse, |context| operator::run(verb, context))
        }
    }
}

/// The columns of a list of keys.
fn table(keys: &[KeyView]) -> Table<10> {
    let mut table = Table::new([
        "id",
        "tenant",
        "scopes",
        "speaks",
        "createdAt",
        "expiresAt",
        "revokedAt",
        "persona",
        "subject",
        "label",
    ]);
    for key in keys {
        let instant = |at: Option<domain::Timestamp>| at.map(|at| at.to_string()).into();
        table.push([
            key.id.as_str().into(),
            key.tenant_id.as_str().into(),
            scopes(key).into(),
            serde_json::to_value(key.speaks).unwrap_or_default(),
            key.created_at.to_string().into(),
            instant(key.expires_at),
            instant(key.revoked_at),
            key.persona.as_ref().map(domain::PersonaName::as_str).into(),
            key.subject.as_ref().map(domain::SubjectRef::as_str).into(),
            key.label.as_ref().map(domain::Text::as_str).into(),
        ]);
    }
    table
}

fn scopes(key: &KeyView) -> String {
    key.scopes.iter().map(|scope| scope.as_str()).collect::<Vec<_>>().join(",")
}

fn whole(key: &KeyView) -> Value {
    serde_json::to_value(key).unwrap_or_default()
}
