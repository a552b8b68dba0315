//! Any bytes become word pieces, an embedding and terms, and the embedding is a unit vector or zero.
#![no_main]

use libfuzzer_sys::fuzz_target;

mod memories;

fuzz_target!(|bytes: &[u8]| memories::split(bytes));
