//! What must hold of the reader of JSON-RPC messages.

use wire::rpc::{Message, read};

/// Whatever is sent, it is a message, or an error that is JSON itself and names the request if it can.
pub fn answer(bytes: &[u8]) {
    match read(bytes) {
        Ok(Message::Request(request)) => {
            assert!(request.id.is_string() || request.id.is_i64() || request.id.is_u64(), "{request:?}");
        }
        Ok(Message::Notification { .. }) => {}
        Ok(Message::Response { id, .. }) => assert!(id.is_string() || id.is_number()),
        Err(error) => {
            let answer = error.into_answer();
            assert_eq!(answer["jsonrpc"], "2.0");
            assert!(answer["error"]["code"].is_i64() && answer["error"]["message"].is_string(), "{answer}");
            let id = &answer["id"];
            assert!(id.is_null() || id.is_string() || id.is_number(), "{answer}");
        }
    }
}
