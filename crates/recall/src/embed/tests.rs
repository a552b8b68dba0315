//! The embedder agrees with the reference values published with the model, and accepts any text.

use proptest::prelude::*;
use serde::Deserialize;
use unicode_normalization::UnicodeNormalization;

use super::*;

#[derive(Deserialize)]
struct Reference {
    tolerance: f32,
    texts: Vec<ReferenceText>,
    cosines: Vec<ReferenceCosine>,
}

#[derive(Deserialize)]
struct ReferenceText {
    text: String,
    ids: Vec<u16>,
    first8: Vec<f32>,
}

#[derive(Deserialize)]
struct ReferenceCosine {
    a: usize,
    b: usize,
    cosine: f32,
}

fn reference() -> Reference {
    serde_json::from_str(include_str!("../../../../model/test_vectors.json")).unwrap()
}

#[test]
fn pieces_and_vectors_agree_with_the_reference_values() {
    let reference = reference();
    for text in &reference.texts {
        let ids: Vec<u16> = pieces(&text.text).iter().map(|piece| piece.0).collect();
        assert_eq!(ids, text.ids, "{}", text.text);
        let vector = embed(&text.text);
        for (ours, theirs) in vector.as_array().iter().zip(&text.first8) {
            assert!((ours - theirs).abs() < reference.tolerance, "{}: {ours} {theirs}", text.text);
        }
    }
}

#[test]
fn cosines_agree_with_the_reference_values_before_and_after_packing() {
    let reference = reference();
    let vectors: Vec<Vector> = reference.texts.iter().map(|text| embed(&text.text)).collect();
    for pair in &reference.cosines {
        let (a, b) = (&vectors[pair.a], &vectors[pair.b]);
        assert!((a.cosine(b) - pair.cosine).abs() < reference.tolerance);
        let ((row_a, step_a), (row_b, step_b)) = (a.quantised(), b.quantised());
        let mut dots = [0];
        crate::kernel::dots(&row_a, &[row_b], &mut dots);
        #[expect(clippy::cast_precision_loss, reason = "a dot product of 256 bytes fits easily")]
        let packed = dots[0] as f32 * step_a * step_b;
        assert!((packed - pair.cosine).abs() < 0.01, "{packed} {}", pair.cosine);
    }
}

#[test]
fn words_of_many_scripts_are_split_as_the_table_expects() {
    let cases: [(&str, &[u16]); 8] = [
        ("Zoë's", &[11199, 1005, 1055]),
        ("\u{0}zo\u{200b}o\u{7f}", &[9201]),
        ("e\u{301}cole", &[12431]),
        ("zoo\u{3000}zoo\u{2028}zoo", &[9201, 9201, 9201]),
        ("\u{37e}", &[1025]),
        ("天気", &[1811, 100]),
        ("привет", &[1194, 16856, 10325, 25529, 15290, 22919]),
        ("zoo\u{1f642}", &[100]),
    ];
    for (text, expected) in cases {
        let ids: Vec<u16> = pieces(text).iter().map(|piece| piece.0).collect();
        assert_eq!(ids, expected, "{text}");
    }
}

#[test]
fn a_word_of_a_hundred_characters_is_spelt_and_a_longer_one_is_unknown() {
    assert!(!pieces(&"a".repeat(100)).contains(&Piece::UNKNOWN));
    assert_eq!(pieces(&"a".repeat(101)), [Piece::UNKNOWN]);
}

#[test]
fn a_text_without_known_pieces_means_nothing() {
    for text in ["", "   ", "\u{1f642}\u{1f642}", "\u{e000}"] {
        assert!(embed(text).as_array().iter().all(|number| *number == 0.0), "{text:?}");
    }
}

/// The same rules, implemented in the slow and obvious way over whole strings.
fn obvious_words(text: &str) -> Vec<String> {
    let spaced: String = text
        .chars()
        .flat_map(|c| if ('\u{4e00}'..='\u{9fff}').contains(&c) { vec![' ', c, ' '] } else { vec![c] })
        .collect();
    let plain: String = spaced
        .chars()
        .filter(|c| matches!(c, '\t' | '\n' | '\r') || !c.is_control())
        .nfd()
        .filter(|c| !unicode_normalization::char::is_combining_mark(*c))
        .flat_map(char::to_lowercase)
        .flat_map(|c| if c.is_ascii_punctuation() { vec![' ', c, ' '] } else { vec![c] })
        .collect();
    plain.split_whitespace().map(str::to_owned).collect()
}

proptest! {
    #[test]
    fn any_text_gives_a_unit_vector_or_zero(text in any::<String>()) {
        let length = embed(&text).cosine(&embed(&text));
        prop_assert!(length == 0.0 || (length - 1.0).abs() < 1e-5);
    }

    #[test]
    fn splitting_a_text_is_splitting_its_words(text in "[a-zA-Z0-9 ,.'\u{c0}-\u{17f}\u{391}-\u{3c9}\u{410}-\u{44f}\u{4e00}-\u{4e20}\t\n]{0,60}") {
        let whole = pieces(&text);
        let by_word: Vec<Piece> = obvious_words(&text).iter().flat_map(|word| pieces(word)).collect();
        prop_assert_eq!(whole, by_word);
    }

    #[test]
    fn packing_never_uses_the_code_that_cannot_be_negated(numbers in proptest::collection::vec(-1.0_f32..1.0, DIMENSIONS)) {
        let vector = Vector::normalised(numbers.try_into().unwrap());
        let (row, step) = vector.quantised();
        for (code, number) in row.codes().iter().zip(vector.as_array()) {
            prop_assert!(*code != i8::MIN);
            prop_assert!((f32::from(*code) * step - number).abs() <= step * 0.51);
        }
    }
}
