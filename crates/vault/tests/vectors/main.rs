//! The published test vectors in `docs/formats/` are what this release computes, and every one of
//! them is checked by reading it as another implementation would.
//!
//! After a deliberate change of a format: `UPDATE_VECTORS=1 cargo test -p vault --test vectors`.

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "a test fails by panicking")]

mod audit;
mod certificate;
mod keyring;
mod sealing;
mod signature;

use std::path::PathBuf;
use std::sync::atomic::{AtomicU8, Ordering};

use serde_json::Value;
use vault::encoding::from_hex;
use vault::key::Secret;
use vault::randomness::{Randomness, RandomnessError};

/// Compares `vectors` with the published file, or writes it when asked to.
fn assert_published(file: &str, vectors: &Value) {
    let path =
        PathBuf::from(std::env::var("CARGO_MANIFEST_DIR").unwrap()).join("../../docs/formats").join(file);
    let text = format!("{}\n", serde_json::to_string_pretty(vectors).unwrap());
    if std::env::var_os("UPDATE_VECTORS").is_some() {
        std::fs::write(&path, &text).unwrap();
    }
    assert_eq!(std::fs::read_to_string(&path).unwrap(), text, "{file} is not what this release computes");
}

/// Bytes that count up, so that a reader of the vectors recognises the random values.
struct Counting(AtomicU8);

impl Counting {
    fn from(first: u8) -> Self {
        Self(AtomicU8::new(first))
    }
}

impl Randomness for Counting {
    fn fill(&self, bytes: &mut [u8]) -> Result<(), RandomnessError> {
        for byte in bytes {
            *byte = self.0.fetch_add(1, Ordering::Relaxed);
        }
        Ok(())
    }
}

fn text<'a>(value: &'a Value, name: &str) -> &'a str {
    value[name].as_str().unwrap()
}

fn bytes(value: &Value, name: &str) -> Vec<u8> {
    let digits = text(value, name).as_bytes().chunks(2);
    digits.map(|pair| from_hex::<1>(std::str::from_utf8(pair).unwrap()).unwrap()[0]).collect()
}

fn secret(value: &Value, name: &str) -> Secret {
    Secret::from_bytes(bytes(value, name).try_into().unwrap())
}
