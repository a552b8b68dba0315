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
    } })
}

/// A picture of nothing that carries `cards` as text, each under its name.
fn picture(cards: &[(&str, &Value)]) -> Vec<u8> {
    let mut bytes = b"\x89PNG\r\n\x1a\n".to_vec();
    let mut chunk = |kind: &[u8; 4], content: &[u8]| {
        bytes.extend(u32::try_from(content.len()).unwrap().to_be_bytes());
        bytes.extend(kind);
        bytes.extend(content);
        bytes.extend([0; 4]);
    };
    chunk(b"IHDR", &[0; 13]);
    for (name, card) in cards {
        chunk(b"tEXt", format!("{name}\0{}", STANDARD.encode(card.to_string())).as_bytes());
    }
    chunk(b"IEND", &[]);
    bytes
}

#[test]
fn a_card_fills_the_form_and_its_manner_goes_into_the_soul() {
    let stage = Stage::empty();
    let tab = stage.signed_in();
    let (old, new) = (card("chara_card_v2", "Old Elin"), card("chara_card_v3", "Elin Vårdö"));
    let files: [(&str, Vec<u8>); 3] = [
        ("plain.png", picture(&[])),
        ("card.json", old.to_string().into_bytes()),
        ("card.png", picture(&[("chara", &old), ("ccv3", &new)])),
    ];
    for ((name, bytes), told) in
        files.iter().zip(["There is no character card", "Read: Old Elin.", "Read: Elin Vårdö."])
    {
        let path = stage.path(name);
        std::fs::write(&path, bytes).unwrap();
        tab.choose_file("#card", &path);
        tab.reads(told);
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
        soul.contains("# How I am\n\nPatient, dry, fond of gulls.\n\nthe user has just landed."),
        "{soul}"
    );
}
