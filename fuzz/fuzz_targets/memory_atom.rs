//! Any JSON can be checked as a memory; what is found valid is read, written and read again as the same memory.
#![no_main]

use libfuzzer_sys::fuzz_target;

mod documents;

fuzz_target!(|bytes: &[u8]| documents::atom(bytes));
