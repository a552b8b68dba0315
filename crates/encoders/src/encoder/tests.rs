//! Encoders are found by name, and weights of another encoder are refused.

use super::*;

fn bytes() -> (Vec<u8>, Vec<u8>) {
    (MINILM.0.to_vec(), USE_MULTILINGUAL.0.to_vec())
}

#[test]
fn an_encoder_is_found_by_its_name_and_by_no_other() {
    for encoder in Encoder::ALL {
        assert_eq!(Encoder::from_name(encoder.name()), Some(encoder));
    }
    for other in ["", "minilm", "minilm-l6-v2.0", "selfhood-static-256"] {
        assert_eq!(Encoder::from_name(other), None, "{other}");
    }
}

#[test]
fn the_built_in_weights_are_those_that_were_written() {
    for weights in [&MINILM.0, &USE_MULTILINGUAL.0] {
        assert_eq!(Weights::built_in(weights).and_then(|weights| weights.verify()), Ok(()));
    }
}

#[test]
fn opened_weights_encode_as_the_built_in_ones() {
    let (minilm, use_multilingual) = bytes();
    let opened = Encoders::from_bytes(minilm, use_multilingual).expect("the same weights");
    let built_in = Encoders::built_in().expect("weights in the program");
    for encoder in Encoder::ALL {
        let text = "We moved to Lisbon in the spring.";
        assert_eq!(opened.encode(encoder, text), built_in.encode(encoder, text));
    }
}

#[test]
fn weights_of_another_encoder_are_refused() {
    let (minilm, use_multilingual) = bytes();
    let refusal = Encoders::from_bytes(use_multilingual, minilm).map(|_| ());
    let (found, expected) = ("use-multilingual-v3.2".to_owned(), "minilm-l6-v2.2");
    assert_eq!(refusal, Err(EncoderError::OtherEncoder { found, expected }));
}

#[test]
fn missing_cut_short_and_damaged_weights_are_refused() {
    let (minilm, use_multilingual) = bytes();
    let length = minilm.len();
    let mut damaged = minilm.clone();
    damaged[length / 2] ^= 1;
    let cases = [
        (Vec::new(), EncoderError::NotWeights),
        (b"version https://git-lfs.github.com/spec/v1".to_vec(), EncoderError::NotWeights),
        (minilm[..length - 1].to_vec(), EncoderError::Length { found: length - 1, expected: length as u64 }),
        (damaged, EncoderError::Checksum),
    ];
    for (bytes, expected) in cases {
        assert_eq!(Encoders::from_bytes(bytes, use_multilingual.clone()).map(|_| ()), Err(expected));
    }
}
