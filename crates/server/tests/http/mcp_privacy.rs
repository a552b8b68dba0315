//! How private an agent's words are is decided by the laws and not by the agent, and strangers stay strangers.

use axum::http::Method;
use serde_json::{Value, json};
use server::client::Ask;

use crate::fixture::{Fixture, TENANT};
use crate::mcp::{anas, call, legacy, modern};

fn code(result: &Value) -> &str {
    result["_meta"]["selfhood/code"].as_str().unwrap_or("none")
}

#[tokio::test]
async fn an_agent_that_calls_a_diagnosis_harmless_is_refused() {
    let (fixture, path) = anas().await;
    for arguments in [
        json!({ "gist": "Ana has diabetes.", "sensitive": false }),
        json!({ "gist": "Ana has diabetes.", "about": "world" }),
        json!({ "gist": "Ana needs a snack at four.", "details": ["she has diabetes"] }),
        json!({ "gist": "Ana hat Diabetes und nimmt Insulin." }),
        json!({ "gist": "Ana likes tea.", "sensitive": true }),
    ] {
        let refused = call(&fixture, &path, "add_memory", arguments.clone()).await;
        assert_eq!(code(&refused), "sensitive_forbidden", "{arguments} {refused}");
    }
    let added = call(&fixture, &path, "add_memory", json!({ "gist": "Ana likes tea." })).await;
    let id = &added["structuredContent"]["memory"]["id"];
    let refused =
        call(&fixture, &path, "update_memory", json!({ "id": id, "gist": "Ana has diabetes." })).await;
    assert_eq!(code(&refused), "sensitive_forbidden", "{refused}");
    let entity = json!([{ "name": "Ana", "entityType": "person", "observations": ["has diabetes"] }]);
    let refused =
        call(&fixture, &format!("{path}/reference"), "create_entities", json!({ "entities": entity })).await;
    assert_eq!(code(&refused), "sensitive_forbidden", "{refused}");
    let all = call(&fixture, &path, "list_memories", json!({ "limit": 100 })).await.to_string();
    assert!(all.contains("likes tea") && !all.contains("iabetes"), "{all}");
}

#[tokio::test]
async fn with_consent_a_sensitive_memory_is_kept_as_one() {
    let (mut fixture, path) = anas().await;
    let anas_key = fixture.key.clone();
    fixture.key = fixture.new_key(TENANT, &["read", "write", "admin"]).await;
    let policy = json!({ "safetyTier": 1, "complianceProfiles": ["healthcare"] });
    assert_eq!(fixture.ask("PATCH", "/personas/maya-chen", Some(policy)).await.status.as_u16(), 200);
    fixture.key = anas_key;
    let add = || call(&fixture, &path, "add_memory", json!({ "gist": "Ana has asthma." }));
    assert_eq!(code(&add().await), "consent_not_on_record");
    let consent = json!({ "classes": ["sensitive-pii"], "how": "said so" });
    let given = fixture.ask("POST", "/v1/personas/maya-chen/subjects/ana/consents", Some(consent)).await;
    assert_eq!(given.status.as_u16(), 201, "{}", given.text);
    let added = add().await;
    let id =
        added["structuredContent"]["memory"]["id"].as_str().unwrap_or_else(|| panic!("{added}")).to_owned();
    let shown = fixture.ask("GET", &format!("/v1/personas/maya-chen/memories/{id}"), None).await.json();
    assert_eq!(shown["memory"]["privacyClass"], "sensitive-pii", "{shown}");
}

#[tokio::test]
async fn what_tells_of_the_person_is_theirs_even_if_the_agent_says_it_is_about_nobody() {
    let (fixture, path) = anas().await;
    let added = call(
        &fixture,
        &path,
        "add_memory",
        json!({ "gist": "Ana lives in Rijeka with her cat.", "about": "world" }),
    )
    .await;
    assert!(added["content"][0]["text"].as_str().unwrap().contains("about the user"), "{added}");
    let id = added["structuredContent"]["memory"]["id"].as_str().unwrap().to_owned();
    let shown = fixture.ask("GET", &format!("/v1/personas/maya-chen/memories/{id}"), None).await.json();
    assert_eq!(
        (&shown["memory"]["privacyClass"], &shown["memory"]["subject"]),
        (&json!("guest-pii"), &json!("ana"))
    );
}

/// A key of `asked`, made at the machine.
async fn key(fixture: &Fixture, tenant: &str, asked: Value) -> String {
    let ask = Ask::new(Method::POST, "/v1/keys").with_body(&asked);
    let made: Value = fixture.local(tenant).send(ask).await.unwrap().read().unwrap();
    made["secret"].as_str().unwrap().to_owned()
}

#[tokio::test]
async fn two_strangers_and_another_tenant_learn_nothing_of_one_another() {
    let (mut fixture, path) = anas().await;
    call(&fixture, &path, "add_memory", json!({ "gist": "Ana keeps a parrot called Kolumbus." })).await;
    let anas_id = call(&fixture, &path, "list_memories", json!({})).await["structuredContent"]["memories"][0]
        ["id"]
        .clone();
    let reference = format!("{path}/reference");
    let graph =
        json!({ "entities": [{ "name": "Kolumbus", "entityType": "parrot", "observations": ["sings"] }] });
    call(&fixture, &reference, "create_entities", graph).await;

    fixture.key = key(&fixture, TENANT, json!({ "persona": "maya-chen", "subject": "ben" })).await;
    for (tool, arguments) in [
        ("recall", json!({ "cue": "What is the parrot called? Kolumbus?" })),
        ("search_memories", json!({ "query": "parrot Kolumbus" })),
        ("list_memories", json!({ "limit": 100 })),
        ("about_me", json!({})),
        ("get_memory", json!({ "id": anas_id })),
        ("update_memory", json!({ "id": anas_id, "gist": "Gone." })),
        ("forget_memory", json!({ "id": anas_id })),
    ] {
        let seen = call(&fixture, &path, tool, arguments).await.to_string();
        assert!(!seen.contains("parrot") && !seen.contains("Kolumbus"), "{tool}: {seen}");
    }
    let seen = call(&fixture, &reference, "read_graph", json!({})).await.to_string();
    assert!(!seen.contains("Kolumbus"), "{seen}");
    let uri = format!("selfhood://maya-chen/memories/{}", anas_id.as_str().unwrap());
    let read = legacy(&fixture, &path, "resources/read", json!({ "uri": uri })).await.text;
    assert!(read.contains("memory_not_found") && !read.contains("Kolumbus"), "{read}");
    let prompt = json!({ "name": "what_you_remember", "arguments": { "about": "the parrot Kolumbus" } });
    let prompt = legacy(&fixture, &path, "prompts/get", prompt).await.text;
    assert!(!prompt.contains("called Kolumbus"), "{prompt}");
    for profile in ["files", "admin"] {
        let listed =
            legacy(&fixture, &format!("{path}/{profile}"), "tools/call", json!({ "name": "list_files" }))
                .await;
        assert!(
            listed.text.contains("forbidden") || listed.text.contains("-32602"),
            "{profile}: {}",
            listed.text
        );
    }
    let other = json!({ "name": "list_memories", "arguments": {}, "_meta": { "selfhood/subject": "ana" } });
    let listed = legacy(&fixture, &path, "tools/call", other).await.text;
    assert!(!listed.contains("Kolumbus"), "a bound key speaks for nobody else: {listed}");

    fixture.key =
        key(&fixture, "another", json!({ "scopes": ["read", "write", "admin", "erase", "audit"] })).await;
    for path in [path.as_str(), "/mcp/maya-chen/reference", "/mcp/maya-chen/files", "/mcp/maya-chen/admin"] {
        let answer = legacy(&fixture, path, "initialize", json!({})).await;
        assert_eq!(answer.json()["error"]["data"]["code"], "persona_not_found", "{path} {}", answer.text);
    }
    let seen =
        modern(&fixture, &path, "tools/call", json!({ "name": "list_memories", "arguments": {} }), json!({}))
            .await;
    assert!(seen.text.contains("persona_not_found") && !seen.text.contains("Kolumbus"), "{}", seen.text);
    let people = call(&fixture, "/mcp/maya-chen/admin", "list_people", json!({})).await;
    assert_eq!(people["structuredContent"]["data"], json!([]), "{people}");
}
