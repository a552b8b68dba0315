//! Documents: the plain files of a persona's home, and the sealed documents of every other subject.

use std::fmt;
use std::str::FromStr;

use domain::{Digest, Text};

/// A document with the hash that a later write must match.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Document {
    /// Its content.
    pub content: Text,
    /// SHA-256 of the content; the strong `ETag` in HTTP.
    pub hash: DocumentHash,
}

impl Document {
    /// A document with this content.
    #[must_use]
    pub fn new(content: Text) -> Self {
        let hash = DocumentHash::of(content.as_str());
        Self { content, hash }
    }
}

/// SHA-256 of a document's content.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct DocumentHash(pub [u8; 32]);

impl DocumentHash {
    /// The hash of `content`.
    #[must_use]
    pub fn of(content: &str) -> Self {
        Self(vault::hash::sha256(&[content.as_bytes()]))
    }
}

impl fmt::Display for DocumentHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&vault::encoding::hex(&self.0))
    }
}

impl fmt::Debug for DocumentHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// The text is not the name of a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no document of a persona's home has this name; see `selfhood persona show`")]
pub struct NotADocument;

macro_rules! named_documents {
    ($($(#[$doc:meta])* $variant:ident = $file:literal,)+) => {
        /// A document of a persona. Only these names exist, so no name sent by a client becomes a path.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum DocumentName {
            $($(#[$doc])* $variant,)+
            /// The owner's conversations of one day, in the persona's time zone.
            DayLog(Day),
            /// The turns that the lines of a digest and of its backups come from. Sealed for every subject,
            /// the owner included.
            Sources(Digest),
            /// The consents a subject has given. Sealed for every subject, the owner included, and written
            /// by the engine only.
            Consents,
            /// The API keys that speak for a subject. Sealed for everyone, and written by the engine only.
            ApiKeys,
        }

        impl DocumentName {
            /// Every name but those of day logs, sources, consents and API keys.
            pub const NAMED: &[Self] = &[$(Self::$variant,)+];

            fn file(self) -> Option<&'static str> {
                match self {
                    $(Self::$variant => Some($file),)+
                    Self::DayLog(_) | Self::Sources(_) | Self::Consents | Self::ApiKeys => None,
                }
            }
        }
    };
}

/// What a document is: the one list that decides who owns it, whether it is copied, and what its text must be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DocumentClass {
    /// `persona.json`.
    Persona,
    /// About the persona itself: who it is, how it behaves, and the card it was made from.
    Character,
    /// About the person who talks with it: a profile, notes, reminders, earlier digests, logs of days.
    Person,
    /// A digest of the talks with a person.
    Digest(Digest),
    /// Tasks of a person.
    Tasks,
    /// Scheduled jobs of a person.
    Crons,
    /// Sealed for every subject and written by the engine only: no file of the folder.
    Sealed,
}

impl DocumentName {
    /// The class of the document.
    #[must_use]
    pub const fn class(self) -> DocumentClass {
        match self {
            Self::Persona => DocumentClass::Persona,
            Self::Identity | Self::Soul | Self::Protocols | Self::ContextTiers | Self::Help | Self::Card => {
                DocumentClass::Character
            }
            Self::MemoryShort => DocumentClass::Digest(Digest::Short),
            Self::MemoryMid => DocumentClass::Digest(Digest::Mid),
            Self::MemoryLong => DocumentClass::Digest(Digest::Long),
            Self::Tasks => DocumentClass::Tasks,
            Self::Crons => DocumentClass::Crons,
            Self::User
            | Self::MemoryShortBackup1
            | Self::MemoryShortBackup2
            | Self::MemoryMidBackup1
            | Self::MemoryMidBackup2
            | Self::MemoryLongBackup1
            | Self::MemoryLongBackup2
            | Self::Reminders
            | Self::Scratch
            | Self::DayLog(_) => DocumentClass::Person,
            Self::Sources(_) | Self::Consents | Self::ApiKeys => DocumentClass::Sealed,
        }
    }

    /// Whether a document is about the person who talks with the persona rather than about the persona
    /// itself. In the folder it is the owner's: it is used only in the owner's prompts, and is removed when
    /// the owner is erased. Every other subject has a sealed document of the same name.
    #[must_use]
    pub const fn is_owners(self) -> bool {
        match self.class() {
            DocumentClass::Persona | DocumentClass::Character => false,
            DocumentClass::Person
            | DocumentClass::Digest(_)
            | DocumentClass::Tasks
            | DocumentClass::Crons
            | DocumentClass::Sealed => true,
        }
    }
}

named_documents! {
    /// The persona and the policy for its memory.
    Persona = "persona.json",
    /// Role, name, origin.
    Identity = "IDENTITY.md",
    /// Values, personality, voice.
    Soul = "SOUL.md",
    /// Rules of behaviour.
    Protocols = "PROTOCOLS.md",
    /// Which files are loaded at each tier.
    ContextTiers = "CONTEXT_TIERS.md",
    /// The owner's profile.
    User = "USER.md",
    /// The persona's own help text.
    Help = "HELP.md",
    /// The character card it was made from, with the card's files.
    Card = "CARD.json",
    /// Digest of recent sessions.
    MemoryShort = "MEMORY_SHORT.md",
    /// Digest of weeks.
    MemoryMid = "MEMORY_MID.md",
    /// Digest of months.
    MemoryLong = "MEMORY_LONG.md",
    /// The previous `MEMORY_SHORT.md`.
    MemoryShortBackup1 = "MEMORY_SHORT.md.bak1",
    /// The one before that.
    MemoryShortBackup2 = "MEMORY_SHORT.md.bak2",
    /// The previous `MEMORY_MID.md`.
    MemoryMidBackup1 = "MEMORY_MID.md.bak1",
    /// The one before that.
    MemoryMidBackup2 = "MEMORY_MID.md.bak2",
    /// The previous `MEMORY_LONG.md`.
    MemoryLongBackup1 = "MEMORY_LONG.md.bak1",
    /// The one before that.
    MemoryLongBackup2 = "MEMORY_LONG.md.bak2",
    /// Its reminders.
    Reminders = "REMINDERS.md",
    /// Its scratch pad.
    Scratch = "SCRATCH.md",
    /// Its tasks.
    Tasks = "TASKS.json",
    /// Its schedule.
    Crons = "CRONS.json",
}

impl fmt::Display for DocumentName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.file(), self) {
            (None, Self::DayLog(day)) => write!(f, "sessions/{day}.md"),
            (None, Self::Sources(digest)) => f.write_str(sources(*digest)),
            (None, Self::Consents) => f.write_str(CONSENTS),
            (None, Self::ApiKeys) => f.write_str(API_KEYS),
            (file, _) => f.write_str(file.unwrap_or_default()),
        }
    }
}

impl FromStr for DocumentName {
    type Err = NotADocument;

    fn from_str(name: &str) -> Result<Self, NotADocument> {
        let day = name.strip_prefix("sessions/").and_then(|rest| rest.strip_suffix(".md"));
        if let Some(day) = day {
            return day.parse().map(Self::DayLog);
        }
        if let Some(digest) = Digest::ALL.into_iter().find(|digest| sources(*digest) == name) {
            return Ok(Self::Sources(digest));
        }
        if name == CONSENTS {
            return Ok(Self::Consents);
        }
        if name == API_KEYS {
            return Ok(Self::ApiKeys);
        }
        Self::NAMED.iter().find(|known| known.file() == Some(name)).copied().ok_or(NotADocument)
    }
}

/// One JSON object per line.
const CONSENTS: &str = "CONSENTS.jsonl";
/// One JSON object per line.
const API_KEYS: &str = "API_KEYS.jsonl";

const fn sources(digest: Digest) -> &'static str {
    match digest {
        Digest::Short => "MEMORY_SHORT.sources",
        Digest::Mid => "MEMORY_MID.sources",
        Digest::Long => "MEMORY_LONG.sources",
    }
}

/// A calendar day, written `2026-04-22`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Day {
    year: u16,
    month: u8,
    of_month: u8,
}

impl Day {
    /// The day with these numbers, if it exists in a calendar.
    #[must_use]
    pub fn new(year: u16, month: u8, day: u8) -> Option<Self> {
        let fits = (1..=9999).contains(&year) && (1..=12).contains(&month) && (1..=31).contains(&day);
        fits.then_some(Self { year, month, of_month: day })
    }
}

impl fmt::Display for Day {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:04}-{:02}-{:02}", self.year, self.month, self.of_month)
    }
}

impl fmt::Debug for Day {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl FromStr for Day {
    type Err = NotADocument;

    fn from_str(text: &str) -> Result<Self, NotADocument> {
        let digits = |part: &str, width: usize| {
            (part.len() == width && part.bytes().all(|byte| byte.is_ascii_digit()))
                .then(|| part.parse().ok())?
        };
        let parts: Vec<&str> = text.split('-').collect();
        let [year, month, day] = parts.as_slice() else { return Err(NotADocument) };
        let small = |part| digits(part, 2).and_then(|number: u16| u8::try_from(number).ok());
        let day = digits(year, 4).zip(small(month)).zip(small(day));
        day.and_then(|((year, month), day)| Self::new(year, month, day)).ok_or(NotADocument)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_reads_as_it_is_written() {
        let log = DocumentName::DayLog(Day::new(2026, 4, 22).unwrap());
        for name in DocumentName::NAMED
            .iter()
            .copied()
            .chain([log, DocumentName::Consents, DocumentName::ApiKeys])
            .chain(Digest::ALL.map(DocumentName::Sources))
        {
            assert_eq!(name.to_string().parse(), Ok(name));
        }
        assert_eq!(log.to_string(), "sessions/2026-04-22.md");
    }

    #[test]
    fn nothing_else_is_a_document() {
        for name in [
            "",
            "..",
            "identity.md",
            "memory.db",
            "sessions/../IDENTITY.md",
            "sessions/2026-4-22.md",
            "sessions/2026-04-22.md/..",
            "sessions/2026-13-01.md",
            "sessions/+026-04-22.md",
            "/IDENTITY.md",
        ] {
            assert_eq!(name.parse::<DocumentName>(), Err(NotADocument), "{name}");
        }
    }
}
