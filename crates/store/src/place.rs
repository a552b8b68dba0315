//! The register of Places: everywhere a word can rest, and how it is made to go away.
//!
//! Residue scan and certificate are generated from this list. A feature that adds a table, a column or a
//! file adds its entry here, or the canary test fails.

use std::ffi::OsStr;
use std::path::Path;

use crate::document::DocumentName;

/// Somewhere something rests.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// A table as `memory.db:atoms`, a file by its name in the home, or a part of the process.
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
    /// Not searched: it can't hold a word, or is gone by then.
    Not,
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

    const fn other(name: &'static str, holds: Holds, erasure: Erasure, scan: Scan) -> Self {
        Self { name, holds, sealed_columns: &[], clear_columns: &[], erasure, scan }
    }
}

const SEQUENCE: &[&str] = &["name", "seq"];
const CHECKPOINT: &[&str] = &["size", "at", "keyring_counter", "note"];

/// Every place of this store.
pub const PLACES: &[Place] = &[
    Place::clear("memory.db:meta", &["only", "tenant", "persona", "revision", "forgotten_removals"]),
    Place::sealed("memory.db:keys", &["label"], &["n", "tenant", "key_ref", "dying"]),
    Place::clear(
        "memory.db:atoms",
        &[
            "n",
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
        ],
    ),
    Place::sealed("memory.db:payloads", &["payload"], &["n", "key"]),
    Place::clear("memory.db:lineage", &["child", "position", "parent"]),
    Place::clear("memory.db:rehearsals", &["n", "memory", "at", "kind", "spoken"]),
    Place::sealed(
        "memory.db:timeline",
        &["payload", "reason"],
        &[
            "sequence",
            "id",
            "revision",
            "event_at",
            "created_at",
            "memory_type",
            "strength",
            "superseded_at",
            "superseded_by",
            "revises",
            "key",
        ],
    ),
    Place::clear("memory.db:tombstones", &["kind", "id", "at", "reason_code", "sequence"]),
    Place::clear("memory.db:removed", &["kind", "id", "revision", "at"]),
    Place::sealed("memory.db:sessions", &["payload"], &["n", "started_at", "last_at", "key"]),
    Place::sealed(
        "memory.db:turns",
        &["payload"],
        &["n", "id", "session", "position", "speaker", "at", "state", "formation", "key"],
    ),
    Place::sealed("memory.db:traces", &["payload"], &["n", "recall", "at", "key"]),
    Place::clear("memory.db:trace_memories", &["trace", "position", "memory"]),
    Place::sealed("memory.db:documents", &["payload"], &["n", "key", "name"]),
    Place::clear("memory.db:requests", &["tag", "fingerprint", "status", "resource", "at"]),
    Place::sealed("memory.db:events", &["part"], &["seq", "about", "body", "key"]),
    Place::clear("memory.db:tree", &["only", "frontier"]),
    Place::clear("memory.db:checkpoints", CHECKPOINT),
    Place::clear("memory.db:sqlite_sequence", SEQUENCE),
    Place::clear("deployment.db:tenants", &["name", "created_at"]),
    Place::clear("deployment.db:personas", &["id", "tenant", "name", "created_at", "dying"]),
    Place::clear(
        "deployment.db:api_keys",
        &["public_id", "tenant", "tag", "scopes", "speaks", "created_at", "expires_at", "revoked_at"],
    ),
    Place::clear("deployment.db:requests", &["tenant", "tag", "fingerprint", "status", "resource", "at"]),
    Place::clear("deployment.db:settings", &["tenant", "name", "value"]),
    Place::clear(
        "deployment.db:persona_checkpoints",
        &["tenant", "persona", "size", "at", "keyring_counter", "note"],
    ),
    Place::sealed("deployment.db:keys", &["label"], &["n", "tenant", "key_ref", "dying"]),
    Place::sealed("deployment.db:events", &["part"], &["seq", "about", "body", "key"]),
    Place::sealed(
        "deployment.db:erasures",
        &["payload"],
        &[
            "id",
            "tenant",
            "status",
            "received_at",
            "acknowledge_by",
            "complete_by",
            "changed_at",
            "progress",
            "key",
        ],
    ),
    Place::clear("deployment.db:erased", &["tenant", "tag", "at"]),
    Place::clear(
        "deployment.db:jobs",
        &[
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
        ],
    ),
    Place::clear("deployment.db:tree", &["only", "frontier"]),
    Place::clear("deployment.db:checkpoints", CHECKPOINT),
    Place::clear("deployment.db:sqlite_sequence", SEQUENCE),
    Place::other("memory.db", Holds::SealedWords, Erasure::KeyAndRow, Scan::Bytes),
    Place::other("memory.db-wal", Holds::SealedWords, Erasure::WithItsDatabase, Scan::Bytes),
    Place::other("memory.db-shm", Holds::NoWords, Erasure::WithItsDatabase, Scan::Bytes),
    Place::other("deployment.db", Holds::SealedWords, Erasure::KeyAndRow, Scan::Bytes),
    Place::other("deployment.db-wal", Holds::SealedWords, Erasure::WithItsDatabase, Scan::Bytes),
    Place::other("deployment.db-shm", Holds::NoWords, Erasure::WithItsDatabase, Scan::Bytes),
    Place::other("keyring", Holds::NoWords, Erasure::KeyEpoch, Scan::Bytes),
    Place::other("selfhood.lock", Holds::NoWords, Erasure::NotNeeded, Scan::Bytes),
    Place::other(".selfhood-probe", Holds::NoWords, Erasure::NotNeeded, Scan::Bytes),
    Place::other("documents", Holds::PlainWords, Erasure::Rewritten, Scan::Text),
    Place::other("sessions/*.md", Holds::PlainWords, Erasure::Rewritten, Scan::Text),
    Place::other("*.selfhood-tmp", Holds::PlainWords, Erasure::Rewritten, Scan::Text),
    Place::other("channels.json", Holds::PlainWords, Erasure::Rewritten, Scan::Text),
    Place::other("*.part", Holds::SealedWords, Erasure::KeyEpoch, Scan::Bytes),
    Place::other(
        "process:names of subjects and sessions",
        Holds::WordsInMemory,
        Erasure::Eviction,
        Scan::Not,
    ),
    Place::other("process:answers on their way", Holds::WordsInMemory, Erasure::Eviction, Scan::Not),
    Place::other("process:indexes of open personas", Holds::WordsInMemory, Erasure::Eviction, Scan::Not),
    Place::other("process:conversations so far", Holds::WordsInMemory, Erasure::Eviction, Scan::Not),
    Place::other("process:traces on their way", Holds::WordsInMemory, Erasure::Eviction, Scan::Not),
    // Backups lie wherever people put them; what was forgotten in one dies with the keys that sealed it.
    Place::other("backups", Holds::SealedWords, Erasure::KeyEpoch, Scan::Bytes),
];

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
        _ => name,
    };
    PLACES.iter().find(|place| place.name == wanted && !place.name.contains(':'))
}
