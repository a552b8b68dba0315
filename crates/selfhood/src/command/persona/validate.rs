//! `selfhood persona validate PERSONA|FILE|DIR [--fix]`: every rule a document violates, the state of its
//! signature, and, for a persona of the home, its stored memories.

use std::path::{Path, PathBuf};

use domain::validate::ValidationContext;
use domain::{PersonaName, Severity, TenantName, references, validate};
use engine::PersonaKey;
use serde_json::Value;
use store::home::Paths;
use vault::signature::{PublicKey, Verdict, verify_persona};
use wire::persona::Validation;
use wire::verb;
use wire::{Code, Exit, Problem};

use crate::cli::Validate;
use crate::config::{Settings, StoreChoice};
use crate::document::{self, Document};
use crate::home::{self, DOCUMENT_NAME};
use crate::home_client::{HomeClient, WithoutHome};
use crate::output::{Output, Table};
use crate::request::Request;
use crate::{clock, keys, progress, report};

/// Checks every document, lists what is wrong, and fails if any of them can't be used.
pub(crate) fn run(asked: &Validate, settings: &Settings, output: &Output) -> Result<Exit, Problem> {
    let files = documents(asked.path.as_deref(), settings)?;
    let check = Check { settings, signers: keys::valid_signers(&settings.keys)?, fix: asked.fix };
    let bar = progress::bar(files.len(), "checking");
    let mut findings = Vec::new();
    for file in &files {
        findings.extend(check.file(file)?);
        bar.inc(1);
    }
    bar.finish_and_clear();
    output.table(&listed(&findings))?;
    conclude(files.len(), &findings)
}

/// The documents that are meant. A name that is no file is the name of a persona of the home.
fn documents(path: Option<&Path>, settings: &Settings) -> Result<Vec<PathBuf>, Problem> {
    let of_persona = |named: Option<&PersonaKey>| {
        home::the_persona(settings, named).map(|resident| vec![resident.folder.join(DOCUMENT_NAME)])
    };
    let Some(path) = path else { return of_persona(settings.persona.as_ref()) };
    let name = path.to_str().and_then(|name| name.parse::<PersonaName>().ok()).filter(|_| !path.exists());
    match name.map(PersonaKey::Name) {
        Some(named) => of_persona(Some(&named)),
        None => document::find(path),
    }
}

/// What every document is checked against.
struct Check<'a> {
    settings: &'a Settings,
    signers: Vec<PublicKey>,
    fix: bool,
}

/// One finding about one document.
struct Finding {
    file: String,
    severity: Severity,
    /// The exit code if this is the only kind of error.
    kind: Code,
    code: &'static str,
    pointer: String,
    message: String,
    fixable: bool,
}

impl Check<'_> {
    fn file(&self, path: &Path) -> Result<Vec<Finding>, Problem> {
        let document = Document::read(path, self.settings.document_limit)?;
        let found = |severity, code: Code, message| Finding::of_whole(path, severity, code, message);
        let mut content = match document.content() {
            Ok(content) => content,
            Err(error) => return Ok(vec![found(Severity::Error, Code::MalformedJson, error.to_string())]),
        };
        let given = ValidationContext { now: clock::now(), added_bases: &self.settings.consent_bases };
        if self.fix {
            repair(&document, &mut content, &given)?;
        }
        let problems =
            validate::validate(&content, &given).into_iter().map(|problem| Finding::of(path, problem));
        let signature =
            self.signature(&content).map(|(severity, code, message)| found(severity, code, message));
        let stored = self.stored(path)?;
        Ok(problems.chain(signature).chain(stored).collect())
    }

    /// The problems of the memories of this document's persona, if it is in the home.
    fn stored(&self, path: &Path) -> Result<Vec<Finding>, Problem> {
        let Some((tenant, name)) = resident(path, self.settings) else { return Ok(Vec::new()) };
        let client = HomeClient::open(self.settings, tenant, WithoutHome::Refuse)?;
        let asked = Request::<verb::ValidatePersona>::to(&[name.as_str()]);
        let found: Result<Validation, Problem> = asked.and_then(|request| client.ask(request));
        client.close()?;
        // An invalid document is reported elsewhere.
        let problems = found.map(|found| found.problems).unwrap_or_default();
        let is_of_memories = |problem: &domain::Problem| {
            problem.pointer == "/memory" || problem.pointer.starts_with("/memory/")
        };
        let of_memories = problems.into_iter().filter(is_of_memories);
        Ok(of_memories.map(|problem| Finding::of(path, problem)).collect())
    }

    /// The finding about the signature; `None` if it is valid, or if there is no document.
    fn signature(&self, content: &Value) -> Option<(Severity, Code, String)> {
        let keys = self.settings.keys.display();
        match verify_persona(content, &self.signers).ok()? {
            Verdict::Valid { .. } => None,
            Verdict::Unsigned => Some((
                Severity::Warning,
                Code::DocumentUnsigned,
                "is not signed; memory pauses until `selfhood persona sign`".to_owned(),
            )),
            Verdict::Changed => Some((
                Severity::Warning,
                Code::DocumentUnsigned,
                "was edited since it was signed; memory pauses until `selfhood persona sign`".to_owned(),
            )),
            Verdict::UnknownSigner { signer } => Some((
                Severity::Warning,
                Code::SignatureInvalid,
                format!(
                    "is signed by {signer}, who is not a valid signer in {keys}; memory pauses until \
                    `selfhood persona sign`"
                ),
            )),
            Verdict::Forged => Some((
                Severity::Error,
                Code::SignatureInvalid,
                "has a forged signature; find out where it came from before signing it".to_owned(),
            )),
            Verdict::Malformed => Some((
                Severity::Error,
                Code::SignatureInvalid,
                "has an unreadable signature; `selfhood persona sign` replaces it".to_owned(),
            )),
        }
    }
}

impl Finding {
    fn of(path: &Path, problem: domain::Problem) -> Self {
        Self {
            file: path.display().to_string(),
            severity: problem.severity,
            kind: Code::ValidationFailed,
            code: problem.code.as_str(),
            pointer: problem.pointer,
            message: problem.message,
            fixable: problem.fixable,
        }
    }

    fn of_whole(path: &Path, severity: Severity, code: Code, message: String) -> Self {
        let file = path.display().to_string();
        Self {
            file,
            severity,
            kind: code,
            code: code.as_str(),
            pointer: String::new(),
            message,
            fixable: false,
        }
    }
}

/// The persona of the document at `path`, if it is in the home and the home was ever used.
fn resident(path: &Path, settings: &Settings) -> Option<(TenantName, PersonaName)> {
    let home = settings.home.canonicalize().ok()?;
    if settings.store != StoreChoice::Home || !Paths::new(&home).deployment().exists() {
        return None;
    }
    let path = path.canonicalize().ok()?;
    let inside: Vec<&str> = path.strip_prefix(&home).ok()?.iter().filter_map(|part| part.to_str()).collect();
    match inside.as_slice() {
        [tenant, "persona", name, DOCUMENT_NAME] => Some((tenant.parse().ok()?, name.parse().ok()?)),
        _ => None,
    }
}

fn listed(findings: &[Finding]) -> Table<6> {
    let mut table = Table::new(["file", "severity", "code", "pointer", "message", "fixable"]);
    for it in findings {
        let severity = match it.severity {
            Severity::Warning => "warning",
            Severity::Error => "error",
        };
        table.push([
            it.file.as_str().into(),
            severity.into(),
            it.code.into(),
            it.pointer.as_str().into(),
            it.message.as_str().into(),
            it.fixable.into(),
        ]);
    }
    table
}

/// Repairs what can be repaired without guessing, and replaces the file; the old one is kept as a backup.
fn repair(document: &Document, content: &mut Value, given: &ValidationContext<'_>) -> Result<(), Problem> {
    let repaired = references::fix(content, &validate::validate(content, given));
    if repaired == 0 {
        return Ok(());
    }
    let copy = document.keep_copy()?;
    document.replace(content)?;
    let file = document.path.display();
    report::note(format_args!(
        "{file}: repaired {}; the old file is {}",
        count(repaired, "problem"),
        copy.display()
    ));
    Ok(())
}

fn conclude(files: usize, findings: &[Finding]) -> Result<Exit, Problem> {
    let errors: Vec<&Finding> = findings.iter().filter(|it| it.severity == Severity::Error).collect();
    let Some(first) = errors.first() else {
        let warnings = findings.len();
        report::note(match warnings {
            0 => format!("{} checked, no problems", count(files, "document")),
            _ => format!("{} checked, {} and no error", count(files, "document"), count(warnings, "warning")),
        });
        return Ok(Exit::Ok);
    };
    let way_out =
        if errors.iter().any(|it| it.fixable) { "; `--fix` repairs those marked fixable" } else { "" };
    let detail = format!("{} checked, {}{way_out}", count(files, "document"), count(errors.len(), "error"));
    let of_one_kind = errors.iter().all(|it| it.kind == first.kind);
    Err(Problem::new(if of_one_kind { first.kind } else { Code::ValidationFailed }, detail))
}

fn count(number: usize, thing: &str) -> String {
    if number == 1 { format!("1 {thing}") } else { format!("{number} {thing}s") }
}
