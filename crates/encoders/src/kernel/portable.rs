//! The product without special instructions: the reference for the other versions.

use super::product::{self, Dots};
use super::{BLOCK, Factor, GROUP, LeftMatrix, Tile};

pub(super) fn multiply(left: &LeftMatrix, right: &Factor, out: &mut [f32]) {
    // SAFETY: no special instructions are used.
    unsafe { product::multiply::<Portable>(left, right, out) }
}

struct Portable;

impl Dots for Portable {
    type Four = [i16; GROUP];

    const ROWS: usize = 4;

    fn four(codes: [u8; GROUP]) -> Self::Four {
        codes.map(i16::from)
    }

    #[inline]
    unsafe fn dots<const R: usize>(rows: &[[Self::Four; R]], tiles: &[Tile]) -> [[i32; BLOCK]; R] {
        let mut sums = [[0; BLOCK]; R];
        for (fours, tile) in rows.iter().zip(tiles) {
            for (sums, four) in sums.iter_mut().zip(fours) {
                for (sum, codes) in sums.iter_mut().zip(tile.as_chunks::<GROUP>().0) {
                    let products = codes
                        .iter()
                        .zip(four)
                        .map(|(code, left)| i32::from(code.cast_signed()) * i32::from(*left));
                    *sum += products.sum::<i32>();
                }
            }
        }
        sums
    }
}
