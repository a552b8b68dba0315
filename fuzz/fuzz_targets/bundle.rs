//! Any bytes can be read as a bundle, or be signed as its manifest, log or memories; what is accepted is what was signed.
#![no_main]

use libfuzzer_sys::fuzz_target;

mod bundles;

fuzz_target!(|bytes: &[u8]| bundles::open(bytes));
