//! How surely a text tells of a special category, by its likeness to texts that people have labelled.
//!
//! Kernel ridge regression: every labelled text pulls the score up or down, the more the nearer it is. A text is the
//! vectors of both encoders, projected to a few components that are kept as bytes, and whether the word lists find a
//! category in it: a word such as "Christian" counts, and does not decide. `model/formation/train_special.py` writes
//! `special.bin` and says where the texts are from.

use std::sync::OnceLock;

use encoders::{Encoder, Encoders};

use crate::features::longest_part;

static TRAINED: &[u8] = include_bytes!("../../../../model/formation/special.bin");

/// The numbers of both vectors.
const VECTORS: usize = 512 + 384;
/// The components that are kept of them.
const COMPONENTS: usize = 128;
/// How fast likeness falls with the squared distance.
const GAMMA: f32 = 0.7;
/// What it adds to the likeness of two texts that the word lists find a category in both.
const LISTED_COUNTS: f32 = 0.1;
/// The score above which a text is special. Refusing what is harmless is better than keeping what is special.
const SPECIAL: f32 = -0.2;
/// The same for one clause of many, which is short and said with others.
const CLEARLY_SPECIAL: f32 = 0.2;
/// The bytes of a labelled text: its pull as `f32`, whether it is listed, and its components.
const ROW: usize = size_of::<f32>() + 1 + COMPONENTS;
/// The bytes before the projection: what one step of a byte is worth in it, and in a component.
const HEAD: usize = 2 * size_of::<f32>();

/// A text as the kernel sees it.
#[derive(Clone, Debug)]
pub(crate) struct SpecialInput {
    /// The multilingual vector and, in English, the other one; both of length 1.
    vectors: Vec<f32>,
    /// Whether the word lists find a category in it.
    is_listed: bool,
}

impl SpecialInput {
    pub(crate) fn of(text: &str, language: &str, listing: Listing, encoders: &Encoders) -> Self {
        let text = longest_part(text);
        let mut vectors = unit(encoders.encode(Encoder::UseMultilingual, text));
        if language == "en" {
            vectors.extend(unit(encoders.encode(Encoder::MiniLm, text)));
        }
        vectors.resize(VECTORS, 0.0);
        Self { vectors, is_listed: listing == Listing::Found }
    }

    /// The numbers that training reads: the vectors, then 1 if it is listed.
    pub(crate) fn numbers(&self) -> Vec<f32> {
        let listed = if self.is_listed { 1.0 } else { 0.0 };
        self.vectors.iter().copied().chain([listed]).collect()
    }

    pub(crate) fn is_special(&self) -> bool {
        self.score() > SPECIAL
    }

    /// Whether a clause is special, of a text that is not as a whole.
    pub(crate) fn is_clearly_special(&self) -> bool {
        self.score() > CLEARLY_SPECIAL
    }

    /// Near 1 for texts that are clearly special and near -1 for those that are clearly not.
    fn score(&self) -> f32 {
        let trained = Trained::read();
        let own = trained.components(&self.vectors);
        let pull = |row: &[u8]| {
            let (pull, rest) = row.split_at_checked(size_of::<f32>())?;
            let (listed, components) = rest.split_first()?;
            let near = (-GAMMA * trained.component_step.powi(2) * squared_distance(&own, components)).exp();
            let both = if self.is_listed && *listed == 1 { LISTED_COUNTS } else { 0.0 };
            Some(f32::from_le_bytes(pull.try_into().ok()?) * (near + both))
        };
        trained.rows.chunks_exact(ROW).filter_map(pull).sum()
    }
}

/// Whether the word lists find a special category.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Listing {
    Found,
    Nothing,
}

struct Trained {
    projection: Vec<f32>,
    component_step: f32,
    rows: &'static [u8],
}

impl Trained {
    fn read() -> &'static Self {
        static PARSED: OnceLock<Trained> = OnceLock::new();
        PARSED.get_or_init(|| {
            let (head, rest) = TRAINED.split_at_checked(HEAD).unwrap_or_default();
            let (projection, rows) = rest.split_at_checked(COMPONENTS * VECTORS).unwrap_or_default();
            let mut steps = head.as_chunks().0.iter().map(|four| f32::from_le_bytes(*four));
            let (step, component_step) = (steps.next().unwrap_or_default(), steps.next().unwrap_or_default());
            let projection = projection.iter().map(|byte| f32::from(byte.cast_signed()) * step).collect();
            Self { projection, component_step, rows }
        })
    }

    /// The components of a text, in steps.
    fn components(&self, vectors: &[f32]) -> Vec<i32> {
        let component = |own: &[f32]| {
            let product: f32 = own.iter().zip(vectors).map(|(one, other)| one * other).sum();
            steps(product / self.component_step)
        };
        self.projection.chunks_exact(VECTORS).map(component).collect()
    }
}

#[expect(clippy::cast_possible_truncation, reason = "rounded and within the range of a byte")]
fn steps(number: f32) -> i32 {
    number.round().clamp(-127.0, 127.0) as i32
}

#[expect(clippy::cast_precision_loss, reason = "a sum of 128 squares below 2^16 is below 2^24")]
fn squared_distance(own: &[i32], other: &[u8]) -> f32 {
    let square = |(own, other): (&i32, &u8)| {
        let difference = own - i32::from(other.cast_signed());
        difference * difference
    };
    own.iter().zip(other).map(square).sum::<i32>() as f32
}

/// The vector at length 1.
fn unit(mut vector: Vec<f32>) -> Vec<f32> {
    let length = vector.iter().map(|number| number * number).sum::<f32>().sqrt() + 1e-9;
    for number in &mut vector {
        *number /= length;
    }
    vector
}
