//! The vectors of texts that are no memories, by the published encoders: whether two sentences mean the same
//! is another question than which note a message calls for.

use encoders::{Encoder, Encoders};

use crate::cue_encoder::{Packed, packed};
use crate::index::sentence_chunk::{MINILM, USE};

/// The vectors of a text by the published encoders.
pub(crate) struct GeneralVectors {
    pub(crate) minilm: Packed<MINILM>,
    pub(crate) use_multilingual: Packed<USE>,
}

impl GeneralVectors {
    pub(crate) fn of(text: &str, encoders: &Encoders) -> Self {
        Self {
            minilm: packed(&encoders.encode(Encoder::MiniLm, text)),
            use_multilingual: packed(&encoders.encode(Encoder::UseMultilingual, text)),
        }
    }
}
