//! `docs/formats/keyring-vectors.json`.

use std::fs;

use serde_json::{Value, json};
use vault::encoding::hex;
use vault::key::{Dek, Kek, Secret};
use vault::key_directory::{KeyCreation, KeyDirectory, Passphrase};
use vault::keyring::{KeyRef, KeyringFile, WrappedKey};

use crate::{Counting, assert_published, bytes, secret, text};

const NOW: i64 = 1_776_867_522_000;

fn kek(epoch: u64) -> Kek {
    Kek::new(epoch, Secret::from_bytes([0x4b; 32]))
}

fn wrapped() -> Value {
    let (key_ref, dek) = (KeyRef::from_bytes([0xaa; 16]), Dek::new(Secret::from_bytes([0xdd; 32])));
    let row = WrappedKey::wrap(&kek(3), "scott", key_ref, &dek, &Counting::from(0x10)).unwrap();
    json!({
        "kek": hex(&[0x4b; 32]),
        "tenant": "scott",
        "epoch": 3,
        "keyRef": key_ref.to_string(),
        "dek": hex(&[0xdd; 32]),
        "row": hex(&row.to_bytes()),
    })
}

/// Two keys, then one more, then the first is destroyed: three frames.
fn file() -> Value {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("keyring");
    let mut file = KeyringFile::create(&path, "scott", kek(1)).unwrap();
    let randomness = Counting::from(0x10);
    let mut lengths = vec![fs::metadata(&path).unwrap().len()];
    let first = file.create_keys(2, &randomness).unwrap();
    lengths.push(fs::metadata(&path).unwrap().len());
    file.create_keys(1, &randomness).unwrap();
    lengths.push(fs::metadata(&path).unwrap().len());
    file.destroy_keys(&first[..1], NOW).unwrap();
    let bytes = fs::read(&path).unwrap();
    json!({
        "kek": hex(&[0x4b; 32]),
        "tenant": "scott",
        "epoch": 1,
        "counter": file.keyring().counter(),
        "living": file.keyring().key_refs(),
        "destroyed": [{"keyRef": first[0], "at": NOW}],
        "frameStarts": lengths,
        "bytes": hex(&bytes),
    })
}

fn key_file(passphrase: Option<&str>) -> Value {
    let directory = tempfile::tempdir().unwrap();
    let protected = passphrase.map(|text| Passphrase::new(text.to_owned()));
    let keys = KeyDirectory::open_or_create(&directory.path().join("keys"), protected).unwrap();
    keys.create_kek("scott", 3, KeyCreation { now: NOW, randomness: &Counting::from(0x10) }).unwrap();
    let text = fs::read_to_string(keys.path().join("scott/kek-3.key")).unwrap();
    let key: Vec<u8> = (0x10..0x30).collect();
    json!({"file": "scott/kek-3.key", "passphrase": passphrase, "key": hex(&key), "text": text})
}

#[test]
fn keyring_vectors_are_published_and_hold() {
    let vectors = json!({
        "format": "docs/formats/keyring.md, version 1; bytes in hex",
        "wrappedKey": wrapped(),
        "keyring": file(),
        "keyFiles": [key_file(None), key_file(Some("firefly"))],
    });
    assert_published("keyring-vectors.json", &vectors);
    row_holds(&vectors["wrappedKey"]);
    file_holds(&vectors["keyring"]);
}

fn row_holds(vector: &Value) {
    let row: Vec<u8> = bytes(vector, "row");
    let row = WrappedKey::from_bytes(3, row.as_slice().try_into().unwrap()).unwrap();
    let kek = Kek::new(3, secret(vector, "kek"));
    assert!(row.unwrap(&kek, text(vector, "tenant")).unwrap() == Dek::new(secret(vector, "dek")));
}

fn file_holds(vector: &Value) {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("keyring");
    fs::write(&path, bytes(vector, "bytes")).unwrap();
    let file = KeyringFile::open(&path, "scott", Kek::new(1, secret(vector, "kek")), 3).unwrap();
    let living: Vec<String> = file.keyring().key_refs().iter().map(KeyRef::to_string).collect();
    assert_eq!(json!(living), vector["living"]);
    assert_eq!(file.keyring().register().len(), 1);
}
