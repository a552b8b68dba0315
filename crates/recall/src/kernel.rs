//! Dot products of packed vectors: one query against many rows, at the speed of memory.
//!
//! All versions compute the same integers, so a ranking never depends on the processor. `unsafe` is allowed
//! here and in the kernel of `encoders` only: vector instructions are reached through intrinsics that the
//! compiler can't check against the actual processor. Loads go only through references to whole rows,
//! and an instruction set is used only after the processor has reported it.
#![allow(unsafe_code)]

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "aarch64")]
mod neon;
mod portable;
mod signs;
#[cfg(target_arch = "x86_64")]
mod sse2;
#[cfg(target_arch = "x86_64")]
mod ssse3;

pub use signs::{Signs, differing_signs};

/// One packed vector of `N` dimensions, a multiple of 64: a byte per dimension, never −128, on its own
/// cache lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C, align(64))]
pub struct Row<const N: usize>([i8; N]);

impl<const N: usize> Row<N> {
    /// The row of a vector without a direction.
    pub const ZERO: Self = Self([0; N]);

    /// A row with the codes that `code` returns for each dimension; −128 becomes −127.
    #[must_use]
    pub fn from_fn(mut code: impl FnMut(usize) -> i8) -> Self {
        const { assert!(N.is_multiple_of(64), "a row fills whole cache lines") };
        Self(std::array::from_fn(|at| code(at).max(-i8::MAX)))
    }

    /// The codes, one per dimension.
    #[must_use]
    pub const fn codes(&self) -> &[i8; N] {
        &self.0
    }
}

/// The instruction sets a kernel exists for, best first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Instructions {
    /// 32 bytes at a time.
    #[cfg(target_arch = "x86_64")]
    Avx2,
    /// 16 bytes at a time, multiplying bytes.
    #[cfg(target_arch = "x86_64")]
    Ssse3,
    /// 16 bytes at a time, widening them first; every x86-64 processor has it.
    #[cfg(target_arch = "x86_64")]
    Sse2,
    /// 16 bytes at a time on ARM; every 64-bit one has it.
    #[cfg(target_arch = "aarch64")]
    Neon,
    /// No special instructions.
    Portable,
}

/// Every instruction set this processor has, best first.
#[must_use]
pub fn available() -> Vec<Instructions> {
    let mut found = Vec::new();
    #[cfg(target_arch = "x86_64")]
    {
        found.extend(std::arch::is_x86_feature_detected!("avx2").then_some(Instructions::Avx2));
        found.extend(std::arch::is_x86_feature_detected!("ssse3").then_some(Instructions::Ssse3));
        found.push(Instructions::Sse2);
    }
    #[cfg(target_arch = "aarch64")]
    found.push(Instructions::Neon);
    found.push(Instructions::Portable);
    found
}

/// Writes the dot product of `query` with each row to the same position in `dots`; the shorter of the two
/// determines the number.
pub fn dots<const N: usize>(query: &Row<N>, rows: &[Row<N>], dots: &mut [i32]) {
    dots_with(best(), query, rows, dots);
}

/// As [`dots`], with the instruction set chosen by the caller; one the processor lacks is not used.
pub fn dots_with<const N: usize>(
    instructions: Instructions,
    query: &Row<N>,
    rows: &[Row<N>],
    dots: &mut [i32],
) {
    let rows = rows.get(..dots.len()).unwrap_or(rows);
    match instructions {
        #[cfg(target_arch = "x86_64")]
        Instructions::Avx2 if std::arch::is_x86_feature_detected!("avx2") => {
            // SAFETY: the processor has AVX2.
            unsafe { avx2::dots(query, rows, dots) }
        }
        #[cfg(target_arch = "x86_64")]
        Instructions::Ssse3 if std::arch::is_x86_feature_detected!("ssse3") => {
            // SAFETY: the processor has SSSE3.
            unsafe { ssse3::dots(query, rows, dots) }
        }
        #[cfg(target_arch = "x86_64")]
        Instructions::Avx2 | Instructions::Ssse3 | Instructions::Sse2 => sse2::dots(query, rows, dots),
        #[cfg(target_arch = "aarch64")]
        Instructions::Neon => neon::dots(query, rows, dots),
        Instructions::Portable => portable::dots(query, rows, dots),
    }
}

/// Plain arithmetic over columns, which the compiler vectorises by itself.
///
/// A trait and not a closure, because only a function that is always inlined is compiled for the
/// instruction set of its caller.
pub(crate) trait Arithmetic {
    /// Its result.
    type Result;
    /// Runs the computation; implementations are `#[inline(always)]`.
    fn compute(self) -> Self::Result;
}

/// Runs `work` with the widest vectors this processor has.
///
/// Only the width changes, never a result: each number is still computed by the same operations in the same
/// order.
#[inline]
pub(crate) fn widest<W: Arithmetic>(work: W) -> W::Result {
    #[cfg(target_arch = "x86_64")]
    if best() == Instructions::Avx2 {
        // SAFETY: `best` names AVX2 only if the processor has it.
        return unsafe { avx2::compute(work) };
    }
    work.compute()
}

/// Prefetches the memory of `value`, if there is one.
#[inline]
pub(crate) fn fetch_ahead<T>(value: Option<&T>) {
    #[cfg(target_arch = "x86_64")]
    if let Some(value) = value {
        sse2::fetch_ahead(value);
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = value;
}

fn best() -> Instructions {
    static BEST: std::sync::OnceLock<Instructions> = std::sync::OnceLock::new();
    *BEST.get_or_init(|| available().first().copied().unwrap_or(Instructions::Portable))
}

#[cfg(test)]
mod tests;
