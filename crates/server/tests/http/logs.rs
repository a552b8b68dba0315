//! What the log says of a request, and what it never says.

use std::io::{self, Write};
use std::sync::{Arc, Mutex, OnceLock};

use serde_json::{Value, json};
use server::logs::{self, Format};
use tracing::level_filters::LevelFilter;

use crate::fixture::{Fixture, clock, event, memory};

/// Keeps all lines of all tests: what one of them says must not stand in another's log either.
#[derive(Clone, Default)]
pub(crate) struct Page(Arc<Mutex<Vec<u8>>>);

/// The log of this process.
pub(crate) fn page() -> &'static Page {
    static PAGE: OnceLock<Page> = OnceLock::new();
    PAGE.get_or_init(|| {
        let page = Page::default();
        let writer = page.clone();
        let lines = logs::lines(Format::Json, LevelFilter::TRACE, clock(), move || writer.clone());
        tracing::subscriber::set_global_default(lines).unwrap();
        page
    })
}

impl Write for Page {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Page {
    pub(crate) fn text(&self) -> String {
        String::from_utf8(self.0.lock().unwrap().clone()).unwrap()
    }
}

#[tokio::test]
async fn a_line_names_the_request_and_none_of_its_words() {
    let fixture = Fixture::new().await;
    let maya = fixture.maya().await;
    let canary = "zebrafinch";
    let memories = format!("/v1/personas/{maya}/memories");

    let mut traced = fixture.request("POST", &memories, Some(memory(canary)));
    traced.headers_mut().insert("x-request-id", "canary-7".parse().unwrap());
    let parent = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
    traced.headers_mut().insert("traceparent", parent.parse().unwrap());
    assert_eq!(fixture.send(traced).await.status.as_u16(), 201);
    for (method, path, body) in [
        ("GET", format!("{memories}?tag={canary}"), None),
        ("GET", format!("/personas/{canary}"), None),
        ("GET", format!("/{canary}"), None),
        ("POST", format!("/personas/{maya}/timeline"), Some(event(canary, "2026-01-01T00:00:00Z"))),
        ("POST", format!("/v1/personas/{maya}/recall"), Some(json!({ "cue": canary, "subject": canary }))),
        ("POST", memories.clone(), Some(json!({ "gist": canary, "kind": canary }))),
    ] {
        fixture.ask(method, &path, body).await;
    }

    let text = page().text();
    let lines: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let line = lines.iter().find(|line| line["request_id"] == "canary-7").unwrap();
    let said =
        ["timestamp", "trace", "method", "route", "status", "actor"].map(|name| line[name].to_string());
    assert_eq!(said[0], "\"2026-02-20T12:00:00.000Z\"");
    assert_eq!(said[1], "\"4bf92f3577b34da6a3ce929d0e0e4736\"");
    assert_eq!(said[2..5], ["\"POST\"", "\"/v1/personas/{p}/memories\"", "201"]);
    assert!(said[5].starts_with("\"key:"), "{line}");
    assert!(lines.iter().any(|line| line["code"] == "persona_not_found"), "{text}");
    for word in [canary, &fixture.key, "strong coffee", "First day"] {
        assert!(!text.contains(word), "{word} is in the log");
    }
}
