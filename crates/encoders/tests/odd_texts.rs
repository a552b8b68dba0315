//! Any text is encoded, in bounded time, to a unit vector or to zero.
#![allow(clippy::unwrap_used, reason = "a test fails loudly")]

use std::time::{Duration, Instant};

use encoders::{Encoder, Encoders};
use proptest::prelude::*;

fn length(vector: &[f32]) -> f32 {
    vector.iter().map(|number| number * number).sum::<f32>().sqrt()
}

#[test]
fn a_text_without_known_pieces_means_nothing() {
    let encoders = Encoders::built_in().unwrap();
    for text in ["", " ", "\t\r\n", "\u{0}\u{7}", "\u{e000}", "\u{200b}\u{feff}"] {
        for encoder in Encoder::ALL {
            let vector = encoders.encode(encoder, text);
            assert_eq!(vector, vec![0.0; encoder.dimensions()], "{encoder:?} {text:?}");
        }
    }
}

#[test]
fn unusual_texts_give_unit_vectors_or_nothing() {
    let encoders = Encoders::built_in().unwrap();
    let unbroken = "x".repeat(280);
    let texts = [
        "🙂",
        "👩‍👩‍👧 family",
        &unbroken,
        "한국어",
        "สวัสดี",
        "a\u{0}b",
        "\u{202e}right to left",
        "ﷺ",
        "<s></s><unk>",
        "\u{10ffff}z",
    ];
    for text in texts {
        for encoder in Encoder::ALL {
            let vector = encoders.encode(encoder, text);
            assert_eq!(vector.len(), encoder.dimensions());
            let length = length(&vector);
            assert!(length == 0.0 || (length - 1.0).abs() < 1e-5, "{encoder:?} {text:?}: {length}");
        }
    }
}

#[test]
fn a_very_long_text_means_what_its_beginning_means_and_takes_no_longer() {
    let encoders = Encoders::built_in().unwrap();
    let beginning = "The harbour was quiet that evening and the boats lay still. ".repeat(40);
    let long = format!("{beginning}{}", "Something else entirely happened afterwards! ".repeat(50_000));
    for encoder in Encoder::ALL {
        let start = Instant::now();
        let vector = encoders.encode(encoder, &long);
        assert!(start.elapsed() < Duration::from_secs(2), "{encoder:?}: {:?}", start.elapsed());
        assert_eq!(vector, encoders.encode(encoder, &beginning), "{encoder:?}");
    }
}

#[test]
fn a_text_gives_the_same_bits_every_time() {
    let encoders = Encoders::built_in().unwrap();
    for encoder in Encoder::ALL {
        let vector = encoders.encode(encoder, "I quit smoking three years ago.");
        assert_eq!(vector, encoders.clone().encode(encoder, "I quit smoking three years ago."));
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(64) })]
    #[test]
    fn any_text_gives_a_unit_vector_or_zero(text in any::<String>()) {
        let encoders = Encoders::built_in().unwrap();
        for encoder in Encoder::ALL {
            let length = length(&encoders.encode(encoder, &text));
            prop_assert!(length == 0.0 || (length - 1.0).abs() < 1e-5);
        }
    }
}
