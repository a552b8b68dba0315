//! Cues: what somebody may say for which a memory should come to mind.

mod ask;
mod law;
mod write;

use domain::Atom;
use store::Rewording;

use crate::meaning;

pub use write::CueWriting;

/// The change that writes the cues of `atom`; everything else about it stays.
pub(crate) fn rewording(atom: &Atom) -> Rewording {
    Rewording {
        id: atom.id,
        gist: atom.gist.clone(),
        details: atom.details.clone(),
        cues: atom.cues.clone(),
        tags: atom.tags.clone(),
        vector: Some(meaning::packed(atom)),
    }
}
