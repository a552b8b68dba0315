//! Whatever a memory says, its section of a prompt parses back to exactly that memory.
#![no_main]

use libfuzzer_sys::fuzz_target;

mod memories;

fuzz_target!(|bytes: &[u8]| memories::render(bytes));
