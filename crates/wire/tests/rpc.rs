//! The reader of JSON-RPC messages, with what nobody would send: the same law as in `fuzz/fuzz_targets/rpc.rs`, on seeds
//! that are cut, doubled, spliced and overwritten, and on whatever bytes come.
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "a test may stop where its expectation ends"
)]

use proptest::prelude::*;
use wire::rpc::{Message, read};

/// What clients send, and what comes close to it.
const SEEDS: &[&str] = &[
    r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{"elicitation":{}},"clientInfo":{"name":"x","version":"1"}}}"#,
    r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#,
    r#"{"jsonrpc":"2.0","id":"a-1","method":"tools/call","params":{"name":"recall","arguments":{"cue":"čćž 漢字 🚣"},"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}"#,
    r#"{"jsonrpc":"2.0","id":"selfhood-1","result":{"action":"accept","content":{"yes":true}}}"#,
    r#"{"jsonrpc":"2.0","id":18446744073709551615,"error":{"code":-32601,"message":"no"}}"#,
    r#"[{"jsonrpc":"2.0","id":1,"method":"ping"},{"jsonrpc":"2.0","id":2,"method":"ping"}]"#,
    r#"{"jsonrpc":"2.0","id":1e400,"method":"ping"}"#,
    r#"{"jsonrpc":"2.0","id":null,"method":"ping","params":[[[[[[]]]]]]}"#,
    r#"{"jsonrpc":"2.0","jsonrpc":"1.0","id":1,"id":2,"method":"ping","method":7}"#,
    "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"\\ud800\"}",
    "\u{feff}{}",
];

/// Whatever is sent, it is a message, or an error that is JSON itself and names the request if it can.
fn holds(bytes: &[u8]) {
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

#[test]
fn every_seed_and_every_beginning_of_one_is_answered() {
    for seed in SEEDS {
        for end in 0..=seed.len() {
            holds(&seed.as_bytes()[..end]);
        }
    }
}

#[test]
fn nesting_without_end_is_refused_and_not_followed() {
    for depth in [10, 100, 127, 128, 10_000, 1_000_000] {
        for (open, close) in [("[", "]"), ("{\"a\":", "}")] {
            holds(format!("{}1{}", open.repeat(depth), close.repeat(depth)).as_bytes());
            holds(open.repeat(depth).as_bytes());
        }
    }
}

fn seed() -> impl Strategy<Value = Vec<u8>> {
    (0..SEEDS.len()).prop_map(|at| SEEDS[at].as_bytes().to_vec())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_bytes_are_answered(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        holds(&bytes);
    }

    #[test]
    fn spoilt_seeds_are_answered(
        (mut bytes, other) in (seed(), seed()),
        spoils in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..6),
        (cut, from) in (any::<prop::sample::Index>(), any::<prop::sample::Index>()),
    ) {
        for (at, byte) in spoils {
            let at = at.index(bytes.len());
            bytes[at] = byte;
        }
        bytes.truncate(cut.index(bytes.len() + 1));
        bytes.extend_from_slice(&other[from.index(other.len())..]);
        holds(&bytes);
    }
}
