//! The register of Places: everywhere a word can rest, and how it is made to go away.
//!
//! Residue scan and certificate are generated from these lists, one for homes and one for databases that many nodes
//! share. A feature that adds a table, a column or a file adds its entry, or the canary test fails.

mod database;
mod home;

use std::ffi::OsStr;
use std::path::Path;

use crate::document::DocumentName;
use crate::sqlite::SET_ASIDE;

/// Somewhere something rests.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// A table as `memory.db:atoms` or `postgres:atoms`, a file by its name, or a part of the process.
    pub name: &'static str,
    /// What rests there.
    pub holds: Holds,
    /// The columns with words, all of them sealed; empty for what is no table.
    pub sealed_columns: &'static [&'static str],
    /// The columns without words.
    pub clear_columns: &'static [&'static str],
    /// How it is erased.
    pub erasure: Erasure,
    /// How it is searched for what should be gone.
    pub scan: Scan,
}

/// What rests in a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Holds {
    /// Words, sealed under the subject's key, or the month's where there is no subject.
    SealedWords,
    /// Words in plain text, because people edit them.
    PlainWords,
    /// Words in the memory of the process.
    WordsInMemory,
    /// No words: numbers, codes, ids, keyed hashes, wrapped keys.
    NoWords,
}

/// How a place is erased.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Erasure {
    /// The key is destroyed and the row deleted; then the file is rewritten and its log emptied.
    KeyAndRow,
    /// The key is destroyed and the row deleted; then its table is vacuumed, while the server's log keeps sealed
    /// bytes that no key opens.
    KeyAndVacuum,
    /// What deletes the row erases it too; it holds no words.
    Row,
    /// The text is rewritten without the words, or the file removed.
    Rewritten,
    /// It is emptied together with its database.
    WithItsDatabase,
    /// It dies with the epoch of the tenant's key.
    KeyEpoch,
    /// It goes when the persona is closed, or with the process.
    Eviction,
    /// There is nothing in it to erase.
    NotNeeded,
}

impl Erasure {
    /// How it is told in a certificate.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::KeyAndRow => "key destroyed, row deleted, file rewritten",
            Self::KeyAndVacuum => "key destroyed, row deleted, table vacuumed",
            Self::Row => "row deleted",
            Self::Rewritten => "rewritten without the words, or removed",
            Self::WithItsDatabase => "emptied with its database",
            Self::KeyEpoch => "unreadable since the key epoch changed",
            Self::Eviction => "let go of",
            Self::NotNeeded => "holds no words",
        }
    }
}

/// How a place is searched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scan {
    /// Its raw bytes, for every form of a needle.
    Bytes,
    /// Its text, for whole words as well.
    Text,
    /// Not searched, because its bytes are the database server's: the proof is that no key opens them.
    Key,
    /// Not searched: it is let go of by then.
    Not,
}

/// What the records and files of a persona are, wherever a store keeps them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Content {
    /// Whose key is whose.
    Keys,
    /// The words of memories.
    Memories,
    /// Events of the persona's own life.
    Timeline,
    /// Conversations.
    Sessions,
    /// What was said in them.
    Turns,
    /// Traces of recalls.
    Traces,
    /// The documents of people who are not the owner.
    SubjectDocuments,
    /// The private parts of the log.
    Events,
    /// What a home has as files.
    Files,
    /// The logs of the owner's days.
    DayLogs,
}

impl Place {
    const fn sealed(
        name: &'static str,
        sealed: &'static [&'static str],
        clear: &'static [&'static str],
    ) -> Self {
        let (holds, erasure) = (Holds::SealedWords, Erasure::KeyAndRow);
        Self { name, holds, sealed_columns: sealed, clear_columns: clear, erasure, scan: Scan::Bytes }
    }

    const fn clear(name: &'static str, clear: &'static [&'static str]) -> Self {
        let (holds, erasure) = (Holds::NoWords, Erasure::Row);
        Self { name, holds, sealed_columns: &[], clear_columns: clear, erasure, scan: Scan::Bytes }
    }

    const fn sealed_row(
        name: &'static str,
        sealed: &'static [&'static str],
        clear: &'static [&'static str],
    ) -> Self {
        let (holds, erasure) = (Holds::SealedWords, Erasure::KeyAndVacuum);
        Self { name, holds, sealed_columns: sealed, clear_columns: clear, erasure, scan: Scan::Key }
    }

    const fn clear_row(name: &'static str, clear: &'static [&'static str]) -> Self {
        let (holds, erasure) = (Holds::NoWords, Erasure::Row);
        Self { name, holds, sealed_columns: &[], clear_columns: clear, erasure, scan: Scan::Key }
    }

    const fn other(name: &'static str, holds: Holds, erasure: Erasure, scan: Scan) -> Self {
        Self { name, holds, sealed_columns: &[], clear_columns: &[], erasure, scan }
    }
}

/// What every process holds in its memory.
const PROCESS: &[Place] = &[
    Place::other(
        "process:names of subjects and sessions",
        Holds::WordsInMemory,
        Erasure::Eviction,
        Scan::Not,
    ),
    Place::other("process:answers on their way", Holds::WordsInMemory, Erasure::Eviction, Scan::Not),
    Place::other("process:indexes of open personas", Holds::WordsInMemory, Erasure::Eviction, Scan::Not),
    Place::other("process:texts being encoded", Holds::WordsInMemory, Erasure::Eviction, Scan::Not),
    Place::other("process:conversations so far", Holds::WordsInMemory, Erasure::Eviction, Scan::Not),
    Place::other("process:traces on their way", Holds::WordsInMemory, Erasure::Eviction, Scan::Not),
];

/// The register of a home on disk.
pub fn home_places() -> impl Iterator<Item = &'static Place> {
    home::PLACES.iter().chain(PROCESS)
}

/// The register of a database that many nodes share.
pub fn database_places() -> impl Iterator<Item = &'static Place> {
    database::PLACES.iter().chain(PROCESS)
}

impl Content {
    /// The place of a home where it rests.
    #[must_use]
    pub const fn in_home(self) -> &'static str {
        match self {
            Self::Keys => "memory.db:keys",
            Self::Memories => "memory.db:payloads",
            Self::Timeline => "memory.db:timeline",
            Self::Sessions => "memory.db:sessions",
            Self::Turns => "memory.db:turns",
            Self::Traces => "memory.db:traces",
            Self::SubjectDocuments => "memory.db:documents",
            Self::Events => "memory.db:events",
            Self::Files => "documents",
            Self::DayLogs => "sessions/*.md",
        }
    }

    /// The place of a shared database where it rests.
    #[must_use]
    pub const fn in_database(self) -> &'static str {
        match self {
            Self::Keys => "postgres:keys",
            Self::Memories => "postgres:payloads",
            Self::Timeline => "postgres:timeline",
            Self::Sessions => "postgres:sessions",
            Self::Turns => "postgres:turns",
            Self::Traces => "postgres:traces",
            Self::SubjectDocuments => "postgres:documents",
            Self::Events => "postgres:events",
            Self::Files | Self::DayLogs => "postgres:home_documents",
        }
    }
}

/// The place of a file, by its path inside the home; `None` if no entry covers it.
#[must_use]
pub fn place_of_file(path: &Path) -> Option<&'static Place> {
    let name = path.file_name()?.to_str()?;
    let folder = path.parent().and_then(Path::file_name);
    let is_document = |name: &str| name.parse::<DocumentName>().is_ok();
    let wanted = match path.extension().and_then(OsStr::to_str) {
        Some("selfhood-tmp") => "*.selfhood-tmp",
        Some("part") => "*.part",
        _ if folder == Some(OsStr::new("sessions")) && is_document(&format!("sessions/{name}")) => {
            "sessions/*.md"
        }
        _ if is_document(name) => "documents",
        _ if name.starts_with(SET_ASIDE) => "memory.db.copied",
        _ => name,
    };
    home::PLACES.iter().find(|place| place.name == wanted && !place.name.contains(':'))
}
