//! Powers and logarithms with the same bits on every machine.
//!
//! The platform's functions differ in their last digits from one library to the next, which would let two
//! nodes rank the same memories differently. These use only additions, multiplications and bit patterns, so
//! a compiler may vectorise them but can't change their results.

/// 1.5 · 2²³, at which an `f32` has no digits after the point, plus the exponent's bias.
const ROUNDING: f32 = 12_582_912.0 + 127.0;

/// Two to the power of `x`, within 3 · 10⁻⁷ of the true value; `x` is first clamped to ±126.
#[must_use]
#[expect(clippy::inline_always, reason = "so that it is compiled for the instruction set of its caller")]
#[inline(always)]
pub(crate) fn exp2(x: f32) -> f32 {
    let x = x.clamp(-126.0, 126.0);
    let shifted = x + ROUNDING;
    let fraction = x - (shifted - ROUNDING);
    let mut sum = 1.543_035_3e-4_f32;
    for coefficient in [1.333_355_8e-3, 9.618_129e-3, 5.550_411e-2, 0.240_226_5, std::f32::consts::LN_2, 1.0]
    {
        sum = sum * fraction + coefficient;
    }
    sum * f32::from_bits(shifted.to_bits() << 23)
}

/// The logarithm to base two of a positive finite number, and a large negative one for anything else.
#[must_use]
pub(crate) fn log2(x: f64) -> f64 {
    if !(x >= f64::MIN_POSITIVE && x.is_finite()) {
        return if x > 1.0 { 1024.0 } else { -1024.0 };
    }
    let bits = x.to_bits();
    let mut exponent = f64::from(i32::try_from(bits >> 52).unwrap_or(0) - 1023);
    let mut mantissa = f64::from_bits(bits & 0x000f_ffff_ffff_ffff | 0x3ff0_0000_0000_0000);
    if mantissa > std::f64::consts::SQRT_2 {
        mantissa /= 2.0;
        exponent += 1.0;
    }
    let ratio = (mantissa - 1.0) / (mantissa + 1.0);
    let square = ratio * ratio;
    let series = (0..16).rev().fold(0.0, |sum, term| sum * square + 1.0 / f64::from(2 * term + 1));
    exponent + 2.0 * ratio * series * std::f64::consts::LOG2_E
}

/// The nearest `f32`, for numbers whose last digits do not matter for ranking.
#[must_use]
#[expect(clippy::cast_possible_truncation, reason = "rounding is what this is for")]
pub(crate) fn single(x: f64) -> f32 {
    x as f32
}

/// A count as an `f32`; beyond sixteen million it is rounded.
#[must_use]
#[expect(clippy::cast_precision_loss, reason = "rounding is harmless at that size")]
pub(crate) fn count(n: usize) -> f32 {
    n as f32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn powers_of_two_are_exact_and_others_close() {
        for whole in -126..=126_i16 {
            assert_eq!(exp2(f32::from(whole)).to_bits(), f32::from(whole).exp2().to_bits(), "{whole}");
        }
        for step in -8000..=8000_i16 {
            let x = f32::from(step) / 137.0;
            assert!((exp2(x) / x.exp2() - 1.0).abs() < 3e-7, "{x}: {} {}", exp2(x), x.exp2());
        }
    }

    #[test]
    fn powers_beyond_the_range_stay_finite() {
        for x in [f32::NEG_INFINITY, -1e30, 1e30, f32::INFINITY] {
            assert!(exp2(x).is_finite() && exp2(x) > 0.0, "{x}");
        }
    }

    #[test]
    fn logarithms_are_close_and_never_infinite() {
        for step in 1..20_000_u32 {
            let x = f64::from(step) / 1000.0;
            assert!((log2(x) - x.log2()).abs() < 1e-13, "{x}");
        }
        for (x, expected) in [(0.0, -1024.0), (-1.0, -1024.0), (f64::NAN, -1024.0), (f64::INFINITY, 1024.0)] {
            assert!((log2(x) - expected).abs() < 1e-9, "{x}");
        }
    }
}
