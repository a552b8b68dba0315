//! Functions as polynomials, accurate to a few units in the last place.

use super::ROUNDING;

/// `x` times the probability that a normally distributed number is below `x`.
#[inline(always)]
pub(super) fn gelu(x: f32) -> f32 {
    0.5 * x * (1.0 + erf(x * std::f32::consts::FRAC_1_SQRT_2))
}

/// The error function, as a quotient of two polynomials; beyond ±4 it is ±1 for an `f32`.
#[inline(always)]
#[expect(clippy::excessive_precision, reason = "the coefficients as they were published")]
fn erf(x: f32) -> f32 {
    let x = x.clamp(-4.0, 4.0);
    let square = x * x;
    let above = polynomial(
        square,
        [
            -2.726_142_258e-10,
            2.770_681_425e-8,
            -2.101_024_021e-6,
            -5.692_506_395e-5,
            -7.349_906_303e-4,
            -2.954_599_809e-3,
            -1.609_603_333e-2,
        ],
    );
    let below = polynomial(
        square,
        [-1.456_607_185e-5, -2.133_740_553e-4, -1.682_826_974e-3, -7.373_329_167e-3, -1.426_473_905e-2],
    );
    x * above / below
}

/// The hyperbolic tangent.
#[inline(always)]
pub(super) fn tanh(x: f32) -> f32 {
    1.0 - 2.0 / (exp(2.0 * x.clamp(-20.0, 20.0)) + 1.0)
}

/// The exponential function, for numbers up to 88; those below −87 give almost zero.
#[inline(always)]
#[expect(clippy::excessive_precision, reason = "ln 2 in two parts, the first exact in an f32")]
pub(super) fn exp(x: f32) -> f32 {
    const LN_2_HIGH: f32 = 0.693_359_375;
    const LN_2_LOW: f32 = -2.121_944_4e-4;
    let x = x.clamp(-87.0, 88.0);
    let rounded = x * std::f32::consts::LOG2_E + ROUNDING;
    let twos = rounded - ROUNDING;
    let rest = x - twos * LN_2_HIGH - twos * LN_2_LOW;
    let of_rest = polynomial(rest, [1.0 / 720.0, 1.0 / 120.0, 1.0 / 24.0, 1.0 / 6.0, 0.5, 1.0, 1.0]);
    let exponent = rounded.to_bits().wrapping_sub(ROUNDING.to_bits()).wrapping_add(127);
    of_rest * f32::from_bits(exponent << 23)
}

/// The polynomial with these coefficients, the highest power first.
#[inline(always)]
fn polynomial<const N: usize>(x: f32, coefficients: [f32; N]) -> f32 {
    let mut value = 0.0;
    for coefficient in coefficients {
        value = value * x + coefficient;
    }
    value
}
