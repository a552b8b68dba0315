//! Messages as sent over the network, against a server that records every byte.
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "a test may stop where its expectation ends"
)]

use std::time::Duration;

use notify::{Channels, Message, NotDelivered, Retries, deliver};
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;
use vault::encoding::{base64_standard, hex};
use vault::shared_secret::SharedSecret;

/// Responds with each of `statuses` in turn, and returns every request it received.
async fn serving(statuses: Vec<&'static str>) -> (u16, tokio::task::JoinHandle<Vec<String>>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    let serving = tokio::spawn(async move {
        let mut requests = Vec::new();
        for status in statuses {
            let (mut stream, _) = listener.accept().await.unwrap();
            let mut request = Vec::new();
            let mut buffer = [0; 4096];
            loop {
                let read = stream.read(&mut buffer).await.unwrap();
                request.extend_from_slice(&buffer[..read]);
                let text = String::from_utf8_lossy(&request).into_owned();
                let length = header(&text, "content-length").and_then(|length| length.parse::<usize>().ok());
                if read == 0 || body(&text).is_some_and(|body| Some(body.len()) >= length) {
                    requests.push(text);
                    break;
                }
            }
            let answer = format!("HTTP/1.1 {status}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
            stream.write_all(answer.as_bytes()).await.unwrap();
        }
        requests
    });
    (port, serving)
}

fn header<'r>(request: &'r str, name: &str) -> Option<&'r str> {
    let mut lines = request.lines().take_while(|line| !line.is_empty());
    lines
        .find_map(|line| line.split_once(": ").filter(|(own, _)| own.eq_ignore_ascii_case(name)))
        .map(|it| it.1)
}

fn body(request: &str) -> Option<&str> {
    request.split_once("\r\n\r\n").map(|(_, body)| body)
}

fn message() -> Message {
    Message {
        id: "msg-1".to_owned(),
        at_seconds: 1_790_000_000,
        kind: "cron.message".to_owned(),
        persona: "inara".to_owned(),
        text: "Die Sauna öffnet um sieben. 🧖".to_owned(),
        nonce: [7; 32],
    }
}

const QUICK: Retries = Retries { tries: 3, pause: Duration::from_millis(1) };

fn channels(value: &Value) -> Channels {
    Channels::read(&value.to_string()).unwrap()
}

#[tokio::test]
async fn a_talk_room_gets_the_message_signed_over_its_random_and_its_text() {
    let (port, serving) = serving(vec!["201 Created"]).await;
    let url = format!("http://127.0.0.1:{port}");
    let channels = channels(&json!({
        "notification_room": "x7k2m9qp",
        "nextcloud_talk": { "url": url, "secret": "a shared secret", "allow_private": true },
    }));
    deliver(&channels.all[0], &message(), QUICK).await.unwrap();
    let request = serving.await.unwrap().pop().unwrap();
    assert!(
        request.starts_with("POST /ocs/v2.php/apps/spreed/api/v1/bot/x7k2m9qp/message HTTP/1.1\r\n"),
        "{request}"
    );
    assert_eq!(header(&request, "OCS-APIRequest"), Some("true"));
    assert_eq!(header(&request, "Content-Type"), Some("application/json"));
    let sent: Value = serde_json::from_str(body(&request).unwrap()).unwrap();
    assert_eq!(sent["message"], message().text.as_str());
    let random = header(&request, "X-Nextcloud-Talk-Bot-Random").unwrap();
    assert_eq!(random, "07".repeat(32));
    let expected = SharedSecret::new("a shared secret").sign(&[random.as_bytes(), message().text.as_bytes()]);
    assert_eq!(header(&request, "X-Nextcloud-Talk-Bot-Signature"), Some(hex(&expected).as_str()));
}

#[tokio::test]
async fn a_webhook_is_signed_over_id_time_and_body_and_tried_again_until_it_is_taken() {
    let statuses = vec!["503 Service Unavailable", "429 Too Many Requests", "204 No Content"];
    let (port, serving) = serving(statuses).await;
    let url = format!("http://127.0.0.1:{port}/hook?x=1");
    let channels = channels(&json!({ "webhook": { "url": url, "secret": "s", "allow_private": true } }));
    deliver(&channels.all[0], &message(), QUICK).await.unwrap();
    let requests = serving.await.unwrap();
    assert_eq!(requests.len(), 3);
    for request in &requests {
        assert!(request.starts_with("POST /hook?x=1 HTTP/1.1\r\n"), "{request}");
        let body = body(request).unwrap();
        let sent: Value = serde_json::from_str(body).unwrap();
        assert_eq!(sent, json!({ "type": "cron.message", "persona": "inara", "text": message().text }));
        let signed = format!("msg-1.1790000000.{body}");
        let signature = base64_standard(&SharedSecret::new("s").sign(&[signed.as_bytes()]));
        assert_eq!(header(request, "webhook-signature"), Some(format!("v1,{signature}").as_str()));
        assert_eq!(header(request, "webhook-id"), Some("msg-1"));
        assert_eq!(header(request, "webhook-timestamp"), Some("1790000000"));
    }
}

#[tokio::test]
async fn a_refusal_is_not_tried_again_and_a_redirect_is_not_followed() {
    for (status, expected) in [("401 Unauthorized", 401), ("302 Found\r\nLocation: http://127.0.0.1:1/", 302)]
    {
        let (port, serving) = serving(vec![status]).await;
        let url = format!("http://127.0.0.1:{port}");
        let channels = channels(&json!({ "webhook": { "url": url, "secret": "s", "allow_private": true } }));
        let refused = deliver(&channels.all[0], &message(), QUICK).await;
        assert_eq!(refused, Err(NotDelivered::Answered(expected)));
        assert_eq!(serving.await.unwrap().len(), 1);
    }
}

#[tokio::test]
async fn a_private_address_is_refused_after_it_was_resolved_unless_it_is_allowed() {
    for url in ["https://127.0.0.1:9", "https://localhost:9", "https://[::1]:9", "https://169.254.169.254"] {
        let channels = channels(&json!({ "webhook": { "url": url, "secret": "s" } }));
        assert_eq!(deliver(&channels.all[0], &message(), QUICK).await, Err(NotDelivered::Private), "{url}");
    }
    let closed = json!({ "webhook": { "url": "http://127.0.0.1:9", "secret": "s", "allow_private": true } });
    let refused = deliver(&channels(&closed).all[0], &message(), QUICK).await;
    assert_eq!(refused, Err(NotDelivered::Unanswered));
}
