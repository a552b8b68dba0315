//! The reader of JSON-RPC messages: whatever is sent, it answers with a message or with an error that is JSON itself.
#![no_main]

use libfuzzer_sys::fuzz_target;
use wire::rpc::{Message, read};

fuzz_target!(|bytes: &[u8]| {
    match read(bytes) {
        Ok(Message::Request(request)) => {
            assert!(request.id.is_string() || request.id.is_number());
        }
        Ok(Message::Notification { .. } | Message::Response { .. }) => {}
        Err(error) => {
            let answer = error.into_answer();
            assert!(answer["error"]["code"].is_i64() && !answer["error"]["message"].is_null());
        }
    }
});
