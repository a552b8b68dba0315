//! Conversations, files and tools over HTTP: whose they are, and how they are changed.

use axum::http::Method;
use serde_json::{Value, json};
use server::client::Ask;

use crate::fixture::{Answer, Fixture, TENANT};

async fn key(fixture: &Fixture, speaks: &str) -> String {
    let body = json!({ "scopes": ["read", "write"], "speaks": speaks });
    let ask = Ask::new(Method::POST, "/v1/keys").with_body(&body);
    let answer: Value = fixture.local(TENANT).send(ask).await.unwrap().read().unwrap();
    answer["secret"].as_str().unwrap().to_owned()
}

/// A fixture whose key speaks for whoever is named, with a persona that Ana and Bob have talked with.
async fn fixture() -> Fixture {
    let mut fixture = Fixture::new().await;
    fixture.maya().await;
    fixture.key = key(&fixture, "forwarded").await;
    for (session, who, message) in
        [("s-ana", "ana", "My <b>boat</b> lies in the harbour."), ("s-bob", "bob", "My boat was sold.")]
    {
        let body =
            json!({ "persona": "maya-chen", "subject": who, "session_id": session, "message": message });
        let said = fixture.ask("POST", "/chat", Some(body)).await;
        assert!(said.status == 200 && said.text.contains("event: done"), "{}", said.text);
    }
    fixture
}

const SESSIONS: &str = "/v1/personas/maya-chen/sessions";

#[tokio::test]
async fn a_conversation_is_there_for_its_speaker_and_for_nobody_else() {
    let fixture = fixture().await;
    let own = fixture.ask("GET", &format!("{SESSIONS}?subject=ana"), None).await.json();
    assert_eq!(own["data"].as_array().unwrap().len(), 1);
    assert_eq!(own["data"][0]["title"], "My <b>boat</b> lies in the harbour.");
    assert_eq!(fixture.ask("GET", SESSIONS, None).await.json()["data"], json!([]), "nobody has none");
    let history = fixture.ask("GET", &format!("{SESSIONS}/s-ana?subject=ana"), None).await.json();
    let turn = history["turns"][0]["id"].as_str().unwrap().to_owned();
    let edit = json!({ "text": "x", "subject": "bob" });
    for (method, path, body) in [
        ("GET", format!("{SESSIONS}/s-ana?subject=bob"), None),
        ("GET", format!("{SESSIONS}/s-ana"), None),
        ("GET", format!("{SESSIONS}/none?subject=ana"), None),
        ("PATCH", format!("{SESSIONS}/s-ana"), Some(json!({ "title": "mine", "subject": "bob" }))),
        ("DELETE", format!("{SESSIONS}/s-ana?subject=bob"), None),
        ("PATCH", format!("{SESSIONS}/s-ana/turns/{turn}"), Some(edit)),
        ("DELETE", format!("{SESSIONS}/s-ana/turns/{turn}?subject=bob"), None),
    ] {
        let refused = fixture.ask(method, &path, body).await;
        assert_eq!(refused.problem()["code"], "session_not_found", "{method} {path}");
        assert!(!refused.text.contains("boat"));
    }
    let named = json!({ "title": "The boat", "subject": "ana" });
    let named = fixture.ask("PATCH", &format!("{SESSIONS}/s-ana"), Some(named)).await.json();
    assert_eq!(named["session"]["title"], "The boat");
    let edit = json!({ "text": "My kayak is here.", "subject": "ana" });
    let edited = fixture.ask("PATCH", &format!("{SESSIONS}/s-ana/turns/{turn}"), Some(edit)).await.json();
    let turn = edited["turn"]["id"].as_str().unwrap();
    let gone = fixture.ask("DELETE", &format!("{SESSIONS}/s-ana/turns/{turn}?subject=ana"), None).await;
    assert_eq!(gone.status, 204);
    let history = fixture.ask("GET", &format!("{SESSIONS}/s-ana?subject=ana"), None).await;
    assert!(!history.text.contains("harbour") && !history.text.contains("kayak"), "{}", history.text);
    let gone = fixture.ask("DELETE", &format!("{SESSIONS}/s-ana?subject=ana"), None).await;
    assert_eq!(gone.status, 204);
    let bobs = fixture.ask("GET", &format!("{SESSIONS}/s-bob?subject=bob"), None).await;
    assert!(bobs.text.contains("sold"));
}

#[tokio::test]
async fn a_search_marks_words_escapes_the_rest_and_finds_only_the_speakers_own() {
    let fixture = fixture().await;
    let search = async |query: &str| -> Answer {
        fixture.ask("GET", &format!("/sessions/search?persona=maya-chen&user={TENANT}&{query}"), None).await
    };
    let found = search("q=boats&subject=ana").await;
    let found_json = found.json();
    let results = found_json["days"][0]["results"].as_array().unwrap();
    assert_eq!(found_json["days"][0]["date"], "2026-02-20");
    let own = results.iter().find(|turn| turn["speaker"] == "subject").unwrap();
    assert_eq!(own["html"], "My &lt;b&gt;<mark>boat</mark>&lt;/b&gt; lies in the harbour.");
    assert!(!found.text.contains("sold"));
    assert_eq!(search("q=boats&subject=carl").await.json()["total"], 0);
    assert_eq!(search("q=boats").await.json()["total"], 0, "nobody hears nothing");
    for (wrong, status) in [("subject=ana", 400), ("q=&subject=ana", 400), ("q=x&limit=1000", 400)] {
        assert_eq!(search(wrong).await.status, status, "{wrong}");
    }
    let other = fixture.ask("GET", "/sessions/search?persona=maya-chen&user=mallory&q=boat", None).await;
    assert_eq!(other.status, 404);
}

#[tokio::test]
async fn files_are_the_owners_and_are_written_only_over_what_was_seen() {
    let mut fixture = fixture().await;
    for (method, path, body) in [
        ("GET", "/files?persona=maya-chen", None),
        ("GET", "/files/SOUL.md?persona=maya-chen", None),
        ("PUT", "/files/SOUL.md?persona=maya-chen", Some(json!({ "content": "x" }))),
    ] {
        assert_eq!(fixture.ask(method, path, body).await.problem()["code"], "forbidden", "{method} {path}");
    }
    fixture.key = key(&fixture, "owner").await;
    let list = fixture.ask("GET", "/files?persona=maya-chen", None).await.json();
    let names: Vec<&str> =
        list["files"].as_array().unwrap().iter().map(|f| f["name"].as_str().unwrap()).collect();
    assert!(names.contains(&"persona.json") && names.contains(&"SOUL.md"), "{names:?}");
    let path = "/files/SOUL.md?persona=maya-chen";
    let read = fixture.ask("GET", path, None).await;
    let tag = read.header("etag").to_owned();
    assert_eq!(read.json()["file"]["etag"], tag);
    let mut known = fixture.request("GET", path, None);
    known.headers_mut().insert("if-none-match", tag.parse().unwrap());
    assert_eq!(fixture.send(known).await.status, 304);
    let body = || Some(json!({ "content": "I am patient.\n" }));
    assert_eq!(fixture.ask("PUT", path, body()).await.status, 428);
    let write = async |tag: &str| {
        let mut request = fixture.request("PUT", path, body());
        request.headers_mut().insert("if-match", tag.parse().unwrap());
        fixture.send(request).await
    };
    let written = write(&tag).await;
    assert_eq!(written.status, 200, "{}", written.text);
    assert_ne!(written.header("etag"), tag);
    assert_eq!(write(&tag).await.problem()["code"], "precondition_failed");
    let on_disk = std::fs::read_to_string(fixture.folder.path().join("home/scott/persona/maya-chen/SOUL.md"));
    assert_eq!(on_disk.unwrap(), "I am patient.\n");
    for name in ["..%2F..%2Fdeployment.db", "memory.db", "sessions/..%2FSOUL.md"] {
        let refused = fixture.ask("GET", &format!("/files/{name}?persona=maya-chen"), None).await;
        assert_eq!(refused.status, 404, "{name}");
    }
}

#[tokio::test]
async fn tools_work_for_whoever_is_named() {
    let fixture = fixture().await;
    let tools = "/v1/personas/maya-chen/tools";
    let list = fixture.ask("GET", tools, None).await.json();
    assert!(list["tools"].as_array().unwrap().iter().any(|tool| tool["name"] == "add_reminder"));
    let add = json!({ "subject": "ana", "arguments": { "text": "water the plants" } });
    let added = fixture.ask("POST", &format!("{tools}/add_reminder"), Some(add)).await;
    assert_eq!(added.json()["result"], "noted: water the plants");
    for (who, expected) in [("ana", "- water the plants"), ("bob", "there are no open reminders")] {
        let asked =
            fixture.ask("POST", &format!("{tools}/list_reminders"), Some(json!({ "subject": who }))).await;
        assert_eq!(asked.json()["result"], expected);
    }
    let nobody = fixture.ask("POST", &format!("{tools}/list_reminders"), Some(json!({}))).await;
    assert_eq!(nobody.problem()["code"], "subject_required");
    let wrong = fixture.ask("POST", &format!("{tools}/dance"), Some(json!({ "subject": "ana" }))).await;
    assert_eq!(wrong.status, 404);
}

#[tokio::test]
async fn a_key_that_forwards_identities_never_speaks_for_the_owner() {
    let mut fixture = fixture().await;
    let forwarding = fixture.key.clone();
    fixture.key = key(&fixture, "owner").await;
    let body = json!({ "persona": "maya-chen", "session_id": "s-own", "message": "My word is heronblue." });
    assert!(fixture.ask("POST", "/chat", Some(body)).await.text.contains("event: done"));
    let tools = "/v1/personas/maya-chen/tools";
    let note = json!({ "arguments": { "text": "heronblue" } });
    assert_eq!(fixture.ask("POST", &format!("{tools}/append_scratch"), Some(note)).await.status, 200);
    fixture.key = forwarding;
    let named = || Some(json!({ "subject": "owner" }));
    let preview = json!({ "subject": "owner", "message": "my word", "tier": 4, "sessionId": "s-own" });
    for (method, path, body) in [
        ("GET", format!("{SESSIONS}?subject=owner"), None),
        ("GET", format!("{SESSIONS}/s-own?subject=owner"), None),
        ("GET", "/sessions/search?persona=maya-chen&q=heronblue&subject=owner".to_owned(), None),
        ("POST", format!("{tools}/read_scratch"), named()),
        ("POST", "/v1/personas/maya-chen/context".to_owned(), Some(preview)),
    ] {
        let answer = fixture.ask(method, &path, body).await;
        assert!(
            !answer.text.contains("heronblue\\n") && !answer.text.contains("word is"),
            "{path}: {}",
            answer.text
        );
    }
}
