//! Any bytes can be opened as an archive; what unpacks stays within its bounds.
#![no_main]

use libfuzzer_sys::fuzz_target;

mod packed;

fuzz_target!(|bytes: &[u8]| packed::unpack(bytes));
