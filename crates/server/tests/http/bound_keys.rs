//! Keys that are bound to a persona and a person: whatever a request names, they open that persona and speak for that
//! person only.

use axum::http::Method;
use serde_json::{Value, json};
use server::client::Ask;

use crate::fixture::{Fixture, TENANT};

/// Makes a key at the machine, and gives the answer.
async fn new_key(fixture: &Fixture, asked: Value) -> Value {
    let ask = Ask::new(Method::POST, "/v1/keys").with_body(&asked);
    let reply = fixture.local(TENANT).send(ask).await.unwrap();
    serde_json::from_slice(&reply.body).unwrap()
}

async fn with_key(fixture: &mut Fixture, asked: Value) {
    let made = new_key(fixture, asked).await;
    made["secret"].as_str().unwrap_or_else(|| panic!("{made}")).clone_into(&mut fixture.key);
}

fn guests_memory(gist: &str, subject: Option<&str>) -> Value {
    let mut memory = json!({
        "kind": "semantic", "gist": gist, "salience": 0.8, "privacyClass": "guest-pii",
        "consentBasis": "service-delivery",
    });
    if let Some(subject) = subject {
        memory["subject"] = json!(subject);
    }
    memory
}

#[tokio::test]
async fn a_bound_key_speaks_for_its_person_and_nobody_else() {
    let mut fixture = Fixture::new().await;
    let maya = fixture.maya().await;
    let memories = format!("/v1/personas/{maya}/memories");
    fixture.ask("POST", &memories, Some(guests_memory("Ben rows.", Some("ben")))).await;
    with_key(&mut fixture, json!({ "persona": maya, "subject": "ana", "label": "Ana's laptop" })).await;

    let made = fixture.ask("POST", &memories, Some(guests_memory("Ana sails.", None))).await;
    assert_eq!(made.json()["memory"]["subject"], "ana", "{}", made.text);
    let listed = fixture.ask("GET", &memories, None).await;
    assert!(listed.text.contains("Ana sails.") && !listed.text.contains("Ben rows."), "{}", listed.text);

    let as_ben = fixture.ask("POST", &memories, Some(guests_memory("Ben swims.", Some("ben")))).await;
    assert_eq!((as_ben.status.as_u16(), &as_ben.problem()["code"]), (403, &json!("forbidden")));
    let mut request = fixture.request("GET", &memories, None);
    request.headers_mut().insert("x-user-id", "ben".parse().unwrap());
    let as_ben = fixture.send(request).await;
    assert_eq!((as_ben.status.as_u16(), &as_ben.problem()["code"]), (403, &json!("forbidden")));
}

/// Makes the body of a request that names a person.
type Naming = fn(&str) -> Value;

/// A message to Maya whose `field` names the speaker.
fn said_to_maya(field: &str, name: &str) -> Value {
    json!({ "model": "maya-chen", "messages": [{ "role": "user", "content": "Hello." }], field: name })
}

#[tokio::test]
async fn a_bound_key_that_names_another_person_is_refused_wherever_the_name_is_sent() {
    let mut fixture = Fixture::new().await;
    let maya = fixture.maya().await;
    with_key(&mut fixture, json!({ "persona": maya, "subject": "ana" })).await;
    let doors: [(&str, Naming); 5] = [
        ("/mcp/maya-chen", |name| {
            let meta = json!({ "selfhood/subject": name });
            let params = json!({ "name": "list_memories", "arguments": {}, "_meta": meta });
            json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params })
        }),
        ("/v1/chat/completions", |name| said_to_maya("user", name)),
        ("/v1/chat/completions", |name| said_to_maya("safety_identifier", name)),
        ("/v1/responses", |name| json!({ "model": "maya-chen", "input": "Hello.", "user": name })),
        ("/chat", |name| json!({ "persona": "maya-chen", "message": "Hello.", "subject": name })),
    ];
    for (path, body) in doors {
        for (name, status) in [("ben", 403), ("ana", 200)] {
            let answer = fixture.ask("POST", path, Some(body(name))).await;
            assert_eq!(answer.status.as_u16(), status, "{path} {name}: {}", answer.text);
        }
    }
}

#[tokio::test]
async fn a_bound_key_opens_one_persona_and_makes_no_other() {
    let mut fixture = Fixture::new().await;
    let maya = fixture.maya().await;
    let seed = json!({
        "firstName": "Noa", "lastName": "Levi", "age": 40, "location": "Haifa", "baseOccupation": "cook"
    });
    let other =
        fixture.ask("POST", "/personas", Some(json!({ "tenantId": TENANT, "seed": seed.clone() }))).await;
    let other = other.json()["persona"]["id"].as_str().unwrap().to_owned();
    with_key(&mut fixture, json!({ "persona": maya })).await;

    assert_eq!(fixture.ask("GET", &format!("/personas/{maya}"), None).await.status.as_u16(), 200);
    assert_eq!(fixture.ask("GET", &format!("/personas/{other}"), None).await.status.as_u16(), 404);
    let listed = fixture.ask("GET", "/personas", None).await.json();
    assert_eq!(listed["personas"].as_array().unwrap().len(), 1);
    let models = fixture.ask("GET", "/v1/models", None).await.json();
    assert!(!models.to_string().contains("noa"), "{models}");
    let made = fixture.ask("POST", "/personas", Some(json!({ "tenantId": TENANT, "seed": seed }))).await;
    assert_eq!(made.status.as_u16(), 403, "{}", made.text);
}

#[tokio::test]
async fn a_bound_key_may_do_nothing_that_reaches_beyond_its_bounds() {
    let fixture = Fixture::new().await;
    let maya = fixture.maya().await;
    for (asked, pointer) in [
        (json!({ "persona": maya, "scopes": ["read", "admin"] }), "/scopes"),
        (json!({ "subject": "ana", "scopes": ["read", "staff"] }), "/scopes"),
        (json!({ "subject": "ana", "speaks": "owner" }), "/subject"),
        (json!({ "label": "  " }), "/label"),
    ] {
        let refused = new_key(&fixture, asked.clone()).await;
        assert_eq!(refused["errors"][0]["pointer"], pointer, "{asked} {refused}");
    }
    let unknown = new_key(&fixture, json!({ "persona": "nobody" })).await;
    assert_eq!(unknown["code"], "persona_not_found");
    let owners = new_key(&fixture, json!({ "subject": "owner" })).await;
    assert_eq!((&owners["key"]["speaks"], owners["key"].get("subject")), (&json!("owner"), None));
}

#[tokio::test]
async fn a_list_shows_what_keys_are_bound_to_and_the_register_of_keys_never_holds_the_name() {
    let mut fixture = Fixture::new().await;
    let maya = fixture.maya().await;
    let bound = json!({ "persona": maya, "subject": "anastasia-of-york", "label": "the old laptop" });
    let id = new_key(&fixture, bound).await["key"]["id"].as_str().unwrap().to_owned();
    let listed = fixture.ask("GET", "/v1/keys", None).await.json();
    let key = listed["keys"].as_array().unwrap().iter().find(|key| key["id"] == id.as_str()).unwrap().clone();
    assert_eq!(
        (&key["persona"], &key["subject"], &key["label"]),
        (&json!("maya-chen"), &json!("anastasia-of-york"), &json!("the old laptop"))
    );
    fixture.key.clear();
    let database = fixture.folder.path().join("home");
    for file in walk(&database) {
        let bytes = std::fs::read(&file).unwrap();
        for needle in [b"anastasia".as_slice(), b"old laptop"] {
            let is_found = bytes.windows(needle.len()).any(|window| window == needle);
            assert!(!is_found, "{} holds the name in clear", file.display());
        }
    }
}

#[tokio::test]
async fn a_key_whose_person_was_forgotten_opens_nothing() {
    let mut fixture = Fixture::new().await;
    let maya = fixture.maya().await;
    let memories = format!("/v1/personas/{maya}/memories");
    let admin = fixture.key.clone();
    with_key(&mut fixture, json!({ "subject": "ana" })).await;
    let anas = std::mem::replace(&mut fixture.key, admin);
    fixture.ask("POST", &memories, Some(guests_memory("Ana sails.", Some("ana")))).await;

    let once = |path: &str, body: Value| Ask::new(Method::POST, path).with_body(&body).once(path);
    let local = fixture.local(TENANT);
    let received = once("/v1/erasures", json!({ "subject": "ana", "reason": "right-to-be-forgotten" }));
    let received: Value = local.send(received).await.unwrap().read().unwrap();
    let id = received["erasure"]["id"].as_str().unwrap().to_owned();
    for (step, body) in [("sign", json!({ "take": "all" })), ("execute", json!({}))] {
        let done = local.send(once(&format!("/v1/erasures/{id}/{step}"), body)).await.unwrap();
        assert!(done.status.is_success(), "{step}: {}", String::from_utf8_lossy(&done.body));
    }
    fixture.key = anas;
    let refused = fixture.ask("GET", &memories, None).await;
    assert_eq!((refused.status.as_u16(), &refused.problem()["code"]), (401, &json!("unauthorized")));
}

fn walk(folder: &std::path::Path) -> Vec<std::path::PathBuf> {
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() { files.extend(walk(&path)) } else { files.push(path) }
    }
    files
}
