//! What a certificate says of each place in the store, and of what no erasure reaches.

use store::residue::Verdict;
use store::{Holds, Scan, Store};
use vault::certificate::{Place, Unreached};

use super::job::Job;
use super::verify::Scanned;
use crate::Engine;

/// What our erasure can't reach, and who could.
const UNREACHED: [(&str, &str); 3] = [
    ("model providers", "text sent to a model provider is under that provider's retention"),
    ("exports", "exported files are with the person who exported them"),
    ("unregistered copies of the keys", "only registered mirrors of the key directory are rewritten"),
];
const PLAIN_FILES: (&str, &str) = (
    "copies of plain files",
    "documents are plain text on disk; copies made other than by `selfhood backup` are with the person who \
    made them",
);
const SEALED_BYTES: (&str, &str) = (
    "sealed bytes in the database",
    "PostgreSQL keeps deleted rows in its log and its backups; they are sealed, and the keys that opened \
    them are destroyed",
);

impl Engine {
    /// Every registered place: what was done there, and how it was verified.
    pub(super) fn certified_places(&self, job: &Job, scanned: Option<&Scanned>) -> Vec<Place> {
        let certified = |place: &store::Place| {
            let found = scanned.and_then(|scanned| scanned.residue.of(place));
            let verified = match (place.scan, place.holds, found) {
                (Scan::Not, ..) => self.memory_proof().to_owned(),
                (Scan::Key, _, Some(found)) => format!("{} documents opened and scanned", found.files),
                (Scan::Key, Holds::NoWords, None) => "holds no words".to_owned(),
                (Scan::Bytes | Scan::Text, _, Some(found)) => {
                    format!("{} {} scanned", found.files, if found.files == 1 { "file" } else { "files" })
                }
                (Scan::Key | Scan::Bytes | Scan::Text, ..) => {
                    let epoch = job.progress.epoch_after.unwrap_or_default();
                    format!("key epoch {epoch}: older keys are destroyed")
                }
            };
            Place {
                place: place.name.to_owned(),
                method: place.erasure.as_str().to_owned(),
                count: job.progress.counts.places.get(place.name).copied().unwrap_or_default(),
                verified,
                hits: found.map_or(0, |found| found.hits),
            }
        };
        self.store.places().into_iter().map(certified).collect()
    }

    /// How it is known that no process holds the text: nodes confirm before the old key is destroyed, or lose
    /// their lease.
    const fn memory_proof(&self) -> &'static str {
        match self.store {
            Store::Postgres(_) => "removed from memory on every node before the old key was destroyed",
            Store::Sqlite(_) | Store::Memory(_) => "removed from the process's memory",
        }
    }

    /// What could not be reached.
    pub(super) fn unreached(&self, job: &Job, scanned: Option<&Scanned>) -> Vec<Unreached> {
        let entry = |what: &str, why: String| Unreached { what: what.to_owned(), why };
        let own = match self.store {
            Store::Postgres(_) => SEALED_BYTES,
            Store::Sqlite(_) | Store::Memory(_) => PLAIN_FILES,
        };
        let always = UNREACHED.into_iter().chain([own]);
        let mut list: Vec<Unreached> = always.map(|(what, why)| entry(what, why.to_owned())).collect();
        if let Some(scanned) = scanned.filter(|scanned| scanned.left > 0) {
            let why = format!(
                "{} identifiers also match other people, whose records an operator left unchanged",
                scanned.left
            );
            list.push(entry("matches left to others", why));
        }
        if scanned.is_some_and(|scanned| scanned.verdict != Verdict::Clean) {
            list.push(entry("what the scan found", "a person has to look; the job says where".to_owned()));
        }
        if !job.progress.stale_mirrors.is_empty() {
            list.push(entry("copies of the keys", "a registered mirror could not be rewritten".to_owned()));
        }
        list
    }
}
