//! Late interaction: comparing the best rows with the cue word by word instead of sentence by sentence.
//!
//! Each piece of the cue looks for the piece of the memory that is most like it. That finds the one
//! telling word in a long memory, which the average over a sentence blurs. It costs more than a
//! glance, so only the best rows get it.

use std::collections::BTreeMap;

use crate::arithmetic::single;
use crate::embed::{Piece, piece_row};
use crate::fusion::Fusion;
use crate::index::Snapshot;
use crate::kernel::{Row, dots};
use crate::query::Query;

/// How many of the best rows are compared.
const COMPARED: usize = 64;
/// How many pieces of a cue, and of a memory, are compared.
const MOST_PIECES: usize = 32;

/// The likeness of the best rows to a cue.
#[derive(Default)]
pub(crate) struct LateInteraction {
    likeness: Vec<f32>,
}

impl LateInteraction {
    pub(crate) fn of(snapshot: &Snapshot, query: &Query, rows: &[usize], fusion: &Fusion) -> Self {
        if fusion.late <= 0.0 {
            return Self::default();
        }
        let compared: Vec<&[Piece]> = rows.iter().take(COMPARED).map(|row| clipped(snapshot.pieces(*row))).collect();
        let table = Table::of(&compared);
        let asked: Vec<(Vec<f32>, f32)> = clipped(&query.pieces).iter().filter_map(|piece| table.against(*piece)).collect();
        let whole: f32 = asked.iter().map(|(_, weight)| weight).sum();
        let likeness = |pieces: &&[Piece]| {
            let places: Vec<usize> = pieces.iter().filter_map(|piece| table.place(*piece)).collect();
            let best = |cosines: &[f32]| places.iter().filter_map(|at| cosines.get(*at)).fold(0.0_f32, |a, b| a.max(*b));
            let sum: f32 = asked.iter().map(|(cosines, weight)| weight * best(cosines)).sum();
            if whole > 0.0 { sum / whole } else { 0.0 }
        };
        Self { likeness: compared.iter().map(likeness).collect() }
    }

    /// The likeness of the row that stood at place `at`, if it was compared.
    pub(crate) fn likeness(&self, at: usize) -> Option<f32> {
        self.likeness.get(at).copied()
    }
}

/// The distinct pieces of the compared rows, packed for one scan per piece of the cue.
struct Table {
    places: BTreeMap<Piece, usize>,
    rows: Vec<Row>,
    lengths: Vec<f32>,
}

impl Table {
    fn of(compared: &[&[Piece]]) -> Self {
        let mut table = Self { places: BTreeMap::new(), rows: Vec::new(), lengths: Vec::new() };
        for piece in compared.iter().copied().flatten() {
            if table.places.contains_key(piece) {
                continue;
            }
            if let Some((row, length)) = packed(*piece) {
                table.places.insert(*piece, table.rows.len());
                table.rows.push(row);
                table.lengths.push(length);
            }
        }
        table
    }

    fn place(&self, piece: Piece) -> Option<usize> {
        self.places.get(&piece).copied()
    }

    /// The cosine of `piece` with every piece of the table, and how much it has to say.
    #[expect(clippy::cast_precision_loss, reason = "a dot product of 256 bytes has 22 bits")]
    fn against(&self, piece: Piece) -> Option<(Vec<f32>, f32)> {
        let (row, length) = packed(piece)?;
        let (_, scale) = piece_row(piece)?;
        let mut products = vec![0; self.rows.len()];
        dots(&row, &self.rows, &mut products);
        let cosines = products.iter().zip(&self.lengths).map(|(dot, other)| *dot as f32 / (length * other)).collect();
        Some((cosines, length * scale))
    }
}

/// A piece's codes and their length; `None` for a piece that means nothing.
fn packed(piece: Piece) -> Option<(Row, f32)> {
    let (codes, _) = piece_row(piece)?;
    let row = Row::from_fn(|at| codes.get(at).map_or(0, |code| code.cast_signed()));
    let square: i32 = row.codes().iter().map(|code| i32::from(*code) * i32::from(*code)).sum();
    (square > 0).then(|| (row, single(f64::from(square).sqrt())))
}

fn clipped(pieces: &[Piece]) -> &[Piece] {
    pieces.get(..MOST_PIECES).unwrap_or(pieces)
}
