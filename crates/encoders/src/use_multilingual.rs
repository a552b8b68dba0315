//! universal-sentence-encoder-multilingual, version 3: sums of pieces and of their neighbourhoods.
//!
//! Each piece has a vector; three branches process windows of two, three and five pieces. Vectors and
//! branches are summed over the text, and a small network, the head, turns the sum into the result. There
//! are two heads: the published one, and one that was trained to find the note that a message calls for.

mod rows;

use crate::EncoderError;
use crate::matrix::{Matrix, PackedRows};
use crate::numeric::{self, Norm};
use crate::sentence_pieces::SentencePieces;
use crate::weights::Weights;
use rows::PieceRows;

/// The number of dimensions.
pub(crate) const DIMENSIONS: usize = 512;
/// The number of columns of a branch.
const BRANCH: usize = 256;
const BRANCHES: usize = 3;
/// A piece's own vector and the output of the branches for it.
const FEATURES: usize = DIMENSIONS + BRANCHES * BRANCH;
const HIDDEN: usize = 320;
/// The maximum number of pieces of a text, including the two that mark its ends.
const LONGEST: usize = 256;
/// The pieces before and after each text.
const START: u32 = 1;
const END: u32 = 2;
const EPSILON: f32 = 1e-12;

/// The model, reading its weights in place.
pub(crate) struct UseMultilingual {
    pieces: SentencePieces,
    rows: PieceRows,
    project: Matrix,
    project_norm: Norm<BRANCH_COLUMNS>,
    branches: [Branch; BRANCHES],
    norm: Norm<FEATURES>,
    general: Head,
    recall: Head,
}

const BRANCH_COLUMNS: usize = BRANCHES * BRANCH;

/// One branch: two layers over each piece with its neighbours.
struct Branch {
    before: usize,
    after: usize,
    first: Matrix,
    second: Matrix,
}

/// The mean of the features of a text's pieces, and how many pieces there are.
struct Sum {
    mean: Vec<f32>,
    count: f32,
}

/// The layers after the sum.
struct Head {
    pool: Matrix,
    d0: Matrix,
    d1: Matrix,
    d2: Matrix,
    d3: Matrix,
    p1: Matrix,
    p3: Matrix,
}

impl UseMultilingual {
    pub(crate) fn new(weights: &Weights) -> Result<Self, EncoderError> {
        Ok(Self {
            pieces: SentencePieces::new(weights)?,
            rows: PieceRows::new(weights)?,
            project: Matrix::new(weights, "project", DIMENSIONS, BRANCH_COLUMNS)?,
            project_norm: Norm::new(weights, "norm1")?,
            branches: [
                Branch::new(weights, 2, 0, 1)?,
                Branch::new(weights, 3, 1, 1)?,
                Branch::new(weights, 5, 2, 2)?,
            ],
            norm: Norm::new(weights, "norm2")?,
            general: Head::new(weights, "")?,
            recall: Head::new(weights, "recall.")?,
        })
    }

    /// The embedding of `text` by the published head; the first 254 pieces are read.
    pub(crate) fn encode(&self, text: &str) -> Vec<f32> {
        self.sum(text).map_or_else(no_vector, |sum| self.general.apply(&sum))
    }

    /// The embedding of `text` by the head for recall.
    pub(crate) fn encode_for_recall(&self, text: &str) -> Vec<f32> {
        self.sum(text).map_or_else(no_vector, |sum| self.recall.apply(&sum))
    }

    /// The embeddings of `text` by the published head and by that for recall, which share most of the work.
    pub(crate) fn encode_twice(&self, text: &str) -> [Vec<f32>; 2] {
        let heads = |sum: Sum| [self.general.apply(&sum), self.recall.apply(&sum)];
        self.sum(text).map_or_else(|| [no_vector(), no_vector()], heads)
    }

    /// The features of all pieces of `text`, averaged; `None` if it has no word.
    #[expect(clippy::cast_precision_loss, reason = "a text has at most 256 pieces")]
    fn sum(&self, text: &str) -> Option<Sum> {
        let mut pieces = self.pieces.split(text, LONGEST - 2);
        if !pieces.iter().any(|piece| self.pieces.is_word(*piece)) {
            return None;
        }
        pieces.insert(0, START);
        pieces.push(END);
        let mut features = self.features(&pieces);
        numeric::layer_norm(&mut features, &self.norm, EPSILON);
        let count = pieces.len() as f32;
        let mut mean = numeric::sum_of_rows(&features, FEATURES);
        for number in &mut mean {
            *number /= count;
        }
        Some(Sum { mean, count })
    }

    /// For each piece its own vector and the output of each branch for it and its neighbours.
    fn features(&self, pieces: &[u32]) -> Vec<f32> {
        let own: Vec<f32> = pieces.iter().flat_map(|piece| self.rows.row(*piece)).collect();
        let mut projected = self.project.apply(&PackedRows::each(&own, DIMENSIONS));
        numeric::layer_norm(&mut projected, &self.project_norm, EPSILON);
        let mut features = vec![0.0; pieces.len() * FEATURES];
        write_columns(&mut features, 0, &own, DIMENSIONS);
        for (number, branch) in self.branches.iter().enumerate() {
            let columns = projected.as_chunks::<BRANCH>().0.iter().skip(number).step_by(BRANCHES);
            let columns: Vec<f32> = columns.flatten().copied().collect();
            let seen = branch.apply(&columns);
            write_columns(&mut features, DIMENSIONS + number * BRANCH, &seen, BRANCH);
        }
        features
    }
}

impl Branch {
    fn new(weights: &Weights, pieces: usize, before: usize, after: usize) -> Result<Self, EncoderError> {
        let layer = |name: &str| Matrix::new(weights, &format!("{name}{pieces}"), pieces * BRANCH, BRANCH);
        Ok(Self { before, after, first: layer("first")?, second: layer("second")? })
    }

    fn apply(&self, rows: &[f32]) -> Vec<f32> {
        let seen = self.layer(&self.first, rows);
        self.layer(&self.second, &seen)
    }

    /// The output of a layer for the windows, added to its input.
    fn layer(&self, layer: &Matrix, rows: &[f32]) -> Vec<f32> {
        let mut seen = layer.apply(&PackedRows::windows(rows, BRANCH, self.before, self.after));
        numeric::relu_each(&mut seen);
        numeric::add(&mut seen, rows);
        seen
    }
}

impl Head {
    /// The head whose sections have names with this prefix.
    fn new(weights: &Weights, prefix: &str) -> Result<Self, EncoderError> {
        let matrix =
            |name: &str, inputs, outputs| Matrix::new(weights, &format!("{prefix}{name}"), inputs, outputs);
        Ok(Self {
            pool: matrix("pool", FEATURES, DIMENSIONS)?,
            d0: matrix("d0", DIMENSIONS, HIDDEN)?,
            d1: matrix("d1", HIDDEN, HIDDEN)?,
            d2: matrix("d2", HIDDEN, DIMENSIONS)?,
            d3: matrix("d3", DIMENSIONS, DIMENSIONS)?,
            p1: matrix("p1", DIMENSIONS, HIDDEN)?,
            p3: matrix("p3", HIDDEN, DIMENSIONS)?,
        })
    }

    fn apply(&self, sum: &Sum) -> Vec<f32> {
        let mut pooled = self.pool.apply(&PackedRows::each(&sum.mean, FEATURES));
        for number in &mut pooled {
            *number *= sum.count.sqrt();
        }
        let hidden = block(&pooled, &self.d0, &self.d1, &self.p1, numeric::relu_each);
        numeric::to_unit(block(&hidden, &self.d2, &self.d3, &self.p3, numeric::tanh_each))
    }
}

/// The vector of a text without words.
fn no_vector() -> Vec<f32> {
    vec![0.0; DIMENSIONS]
}

/// Two layers with a residual connection, and the activation function over their sum.
fn block(
    input: &[f32],
    inner: &Matrix,
    outer: &Matrix,
    shortcut: &Matrix,
    activate: fn(&mut [f32]),
) -> Vec<f32> {
    let packed = PackedRows::each(input, input.len());
    let mut hidden = inner.apply(&packed);
    numeric::relu_each(&mut hidden);
    let mut out = shortcut.apply(&packed);
    numeric::add(&mut out, &outer.apply(&PackedRows::each(&hidden, hidden.len())));
    activate(&mut out);
    out
}

/// Writes rows of `width` columns into the rows of the features, from column `at` on.
fn write_columns(features: &mut [f32], at: usize, rows: &[f32], width: usize) {
    for (features, row) in features.chunks_exact_mut(FEATURES).zip(rows.chunks_exact(width)) {
        if let Some(columns) = features.get_mut(at..at + width) {
            columns.copy_from_slice(row);
        }
    }
}
