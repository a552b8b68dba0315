//! The register of places: every place where personal data is stored, and how it is erased there.
//!
//! Residue scan and certificate are generated from these lists, one for homes and one for shared databases.
//! A feature that adds a table, a column or a file adds its entry, or the canary test fails.

mod database;
mod home;

use std::ffi::OsStr;
use std::path::Path;

use crate::document::DocumentName;
use crate::sqlite::SET_ASIDE;

/// The columns of the jobs, in a home and in a shared database.
const JOB_COLUMNS: &[&str] = &[
    "tenant",
    "persona",
    "name",
    "schedule",
    "since",
    "paused_at",
    "holder",
    "leased_due",
    "leased_until",
    "last_due",
    "started_at",
    "finished_at",
    "outcome",
    "report",
];

/// The clear columns of the atoms, between those that only one of the databases has.
macro_rules! atom_columns {
    ($($before:literal),*; $($after:literal),*) => {
        &[
            $($before,)*
            "id",
            "revision",
            "kind",
            "class",
            "status",
            "trust",
            "created_at",
            "last_rehearsed_at",
            "rehearsal_count",
            "salience",
            "valence",
            "decay_function",
            "half_life",
            "boost",
            "protection",
            "minimum",
            "detail_rate",
            "archived_at",
            "released_at",
            "review",
            "audit_hold",
            "revises",
            "anchors",
            $($after,)*
        ]
    };
}
use atom_columns;

/// A place where personal data is stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// A table as `memory.db:atoms` or `postgres:atoms`, a file name, or a part of the process.
    pub name: &'static str,
    /// The kind of data stored there.
    pub holds: Holds,
    /// The columns with text, all of them sealed; empty if the place is not a table.
    pub sealed_columns: &'static [&'static str],
    /// The columns without text.
    pub clear_columns: &'static [&'static str],
    /// How it is erased.
    pub erasure: Erasure,
    /// How a residue scan searches it.
    pub scan: Scan,
}

/// The kind of data stored in a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Holds {
    /// Text sealed under the subject's key, or under the month's key if there is no subject.
    SealedWords,
    /// Text in the clear, because people edit it.
    PlainWords,
    /// Text in the memory of the process.
    WordsInMemory,
    /// No text: numbers, codes, ids, keyed hashes, wrapped keys.
    NoWords,
}

/// How a place is erased.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Erasure {
    /// The key is destroyed and the row deleted; then the file is rewritten and its log emptied.
    KeyAndRow,
    /// The key is destroyed and the row deleted; then its table is vacuumed. The server's write-ahead log
    /// still contains the sealed bytes, which no key opens.
    KeyAndVacuum,
    /// The row is deleted; it holds no text.
    Row,
    /// The text is rewritten without the personal data, or the file is removed.
    Rewritten,
    /// It is emptied together with its database.
    WithItsDatabase,
    /// It becomes unreadable when the tenant's key epoch is rotated.
    KeyEpoch,
    /// It is dropped when the persona is closed or the process ends.
    Eviction,
    /// There is nothing to erase.
    NotNeeded,
}

impl Erasure {
    /// The description used in a certificate.
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

/// How a residue scan searches a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scan {
    /// Its raw bytes, for every form of the text sought.
    Bytes,
    /// Its text, for whole words as well.
    Text,
    /// Not searched, because its bytes belong to the database server: the proof is that no key opens them.
    Key,
    /// Not searched, because it has been dropped by then.
    Not,
}

/// The kinds of records and files of a persona, independent of the store.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Content {
    /// The labels of data keys.
    Keys,
    /// The text of memories.
    Memories,
    /// Events of the persona's own life.
    Timeline,
    /// Conversations.
    Sessions,
    /// The messages in them.
    Turns,
    /// Traces of recalls.
    Traces,
    /// Documents of subjects other than the owner.
    SubjectDocuments,
    /// The private parts of the log.
    Events,
    /// The documents that a home stores as files.
    Files,
    /// The owner's day logs.
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

/// Places in the memory of every process.
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

/// The register of a shared database.
pub fn database_places() -> impl Iterator<Item = &'static Place> {
    database::PLACES.iter().chain(PROCESS)
}

impl Content {
    /// The place in a home where this content is stored.
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

    /// The place in a shared database where this content is stored.
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
