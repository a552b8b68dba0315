//! Any bytes can be sent as a JSON-RPC message; they are answered with a message or with an error that is JSON itself.
#![no_main]

use libfuzzer_sys::fuzz_target;

mod answers;

fuzz_target!(|bytes: &[u8]| answers::answer(bytes));
