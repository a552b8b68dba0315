//! The files of a tier: the persona's own, and those about the person who is talking.

use domain::{Listener, SubjectRef};
use store::{DocumentName, Documents, Records};
use wire::Problem;

use super::Setting;
use crate::Engine;
use crate::error::store_problem;
use crate::persona::registry::PersonaContext;

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

/// Which digests a request wants; a tier that doesn't load digests loads none either way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Layers {
    /// `MEMORY_SHORT.md`.
    pub short: Wanted,
    /// `MEMORY_MID.md`.
    pub mid: Wanted,
    /// `MEMORY_LONG.md`.
    pub long: Wanted,
}

/// Whether a digest is wanted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Wanted {
    /// As the tier says.
    #[default]
    ByTier,
    /// Whatever the tier.
    Yes,
    /// Whatever the tier.
    No,
}

impl From<Option<bool>> for Wanted {
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
        Self { short: Wanted::ByTier, mid: Wanted::ByTier, long: Wanted::ByTier }
    }
}

impl Layers {
    fn wanted(self, name: DocumentName) -> Wanted {
        match name {
            DocumentName::MemoryShort => self.short,
            DocumentName::MemoryMid => self.mid,
            DocumentName::MemoryLong => self.long,
            DocumentName::Persona
            | DocumentName::Identity
            | DocumentName::Soul
            | DocumentName::Protocols
            | DocumentName::ContextTiers
            | DocumentName::User
            | DocumentName::Help
            | DocumentName::MemoryShortBackup1
            | DocumentName::MemoryShortBackup2
            | DocumentName::MemoryMidBackup1
            | DocumentName::MemoryMidBackup2
            | DocumentName::MemoryLongBackup1
            | DocumentName::MemoryLongBackup2
            | DocumentName::Reminders
            | DocumentName::Scratch
            | DocumentName::Tasks
            | DocumentName::Crons
            | DocumentName::DayLog(_)
            | DocumentName::Sources(_)
            | DocumentName::Card
            | DocumentName::Consents
            | DocumentName::ApiKeys => Wanted::ByTier,
        }
    }
}

impl Engine {
    /// The non-empty files that `setting` loads, in prompt order.
    pub(super) async fn tier_files(
        &self,
        setting: &Setting<'_>,
    ) -> Result<Vec<(DocumentName, String)>, Problem> {
        let mut files = Vec::new();
        for (name, tier) in FILES {
            let is_loaded = match setting.layers.wanted(name) {
                Wanted::ByTier => tier <= setting.tier,
                Wanted::Yes => true,
                Wanted::No => false,
            };
            if is_loaded && let Some(text) = self.file(setting.found, setting.listener, name).await? {
                files.push((name, domain::coherence::unspoken(&text).into_owned()));
            }
        }
        Ok(files)
    }

    /// A file of the tier: the owner's from the folder, other people's from the sealed store.
    async fn file(
        &self,
        found: &PersonaContext,
        listener: &Listener,
        name: DocumentName,
    ) -> Result<Option<String>, Problem> {
        let scope = found.entry.scope();
        let is_owner = listener.subject.as_ref().is_some_and(SubjectRef::is_owner);
        // The content of a file must not become a section of the prompt. A guest's document contains what the
        // guest said, so it is escaped like memories; the files of the home keep their author's Markdown.
        let text = match (name.is_owners(), is_owner, &listener.subject) {
            (false, _, _) | (true, true, _) => {
                let read = self.store.read(&scope, name).await.map_err(store_problem)?;
                read.map(|file| recall::without_sections(file.content.as_str()))
            }
            (true, false, Some(subject)) => {
                let read = self.store.subject_document(&scope, subject, name).await.map_err(store_problem)?;
                read.map(|document| recall::line_by_line(document.content.as_str()))
            }
            (true, false, None) => None,
        };
        Ok(text.map(|text| text.trim().to_owned()).filter(|text| !text.is_empty()))
    }
}
