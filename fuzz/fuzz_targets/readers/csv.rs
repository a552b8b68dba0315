//! Any bytes can be read as this format; what comes out has an id where it needs one, and words.
#![no_main]

use formats::Format;
use libfuzzer_sys::fuzz_target;

mod check;

fuzz_target!(|bytes: &[u8]| check::read(Format::Csv, bytes));
