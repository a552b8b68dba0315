//! Any words can be a model's answer; the notes that are read from it become memories within their bounds, and none holds
//! a card or an account.
#![no_main]

use libfuzzer_sys::fuzz_target;

mod notes;

fuzz_target!(|bytes: &[u8]| notes::judge(bytes));
