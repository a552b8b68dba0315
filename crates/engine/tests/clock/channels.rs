//! The owner hears of what happened by itself, and a dead channel fails nothing.

use domain::{Digest, example};
use serde_json::{Value, json};
use store::{Batch, Change, DocumentName, Documents, Records};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;
use wire::distill::{Distill, DistillOutcome};

use engine_testkit::test_home::{TestHome, call, close, maya, only_persona};

async fn heard(listener: &TcpListener) -> Value {
    let (mut stream, _) = listener.accept().await.unwrap();
    let (mut request, mut buffer) = (String::new(), [0; 4096]);
    loop {
        let read = stream.read(&mut buffer).await.unwrap();
        request.push_str(std::str::from_utf8(&buffer[..read]).unwrap());
        let body = request.split_once("\r\n\r\n").and_then(|(_, body)| serde_json::from_str(body).ok());
        if let Some(body) = body {
            stream.write_all(b"HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n").await.unwrap();
            return body;
        }
        assert!(read > 0, "{request}");
    }
}

#[tokio::test]
async fn the_owner_hears_of_a_mid_digest_and_of_messages_but_not_of_their_guests() {
    let test_home = TestHome::new();
    let engine = test_home.open("home").await;
    maya(&engine).await;
    let scope = only_persona(&engine).await.scope();
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    let channels = test_home.at("home").join("marriott").join("channels.json");
    let webhook = json!({ "webhook": { "url": url, "secret": "s", "allow_private": true } });
    std::fs::write(&channels, webhook.to_string()).unwrap();
    for (number, who) in [(1, "owner"), (2, "guest:ana")] {
        let session = crate::said::session(number, who, example::day(0));
        let turn = crate::said::turn(
            number,
            "We decided to open the bakery in Trier in June, for good.",
            example::day(0),
        );
        let batch = Batch::at(example::day(0))
            .with(Change::PutSession(Box::new(session)))
            .with(Change::AppendTurn(Box::new(turn)));
        engine.store().commit(&scope, batch).await.unwrap();
    }
    engine.distill(&call(1), Digest::Mid, Distill::default()).await.unwrap();
    let received = heard(&listener).await;
    assert_eq!((&received["type"], &received["persona"]), (&json!("distill.mid"), &json!("maya-chen")));
    let text = received["text"].as_str().unwrap();
    assert!(text.contains("the mid digest was written") && !text.contains("Trier"), "{text}");
    let crons = json!([{ "id": "c1", "schedule": "hourly", "type": "message", "text": "Turn the dough." }]);
    let found = engine.store().read(&scope, DocumentName::Crons).await.unwrap().map(|document| document.hash);
    engine
        .store()
        .write(&scope, DocumentName::Crons, found, crons.to_string().as_str().into())
        .await
        .unwrap();
    engine.run_due_jobs(&|| call(1).now).await.unwrap();
    engine
        .run_due_jobs(&|| domain::Timestamp::from_millis(call(1).now.as_millis() + 3_600_000))
        .await
        .unwrap();
    assert_eq!(heard(&listener).await["text"], "Turn the dough.");

    // Whatever the channel does, the work is done.
    for broken in ["nonsense", r#"{"webhook": {"url": "https://127.0.0.1:9", "secret": "s"}}"#] {
        std::fs::write(&channels, broken).unwrap();
        std::fs::remove_file(test_home.at("home").join("marriott/persona/maya-chen/MEMORY_MID.md")).unwrap();
        let made = engine.distill(&call(2), Digest::Mid, Distill::default()).await.unwrap().distilled;
        let own = made.iter().find(|digest| digest.subject.as_str() == "owner").unwrap();
        assert_eq!(own.outcome, DistillOutcome::Written, "{made:?}");
    }
    close(engine).await;
}
