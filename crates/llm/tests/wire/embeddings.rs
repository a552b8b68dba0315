//! Embeddings from a server.

use llm::{Embed, Embedder, Words};
use serde_json::json;

use crate::server::Server;
use crate::{PROMPT, endpoint, message};

fn embedder(server: &Server) -> Embedder {
    Embedder::new(&endpoint(&server.url)).unwrap()
}

#[tokio::test]
async fn vectors_come_in_the_order_of_the_texts() {
    let body =
        json!({ "data": [{ "index": 1, "embedding": [0.5, 1] }, { "index": 0, "embedding": [0.25, -1.0] }] });
    let server = Server::answering("200 OK", &body.to_string()).await;
    let texts = [Words::new(PROMPT), Words::new("second")];
    assert_eq!(embedder(&server).embed(&texts).await.unwrap(), [[0.25, -1.0], [0.5, 1.0]]);
    let seen = server.seen().remove(0);
    assert!(seen.head.starts_with("POST /v1/embeddings HTTP/1.1"), "{}", seen.head);
    assert_eq!(
        seen.body,
        json!({ "model": "tiny", "input": [PROMPT, "second"], "encoding_format": "float" })
    );
    assert_eq!(embedder(&server).embed(&[]).await.unwrap(), [[0.0_f32; 0]; 0]);
}

#[tokio::test]
async fn vectors_that_do_not_fit_the_texts_are_refused() {
    for data in [
        json!([]),
        json!([{ "index": 0, "embedding": [1.0] }]),
        json!([{ "index": 0, "embedding": [1.0] }, { "index": 0, "embedding": [1.0] }]),
        json!([{ "index": 0, "embedding": [1.0] }, { "index": 7, "embedding": [1.0] }]),
        json!([{ "index": 0, "embedding": [1.0] }, { "index": 1, "embedding": [1.0, 2.0] }]),
        json!([{ "index": 0, "embedding": [] }, { "index": 1, "embedding": [] }]),
        json!([{ "index": 0, "embedding": [1e300] }, { "index": 1, "embedding": [1.0] }]),
        json!([{ "index": 0, "embedding": ["x"] }, { "index": 1, "embedding": [1.0] }]),
    ] {
        let server = Server::answering("200 OK", &json!({ "data": data }).to_string()).await;
        let failed = embedder(&server).embed(&[Words::new(PROMPT), Words::new("b")]).await.unwrap_err();
        assert!(message(&failed).contains("not one embedding of the same length per text"), "{data}");
    }
}
