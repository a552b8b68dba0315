//! Any bytes can be read as a card; one that was read is written and comes back.
#![no_main]

use libfuzzer_sys::fuzz_target;

mod packed;

fuzz_target!(|bytes: &[u8]| packed::card(bytes));
