//! Any words form memories within their bounds, and none holds a card or an account.
#![no_main]

use libfuzzer_sys::fuzz_target;

mod exchanges;

fuzz_target!(|bytes: &[u8]| exchanges::form_all(bytes));
