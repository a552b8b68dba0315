//! What a scan found: where, how often and in which form, never the words.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::io;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::ground::Spot;
use super::needle::Form;
use super::{Caught, Looked};
use crate::place::Place;

/// What a whole scan found.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Residue {
    /// What was found, by the name of the place.
    pub places: BTreeMap<String, PlaceResidue>,
    /// What could not be read, so that nothing is known of it.
    pub unread: Vec<Unread>,
    /// Whether the scan would have found anything at all.
    pub self_test: SelfTest,
    #[serde(skip)]
    looked_at: HashSet<PathBuf>,
}

/// What was found in one place.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct PlaceResidue {
    /// How many files were read.
    pub files: u64,
    /// How many bytes.
    pub bytes: u64,
    /// How often something sought was found.
    pub hits: u64,
    /// In which files.
    pub found_in: Vec<FileResidue>,
}

/// A file in which something was found.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct FileResidue {
    /// The file; if its very name holds what is sought, the folder that was searched.
    pub path: PathBuf,
    /// How often.
    pub hits: u64,
    /// In which forms.
    pub forms: BTreeSet<Form>,
}

/// A file that could not be read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Unread {
    /// The file.
    pub path: PathBuf,
    /// Why not.
    pub why: String,
}

/// How the canary fared.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SelfTest {
    /// How many forms were found.
    pub found: usize,
    /// How many forms were planted.
    pub planted: usize,
    /// Why it could not be planted.
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
    /// Nothing was found, but the scan could not see everything.
    Unproven,
}

impl Verdict {
    /// The word for it.
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
    /// How often something was found, everywhere together.
    #[must_use]
    pub fn hits(&self) -> u64 {
        self.places.values().map(|place| place.hits).sum()
    }

    /// What the scan proves.
    #[must_use]
    pub fn verdict(&self) -> Verdict {
        match self.hits() {
            0 if self.self_test.held() && self.unread.is_empty() => Verdict::Clean,
            0 => Verdict::Unproven,
            _ => Verdict::Found,
        }
    }

    /// What was found where `place` rests: a table of a file rests in that file. `None` if nothing was looked at.
    #[must_use]
    pub fn of(&self, place: &Place) -> Option<&PlaceResidue> {
        if let Some(found) = self.places.get(place.name) {
            return Some(found);
        }
        let file = place.name.split_once(':').map_or(place.name, |(file, _)| file);
        self.places.get(file)
    }

    /// Notes what was found in a text that had to be opened to be looked at.
    pub fn note_opened(&mut self, place: &str, name: &Path, caught: &Caught) {
        let entry = self.places.entry(place.to_owned()).or_default();
        entry.files += 1;
        entry.bytes += caught.bytes;
        entry.hits += caught.hits;
        if caught.hits > 0 {
            let (path, forms) = (name.to_owned(), caught.forms.clone());
            entry.found_in.push(FileResidue { path, hits: caught.hits, forms });
        }
    }

    /// Whether a file was not looked at yet; from now on it was.
    pub(super) fn is_new(&mut self, spot: &Spot) -> bool {
        self.looked_at.insert(spot.path.clone())
    }

    pub(super) fn note(&mut self, spot: &Spot, looked: &Looked) {
        let Looked { name, content } = looked;
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

    pub(super) fn note_closed(&mut self, closed: Vec<Unread>) {
        let known = |unread: &Unread| self.unread.iter().any(|known| known.path == unread.path);
        let closed: Vec<Unread> = closed.into_iter().filter(|unread| !known(unread)).collect();
        self.unread.extend(closed);
    }

    pub(super) fn note_unread(&mut self, spot: &Spot, error: &io::Error) {
        self.unread.push(Unread { path: spot.path.clone(), why: error.to_string() });
    }
}

impl SelfTest {
    /// Judges what was found of the canary in the file where it was planted.
    pub(super) fn judge(&mut self, looked: &Looked) {
        let planted: BTreeSet<Form> = Form::OF_WORDS.into_iter().chain([Form::Word]).collect();
        self.planted = planted.len();
        self.found = looked.content.canary.intersection(&planted).count();
    }

    /// Whether every form of the canary was found.
    #[must_use]
    pub fn held(&self) -> bool {
        self.planted > 0 && self.found == self.planted
    }
}
