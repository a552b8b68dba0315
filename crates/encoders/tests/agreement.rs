//! The encoders agree with the models in full precision on two hundred texts in ten languages.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test fails loudly")]

use encoders::{Encoder, Encoders};

/// A line is a language and a text; `model/scripts/reference_vectors.py` wrote a vector for each.
const TEXTS: &str = include_str!("data/texts.tsv");
const MINILM: &[u8] = include_bytes!("data/minilm.f16");
const MINILM_RECALL: &[u8] = include_bytes!("data/minilm-recall.f16");
const USE_MULTILINGUAL: &[u8] = include_bytes!("data/use.f16");
const USE_RECALL: &[u8] = include_bytes!("data/use-recall.f16");

const LEAST_COSINE: f32 = 0.99;
const MEAN_COSINE: f32 = 0.998;

#[test]
fn vectors_agree_with_those_of_the_models_in_full_precision() {
    let encoders = Encoders::built_in().unwrap();
    for (encoder, reference) in [
        (Encoder::MiniLm, MINILM),
        (Encoder::MiniLmRecall, MINILM_RECALL),
        (Encoder::UseMultilingual, USE_MULTILINGUAL),
        (Encoder::UseRecall, USE_RECALL),
    ] {
        let reference = vectors(reference, encoder.dimensions());
        assert_eq!(reference.len(), TEXTS.lines().count());
        let mut cosines: Vec<(f32, &str)> = TEXTS
            .lines()
            .zip(&reference)
            .map(|(line, expected)| {
                let (_, text) = line.split_once('\t').unwrap();
                (dot(&encoders.encode(encoder, text), expected), line)
            })
            .collect();
        cosines.sort_by(|a, b| a.0.total_cmp(&b.0));
        let (least, text) = cosines[0];
        let mean = cosines.iter().map(|(cosine, _)| cosine).sum::<f32>() / 200.0;
        println!("{}: least cosine {least:.5} ({text}), mean {mean:.5}", encoder.name());
        assert!(least >= LEAST_COSINE, "{}: {least} for {text}", encoder.name());
        assert!(mean >= MEAN_COSINE, "{}: {mean}", encoder.name());
    }
}

#[test]
fn the_same_sentence_in_another_language_is_nearer_than_another_sentence() {
    let encoders = Encoders::built_in().unwrap();
    let of = |language: &str| -> Vec<Vec<f32>> {
        let lines = TEXTS.lines().filter_map(|line| line.strip_prefix(language));
        lines.take(19).map(|text| encoders.encode(Encoder::UseMultilingual, text.trim())).collect()
    };
    let english = of("en\t");
    for language in ["de\t", "fr\t", "es\t", "it\t", "ru\t", "ar\t", "zh\t", "ja\t"] {
        let vectors = of(language);
        let found = vectors.iter().enumerate().filter(|(number, vector)| {
            let nearest =
                |a: &usize, b: &usize| dot(&english[*a], vector).total_cmp(&dot(&english[*b], vector));
            (0..english.len()).max_by(nearest) == Some(*number)
        });
        let found = found.count();
        assert!(found >= 17, "{language}: {found} of 19");
    }
}

fn dot(left: &[f32], right: &[f32]) -> f32 {
    left.iter().zip(right).map(|(a, b)| a * b).sum()
}

/// Vectors stored as 16-bit floating-point numbers, normalised to length one again.
fn vectors(bytes: &[u8], dimensions: usize) -> Vec<Vec<f32>> {
    let numbers: Vec<f32> = bytes.as_chunks().0.iter().map(|two| half(u16::from_le_bytes(*two))).collect();
    let unit = |vector: &[f32]| {
        let length = dot(vector, vector).sqrt();
        vector.iter().map(|number| number / length).collect()
    };
    numbers.chunks_exact(dimensions).map(unit).collect()
}

/// The value of a finite 16-bit floating-point number.
fn half(bits: u16) -> f32 {
    let (exponent, fraction) = (i32::from(bits >> 10 & 0x1f), f32::from(bits & 0x3ff) / 1024.0);
    let size =
        if exponent == 0 { fraction * 2f32.powi(-14) } else { (1.0 + fraction) * 2f32.powi(exponent - 15) };
    if bits >> 15 == 1 { -size } else { size }
}
