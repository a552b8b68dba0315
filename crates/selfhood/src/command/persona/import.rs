//! `selfhood persona import`: creates a persona from a bundle, a character card or a document.

use std::fs;
use std::io::BufRead;
use std::path::Path;

use serde_json::{Map, Value};
use wire::bundle::{ImportPersona, ImportedPersona};
use wire::card::{ImportCard, ImportedCard};
use wire::fields::fields;
use wire::verb;
use wire::{Code, Exit, Problem};

use super::bundle::{self, AUDIT, Bundle, DOCUMENT, FILES, MEMORIES, SESSIONS, TIMELINE};
use super::{table, whole};
use crate::cli::PersonaImport;
use crate::command::CommandContext;
use crate::command::import::{Sending, Terms, unreadable};
use crate::request::Request;
use crate::{keys, progress, report};

/// Creates the persona and reports what was imported.
pub(crate) fn run(asked: &PersonaImport, context: &CommandContext<'_>) -> Result<Exit, Problem> {
    let name = asked.file.display().to_string();
    let bytes = head(&asked.file).map_err(|error| unreadable(&name, &error))?;
    let is_sealed = bytes.starts_with(vault::parcel::MARK.as_bytes());
    let is_bundle = is_sealed || (bytes.starts_with(b"PK") && is_bundle(&asked.file)?);
    if is_bundle {
        return import_bundle(asked, context);
    }
    let bytes = fs::read(&asked.file).map_err(|error| unreadable(&name, &error))?;
    match serde_json::from_slice::<Value>(&bytes) {
        Ok(document) if document.get("memoryPolicy").is_some() => import_document(asked, document, context),
        _ => import_card(asked, &bytes, context),
    }
}

fn head(path: &Path) -> std::io::Result<Vec<u8>> {
    crate::command::import::head_of(&mut fs::File::open(path)?)
}

/// Whether a zip archive is a bundle, and not a card.
fn is_bundle(path: &Path) -> Result<bool, Problem> {
    use formats::archive::{Archive, Limits};
    let name = path.display().to_string();
    let file = fs::File::open(path).map_err(|error| unreadable(&name, &error))?;
    let archive = Archive::open(std::io::BufReader::new(file), Limits::LARGE)
        .map_err(|broken| Problem::new(Code::ValidationFailed, format!("{name}: {broken}")))?;
    Ok(archive.names().iter().any(|entry| entry == bundle::MANIFEST))
}

fn import_bundle(asked: &PersonaImport, context: &CommandContext<'_>) -> Result<Exit, Problem> {
    let passphrase = bundle::passphrase(asked.passphrase_file.as_deref())?;
    let mut bundle = Bundle::open(&asked.file, passphrase.as_ref())?;
    let manifest = bundle.manifest.clone();
    let counts: Vec<String> = manifest.counts.iter().map(|(what, count)| format!("{count} {what}")).collect();
    report::note(format_args!(
        "a whole bundle of `{}` from {}, signed by {}: {}",
        manifest.persona.name,
        manifest.deployment_did,
        bundle.signature.signer,
        counts.join(", ")
    ));
    check_signer(asked, &bundle.signature.signer, context)?;
    if asked.dry_run {
        report::note("nothing was changed");
        return Ok(Exit::Ok);
    }
    let document: Value = serde_json::from_str(&bundle.text(DOCUMENT)?)
        .map_err(|error| Problem::new(Code::MalformedJson, format!("{DOCUMENT}: {error}")))?;
    let mut files = Map::new();
    for path in bundle.paths() {
        if let Some(file) = path.strip_prefix(FILES) {
            files.insert(file.to_owned(), bundle.text(&path)?.into());
        }
    }
    let made_of = bundle.hash()?;
    let persona = make(asked, PersonaSource { document, files, of: made_of }, context)?;
    let lines: u64 = manifest.parts.iter().filter(|part| is_lines(&part.path)).map(|part| part.bytes).sum();
    let bar = progress::bytes(lines, "importing");
    let mut sending = Sending::new(context.client, moving(&persona))?;
    for path in LINES {
        if !bundle.paths().iter().any(|own| own == path) {
            continue;
        }
        sending.begin_file(path, formats::Format::Lines);
        for (number, line) in bundle.part(path)?.lines().enumerate() {
            let line = line.map_err(|error| unreadable(path, &error))?;
            bar.inc(line.len() as u64 + 1);
            let value = serde_json::from_str(&line).map_err(|error| {
                Problem::new(Code::MalformedJson, format!("{path}, line {}: {error}", number + 1))
            })?;
            sending.take(formats::Record::Line(number + 1, value))?;
        }
    }
    bar.finish_and_clear();
    let log = bundle.part(AUDIT)?.lines().count();
    report::note(format_args!(
        "its audit log ({log} lines) stays in the bundle as evidence; a new one begins here"
    ));
    finish(sending)
}

/// Refuses a bundle that is not signed by the key given with `--signer`. Without `--signer` it warns of an unknown signer:
/// anyone can sign a bundle and write any deployment into it.
fn check_signer(asked: &PersonaImport, signer: &str, context: &CommandContext<'_>) -> Result<(), Problem> {
    match &asked.signer {
        Some(expected) if expected != signer => {
            let detail = format!("the bundle is signed by {signer}, not by {expected}; ask its sender");
            Err(Problem::new(Code::SignatureInvalid, detail))
        }
        Some(_) => Ok(()),
        None => {
            let known = keys::every_signer(&context.settings.keys)?;
            if !known.iter().any(|key| key.to_string() == signer) {
                report::note(
                    "its signer is not known here: compare it with what its sender says, or give --signer",
                );
            }
            Ok(())
        }
    }
}

/// The parts that are imported line by line. Retention counts from the last conversation, so those come first.
const LINES: [&str; 3] = [SESSIONS, MEMORIES, TIMELINE];

fn is_lines(path: &str) -> bool {
    LINES.contains(&path)
}

fn import_document(
    asked: &PersonaImport,
    mut document: Value,
    context: &CommandContext<'_>,
) -> Result<Exit, Problem> {
    let of = bundle::hash_of(&document)?;
    let memories = match document.get_mut("memory").map(Value::take) {
        Some(Value::Array(memories)) => memories,
        _ => Vec::new(),
    };
    if asked.dry_run {
        report::note(format_args!("a document with {} memories; nothing was changed", memories.len()));
        return Ok(Exit::Ok);
    }
    let persona = make(asked, PersonaSource { document, files: Map::new(), of }, context)?;
    let mut sending = Sending::new(context.client, moving(&persona))?;
    sending.begin_file(DOCUMENT, formats::Format::Lines);
    for (number, memory) in memories.into_iter().enumerate() {
        sending.take(formats::Record::Line(number + 1, memory))?;
    }
    finish(sending)
}

/// What a persona is made of.
struct PersonaSource {
    document: Value,
    files: Map<String, Value>,
    /// The hash of all of it.
    of: String,
}

/// Makes the persona, without anything it remembers, and shows it. One that an interrupted import made of the same is
/// there already.
fn make(asked: &PersonaImport, made: PersonaSource, context: &CommandContext<'_>) -> Result<String, Problem> {
    let body = fields!(ImportPersona {
        document: Some(made.document),
        files: Some(made.files),
        name: asked.name.as_deref(),
        bundle: Some(made.of)
    });
    let ImportedPersona { persona, resumed } =
        context.client.ask(Request::<verb::ImportPersona>::to(&[])?.with_body(body))?;
    if resumed {
        let name = &persona.name;
        report::note(format_args!("`{name}` was made of this before; what it has already is left alone"));
    }
    let made = [persona];
    context.output.list(&made.each_ref().map(whole), &table(&made))?;
    let [persona] = made;
    Ok(persona.name.to_string())
}

fn moving(persona: &str) -> Terms<'_> {
    Terms { persona, subject: None, dry_run: false, moving: true, allow_out_of_order: false }
}

fn finish(sending: Sending<'_>) -> Result<Exit, Problem> {
    let total = sending.finish()?;
    for refused in &total.refused {
        report::note(format_args!("{}: {} ({})", refused.place, refused.detail, refused.code));
    }
    total.say(&[]);
    Ok(if total.refused.is_empty() { Exit::Ok } else { Exit::Partial })
}

/// A problem of what a file contains names the file.
fn in_file(file: &Path, mut problem: Problem) -> Problem {
    if problem.code == Code::ValidationFailed {
        problem.detail = format!("{}: {}", file.display(), problem.detail);
    }
    problem
}

fn import_card(asked: &PersonaImport, bytes: &[u8], context: &CommandContext<'_>) -> Result<Exit, Problem> {
    let body = fields!(ImportCard {
        file: Some(vault::encoding::base64_standard(bytes)),
        name: asked.name.as_deref(),
        dry_run: Some(asked.dry_run),
    });
    let asking = Request::<verb::ImportCard>::to(&[])?.with_body(body);
    let card: ImportedCard = context.client.ask(asking).map_err(|problem| in_file(&asked.file, problem))?;
    let made: Vec<_> = card.persona.clone().into_iter().collect();
    context.output.list(&made.iter().map(whole).collect::<Vec<_>>(), &table(&made))?;
    report::note(format_args!(
        "{} `{}` from a card of version {}: {} memories of its lorebook, {} entries left out, {} files{}",
        if asked.dry_run { "would make" } else { "made" },
        card.name,
        card.version,
        card.memories,
        card.left_out,
        card.assets,
        if asked.dry_run { "; nothing was changed" } else { "" }
    ));
    for warning in card.warnings.iter().chain(&card.refused) {
        report::note(warning);
    }
    Ok(if card.refused.is_empty() { Exit::Ok } else { Exit::Partial })
}
