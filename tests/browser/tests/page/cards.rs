//! A persona is made from a character card that somebody has.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};

use crate::stage::Stage;

fn card(spec: &str, name: &str) -> Value {
    json!({ "spec": spec, "spec_version": "2.0", "data": {
        "name": name,
        "description": "{{char}} keeps a lighthouse and writes to {{user}} <script>alert(1)</script>.",
        "personality": "Patient, dry, fond of gulls.",
        "scenario": "{{user}} has just landed.",
        "first_mes": "Mind the step.", "extensions": {},
        "character_book": { "extensions": {}, "entries": [{
            "keys": ["lamp"], "content": "The lamp turns every nine seconds.", "extensions": {},
            "enabled": true, "insertion_order": 1,
        }] },
    } })
}

/// The checksum of a part of a PNG (CRC-32).
fn checksum(bytes: &[u8]) -> u32 {
    !bytes.iter().fold(u32::MAX, |sum, byte| {
        (0..8).fold(sum ^ u32::from(*byte), |sum, _| (sum >> 1) ^ (0xEDB8_8320 & (sum & 1).wrapping_neg()))
    })
}

/// A picture of nothing that carries `cards` as text, each under its name.
fn picture(cards: &[(&str, &Value)]) -> Vec<u8> {
    let mut bytes = b"\x89PNG\r\n\x1a\n".to_vec();
    let mut chunk = |kind: &[u8; 4], content: &[u8]| {
        bytes.extend(u32::try_from(content.len()).unwrap().to_be_bytes());
        bytes.extend(kind);
        bytes.extend(content);
        bytes.extend(checksum(&[kind, content].concat()).to_be_bytes());
    };
    chunk(b"IHDR", &[0; 13]);
    for (name, card) in cards {
        chunk(b"tEXt", format!("{name}\0{}", STANDARD.encode(card.to_string())).as_bytes());
    }
    chunk(b"IEND", &[]);
    bytes
}

#[test]
fn a_card_fills_the_form_and_becomes_the_persona_with_its_lorebook() {
    let stage = Stage::empty();
    let tab = stage.signed_in();
    let (old, new) = (card("chara_card_v2", "Old Elin"), card("chara_card_v3", "Elin Vårdö"));
    let files: [(&str, Vec<u8>); 3] = [
        ("plain.png", picture(&[])),
        ("card.json", old.to_string().into_bytes()),
        ("card.png", picture(&[("chara", &old), ("ccv3", &new)])),
    ];
    for ((name, bytes), message) in
        files.iter().zip(["There is no character card", "This is Old Elin.", "This is Elin Vårdö."])
    {
        let path = stage.path(name);
        std::fs::write(&path, bytes).unwrap();
        tab.choose_file("#card", &path);
        tab.reads(message);
    }
    assert_eq!(tab.run("return document.querySelector('#name').value"), "elin-vardo");
    let description = tab.run("return document.querySelector('#description').value");
    assert_eq!(
        description,
        "Elin Vårdö keeps a lighthouse and writes to the user <script>alert(1)</script>."
    );
    tab.until("return document.querySelector('.preview-card').innerText.includes('Mind the step.')");
    tab.press("form button.main");
    tab.until("return location.pathname === '/ui/p/elin-vardo/chat'");
    assert!(!tab.has_dialog());
    tab.until("return document.querySelector('.beginning .greeting')?.innerText === 'Mind the step.'");
    let soul = tab.api("GET", "/files/SOUL.md?persona=elin-vardo", None).1;
    let soul = soul["file"]["content"].as_str().unwrap();
    assert!(
        soul.contains("Patient, dry, fond of gulls.") && soul.contains("the user has just landed."),
        "{soul}"
    );
    let lore = tab.api("GET", "/v1/personas/elin-vardo/memories", None).1;
    assert_eq!(lore["data"][0]["gist"], "The lamp turns every nine seconds.", "{lore}");
}
