//! Character cards in all their shapes, there and back.
#![expect(clippy::unwrap_used, reason = "a test that can't set its stage fails loudly")]

use std::io::Write;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use formats::archive::Limits;
use formats::card::Card;
use formats::png::Png;
use formats::{Record, charx};
use serde_json::{Value, json};

fn v2() -> Value {
    json!({ "spec": "chara_card_v2", "spec_version": "2.0", "name": "an old copy", "x-root": 1,
        "data": { "name": "Seraphina", "description": "A guardian of {{user}}.", "personality": "kind", "first_mes": "Hello!",
            "extensions": { "depth_prompt": { "depth": 4 } }, "unknown": [1, 2],
            "character_book": { "entries": [
                { "keys": ["forest"], "content": "A deep forest.", "enabled": true, "insertion_order": 1 },
                { "keys": ["glade"], "content": "Off.", "enabled": false }] } } })
}

fn read(bytes: &[u8]) -> Card {
    Card::read(bytes, Limits::SMALL).unwrap()
}

#[test]
fn a_card_survives_a_picture_json_and_an_archive_with_everything_in_it() {
    let mut card = read(v2().to_string().as_bytes());
    assert_eq!((card.name(), card.version()), (Some("Seraphina"), "2.0"), "`data` wins over the old copy");
    card.assets.insert("assets/icon/images/main.png".to_owned(), vec![1, 2, 3]);
    let again = read(&card.to_png().unwrap());
    assert_eq!(again.assets, card.assets);
    assert_eq!(again.json["data"]["unknown"], json!([1, 2]));
    assert_eq!(again.json["spec"], "chara_card_v3", "a program that knows V3 reads V3");
    assert_eq!(read(&again.to_png().unwrap()), again, "nothing changes the second time");
    let again = read(&charx::write(&card).unwrap());
    assert_eq!((&again.json, &again.assets), (&card.json, &card.assets));
}

#[test]
fn every_kind_of_text_in_a_picture_is_read_and_names_of_any_case() {
    let encoded = STANDARD.encode(v2().to_string());
    let blank = || Png::blank().unwrap().to_bytes();
    let with_chunk = |kind: &[u8; 4], data: Vec<u8>| {
        let (mut bytes, mut crc) = (blank(), flate2::Crc::new());
        let end = bytes.len() - 12;
        crc.update(kind);
        crc.update(&data);
        let length = u32::try_from(data.len()).unwrap().to_be_bytes();
        let chunk = [&length[..], kind, &data, &crc.sum().to_be_bytes()].concat();
        bytes.splice(end..end, chunk);
        bytes
    };
    let packed = {
        let mut zlib = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::default());
        zlib.write_all(encoded.as_bytes()).unwrap();
        zlib.finish().unwrap()
    };
    for bytes in [
        with_chunk(b"tEXt", [b"Chara\0", encoded.as_bytes()].concat()),
        with_chunk(b"zTXt", [&b"CCV3\0\0"[..], &packed].concat()),
        with_chunk(b"iTXt", [b"chara\0\0\0\0\0", encoded.as_bytes()].concat()),
        with_chunk(b"iTXt", [&b"chara\0\x01\0en\0\0"[..], &packed].concat()),
    ] {
        assert_eq!(read(&bytes).name(), Some("Seraphina"));
    }
    let beside = with_chunk(b"zTXt", b"Software\0\0not packed".to_vec());
    let card = read(&Png::read(&beside).unwrap().with_text("chara", &encoded).to_bytes());
    assert_eq!(card.name(), Some("Seraphina"), "a damaged text of another program is not the card's");
    let both = Png::blank().unwrap().with_text("chara", &encoded);
    let newer = json!({ "spec": "chara_card_v3", "spec_version": "3.1", "data": { "name": "Newer" } });
    let both = both.with_text("ccv3", &STANDARD.encode(newer.to_string()));
    let card = read(&both.to_bytes());
    assert!(card.name() == Some("Newer") && card.is_newer());
}

#[test]
fn a_first_version_is_read_and_goes_out_as_a_later_one() {
    let card = read(br#"{"name":"Old","description":"d","personality":"p","scenario":"","first_mes":"Hi","mes_example":""}"#);
    assert_eq!((card.version(), card.text("first_mes")), ("1.0", Some("Hi")));
    let out = card.to_json();
    assert_eq!((&out["spec"], &out["data"]["name"]), (&json!("chara_card_v3"), &json!("Old")));
}

#[test]
fn a_lorebook_gives_notes_with_triggers_and_nothing_that_is_switched_off() {
    let lore = read(v2().to_string().as_bytes()).lorebook();
    assert!(
        matches!(&lore[0], Record::Note(note) if note.text == "A deep forest." && note.cues == ["forest"])
    );
    assert!(matches!(&lore[1], Record::Skipped(_)));
}
