//! The code shared by all kernels: the layout of rows, and the conversion of sums to numbers.

use super::{BLOCK, GROUP, Tile};

/// Rows of unsigned bytes.
pub(crate) struct LeftMatrix<'a> {
    /// The codes of all rows.
    pub(crate) codes: &'a [u8],
    /// The distance from the start of a row to the start of the next; rows may overlap.
    pub(crate) stride: usize,
    /// The quantisation of each row; there are as many rows as steps.
    pub(crate) steps: &'a [Step],
}

/// The value of a code: `(code - zero) * size`.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Step {
    /// The difference between two codes.
    pub(crate) size: f32,
    /// The code for zero, between 0 and 255.
    pub(crate) zero: i32,
}

impl Step {
    /// The code for zero, as a byte.
    pub(crate) fn zero_code(self) -> u8 {
        u8::try_from(self.zero).unwrap_or_default()
    }
}

/// A matrix of signed bytes: for each 16 outputs, `inputs / 4` tiles.
pub(crate) struct Factor<'a> {
    /// The number of inputs.
    pub(crate) inputs: usize,
    /// The codes.
    pub(crate) tiles: &'a [Tile],
    /// For each output, the value of one step of its codes.
    pub(crate) scales: &'a [f32],
    /// For each output, its bias.
    pub(crate) bias: &'a [f32],
    /// For each output, the sum of its codes.
    pub(crate) sums: &'a [i32],
}

/// One way to sum products of bytes.
pub(super) trait Dots {
    /// Four codes of a row in the form the kernel reads.
    type Four: Copy;

    /// How many rows it processes at a time, up to 12.
    const ROWS: usize;

    /// Prepares four codes.
    fn four(codes: [u8; GROUP]) -> Self::Four;

    /// For each of `R` rows and each of 16 outputs, the sum over all inputs of code times code.
    ///
    /// # Safety
    /// The processor has the instructions that the kernel was compiled for.
    unsafe fn dots<const R: usize>(rows: &[[Self::Four; R]], tiles: &[Tile]) -> [[i32; BLOCK]; R];
}

/// The whole product with one kernel, compiled for the instruction set of its caller.
///
/// # Safety
/// As [`Dots::dots`].
#[expect(clippy::inline_always, reason = "so that it is compiled for the instruction set of its caller")]
#[inline(always)]
pub(super) unsafe fn multiply<D: Dots>(left: &LeftMatrix, right: &Factor, out: &mut [f32]) {
    let panels = Panels::<D>::of(left, right.inputs);
    let outputs = right.scales.len();
    let blocks = right.tiles.chunks_exact(right.inputs / GROUP);
    for (number, tiles) in blocks.enumerate() {
        let Some(block) = Block::of(right, number) else { return };
        let mut rest = out.get_mut(number * BLOCK..).unwrap_or_default();
        let mut steps = left.steps;
        for (rows, panel) in panels.each() {
            // SAFETY: the caller's promise.
            let sums = unsafe { dots_of::<D>(rows, panel, tiles) };
            for (sums, step) in sums.iter().zip(steps.split_off(..rows).unwrap_or_default()) {
                if let Some(numbers) = rest.first_chunk_mut() {
                    block.finish(sums, *step, numbers);
                }
                rest = rest.get_mut(outputs..).unwrap_or_default();
            }
        }
    }
}

/// The maximum number of rows that any kernel processes at a time.
const MOST_ROWS: usize = 12;

/// The rows in panels of a few: in each panel four codes of every row, then the next four.
struct Panels<D: Dots> {
    fours: Vec<D::Four>,
    groups: usize,
    sizes: Vec<usize>,
}

impl<D: Dots> Panels<D> {
    fn of(left: &LeftMatrix, inputs: usize) -> Self {
        let (groups, rows) = (inputs / GROUP, left.steps.len());
        let count = rows.div_ceil(D::ROWS).max(1);
        let sizes: Vec<usize> = (0..count).map(|number| (rows + number) / count).collect();
        let mut fours = Vec::with_capacity(rows * groups);
        let mut first = 0;
        for size in &sizes {
            let row = |number: usize| left.codes.get((first + number) * left.stride..).unwrap_or_default();
            let rows: [&[[u8; GROUP]]; MOST_ROWS] = std::array::from_fn(|number| row(number).as_chunks().0);
            for group in 0..groups {
                let codes = rows.iter().take(*size).map(|row| row.get(group).copied().unwrap_or_default());
                fours.extend(codes.map(D::four));
            }
            first += size;
        }
        Self { fours, groups, sizes }
    }

    fn each(&self) -> impl Iterator<Item = (usize, &[D::Four])> {
        let mut rest = self.fours.as_slice();
        self.sizes.iter().map(move |size| (*size, rest.split_off(..size * self.groups).unwrap_or_default()))
    }
}

/// The sums of a panel; those past its rows are zero.
#[expect(clippy::inline_always, reason = "so that it is compiled for the instruction set of its caller")]
#[inline(always)]
unsafe fn dots_of<D: Dots>(rows: usize, panel: &[D::Four], tiles: &[Tile]) -> [[i32; BLOCK]; MOST_ROWS] {
    let mut sums = [[0; BLOCK]; MOST_ROWS];
    macro_rules! with_rows {
        ($($count:literal)*) => {
            match rows {
                $($count => if let Some(first) = sums.first_chunk_mut::<$count>() {
                    // SAFETY: the caller's promise.
                    *first = unsafe { D::dots(panel.as_chunks::<$count>().0, tiles) };
                })*
                _ => {}
            }
        };
    }
    with_rows!(1 2 3 4 5 6 7 8 9 10 11 12);
    sums
}

/// The factors that turn the sums of 16 outputs into numbers.
struct Block<'a> {
    scales: &'a [f32; BLOCK],
    bias: &'a [f32; BLOCK],
    sums: &'a [i32; BLOCK],
}

impl<'a> Block<'a> {
    fn of(right: &Factor<'a>, number: usize) -> Option<Self> {
        let at = number * BLOCK;
        Some(Self {
            scales: right.scales.get(at..)?.first_chunk()?,
            bias: right.bias.get(at..)?.first_chunk()?,
            sums: right.sums.get(at..)?.first_chunk()?,
        })
    }

    #[expect(clippy::inline_always, reason = "so that it is compiled for the instruction set of its caller")]
    #[expect(clippy::cast_precision_loss, reason = "the sums stay far below the precision that matters")]
    #[inline(always)]
    fn finish(&self, sums: &[i32; BLOCK], step: Step, out: &mut [f32; BLOCK]) {
        let beside = self.scales.iter().zip(self.bias).zip(self.sums);
        for ((number, sum), ((scale, bias), codes)) in out.iter_mut().zip(sums).zip(beside) {
            *number = (sum - step.zero * codes) as f32 * (step.size * scale) + bias;
        }
    }
}
