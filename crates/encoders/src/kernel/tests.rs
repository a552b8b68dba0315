//! Every kernel gives the results of a straightforward product.

use proptest::prelude::*;

use super::*;

/// Rows and a matrix in the straightforward order, `weights[output][input]`.
struct Case {
    rows: Vec<Vec<u8>>,
    weights: Vec<Vec<i8>>,
}

impl Case {
    fn check(&self) {
        let (inputs, outputs) = (self.weights[0].len(), self.weights.len());
        let tiles = self.tiles();
        let sums: Vec<i32> =
            self.weights.iter().map(|row| row.iter().map(|code| i32::from(*code)).sum()).collect();
        let (scales, bias) = (vec![0.5; outputs], vec![1.0; outputs]);
        let steps = vec![Step { size: 2.0, zero: 3 }; self.rows.len()];
        let left = LeftMatrix { codes: &self.rows.concat(), stride: inputs, steps: &steps };
        let right = Factor { inputs, tiles: &tiles, scales: &scales, bias: &bias, sums: &sums };
        for instructions in available() {
            let mut found = vec![-7.0; self.rows.len() * outputs];
            multiply_with(instructions, &left, &right, &mut found);
            assert_eq!(found, self.expected(), "{instructions:?}, {} rows", self.rows.len());
        }
    }

    fn tiles(&self) -> Vec<Tile> {
        let (inputs, outputs) = (self.weights[0].len(), self.weights.len());
        let tile = |block: usize, group: usize| {
            std::array::from_fn(|at| {
                self.weights[block * BLOCK + at / GROUP][group * GROUP + at % GROUP].cast_unsigned()
            })
        };
        let blocks = 0..outputs / BLOCK;
        blocks.flat_map(|block| (0..inputs / GROUP).map(move |group| tile(block, group))).collect()
    }

    #[expect(clippy::cast_precision_loss, reason = "the sums are below 2^24")]
    fn expected(&self) -> Vec<f32> {
        let product = |row: &Vec<u8>, weights: &Vec<i8>| -> i32 {
            row.iter().zip(weights).map(|(left, right)| (i32::from(*left) - 3) * i32::from(*right)).sum()
        };
        let products =
            self.rows.iter().flat_map(|row| self.weights.iter().map(move |weights| product(row, weights)));
        products.map(|product| product as f32 + 1.0).collect()
    }
}

#[test]
fn the_largest_products_do_not_overflow() {
    for code in [127, -127] {
        Case { rows: vec![vec![255; 256]; 2], weights: vec![vec![code; 256]; 16] }.check();
    }
}

#[test]
fn any_number_of_rows_is_multiplied() {
    for rows in 0..30 {
        let rows: Vec<Vec<u8>> = (0..rows).map(|row| vec![row * 5 + 1; 8]).collect();
        Case { rows, weights: (0..32).map(|output| vec![output - 9; 8]).collect() }.check();
    }
}

#[test]
fn overlapping_rows_are_windows() {
    let codes: Vec<u8> = (0..20).collect();
    let (tiles, steps) = ([[1; BLOCK * GROUP]; 2], [Step { size: 1.0, zero: 0 }; 4]);
    let left = LeftMatrix { codes: &codes, stride: 4, steps: &steps };
    let right = Factor { inputs: 8, tiles: &tiles, scales: &[1.0; 16], bias: &[0.0; 16], sums: &[8; 16] };
    for instructions in available() {
        let mut found = [0.0; 64];
        multiply_with(instructions, &left, &right, &mut found);
        let firsts: Vec<f32> = found.iter().step_by(BLOCK).copied().collect();
        assert_eq!(firsts, [28.0, 60.0, 92.0, 124.0], "{instructions:?}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn all_instruction_sets_agree_on_any_codes(
        rows in proptest::collection::vec(proptest::collection::vec(any::<u8>(), 64), 1..16),
        weights in proptest::collection::vec(proptest::collection::vec(-127_i8..=127, 64), 48),
    ) {
        Case { rows, weights }.check();
    }
}
