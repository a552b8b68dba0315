//! `docs/formats/sealing-vectors.json`.

use serde_json::{Value, json};
use vault::encoding::hex;
use vault::hash::length_prefixed;
use vault::key::{Dek, Secret};
use vault::seal::{self, Address, SealError};

use crate::{Counting, assert_published, bytes, secret, text};

const TEXTS: [(&str, &str, u8); 3] = [
    ("a sentence", "a guest thanked me", 0x10),
    ("nothing", "", 0x20),
    ("not ASCII", "Blumenstraße 7, naïve café 🌧", 0x30),
];

const ADDRESS: Address<'static> = Address {
    tenant: "scott",
    persona: "0192e4a0-0000-7000-8000-000000000001",
    id: "mem:7f3a8b000001",
    kind: "atom",
};

fn dek(byte: u8) -> Dek {
    Dek::new(Secret::from_bytes([byte; 32]))
}

fn at(address: &Address<'_>) -> Value {
    json!({"tenant": address.tenant, "persona": address.persona, "id": address.id, "kind": address.kind})
}

fn opening((name, plaintext, first): &(&str, &str, u8)) -> Value {
    let blob = seal::seal(&dek(*first), &ADDRESS, plaintext.as_bytes(), &Counting::from(*first)).unwrap();
    let fields = [
        b"v1",
        ADDRESS.tenant.as_bytes(),
        ADDRESS.persona.as_bytes(),
        ADDRESS.id.as_bytes(),
        ADDRESS.kind.as_bytes(),
    ];
    json!({
        "name": name,
        "dek": hex(&[*first; 32]),
        "address": at(&ADDRESS),
        "associatedData": hex(&length_prefixed(&fields)),
        "commitment": hex(dek(*first).commitment()),
        "nonce": hex(&blob[33..57]),
        "plaintext": plaintext,
        "blob": hex(&blob),
    })
}

fn refusals() -> Vec<Value> {
    let blob = seal::seal(&dek(0x10), &ADDRESS, b"a guest thanked me", &Counting::from(0x10)).unwrap();
    let flipped = |byte: usize| {
        let mut changed = blob.clone();
        changed[byte] ^= 1;
        changed
    };
    let elsewhere = [
        Address { tenant: "alice", ..ADDRESS },
        Address { id: "mem:7f3a8b000002", ..ADDRESS },
        Address { kind: "turn", ..ADDRESS },
    ];
    let refusal = |name: &str, dek: u8, address: &Address<'_>, blob: &[u8], error: &str| json!({"name": name, "dek": hex(&[dek; 32]), "address": at(address), "blob": hex(blob), "error": error});
    let mut refusals = vec![
        refusal("another key", 0x11, &ADDRESS, &blob, "wrong key"),
        refusal("an unknown version", 0x10, &ADDRESS, &[&[2], &blob[1..]].concat(), "unknown version"),
        refusal("a flipped bit in the commitment", 0x10, &ADDRESS, &flipped(1), "damaged"),
        refusal("a flipped bit in the nonce", 0x10, &ADDRESS, &flipped(33), "damaged"),
        refusal("a flipped bit in the ciphertext", 0x10, &ADDRESS, &flipped(57), "damaged"),
        refusal("a flipped bit in the tag", 0x10, &ADDRESS, &flipped(blob.len() - 1), "damaged"),
        refusal("the last byte cut off", 0x10, &ADDRESS, &blob[..blob.len() - 1], "damaged"),
        refusal("only a version", 0x10, &ADDRESS, &[1], "damaged"),
        refusal("nothing at all", 0x10, &ADDRESS, &[], "damaged"),
    ];
    refusals.extend(elsewhere.map(|address| refusal("another address", 0x10, &address, &blob, "damaged")));
    refusals
}

#[test]
fn sealing_vectors_are_published_and_hold() {
    let vectors = json!({
        "format": "docs/formats/sealing.md, version 1; bytes in hex, plaintexts in UTF-8",
        "opens": TEXTS.iter().map(opening).collect::<Vec<_>>(),
        "refused": refusals(),
    });
    assert_published("sealing-vectors.json", &vectors);
    for vector in vectors["opens"].as_array().unwrap() {
        assert_eq!(opened(vector).unwrap(), text(vector, "plaintext").as_bytes(), "{}", vector["name"]);
    }
    for vector in vectors["refused"].as_array().unwrap() {
        let error = match opened(vector).unwrap_err() {
            SealError::WrongKey => "wrong key",
            SealError::UnknownVersion(_) => "unknown version",
            SealError::Damaged => "damaged",
            error @ (SealError::TooLong | SealError::Randomness(_)) => panic!("{error}"),
        };
        assert_eq!(error, text(vector, "error"), "{}", vector["name"]);
    }
}

fn opened(vector: &Value) -> Result<Vec<u8>, SealError> {
    let address = &vector["address"];
    let address = Address {
        tenant: text(address, "tenant"),
        persona: text(address, "persona"),
        id: text(address, "id"),
        kind: text(address, "kind"),
    };
    seal::open(&Dek::new(secret(vector, "dek")), &address, &bytes(vector, "blob")).map(|text| text.to_vec())
}
