//! Resolves what a command leaves out or abbreviates: the only persona, the only id with a prefix.

use wire::persona::{PersonaList, PersonaView};
use wire::verb;
use wire::{Code, Exit, Problem};

use crate::command::CommandContext;
use crate::config::Settings;
use crate::home_client::HomeClient;
use crate::report;
use crate::request::Request;

/// The given persona, else the configured one, else the only one.
pub(crate) fn the_persona(
    client: &HomeClient,
    settings: &Settings,
    named: Option<&str>,
) -> Result<String, Problem> {
    if let Some(named) = named {
        return Ok(named.to_owned());
    }
    if let Some(key) = &settings.persona {
        return Ok(key.to_string());
    }
    let mut all = every_persona(client)?;
    match (all.pop(), all.len()) {
        (Some(only), 0) => Ok(only.name.to_string()),
        (Some(last), _) => Err(several(&all, &last)),
        (None, _) => {
            let tenant = settings.acting_tenant()?;
            let detail = format!(
                "`{tenant}` has no persona yet; create one with `selfhood persona new \
                NAME`"
            );
            Err(Problem::new(Code::PersonaNotFound, detail))
        }
    }
}

/// Refuses a persona that is named and doesn't exist: a misspelt one must not look like an empty one.
pub(crate) fn check_named(client: &HomeClient, settings: &Settings) -> Result<(), Problem> {
    let Some(key) = &settings.persona else { return Ok(()) };
    client.run(Request::<verb::ShowPersona>::to(&[&key.to_string()])?)
}

/// Refuses a misspelt `--persona` of any command, also of one that has no use for it.
pub(crate) fn check_flag(context: &CommandContext<'_>) -> Result<(), Problem> {
    if !context.settings.is_persona_flag {
        return Ok(());
    }
    match check_named(context.client, context.settings) {
        Err(problem) if problem.code == Code::PersonaNotFound => Err(problem),
        // Any other problem is for the command to report.
        Ok(()) | Err(_) => Ok(()),
    }
}

/// The personas of a list: the configured one, else all of the tenant.
pub(crate) fn personas(client: &HomeClient, settings: &Settings) -> Result<Vec<String>, Problem> {
    match &settings.persona {
        Some(key) => Ok(vec![key.to_string()]),
        None => Ok(every_persona(client)?.into_iter().map(|persona| persona.name.to_string()).collect()),
    }
}

/// The same, and the exit status: personas that can't be used are reported and left out.
pub(crate) fn usable_personas(
    client: &HomeClient,
    settings: &Settings,
) -> Result<(Vec<String>, Exit), Problem> {
    if let Some(key) = &settings.persona {
        return Ok((vec![key.to_string()], Exit::Ok));
    }
    let list: PersonaList = client.ask(Request::<verb::ListPersonas>::to(&[])?)?;
    let names = list.personas.into_iter().map(|persona| persona.name.to_string()).collect();
    Ok((names, report::left_out(&list.broken)))
}

fn every_persona(client: &HomeClient) -> Result<Vec<PersonaView>, Problem> {
    client.ask(Request::<verb::ListPersonas>::to(&[])?).map(|list: PersonaList| list.personas)
}

fn several(others: &[PersonaView], last: &PersonaView) -> Problem {
    let names: Vec<&str> = others.iter().chain([last]).map(|persona| persona.name.as_str()).collect();
    Problem::new(
        Code::Usage,
        format!("there are several personas ({}); name one with --persona", names.join(", ")),
    )
}

/// The only one of `ids` that begins with what was `typed`.
pub(crate) fn the_id(
    typed: &str,
    ids: impl IntoIterator<Item = String>,
    missing: &Missing,
) -> Result<String, Problem> {
    let Missing { code, what, list } = *missing;
    let mut found: Vec<String> = ids.into_iter().filter(|id| begins(id, typed)).collect();
    match (found.pop(), found.len()) {
        (Some(only), 0) => Ok(only),
        (Some(_), more) => {
            let detail = format!("{} ids begin with `{typed}`; type more of the id", more + 1);
            Err(Problem::new(Code::Usage, detail))
        }
        (None, _) => Err(Problem::new(code, format!("no {what} `{typed}`; see `selfhood {list}`"))),
    }
}

/// The problem if there is no such id.
pub(crate) struct Missing {
    /// Its code.
    pub(crate) code: Code,
    /// The kind of thing.
    pub(crate) what: &'static str,
    /// The command that lists them.
    pub(crate) list: &'static str,
}

/// Whether `id` begins with `typed`, with or without the common prefix of its kind, and with or without the dots of a
/// shortened id.
fn begins(id: &str, typed: &str) -> bool {
    let typed = typed.trim_end_matches('.');
    let digits = ["mem:", "sess:"].iter().find_map(|kind| id.strip_prefix(kind));
    !typed.is_empty() && (id.starts_with(typed) || digits.is_some_and(|digits| digits.starts_with(typed)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_beginning_of_an_id_is_enough_when_only_one_begins_so() {
        let ids = || ["mem:7f3a00000000", "mem:7f3b00000000", "mem:c20a00000000"].map(str::to_owned);
        let missing = Missing { code: Code::MemoryNotFound, what: "memory", list: "memory list" };
        for (typed, found) in [
            ("c2", Ok("mem:c20a00000000")),
            ("mem:7f3a", Ok("mem:7f3a00000000")),
            ("mem:7f3a00...", Ok("mem:7f3a00000000")),
            ("...", Err(Code::MemoryNotFound)),
            ("7f3", Err(Code::Usage)),
            ("dd", Err(Code::MemoryNotFound)),
            ("", Err(Code::MemoryNotFound)),
            ("mem:c20a00000000", Ok("mem:c20a00000000")),
        ] {
            let answer = the_id(typed, ids(), &missing).map_err(|problem| problem.code);
            assert_eq!(answer.as_deref().map_err(|code| *code), found, "{typed}");
        }
    }
}
