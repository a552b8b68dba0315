//! Residue scan: searches every file where personal data could be stored for every form of a text.
//!
//! The scan trusts none of the store's own code. It reads raw bytes, also of a home that is in use, and
//! succeeds only if it found nothing *and* found a canary that was planted in every form just before. Its
//! report names places, files and forms, never the text.

mod needle;
mod compiled_needles;
mod scan_roots;
mod canary;
mod finding;

use std::fs::File;
use std::io;
use std::path::PathBuf;

use vault::randomness::{Randomness, RandomnessError};

pub use compiled_needles::{CompiledNeedles, StreamHits, Wording};
pub use finding::{FileResidue, PlaceResidue, Residue, SelfTest, UnreadableFile, Verdict};
pub use needle::{Form, MAX_WORDS_BYTES, SHORT, SearchTarget};
pub use scan_roots::ScanRoots;

use canary::Canary;
use scan_roots::{ScanFile, ScanWalk};

/// How often the directories are walked again for files that appeared meanwhile.
const ROUNDS: usize = 3;

/// Why a scan could not start.
#[derive(Debug, thiserror::Error)]
pub enum ResidueError {
    /// The text is empty or only white space, which would match everywhere.
    #[error("there is nothing to search for; give a word, a name or an address")]
    Nothing,
    /// The text is longer than any text stored in one piece.
    #[error(
        "a text of {0} bytes is too long to search for; give a part of it, at most {MAX_WORDS_BYTES} bytes"
    )]
    TooLong(usize),
    /// There are too many patterns for one search.
    #[error("{0} patterns are too many for one search; search for fewer texts at a time")]
    TooMany(usize),
    /// The path to search does not exist.
    #[error("{0} does not exist")]
    NoSuchPlace(PathBuf),
    /// No canary can be generated without random bytes.
    #[error(transparent)]
    Randomness(#[from] RandomnessError),
}

/// Searches all `grounds` for everything in `sought`, reporting the number of bytes read to `passed`.
pub fn scan(
    grounds: &ScanRoots,
    sought: &[SearchTarget],
    randomness: &dyn Randomness,
    mut passed: impl FnMut(u64),
) -> Result<Residue, ResidueError> {
    let canary = Canary::generate(randomness)?;
    let needles = CompiledNeedles::with_canary(sought, &canary.words())?;
    let mut residue = Residue::default();
    let planted = canary.plant(grounds.planting_ground());
    if let Err(error) = &planted {
        residue.self_test.refused = Some(format!("the canary could not be planted: {error}"));
    }
    for _ in 0..ROUNDS {
        let ScanWalk { mut spots, closed, .. } = grounds.walk();
        residue.note_closed(closed);
        spots.retain(|spot| residue.is_new(spot));
        if spots.is_empty() {
            break;
        }
        for spot in &spots {
            let is_canary = planted.as_ref().is_ok_and(|planted| planted.path() == spot.path);
            match read(spot, &needles, &mut passed) {
                Ok(Some(caught)) if is_canary => residue.self_test.evaluate(&caught),
                Ok(Some(caught)) => residue.note(spot, &caught),
                Ok(None) => {}
                Err(error) => residue.note_unread(spot, &error),
            }
        }
    }
    Ok(residue)
}

/// Searches one file and its name. A file that was removed meanwhile holds nothing any more.
fn read(
    spot: &ScanFile,
    needles: &CompiledNeedles,
    passed: &mut impl FnMut(u64),
) -> io::Result<Option<FileScan>> {
    let read = File::open(&spot.path).and_then(|file| needles.read(file, spot.wording, passed));
    match read {
        Ok(content) => Ok(Some(FileScan { name: needles.caught_in(&spot.name), content })),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

/// The matches in one file, and those in its name.
struct FileScan {
    name: StreamHits,
    content: StreamHits,
}

#[cfg(test)]
mod tests;
