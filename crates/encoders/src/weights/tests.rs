//! A weights file is accepted only if it is complete.

use super::*;

/// A file with the sections `a` (4 bytes) and `b` (8 bytes).
fn file() -> Vec<u8> {
    let body: Vec<u8> = [entry("a", 128, 4), entry("b", 192, 8)].concat();
    let body = [body, vec![7; 4], vec![0; 60], vec![9; 8]].concat();
    let mut file =
        [MAGIC.as_slice(), &1_u32.to_le_bytes(), &2_u32.to_le_bytes(), &200_u64.to_le_bytes()].concat();
    file.extend(crc32(&body).to_le_bytes());
    file.extend(padded("minilm-l6-v2.2", 36));
    [file, body].concat()
}

fn entry(name: &str, start: u64, length: u64) -> Vec<u8> {
    [padded(name, 16), start.to_le_bytes().to_vec(), length.to_le_bytes().to_vec()].concat()
}

fn padded(text: &str, length: usize) -> Vec<u8> {
    let mut bytes = text.as_bytes().to_vec();
    bytes.resize(length, 0);
    bytes
}

fn refusal(bytes: Vec<u8>) -> Option<EncoderError> {
    Weights::verified(bytes).err()
}

#[test]
fn sections_are_found_by_name_and_have_the_length_that_is_asked_for() {
    let weights = Weights::verified(file()).expect("a whole file");
    assert_eq!(weights.check_encoder(Encoder::MiniLm), Ok(()));
    assert_eq!(weights.section("a", 4).map(|section| section.to_vec()), Ok(vec![7; 4]));
    assert_eq!(weights.section("b", 8).map(|section| section.to_vec()), Ok(vec![9; 8]));
    for (name, length) in [("a", 8), ("c", 4), ("", 0)] {
        assert_eq!(weights.section(name, length).map(|_| ()), Err(unusable(name)), "{name}");
    }
}

#[test]
fn the_checksum_is_the_one_of_zip_files() {
    assert_eq!(crc32(b"123456789"), 0xcbf4_3926);
}

#[test]
fn a_file_cut_short_at_any_byte_is_refused() {
    let whole = file();
    for length in 0..whole.len() {
        assert!(refusal(whole[..length].to_vec()).is_some(), "{length} bytes");
    }
}

#[test]
fn a_file_with_any_byte_changed_is_refused_or_names_another_encoder() {
    let whole = file();
    for at in 0..whole.len() {
        let mut changed = whole.clone();
        changed[at] ^= 0x10;
        let refused =
            Weights::verified(changed).and_then(|weights| weights.check_encoder(Encoder::MiniLm)).is_err();
        assert!(refused, "byte {at}");
    }
}

#[test]
fn another_layout_is_named() {
    let mut newer = file();
    newer[8] = 2;
    assert_eq!(refusal(newer), Some(EncoderError::Layout { found: 2, expected: 1 }));
}
