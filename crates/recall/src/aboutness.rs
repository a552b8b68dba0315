//! How clearly a cue is about a memory: the chance that the memory is what it asks for, and that it asks for
//! something known at all.
//!
//! Ranking and this are different questions: a cue about something never said has a best memory too. So the
//! vectors of the cue are moved by a learnt matrix before they are compared (`model/recall-heads`); the
//! vectors of memories are those of the ranking.

use std::sync::OnceLock;

use crate::arithmetic::exp2;
use crate::cue_encoder::{Packed, packed};
use crate::fusion::Fusion;
use crate::index::sentence_chunk::{Encoded, MINILM, SentenceChunk, USE};
use crate::language::CueLanguage;
use crate::sentences::Part;

/// The chance from which a cue is clearly about a memory or an event, unless the policy says otherwise;
/// `docs/recall.md` says how well it separates known topics from unknown ones.
pub const ABOUTNESS: f64 = 0.5;

/// The relevance that stands for [`ABOUTNESS`] where there are no sentence vectors.
const RELEVANCE: f64 = 0.48;

static WEIGHTS: &[u8] = include_bytes!("../../../model/recall-heads/aboutness.bin");

/// The relevance that corresponds to this aboutness, or to the default one.
///
/// For texts that have only a relevance: what has no sentence vectors, and sentences that are no memories.
#[must_use]
pub fn relevance_bar(aboutness: Option<f64>) -> f64 {
    aboutness.map_or(RELEVANCE, |aboutness| aboutness * RELEVANCE / ABOUTNESS)
}

/// The aboutness that corresponds to this relevance.
#[expect(clippy::cast_possible_truncation, reason = "a score needs no more digits")]
pub(crate) fn of_relevance(relevance: f32) -> f32 {
    (relevance * (ABOUTNESS / RELEVANCE) as f32).min(1.0)
}

/// The vectors of a cue, moved for this comparison.
pub(crate) struct AboutVectors {
    minilm: Packed<MINILM>,
    use_multilingual: Packed<USE>,
}

impl AboutVectors {
    /// Moves the vectors of a cue.
    pub(crate) fn of(minilm: &[f32], use_multilingual: &[f32]) -> Self {
        let head = head();
        Self {
            minilm: packed(&head.minilm.apply(minilm)),
            use_multilingual: packed(&head.use_multilingual.apply(use_multilingual)),
        }
    }

    /// How clearly the cue is about the memory in `row`, whose text `closest` is the most similar one; `None`
    /// if the memory has no sentence vectors.
    pub(crate) fn aboutness(
        &self,
        sentences: &SentenceChunk,
        row: usize,
        closest: Part,
        language: CueLanguage,
    ) -> Option<f32> {
        let steps = [sentences.minilm.gist_steps.get(row), sentences.use_multilingual.gist_steps.get(row)];
        if !steps.into_iter().flatten().any(|step| *step > 0.0) {
            return None;
        }
        let minilm = best_cosine(&sentences.minilm, row, closest, &self.minilm);
        let use_multilingual = best_cosine(&sentences.use_multilingual, row, closest, &self.use_multilingual);
        let [english, other] = &head().numbers;
        let [of_use, of_minilm, slope, offset] = match language {
            CueLanguage::English => english,
            CueLanguage::Other => other,
        };
        let sum = slope * (of_use * use_multilingual + of_minilm * minilm) + offset;
        Some(1.0 / (1.0 + exp2(-sum * std::f32::consts::LOG2_E)))
    }
}

/// The cosine of `cue` and the gist of a row, or its text `closest` if that is nearer.
fn best_cosine<const N: usize>(encoded: &Encoded<N>, row: usize, closest: Part, cue: &Packed<N>) -> f32 {
    let gist = encoded.gists.get(row).zip(encoded.gist_steps.get(row));
    let gist = gist.map_or(0.0, |(codes, step)| cue.cosine_of_codes(codes, *step));
    if closest == Part::Gist {
        return gist;
    }
    let is_it = |(owner, part): &(u16, Part)| usize::from(*owner) == row && *part == closest;
    let at = encoded.owners.iter().position(is_it);
    let part = at.and_then(|at| Some((encoded.parts.get(at)?, *encoded.part_steps.get(at)?)));
    let share = Fusion::default().share_of(closest);
    part.map_or(gist, |(codes, step)| gist.max(share * cue.cosine_of_codes(codes, step)))
}

/// The learnt weights.
struct Head {
    /// The weights of USE and `MiniLM`, the slope and the offset: for English, and for other languages.
    numbers: [[f32; 4]; 2],
    use_multilingual: Change,
    minilm: Change,
}

/// What is added to a vector, as a matrix: a step and a row of codes for each dimension.
#[derive(Default)]
struct Change {
    steps: Vec<f32>,
    codes: &'static [u8],
}

fn head() -> &'static Head {
    static PARSED: OnceLock<Head> = OnceLock::new();
    PARSED.get_or_init(|| {
        let (numbers, rest) = WEIGHTS.split_at_checked(32).unwrap_or_default();
        let (use_multilingual, rest) = Change::parse(rest, USE);
        let (minilm, _) = Change::parse(rest, MINILM);
        let mut numbers = floats(numbers).into_iter();
        let mut four = || [0; 4].map(|_| numbers.next().unwrap_or_default());
        Head { numbers: [four(), four()], use_multilingual, minilm }
    })
}

fn floats(bytes: &[u8]) -> Vec<f32> {
    bytes.as_chunks().0.iter().map(|four| f32::from_le_bytes(*four)).collect()
}

impl Change {
    fn parse(bytes: &'static [u8], dimensions: usize) -> (Self, &'static [u8]) {
        let (steps, rest) = bytes.split_at_checked(4 * dimensions).unwrap_or_default();
        let (codes, rest) = rest.split_at_checked(dimensions * dimensions).unwrap_or_default();
        (Self { steps: floats(steps), codes }, rest)
    }

    /// `vector` and its change.
    fn apply(&self, vector: &[f32]) -> Vec<f32> {
        let rows = self.codes.chunks_exact(self.steps.len().max(1)).zip(&self.steps);
        vector.iter().zip(rows).map(|(own, (row, step))| own + step * dot(row, vector)).collect()
    }
}

/// The dot product of a row of codes and `vector`: eight sums that are added at the end, so that the
/// compiler can use vector instructions.
fn dot(row: &[u8], vector: &[f32]) -> f32 {
    let mut sums = [0.0_f32; 8];
    for (codes, numbers) in row.as_chunks::<8>().0.iter().zip(vector.as_chunks::<8>().0) {
        for ((sum, code), number) in sums.iter_mut().zip(codes).zip(numbers) {
            *sum += f32::from(code.cast_signed()) * number;
        }
    }
    sums.iter().sum()
}

#[cfg(test)]
mod tests {
    use domain::example;
    use encoders::Encoders;

    use super::*;
    use crate::CueEncoder;
    use crate::sentences::SentenceVectors;

    fn aboutness(cue: &str, gist: &str) -> f32 {
        let encoders = Encoders::built_in().unwrap();
        let mut chunk = SentenceChunk::default();
        chunk.set(0, &SentenceVectors::of_atom(&example::plain_atom(gist), "en", &encoders));
        let cue = CueEncoder::new(encoders).encode(cue);
        cue.about.aboutness(&chunk, 0, Part::Gist, CueLanguage::English).unwrap()
    }

    #[test]
    fn the_weights_are_those_of_both_encoders() {
        let head = head();
        assert_eq!((head.use_multilingual.steps.len(), head.use_multilingual.codes.len()), (USE, USE * USE));
        assert_eq!((head.minilm.steps.len(), head.minilm.codes.len()), (MINILM, MINILM * MINILM));
        assert!(head.numbers.iter().all(|[_, _, slope, offset]| *slope > 0.0 && *offset < 0.0));
    }

    #[test]
    fn a_cue_is_about_the_note_it_calls_for_and_not_about_what_was_never_said() {
        let allergy = "Severe peanut allergy, carries an adrenaline pen.";
        let asked = aboutness("Can I eat the satay here, with my allergy?", allergy);
        let never_said = aboutness("Did I ever tell you the name of my first dog?", allergy);
        assert!(f64::from(asked) >= ABOUTNESS && f64::from(never_said) < 0.3, "{asked} {never_said}");
    }

    #[test]
    fn a_memory_without_sentence_vectors_has_none() {
        let encoder = CueEncoder::new(Encoders::built_in().unwrap());
        let cue = encoder.encode("Where is the sauna?");
        assert_eq!(cue.about.aboutness(&SentenceChunk::default(), 0, Part::Gist, CueLanguage::English), None);
        assert!((f64::from(of_relevance(0.48)) - ABOUTNESS).abs() < 1e-6);
        assert!((relevance_bar(Some(ABOUTNESS)) - 0.48).abs() < 1e-9);
    }
}
