//! Traces and metrics for a collector elsewhere: what is sent, and what never is.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpListener;
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::Stage;

/// A collector on this machine: every message, with the path it came to.
fn collector() -> (String, Receiver<(String, Value)>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    let (sender, messages) = channel();
    thread::spawn(move || {
        for mut stream in listener.incoming().map_while(Result::ok) {
            let mut reader = BufReader::new(&stream);
            let (mut line, mut length) = (String::new(), 0);
            reader.read_line(&mut line).unwrap();
            let path = line.split(' ').nth(1).unwrap_or_default().to_owned();
            loop {
                let mut head = String::new();
                if reader.read_line(&mut head).unwrap() == 0 || head == "\r\n" {
                    break;
                }
                if let Some(written) = head.to_ascii_lowercase().strip_prefix("content-length:") {
                    length = written.trim().parse().unwrap();
                }
            }
            let mut body = vec![0; length];
            reader.read_exact(&mut body).unwrap();
            let _ = sender.send((path, serde_json::from_slice(&body).unwrap_or_default()));
            let _ = stream.write_all(b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\nconnection: close\r\n\r\n{}");
        }
    });
    (url, messages)
}

#[test]
fn a_collector_gets_spans_and_counters_without_a_name_or_a_word() {
    let stage = Stage::with_inara();
    let key = stage.run(&["key", "new", "--speaks", "owner", "--scope", "read,write", "-o", "quiet"]).stdout;
    let (url, messages) = collector();
    let settings = [("SELFHOOD_TELEMETRY_OTLP_URL", url.as_str()), ("SELFHOOD_TELEMETRY_EVERY_SECONDS", "1")];
    let server = stage.serve_in(&settings, &[]);
    let recalled = server.post("/v1/personas/inara/recall", key.trim(), r#"{"cue":"the harbour office"}"#);
    assert_eq!(recalled.0, 200, "{}", recalled.1);

    let (mut all, mut span, mut counters) = (String::new(), None, None);
    let begun = Instant::now();
    while span.is_none() || counters.is_none() {
        assert!(begun.elapsed() < Duration::from_mins(1), "{all}");
        let Ok((path, message)) = messages.recv_timeout(Duration::from_mins(1)) else { continue };
        all.push_str(&message.to_string());
        match path.as_str() {
            "/v1/traces" => {
                let spans = message["resourceSpans"][0]["scopeSpans"][0]["spans"].as_array().unwrap().clone();
                span = span
                    .or(spans.into_iter().find(|span| span["name"].as_str().unwrap().ends_with("/recall")));
            }
            "/v1/metrics" => {
                counters = Some(message["resourceMetrics"][0]["scopeMetrics"][0]["metrics"].clone());
            }
            other => panic!("sent to {other}"),
        }
    }
    let span = span.unwrap();
    assert_eq!((span["traceId"].as_str().unwrap().len(), span["spanId"].as_str().unwrap().len()), (32, 16));
    assert!(!span["name"].as_str().unwrap().contains("inara"), "{span}");
    let names: Vec<&str> =
        counters.as_ref().unwrap().as_array().unwrap().iter().filter_map(|m| m["name"].as_str()).collect();
    assert!(
        names.contains(&"selfhood_http_requests_total") && names.contains(&"selfhood_key_mirrors"),
        "{names:?}"
    );
    for word in ["inara", "harbour", key.trim()] {
        assert!(!all.contains(word), "{word} was sent");
    }
    assert_eq!(server.end().0, 0);
}

#[test]
fn nothing_is_sent_unless_a_collector_was_named_by_our_own_setting() {
    let stage = Stage::with_inara();
    let (url, messages) = collector();
    let server = stage.serve_in(&[("OTEL_EXPORTER_OTLP_ENDPOINT", &url)], &[]);
    assert_eq!(server.get("/livez", "").0, 200);
    assert_eq!(server.end().0, 0);
    assert!(messages.recv_timeout(Duration::from_millis(200)).is_err());
}

/// The `service.instance.id` of a server that is started and ended.
fn instance_of(stage: &Stage) -> String {
    let (url, messages) = collector();
    // What came last is sent when the server ends.
    assert_eq!(stage.serve_in(&[("SELFHOOD_TELEMETRY_OTLP_URL", &url)], &[]).end().0, 0);
    let (_, message) = messages.recv_timeout(Duration::from_mins(1)).unwrap();
    let kinds = ["resourceSpans", "resourceMetrics"].map(|kind| &message[kind][0]["resource"]["attributes"]);
    let attributes = kinds.iter().find_map(|attributes| attributes.as_array()).unwrap();
    let id = attributes.iter().find(|attribute| attribute["key"] == "service.instance.id").unwrap();
    id["value"]["stringValue"].as_str().unwrap().to_owned()
}

#[test]
fn every_process_has_an_id_of_its_own_and_not_its_address() {
    let stage = Stage::new();
    let (first, second) = (instance_of(&stage), instance_of(&stage));
    assert_ne!(first, second);
    for id in [first, second] {
        assert!(id.len() == 36 && !id.contains(':'), "{id}");
    }
}
