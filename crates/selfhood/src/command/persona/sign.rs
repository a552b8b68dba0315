//! `selfhood persona sign [FILE|DIR]`: signs documents, so that memory may form.

use std::path::Path;

use domain::validate::{self, ValidationContext};
use domain::{ConsentBasis, Severity};
use serde_json::Value;
use vault::signature::{SigningKey, sign_persona};
use wire::verb;
use wire::{Code, Exit, Pointed, Problem};

use crate::cli::Sign;
use crate::config::Settings;
use crate::document::{self, Document};
use crate::home::{self, DOCUMENT_NAME};
use crate::home_client::{HomeClient, WithoutHome};
use crate::output::{Output, Table};
use crate::request::Request;
use crate::{clock, keys};

/// Signs the given files in place, or a persona of the home through the engine.
pub(crate) fn run(asked: &Sign, settings: &Settings, output: &Output) -> Result<Exit, Problem> {
    let mut signed = Table::new(["file", "signer", "contentHash"]);
    match &asked.path {
        Some(path) => sign_files(path, settings, &mut signed)?,
        None => sign_persona_of_home(settings, &mut signed)?,
    }
    output.table(&signed)?;
    Ok(Exit::Ok)
}

/// Signs every document below `path`, after all of them were validated.
fn sign_files(path: &Path, settings: &Settings, signed: &mut Table<3>) -> Result<(), Problem> {
    let mut sound = Vec::new();
    for file in document::find(path)? {
        let document = Document::read(&file, settings.document_limit)?;
        let content = sound_content(&document, &settings.consent_bases)?;
        sound.push((document, content));
    }
    let key = keys::operator(settings)?;
    for (document, content) in &sound {
        signed.push(sign(document, content, &key)?);
    }
    Ok(())
}

fn sign_persona_of_home(settings: &Settings, signed: &mut Table<3>) -> Result<(), Problem> {
    let resident = home::the_persona(settings, settings.persona.as_ref())?;
    let client = HomeClient::open(settings, resident.tenant.clone(), WithoutHome::Refuse)?;
    let asked = Request::<verb::SignPersona>::to(&[resident.name.as_str()]);
    let answer = asked.and_then(|request| client.ask(request));
    client.close()?;
    answer?;
    let path = resident.folder.join(DOCUMENT_NAME);
    let document = Document::read(&path, settings.document_limit)?;
    let content = document.content().map_err(|error| Problem::new(Code::MalformedJson, error.to_string()))?;
    let part = |name: &str| content.pointer(&format!("/signature/{name}")).cloned().unwrap_or_default();
    signed.push([path.display().to_string().into(), part("signer"), part("contentHash")]);
    Ok(())
}

/// The content of the document, if it is valid: a signature on an invalid policy would protect nobody.
fn sound_content(document: &Document, added_bases: &[ConsentBasis]) -> Result<Value, Problem> {
    let path = document.path.display();
    let malformed = |error| Problem::new(Code::MalformedJson, format!("{path}: {error}"));
    let content = document.content().map_err(malformed)?;
    let problems =
        validate::validate(&unsigned(&content), &ValidationContext { now: clock::now(), added_bases });
    let errors = problems.into_iter().filter(|problem| problem.severity == Severity::Error);
    let places: Vec<Pointed> =
        errors.map(|problem| Pointed { pointer: problem.pointer, detail: problem.message }).collect();
    if places.is_empty() {
        return Ok(content);
    }
    let detail = format!("{path} is invalid and was not signed; see `selfhood persona validate`");
    Err(Problem::new(Code::ValidationFailed, detail).pointing_at(places))
}

/// The document without its old signature, which is replaced and may be invalid.
fn unsigned(content: &Value) -> Value {
    let mut content = content.clone();
    if let Some(members) = content.as_object_mut() {
        members.shift_remove("signature");
    }
    content
}

fn sign(document: &Document, content: &Value, key: &SigningKey) -> Result<[Value; 3], Problem> {
    let mut signed = content.clone();
    let hash = sign_persona(&mut signed, key).map_err(|error| {
        Problem::new(Code::ValidationFailed, format!("{}: {error}", document.path.display()))
    })?;
    if signed != *content {
        document.replace(&signed)?;
    }
    Ok([
        document.path.display().to_string().into(),
        key.public_key().to_string().into(),
        hash.to_string().into(),
    ])
}
