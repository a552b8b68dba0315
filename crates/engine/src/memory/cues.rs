//! Cues: phrases for which a memory should be recalled.

mod ask;
mod law;
mod write;

use domain::{Atom, Text};
use store::Rewording;

use crate::memory::embedding;

pub use write::CueWriting;

/// The cues proposed by a model that may be kept.
pub(crate) fn allowed_cues(note: &str, proposed: &[Text]) -> Vec<Text> {
    let proposed: Vec<String> = proposed.iter().map(|cue| cue.as_str().to_owned()).collect();
    law::lawful(note, &proposed).cues
}

/// The change that writes the cues of `atom` and nothing else.
pub(crate) fn rewording(atom: &Atom) -> Rewording {
    Rewording {
        id: atom.id,
        gist: atom.gist.clone(),
        details: atom.details.clone(),
        cues: atom.cues.clone(),
        tags: atom.tags.clone(),
        vector: Some(embedding::packed(atom)),
    }
}
