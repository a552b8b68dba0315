//! All cryptography of Selfhood, and nothing else: the crate for an auditor to read.
//!
//! No SQL, no network, no clock. Time, identifiers and randomness are arguments. The formats are published
//! in `docs/formats/` with test vectors, precisely enough for another implementation.

pub mod canonical;
pub mod encoding;
pub mod hash;
pub mod key;
pub mod randomness;
pub mod shared_secret;

pub mod signature;

pub mod key_directory;
pub mod keyring;
pub mod rotation;
pub mod seal;

pub mod audit;
pub mod backup;
pub mod parcel;
pub mod certificate;
pub mod paper;

mod aead;
pub mod durable;
mod timestamp;
