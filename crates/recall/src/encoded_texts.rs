//! Texts that are encoded once and compared with many others, by the published encoders: whether two
//! sentences mean the same is another question than which note a message calls for.
//!
//! Texts that are compiled into the program can come with their vectors, so that no process encodes them
//! again: a few hundred examples take more than a second. A text whose vectors aren't in the file is
//! encoded like any other.

use encoders::{Encoder, Encoders};

use crate::cue_encoder::{CueEncoder, Packed, packed as quantised};
use crate::index::sentence_chunk::{MINILM, USE};
use crate::kernel::Row;
use crate::language::{is_english, language_of};

/// Texts with their vectors.
pub struct EncodedTexts(Vec<GeneralVectors>);

/// The vectors of a text by the published encoders.
pub(crate) struct GeneralVectors {
    pub(crate) minilm: Packed<MINILM>,
    pub(crate) use_multilingual: Packed<USE>,
}

impl GeneralVectors {
    pub(crate) fn of(text: &str, encoders: &Encoders) -> Self {
        Self {
            minilm: quantised(&encoders.encode(Encoder::MiniLm, text)),
            use_multilingual: quantised(&encoders.encode(Encoder::UseMultilingual, text)),
        }
    }
}

/// One text in a file of vectors: its key, the steps of both vectors, an unused number, and the codes.
const RECORD: usize = 8 + 3 * 4 + MINILM + USE;

impl EncodedTexts {
    /// Encodes `texts`, in their order, except those whose vectors are in `prepared`, a file that
    /// [`EncodedTexts::to_file`] wrote.
    #[must_use]
    pub fn of(texts: &[&str], prepared: &[u8], encoder: &CueEncoder) -> Self {
        let vectors = |text: &&str| {
            find(prepared, text).unwrap_or_else(|| GeneralVectors::of(text, encoder.encoders()))
        };
        Self(texts.iter().map(vectors).collect())
    }

    /// The vectors of `texts` as a file for [`EncodedTexts::of`].
    #[must_use]
    pub fn to_file(texts: &[&str], encoder: &CueEncoder) -> Vec<u8> {
        let mut keyed: Vec<(u64, &str)> = texts.iter().map(|text| (key(text), *text)).collect();
        keyed.sort_unstable();
        keyed.dedup();
        keyed
            .iter()
            .flat_map(|(key, text)| record(*key, &GeneralVectors::of(text, encoder.encoders())))
            .collect()
    }

    /// Those of `texts` whose vectors are not in `prepared`.
    #[must_use]
    pub fn missing<'t>(texts: &[&'t str], prepared: &[u8]) -> Vec<&'t str> {
        texts.iter().copied().filter(|text| find(prepared, text).is_none()).collect()
    }

    /// The similarity of each of the texts to `other`, as a cosine. English is compared by both encoders,
    /// any other language by the multilingual one.
    #[must_use]
    pub fn similarities(&self, other: &str, language: &str, encoder: &CueEncoder) -> Vec<f32> {
        let in_english = is_english(language_of(other, language));
        let other = encoder.encode_sentence(other);
        let similarity = |text: &GeneralVectors| {
            let multilingual = text.use_multilingual.cosine(&other.use_multilingual);
            if in_english {
                f32::midpoint(multilingual, text.minilm.cosine(&other.minilm))
            } else {
                multilingual
            }
        };
        self.0.iter().map(similarity).collect()
    }
}

impl std::fmt::Debug for EncodedTexts {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "EncodedTexts({} of them)", self.0.len())
    }
}

/// The key of a text in a file (FNV-1a).
fn key(text: &str) -> u64 {
    text.bytes()
        .fold(0xcbf2_9ce4_8422_2325, |key, byte| (key ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3))
}

fn record(key: u64, vectors: &GeneralVectors) -> Vec<u8> {
    // The third number is not used any more; files written before have it.
    let steps = [vectors.minilm.step, vectors.use_multilingual.step, 0.0];
    let codes = vectors.minilm.codes.codes().iter().chain(vectors.use_multilingual.codes.codes());
    let head = key.to_le_bytes().into_iter().chain(steps.into_iter().flat_map(f32::to_le_bytes));
    head.chain(codes.map(|code| code.cast_unsigned())).collect()
}

/// The vectors of `text` in a file, whose records are sorted by key.
fn find(file: &[u8], text: &str) -> Option<GeneralVectors> {
    let (records, _) = file.as_chunks::<RECORD>();
    let key_of = |record: &[u8; RECORD]| record.first_chunk().copied().map(u64::from_le_bytes);
    let at = records.binary_search_by_key(&Some(key(text)), key_of).ok()?;
    let (_, rest) = records.get(at)?.split_first_chunk::<8>()?;
    let (minilm_step, rest) = rest.split_first_chunk()?;
    let (use_step, rest) = rest.split_first_chunk()?;
    let (_, rest) = rest.split_first_chunk::<4>()?;
    let (minilm, use_multilingual) = rest.split_at_checked(MINILM)?;
    Some(GeneralVectors {
        minilm: packed(minilm, *minilm_step),
        use_multilingual: packed(use_multilingual, *use_step),
    })
}

fn packed<const N: usize>(codes: &[u8], step: [u8; 4]) -> Packed<N> {
    let code = |at: usize| codes.get(at).map_or(0, |code| code.cast_signed());
    Packed { codes: Row::from_fn(code), step: f32::from_le_bytes(step) }
}

#[cfg(test)]
mod tests {
    use encoders::Encoders;

    use super::*;

    #[test]
    fn prepared_vectors_give_the_same_similarities_and_other_texts_are_encoded() {
        let encoder = CueEncoder::new(Encoders::built_in().unwrap());
        let texts = ["Good morning!", "How old are you?", "Where do you live?"];
        let file = EncodedTexts::to_file(&texts[..2], &encoder);
        assert_eq!(file.len(), 2 * RECORD);
        assert!(find(&file, texts[0]).is_some() && find(&file, texts[2]).is_none());
        let similar = |prepared: &[u8]| {
            EncodedTexts::of(&texts, prepared, &encoder).similarities("Tell me your age.", "en", &encoder)
        };
        assert_eq!(similar(&file), similar(&[]));
        // A truncated file is not an error.
        assert_eq!(similar(&file[..RECORD + 7]), similar(&[]));
    }

    #[test]
    fn greetings_are_alike_across_languages() {
        let encoder = CueEncoder::new(Encoders::built_in().unwrap());
        let examples = EncodedTexts::of(&["Good morning!", "How old are you?"], &[], &encoder);
        let similarities = examples.similarities("Guten Morgen!", "de", &encoder);
        assert!(similarities[0] > 0.6 && similarities[0] > similarities[1], "{similarities:?}");
    }
}
