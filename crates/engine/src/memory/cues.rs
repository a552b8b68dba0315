//! Cues: what somebody may say for which a memory should come to mind.

mod ask;
mod law;
mod write;

use domain::{Atom, Text};
use store::Rewording;

use crate::memory::embedding;

pub use write::CueWriting;

/// Those of the cues that a model proposed with a memory that may be kept.
pub(crate) fn lawful_cues(note: &str, proposed: &[Text]) -> Vec<Text> {
    let proposed: Vec<String> = proposed.iter().map(|cue| cue.as_str().to_owned()).collect();
    law::lawful(note, &proposed).cues
}

/// The change that writes the cues of `atom`; everything else about it stays.
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
