//! The result of a scan: where, how often and in which form, never the text.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::io;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::needle::Form;
use super::scan_roots::ScanFile;
use super::{FileScan, StreamHits};
use crate::place::Place;

/// The result of a whole scan.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Residue {
    /// The matches, by the name of the place.
    pub places: BTreeMap<String, PlaceResidue>,
    /// Files that could not be read, about which nothing is known.
    pub unread: Vec<UnreadableFile>,
    /// Whether the scan would have found anything at all.
    pub self_test: SelfTest,
    #[serde(skip)]
    looked_at: HashSet<PathBuf>,
}

/// The matches in one place.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct PlaceResidue {
    /// Number of files read.
    pub files: u64,
    /// Number of bytes read.
    pub bytes: u64,
    /// Number of matches.
    pub hits: u64,
    /// The files with matches.
    pub found_in: Vec<FileResidue>,
}

/// A file with matches.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct FileResidue {
    /// The file; if its name itself matches, the folder that was searched.
    pub path: PathBuf,
    /// Number of matches.
    pub hits: u64,
    /// The forms that matched.
    pub forms: BTreeSet<Form>,
}

/// A file that could not be read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct UnreadableFile {
    /// Its path.
    pub path: PathBuf,
    /// The error.
    pub why: String,
}

/// The result of the self-test.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SelfTest {
    /// Number of forms found.
    pub found: usize,
    /// Number of forms planted.
    pub planted: usize,
    /// Why the canary could not be planted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub refused: Option<String>,
}

/// What a scan proves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Verdict {
    /// Nothing is left.
    Clean,
    /// Something is left.
    Found,
    /// Nothing was found, but the scan could not read everything.
    Unproven,
}

impl Verdict {
    /// The name in reports.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Clean => "clean",
            Self::Found => "found",
            Self::Unproven => "unproven",
        }
    }
}

impl Residue {
    /// The total number of matches.
    #[must_use]
    pub fn hits(&self) -> u64 {
        self.places.values().map(|place| place.hits).sum()
    }

    /// What the scan proves.
    #[must_use]
    pub fn verdict(&self) -> Verdict {
        match self.hits() {
            0 if self.self_test.is_complete() && self.unread.is_empty() => Verdict::Clean,
            0 => Verdict::Unproven,
            _ => Verdict::Found,
        }
    }

    /// The matches in `place`: those of a table are counted for its database file. `None` if nothing was
    /// searched.
    #[must_use]
    pub fn of(&self, place: &Place) -> Option<&PlaceResidue> {
        if let Some(found) = self.places.get(place.name) {
            return Some(found);
        }
        let file = place.name.split_once(':').map_or(place.name, |(file, _)| file);
        self.places.get(file)
    }

    /// Adds matches in a text that had to be decrypted for searching.
    pub fn note_opened(&mut self, place: &str, name: &Path, caught: &StreamHits) {
        let entry = self.places.entry(place.to_owned()).or_default();
        entry.files += 1;
        entry.bytes += caught.bytes;
        entry.hits += caught.hits;
        if caught.hits > 0 {
            let (path, forms) = (name.to_owned(), caught.forms.clone());
            entry.found_in.push(FileResidue { path, hits: caught.hits, forms });
        }
    }

    /// Whether a file has not been searched yet; marks it as searched.
    pub(super) fn is_new(&mut self, spot: &ScanFile) -> bool {
        self.looked_at.insert(spot.path.clone())
    }

    pub(super) fn note(&mut self, spot: &ScanFile, looked: &FileScan) {
        let FileScan { name, content } = looked;
        let (entry, hits) = (self.places.entry(spot.place.to_owned()).or_default(), name.hits + content.hits);
        entry.files += 1;
        entry.bytes += content.bytes;
        entry.hits += hits;
        if hits > 0 {
            let path = if name.hits > 0 { spot.root.clone() } else { spot.path.clone() };
            let forms = content.forms.union(&name.forms).copied().collect();
            entry.found_in.push(FileResidue { path, hits, forms });
        }
    }

    pub(super) fn note_closed(&mut self, closed: Vec<UnreadableFile>) {
        let known = |unread: &UnreadableFile| self.unread.iter().any(|known| known.path == unread.path);
        let closed: Vec<UnreadableFile> = closed.into_iter().filter(|unread| !known(unread)).collect();
        self.unread.extend(closed);
    }

    pub(super) fn note_unread(&mut self, spot: &ScanFile, error: &io::Error) {
        self.unread.push(UnreadableFile { path: spot.path.clone(), why: error.to_string() });
    }
}

impl SelfTest {
    /// Evaluates the matches in the canary's own file.
    pub(super) fn evaluate(&mut self, looked: &FileScan) {
        let planted: BTreeSet<Form> = Form::OF_WORDS.into_iter().chain([Form::Word]).collect();
        self.planted = planted.len();
        self.found = looked.content.canary.intersection(&planted).count();
    }

    /// Whether every form of the canary was found.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        self.planted > 0 && self.found == self.planted
    }
}
