//! `selfhood persona edit`: opens a file of a persona in the user's editor.

use std::process::Command;

use engine::PersonaKey;
use store::DocumentName;
use wire::{Code, Exit, Problem};

use crate::cli::PersonaEdit;
use crate::config::{Environment, Settings};
use crate::home::{self, Resident};
use crate::report;

/// Opens the file and waits until the editor is closed.
pub(crate) fn run(asked: &PersonaEdit, settings: &Settings) -> Result<Exit, Problem> {
    let document: DocumentName = asked.document.parse().map_err(|_| unknown(&asked.document))?;
    let resident = resident(asked, settings)?;
    let path = resident.folder.join(document.to_string());
    let before = std::fs::read(&path).ok();
    let environment = Environment::of_process();
    let editor = environment.get("VISUAL").or_else(|| environment.get("EDITOR")).unwrap_or("vi");
    let failed =
        |why: String| Problem::new(Code::IoFailed, format!("the editor `{editor}` {why}; set EDITOR"));
    let mut words = editor.split_whitespace();
    let program = words.next().ok_or_else(|| failed("has no name".to_owned()))?;
    let ended = Command::new(program).args(words).arg(&path).status();
    let ended = ended.map_err(|error| failed(format!("can't be started: {error}")))?;
    if !ended.success() {
        return Err(failed(format!("ended with {ended}")));
    }
    let after = std::fs::read(&path).ok();
    let path = path.display();
    if before == after {
        report::note(format_args!("{path} is unchanged"));
    } else if document == DocumentName::Persona {
        report::note(format_args!("{path} was edited; memory pauses until `selfhood persona sign`"));
    } else {
        report::note(format_args!("{path} was edited; the next request sees it"));
    }
    Ok(Exit::Ok)
}

fn resident(asked: &PersonaEdit, settings: &Settings) -> Result<Resident, Problem> {
    let named = asked.named.as_deref().map(str::parse::<PersonaKey>).transpose();
    let named = named.map_err(|rule| Problem::new(Code::PersonaNotFound, rule.to_string()))?;
    home::the_persona(settings, named.or_else(|| settings.persona.clone()).as_ref())
}

fn unknown(name: &str) -> Problem {
    let names: Vec<String> = DocumentName::NAMED.iter().map(ToString::to_string).collect();
    let names = names.into_iter().filter(|name| !name.contains(".bak")).collect::<Vec<_>>().join(", ");
    Problem::new(Code::NotFound, format!("a persona has no file `{name}`; there are: {names}"))
}
