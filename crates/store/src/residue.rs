//! Looking for what should be gone: every form of a word, in every file where one could rest.
//!
//! The scan trusts nothing that the rest of the store believes. It reads raw bytes, also of a home that
//! is in use, and succeeds only if it found nothing *and* a canary, planted moments before in every form,
//! was found. What it reports names places, files and forms, never the words.

mod needle;
mod sieve;
mod ground;
mod canary;
mod finding;

use std::fs::File;
use std::io;
use std::path::PathBuf;

use vault::randomness::{Randomness, RandomnessError};

pub use finding::{FileResidue, PlaceResidue, Residue, SelfTest, Unread, Verdict};
pub use ground::Grounds;
pub use needle::{Form, MAX_WORDS_BYTES, SHORT, Sought};
pub use sieve::{Caught, Sieve, Wording};

use canary::Canary;
use ground::{Spot, Walk};

/// How often the grounds are walked again for files that appeared meanwhile.
const ROUNDS: usize = 3;

/// Why a scan could not be begun.
#[derive(Debug, thiserror::Error)]
pub enum ResidueError {
    /// Nothing, or only white space, would be found everywhere.
    #[error("there is nothing to look for; give a word, a name or an address")]
    Nothing,
    /// Longer than anything we keep in one piece.
    #[error(
        "a text of {0} bytes is too long to look for; give a part of it, at most {MAX_WORDS_BYTES} bytes"
    )]
    TooLong(usize),
    /// All needles together are too many for one search.
    #[error("{0} forms are too many to look for at once; look for fewer things at a time")]
    TooMany(usize),
    /// Where the scan was to look there is nothing.
    #[error("there is nothing at {0}")]
    NoSuchPlace(PathBuf),
    /// No canary can be made up without chance.
    #[error(transparent)]
    Randomness(#[from] RandomnessError),
}

/// Looks for everything in `sought` on all `grounds`, telling `passed` how many bytes were read.
pub fn scan(
    grounds: &Grounds,
    sought: &[Sought],
    randomness: &dyn Randomness,
    mut passed: impl FnMut(u64),
) -> Result<Residue, ResidueError> {
    let canary = Canary::think_up(randomness)?;
    let sieve = Sieve::with_canary(sought, &canary.words())?;
    let mut residue = Residue::default();
    let planted = canary.plant(grounds.planting_ground());
    if let Err(error) = &planted {
        residue.self_test.refused = Some(format!("the canary could not be planted: {error}"));
    }
    for _ in 0..ROUNDS {
        let Walk { mut spots, closed, .. } = grounds.walk();
        residue.note_closed(closed);
        spots.retain(|spot| residue.is_new(spot));
        if spots.is_empty() {
            break;
        }
        for spot in &spots {
            let is_canary = planted.as_ref().is_ok_and(|planted| planted.path() == spot.path);
            match read(spot, &sieve, &mut passed) {
                Ok(Some(caught)) if is_canary => residue.self_test.judge(&caught),
                Ok(Some(caught)) => residue.note(spot, &caught),
                Ok(None) => {}
                Err(error) => residue.note_unread(spot, &error),
            }
        }
    }
    Ok(residue)
}

/// Reads one file and its name. One that went away meanwhile holds nothing any more.
fn read(spot: &Spot, sieve: &Sieve, passed: &mut impl FnMut(u64)) -> io::Result<Option<Looked>> {
    let read = File::open(&spot.path).and_then(|file| sieve.read(file, spot.wording, passed));
    match read {
        Ok(content) => Ok(Some(Looked { name: sieve.caught_in(&spot.name), content })),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

/// What one file holds, and what its name does.
struct Looked {
    name: Caught,
    content: Caught,
}

#[cfg(test)]
mod tests;
