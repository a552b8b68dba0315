//! `selfhood persona export`: a persona as one file.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::Write as _;
use std::path::Path;

use serde_json::{Value, json};
use wire::audit::{AuditExportPage, ExportAudit};
use wire::bundle::{BundleSignature, BundledPersona, FORMAT, Manifest, Part, SignBundle};
use wire::card::{CardFile, ExportCard};
use wire::fields::fields;
use wire::file::{FileAnswer, FileList, OfPersona};
use wire::persona::PersonaDetails;
use wire::transfer::{ConversationPage, Export, ExportConversations, ExportPage};
use wire::verb;
use wire::{Code, Exit, Problem};

use super::bundle::{self, AUDIT, DOCUMENT, FILES, MEMORIES, PartFile, SESSIONS, TIMELINE, VERSION};
use crate::cli::PersonaExport;
use crate::command::CommandContext;
use crate::command::export::unwritable;
use crate::report;
use crate::request::Request;

/// Writes a bundle, or a character card if the file name asks for one.
pub(crate) fn run(asked: &PersonaExport, context: &CommandContext<'_>) -> Result<Exit, Problem> {
    let ending = asked.file.extension().and_then(|ending| ending.to_str()).unwrap_or_default().to_lowercase();
    if matches!(ending.as_str(), "png" | "json" | "charx") {
        return write_card(asked, &ending, context);
    }
    let passphrase = bundle::passphrase(asked.passphrase_file.as_deref())?;
    if asked.with_pii && passphrase.is_none() && !asked.plain {
        let detail = "choose how the bundle is sealed: --passphrase-file FILE, or --plain for not at all";
        return Err(Problem::new(Code::Usage, detail));
    }
    let mut collected =
        Collected { asked, context, parts: Vec::new(), counts: BTreeMap::new(), left_out: BTreeMap::new() };
    let about = collected.collect()?;
    let Collected { mut parts, counts, left_out, .. } = collected;
    parts.sort_by(|a, b| a.0.path.cmp(&b.0.path));
    let identity = &about.document.identity;
    let manifest = Manifest {
        format: FORMAT.to_owned(),
        version: VERSION,
        persona: BundledPersona {
            id: identity.id,
            name: identity.name.clone(),
            display_name: identity.display_name.clone(),
        },
        deployment_did: identity.deployment_did.clone(),
        counts,
        left_out,
        parts: parts.iter().map(|(part, _)| part.clone()).collect(),
    };
    let signature: BundleSignature = context.client.ask(
        Request::<verb::SignBundle>::to(&[&asked.named])?
            .with_body(fields!(SignBundle { manifest: serde_json::to_value(&manifest).ok() })),
    )?;
    bundle::write(&asked.file, passphrase.as_ref(), &manifest, &signature, parts)?;
    say(&asked.file, &manifest);
    Ok(Exit::Ok)
}

fn write_card(asked: &PersonaExport, ending: &str, context: &CommandContext<'_>) -> Result<Exit, Problem> {
    let request = Request::<verb::ExportCard>::to(&[&asked.named])?
        .with_query(fields!(ExportCard { format: Some(ending) }));
    let card: CardFile = context.client.ask(request)?;
    let bytes = vault::encoding::from_base64_standard(&card.file).unwrap_or_default();
    let written = File::create_new(&asked.file).and_then(|mut file| file.write_all(&bytes));
    written.map_err(|error| unwritable(&asked.file, &error))?;
    report::note(format_args!(
        "wrote {}; it contains what its author wrote, and nothing from conversations",
        asked.file.display()
    ));
    Ok(Exit::Ok)
}

fn say(file: &Path, manifest: &Manifest) {
    let listed = |counts: &BTreeMap<String, usize>| {
        let shown: Vec<String> = counts.iter().map(|(what, count)| format!("{count} {what}")).collect();
        shown.join(", ")
    };
    report::note(format_args!("wrote {}: {}", file.display(), listed(&manifest.counts)));
    if manifest.left_out.values().any(|count| *count > 0) {
        report::note(format_args!(
            "left out: {}; see --with-pii and --with-sessions",
            listed(&manifest.left_out)
        ));
    }
}

/// The parts of a bundle being collected.
struct Collected<'c> {
    asked: &'c PersonaExport,
    context: &'c CommandContext<'c>,
    parts: Vec<(Part, File)>,
    counts: BTreeMap<String, usize>,
    left_out: BTreeMap<String, usize>,
}

impl Collected<'_> {
    fn collect(&mut self) -> Result<PersonaDetails, Problem> {
        let about: PersonaDetails =
            self.context.client.ask(Request::<verb::ShowPersona>::to(&[&self.asked.named])?)?;
        self.files()?;
        self.memories_and_life()?;
        self.sessions()?;
        self.audit(about.persona.name.as_str())?;
        Ok(about)
    }

    fn add(&mut self, part: PartFile) -> Result<(), Problem> {
        self.parts.push(part.finish()?);
        Ok(())
    }

    /// The document and the files. The owner's files are personal data.
    fn files(&mut self) -> Result<(), Problem> {
        let persona = Some(self.asked.named.as_str());
        let list: FileList = self
            .context
            .client
            .ask(Request::<verb::ListFiles>::to(&[])?.with_query(fields!(OfPersona { persona: persona })))?;
        let (mut own, mut owners) = (0, 0);
        for entry in list.files.iter().filter(|entry| !entry.name.starts_with("sessions/")) {
            let name: store::DocumentName =
                entry.name.parse().map_err(|_| Problem::new(Code::Internal, "a file without a name"))?;
            owners += usize::from(name.is_owners());
            if name.is_owners() && !self.asked.with_pii {
                continue;
            }
            let request = Request::<verb::ReadFile>::to(&[&entry.name])?
                .with_query(fields!(OfPersona { persona: persona }));
            let file: FileAnswer = self.context.client.ask(request)?;
            let path =
                if entry.name == DOCUMENT { DOCUMENT.to_owned() } else { format!("{FILES}{}", entry.name) };
            let mut part = PartFile::new(&path)?;
            part.write(file.file.content.as_str())?;
            self.add(part)?;
            own += usize::from(!name.is_owners());
        }
        self.counts.insert("files".to_owned(), own);
        let owner_files = if self.asked.with_pii { &mut self.counts } else { &mut self.left_out };
        owner_files.insert("ownerFiles".to_owned(), owners);
        Ok(())
    }

    fn memories_and_life(&mut self) -> Result<(), Problem> {
        let (mut memories, mut life) = (PartFile::new(MEMORIES)?, PartFile::new(TIMELINE)?);
        let (mut plain, mut personal, mut events, mut left_out) = (0, 0, 0, 0);
        let mut cursor: Option<String> = None;
        loop {
            let request = Request::<verb::Export>::to(&[&self.asked.named])?.with_query(fields!(Export {
                moving: Some(true),
                include_pii: self.asked.with_pii.then_some(true),
                cursor: cursor.as_deref()
            }));
            let page: ExportPage = self.context.client.ask(request)?;
            left_out += page.left_out;
            for line in &page.lines {
                if line.get("eventLabel").is_some() {
                    life.write(&format!("{line}\n"))?;
                    events += 1;
                } else {
                    memories.write(&format!("{line}\n"))?;
                    let is_personal = line
                        .get("privacyClass")
                        .and_then(Value::as_str)
                        .is_some_and(|class| class.ends_with("-pii") && class != "non-pii");
                    personal += usize::from(is_personal);
                    plain += usize::from(!is_personal);
                }
            }
            cursor = page.next_cursor;
            if cursor.is_none() {
                break;
            }
        }
        self.add(memories)?;
        self.add(life)?;
        self.counts.insert("memories".to_owned(), plain);
        self.counts.insert("events".to_owned(), events);
        if self.asked.with_pii {
            self.counts.insert("personalMemories".to_owned(), personal);
        } else {
            self.left_out.insert("personalMemories".to_owned(), left_out);
        }
        Ok(())
    }

    fn sessions(&mut self) -> Result<(), Problem> {
        let mut part = PartFile::new(SESSIONS)?;
        let (mut count, mut cursor) = (0, None);
        loop {
            let request = Request::<verb::ExportConversations>::to(&[&self.asked.named])?
                .with_query(fields!(ExportConversations { cursor: cursor }));
            let page: ConversationPage = self.context.client.ask(request)?;
            count += page.lines.len();
            for line in page.lines.iter().filter(|_| self.asked.with_sessions) {
                part.write(&format!("{}\n", json!(line)))?;
            }
            cursor = page.next_cursor;
            if cursor.is_none() {
                break;
            }
        }
        if self.asked.with_sessions {
            self.add(part)?;
            self.counts.insert("conversations".to_owned(), count);
        } else {
            self.left_out.insert("conversations".to_owned(), count);
        }
        Ok(())
    }

    /// The audit log is included as evidence; it contains no text and no names.
    fn audit(&mut self, name: &str) -> Result<(), Problem> {
        let mut part = PartFile::new(AUDIT)?;
        let mut cursor: Option<u64> = None;
        loop {
            let request = Request::<verb::ExportAudit>::to(&[])?
                .with_query(fields!(ExportAudit { persona: Some(name), cursor: cursor }));
            let page: AuditExportPage = self.context.client.ask(request)?;
            for line in &page.lines {
                part.write(&format!("{line}\n"))?;
            }
            cursor = page.next_cursor;
            if cursor.is_none() {
                return self.add(part);
            }
        }
    }
}
