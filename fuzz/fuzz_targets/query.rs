//! Any bytes can be asked of a persona, and the answer is the same each time.
#![no_main]

use libfuzzer_sys::fuzz_target;

mod memories;

fuzz_target!(|bytes: &[u8]| memories::ask(bytes));
