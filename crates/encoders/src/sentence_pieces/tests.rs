//! Texts are split like in the original implementation.

use super::*;
use crate::word_pieces::pieces;

const REFERENCE: &str = include_str!("../../tests/data/pieces.json");

fn built_in() -> SentencePieces {
    let weights = Weights::built_in(include_bytes!("../../../../model/use-multilingual/weights.bin"));
    SentencePieces::new(&weights.expect("weights in the program")).expect("pieces in the weights")
}

fn numbers(value: &serde_json::Value) -> Vec<u32> {
    value
        .as_array()
        .expect("a list")
        .iter()
        .map(|id| u32::try_from(id.as_u64().expect("an id")).expect("an id"))
        .collect()
}

#[test]
fn both_splitters_agree_with_the_originals_on_usual_and_odd_texts() {
    let reference: serde_json::Value = serde_json::from_str(REFERENCE).expect("a list of texts");
    let splitter = built_in();
    for case in reference.as_array().expect("a list of texts") {
        let text = case["text"].as_str().expect("a text");
        let words: Vec<u32> = pieces(text).iter().take(126).map(|piece| u32::from(piece.0)).collect();
        assert_eq!(words, numbers(&case["words"]), "word pieces of {text:?}");
        let expected = numbers(&case["sentence"]);
        let found = splitter.split(text, usize::MAX / 16);
        let nothing = found.is_empty() && expected == [UNKNOWN];
        assert!(
            nothing || found == expected,
            "sentence pieces of {text:?}: {found:?}, expected {expected:?}"
        );
    }
}

#[test]
fn only_the_first_pieces_are_given() {
    let splitter = built_in();
    let text = "one two three four five ".repeat(1_000);
    let first = splitter.split(&text, 254);
    assert_eq!(first.len(), 254);
    assert_eq!(first, splitter.split(&"one two three four five ".repeat(60), 254));
}
