//! The files of a tier: the persona's own, and those about the person who is talking.

use domain::{Digest, Listener, SubjectRef};
use store::{DocumentClass, DocumentName, Documents, Records};
use wire::Problem;

use super::Setting;
use crate::Engine;
use crate::persona::registry::PersonaContext;
use crate::talk::tools::without_done;

/// Each file with the lowest tier that loads it, in prompt order.
const FILES: [(DocumentName, u8); 11] = [
    (DocumentName::Identity, 1),
    (DocumentName::Soul, 2),
    (DocumentName::Protocols, 2),
    (DocumentName::User, 2),
    (DocumentName::MemoryShort, 2),
    (DocumentName::MemoryMid, 2),
    (DocumentName::Reminders, 2),
    (DocumentName::MemoryLong, 3),
    (DocumentName::ContextTiers, 3),
    (DocumentName::Scratch, 4),
    (DocumentName::Tasks, 4),
];

/// The lowest tier that loads a file, if any does.
pub(crate) fn lowest_tier(name: DocumentName) -> Option<u8> {
    FILES.iter().find(|(own, _)| *own == name).map(|(_, tier)| *tier)
}

fn is_digest(name: DocumentName) -> bool {
    matches!(name.class(), DocumentClass::Digest(_))
}

/// Which digests a request wants; a tier that doesn't load digests loads none either way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Layers {
    /// `MEMORY_SHORT.md`.
    pub short: DigestChoice,
    /// `MEMORY_MID.md`.
    pub mid: DigestChoice,
    /// `MEMORY_LONG.md`.
    pub long: DigestChoice,
}

/// Whether a digest is wanted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum DigestChoice {
    /// As the tier says.
    #[default]
    ByTier,
    /// Whatever the tier.
    Yes,
    /// Whatever the tier.
    No,
}

impl From<Option<bool>> for DigestChoice {
    fn from(asked: Option<bool>) -> Self {
        match asked {
            None => Self::ByTier,
            Some(true) => Self::Yes,
            Some(false) => Self::No,
        }
    }
}

impl Default for Layers {
    fn default() -> Self {
        Self { short: DigestChoice::ByTier, mid: DigestChoice::ByTier, long: DigestChoice::ByTier }
    }
}

impl Layers {
    fn wanted(self, name: DocumentName) -> DigestChoice {
        match name.class() {
            DocumentClass::Digest(Digest::Short) => self.short,
            DocumentClass::Digest(Digest::Mid) => self.mid,
            DocumentClass::Digest(Digest::Long) => self.long,
            DocumentClass::Persona
            | DocumentClass::Character
            | DocumentClass::Person
            | DocumentClass::Tasks
            | DocumentClass::Crons
            | DocumentClass::Sealed => DigestChoice::ByTier,
        }
    }
}

impl Engine {
    /// The non-empty files that `setting` loads, in prompt order.
    pub(super) async fn tier_files(
        &self,
        setting: &Setting<'_>,
    ) -> Result<Vec<(DocumentName, String)>, Problem> {
        let has_memory = setting.persona.loaded.demand_memory().is_ok();
        let is_loaded = |name: DocumentName, tier: u8| match setting.layers.wanted(name) {
            // A digest is what the persona remembers of people.
            _ if is_digest(name) && !has_memory => false,
            DigestChoice::ByTier => tier <= setting.tier,
            DigestChoice::Yes => true,
            DigestChoice::No => false,
        };
        let names = FILES.iter().filter(|(name, tier)| is_loaded(*name, *tier)).map(|(name, _)| *name);
        let (of_person, of_home): (Vec<_>, Vec<_>) = match person(setting.listener) {
            Person::Owner => (Vec::new(), names.collect()),
            Person::Guest(_) | Person::Unknown => names.partition(|name| name.is_owners()),
        };
        let mut texts = self.files_of_home(setting.persona, &of_home).await?;
        if let Person::Guest(subject) = person(setting.listener) {
            texts.extend(self.files_of_guest(setting.persona, subject, &of_person).await?);
        }
        let order = |name: &DocumentName| FILES.iter().position(|(own, _)| own == name);
        texts.sort_by_key(|(name, _)| order(name));
        // Only what is still to be done comes up.
        let pending = texts.into_iter().map(|(name, text)| {
            let is_reminders = name == DocumentName::Reminders;
            (name, if is_reminders { without_done(&text) } else { text })
        });
        let trimmed = pending.map(|(name, text)| (name, text.trim().to_owned()));
        let filled = trimmed.filter(|(_, text)| !text.is_empty());
        Ok(filled.map(|(name, text)| (name, domain::coherence::unspoken(&text).into_owned())).collect())
    }

    /// Files of the persona's folder. The content of a file must not become a section of the prompt; the
    /// files of the home keep their author's Markdown.
    async fn files_of_home(
        &self,
        persona: &PersonaContext,
        names: &[DocumentName],
    ) -> Result<Vec<(DocumentName, String)>, Problem> {
        let scope = persona.entry.scope();
        let mut texts = Vec::new();
        for name in names {
            let read = self.store.read(&scope, *name).await?;
            texts.extend(read.map(|file| (*name, recall::without_sections(file.content.as_str()))));
        }
        Ok(texts)
    }

    /// Documents of a guest from the sealed store, all in one read. They contain what the guest said, so
    /// they are escaped like memories.
    async fn files_of_guest(
        &self,
        persona: &PersonaContext,
        subject: &SubjectRef,
        names: &[DocumentName],
    ) -> Result<Vec<(DocumentName, String)>, Problem> {
        let scope = persona.entry.scope();
        let read = self.store.subject_documents_named(&scope, subject, names).await?;
        let escaped = |document: store::Document| recall::line_by_line(document.content.as_str());
        Ok(read.into_iter().map(|(name, document)| (name, escaped(document))).collect())
    }
}

/// Whose files a prompt loads besides the persona's own.
enum Person<'a> {
    Owner,
    Guest(&'a SubjectRef),
    Unknown,
}

fn person(listener: &Listener) -> Person<'_> {
    match &listener.subject {
        Some(subject) if subject.is_owner() => Person::Owner,
        Some(subject) => Person::Guest(subject),
        None => Person::Unknown,
    }
}
