//! The encoders by name, and the entry point for encoding texts.

use std::sync::{Arc, OnceLock};

use crate::EncoderError;
use crate::minilm::MiniLm;
use crate::use_multilingual::UseMultilingual;
use crate::weights::{Aligned, Weights};

static MINILM: &Aligned<[u8]> = &Aligned(*include_bytes!("../../../model/minilm/weights.bin"));
static USE_MULTILINGUAL: &Aligned<[u8]> =
    &Aligned(*include_bytes!("../../../model/use-multilingual/weights.bin"));

/// The sentence encoder that made a vector; vectors of different encoders are never compared.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Encoder {
    /// all-MiniLM-L6-v2: English, the first 126 word pieces of a text.
    MiniLm,
    /// The same with upper layers that were trained for recall.
    MiniLmRecall,
    /// universal-sentence-encoder-multilingual, version 3: sixteen languages, the first 254 pieces of a text.
    UseMultilingual,
    /// The same with a head that was trained for recall.
    UseRecall,
}

impl Encoder {
    /// Every encoder.
    pub const ALL: [Self; 4] = [Self::MiniLm, Self::MiniLmRecall, Self::UseMultilingual, Self::UseRecall];

    /// The name stored with vectors of this encoder.
    ///
    /// It changes whenever the vectors do.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::MiniLm => "minilm-l6-v2.2",
            Self::MiniLmRecall => "minilm-recall.1",
            Self::UseMultilingual => "use-multilingual-v3.2",
            Self::UseRecall => "use-recall.1",
        }
    }

    /// The number of dimensions of its vectors.
    #[must_use]
    pub const fn dimensions(self) -> usize {
        match self {
            Self::MiniLm | Self::MiniLmRecall => crate::minilm::DIMENSIONS,
            Self::UseMultilingual | Self::UseRecall => crate::use_multilingual::DIMENSIONS,
        }
    }

    /// The encoder with this name; `None` if this program does not have it.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|encoder| encoder.name() == name)
    }
}

/// All encoders. Clones share the weights.
#[derive(Clone)]
pub struct Encoders {
    minilm: Arc<MiniLm>,
    use_multilingual: Arc<UseMultilingual>,
}

impl Encoders {
    /// The encoders whose weights are compiled into the program.
    ///
    /// Their checksum is not computed, because that would read every page of them; a test does.
    pub fn built_in() -> Result<Self, EncoderError> {
        static BUILT_IN: OnceLock<Result<Encoders, EncoderError>> = OnceLock::new();
        let load = || Self::of(&Weights::built_in(&MINILM.0)?, &Weights::built_in(&USE_MULTILINGUAL.0)?);
        BUILT_IN.get_or_init(load).clone()
    }

    /// The encoders from two weights files, whose checksums are verified.
    pub fn from_bytes(minilm: Vec<u8>, use_multilingual: Vec<u8>) -> Result<Self, EncoderError> {
        Self::of(&Weights::verified(minilm)?, &Weights::verified(use_multilingual)?)
    }

    fn of(minilm: &Weights, use_multilingual: &Weights) -> Result<Self, EncoderError> {
        minilm.check_encoder(Encoder::MiniLm)?;
        use_multilingual.check_encoder(Encoder::UseMultilingual)?;
        Ok(Self {
            minilm: Arc::new(MiniLm::new(minilm)?),
            use_multilingual: Arc::new(UseMultilingual::new(use_multilingual)?),
        })
    }

    /// The embedding of `text` as a unit vector; the zero vector when no piece of the text is known.
    #[must_use]
    pub fn encode(&self, encoder: Encoder, text: &str) -> Vec<f32> {
        match encoder {
            Encoder::MiniLm => self.minilm.encode(text),
            Encoder::MiniLmRecall => self.minilm.encode_for_recall(text),
            Encoder::UseMultilingual => self.use_multilingual.encode(text),
            Encoder::UseRecall => self.use_multilingual.encode_for_recall(text),
        }
    }

    /// The embeddings of `text` by [`Encoder::UseMultilingual`] and [`Encoder::UseRecall`], in little more
    /// time than one of them takes.
    #[must_use]
    pub fn encode_twice(&self, text: &str) -> [Vec<f32>; 2] {
        self.use_multilingual.encode_twice(text)
    }
}

impl std::fmt::Debug for Encoders {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list().entries(Encoder::ALL.map(Encoder::name)).finish()
    }
}

#[cfg(test)]
mod tests;
