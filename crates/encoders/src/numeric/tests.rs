//! The functions agree with those of the system's library, and packing loses at most half a step.

use proptest::prelude::*;

use super::functions::exp;
use super::*;

#[test]
fn exponential_and_tangent_agree_with_the_library() {
    for number in -8_700_i16..8_800 {
        let x = f32::from(number) / 100.0;
        let (expected, small) = (f64::from(x).exp(), f64::from(x / 10.0).tanh());
        assert!((f64::from(exp(x)) / expected - 1.0).abs() < 1e-6, "exp {x}: {} {expected}", exp(x));
        assert!((f64::from(tanh(x / 10.0)) - small).abs() < 1e-6, "tanh {}", x / 10.0);
    }
}

#[test]
fn the_activation_function_agrees_with_known_values() {
    let known = [
        (-6.0, -5.919e-9),
        (-3.0, -0.004_049_694),
        (-1.0, -0.158_655_25),
        (-0.5, -0.154_268_77),
        (0.0, 0.0),
        (0.1, 0.053_982_784),
        (1.0, 0.841_344_8),
        (2.5, 2.484_475_8),
        (10.0, 10.0),
    ];
    for (x, expected) in known {
        assert!((gelu(x) - expected).abs() < 2e-6, "{x}: {} {expected}", gelu(x));
    }
}

#[test]
fn a_norm_brings_rows_to_mean_zero_and_variance_one() {
    let norm: Norm<32> = Norm { factors: vec![2.0; 32].into(), shifts: vec![1.0; 32].into() };
    let mut rows: Vec<f32> = (0_u8..64).map(|number| f32::from(number) * 0.5).collect();
    layer_norm(&mut rows, &norm, 1e-12);
    for row in rows.chunks_exact(32) {
        let mean = row.iter().sum::<f32>() / 32.0;
        let variance = row.iter().map(|number| (number - mean).powi(2)).sum::<f32>() / 32.0;
        assert!((mean - 1.0).abs() < 1e-5 && (variance - 4.0).abs() < 1e-4, "{mean} {variance}");
    }
}

#[test]
fn attention_to_equal_keys_is_the_mean_and_a_fitting_key_takes_all() {
    let values = [1.0, 2.0, 3.0, 4.0];
    assert_eq!(attend::<1, 2>(&[1.0, 0.0, 1.0, 0.0], &[0.5; 4], &values), [2.0, 3.0, 2.0, 3.0]);
    let sharp = attend::<1, 2>(&[100.0, 0.0, 0.0, 100.0], &[1.0, 0.0, 0.0, 1.0], &values);
    for (found, expected) in sharp.iter().zip(values) {
        assert!((found - expected).abs() < 1e-5, "{sharp:?}");
    }
}

#[test]
fn numbers_that_are_all_equal_or_none_are_packed() {
    for numbers in [vec![], vec![0.0; 5], vec![3.0; 40], vec![-3.0; 40]] {
        let mut codes = vec![0; numbers.len()];
        let step = pack(&numbers, &mut codes);
        for (number, code) in numbers.iter().zip(&codes) {
            assert!((unpacked(*code, step) - number).abs() < 1e-5);
        }
    }
}

#[expect(clippy::cast_precision_loss, reason = "codes are small")]
fn unpacked(code: u8, step: Step) -> f32 {
    (i32::from(code) - step.zero) as f32 * step.size
}

proptest! {
    #[test]
    fn packing_loses_at_most_half_a_step_and_keeps_zero(numbers in proptest::collection::vec(-50.0_f32..80.0, 1..100)) {
        let mut codes = vec![0; numbers.len()];
        let step = pack(&numbers, &mut codes);
        prop_assert!((0..=255).contains(&step.zero));
        for (number, code) in numbers.iter().zip(&codes) {
            prop_assert!((unpacked(*code, step) - number).abs() <= step.size * 1.01);
        }
    }
}
