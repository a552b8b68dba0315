//! Products of packed matrices, with the widest instructions of the processor.
//!
//! All versions sum the same integers, so they agree to the bit. This is the only module of the crate where
//! `unsafe` is allowed: vector instructions are reached through intrinsics that the compiler can't check
//! against the actual processor. Loads go only through references to whole arrays, and an instruction set
//! is used only after the processor has reported it.
#![allow(unsafe_code)]

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
mod portable;
mod product;

pub(crate) use product::{Factor, LeftMatrix, Step};

/// The number of outputs in a tile.
pub(crate) const BLOCK: usize = 16;
/// The number of inputs of each output in a tile.
pub(crate) const GROUP: usize = 4;
/// The codes of 4 inputs of 16 outputs: those of the first output, those of the second and so on.
pub(crate) type Tile = [u8; BLOCK * GROUP];

/// The instruction sets a kernel exists for, best first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Instructions {
    /// 64 bytes at a time, multiplied and summed by one instruction.
    #[cfg(target_arch = "x86_64")]
    Avx512Vnni,
    /// 16 bytes at a time, widened first.
    #[cfg(target_arch = "x86_64")]
    Avx2,
    /// No special instructions.
    Portable,
}

/// Every instruction set this processor has, best first.
pub(crate) fn available() -> Vec<Instructions> {
    let mut found = Vec::new();
    #[cfg(target_arch = "x86_64")]
    {
        let vnni = std::arch::is_x86_feature_detected!("avx512vnni")
            && std::arch::is_x86_feature_detected!("avx512f");
        found.extend(vnni.then_some(Instructions::Avx512Vnni));
        found.extend(std::arch::is_x86_feature_detected!("avx2").then_some(Instructions::Avx2));
    }
    found.push(Instructions::Portable);
    found
}

/// Multiplies each row of `left` with `right`, and writes the output rows one after the other.
pub(crate) fn multiply(left: &LeftMatrix, right: &Factor, out: &mut [f32]) {
    multiply_with(best(), left, right, out);
}

/// Like [`multiply`], with an instruction set that [`available`] returned.
fn multiply_with(instructions: Instructions, left: &LeftMatrix, right: &Factor, out: &mut [f32]) {
    match instructions {
        #[cfg(target_arch = "x86_64")]
        // SAFETY: `available` names it only if the processor has AVX-512F and AVX-512 VNNI.
        Instructions::Avx512Vnni => unsafe { avx512::multiply(left, right, out) },
        #[cfg(target_arch = "x86_64")]
        // SAFETY: `available` names it only if the processor has AVX2.
        Instructions::Avx2 => unsafe { avx2::multiply(left, right, out) },
        Instructions::Portable => portable::multiply(left, right, out),
    }
}

/// Plain arithmetic over slices, which the compiler vectorises by itself.
///
/// A trait and not a closure, because only a function that is always inlined is compiled for the
/// instruction set of its caller.
pub(crate) trait Arithmetic {
    /// Its result.
    type Result;
    /// Runs the computation; implementations are `#[inline(always)]`.
    fn compute(self) -> Self::Result;
}

/// Runs `work` with wider vectors where the processor has them.
///
/// Only the width changes, never a result: each number is still computed by the same operations in the same
/// order.
#[inline]
pub(crate) fn widest<W: Arithmetic>(work: W) -> W::Result {
    #[cfg(target_arch = "x86_64")]
    if best() != Instructions::Portable {
        // SAFETY: the processor has AVX2, as does every one with AVX-512.
        return unsafe { avx2::compute(work) };
    }
    work.compute()
}

fn best() -> Instructions {
    static BEST: std::sync::OnceLock<Instructions> = std::sync::OnceLock::new();
    *BEST.get_or_init(|| available().first().copied().unwrap_or(Instructions::Portable))
}

#[cfg(test)]
mod tests;
