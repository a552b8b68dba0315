//! The MCP door: both eras on one endpoint, the tools through the verbs' own laws, and refusals that say the way out.

use axum::body::Body;
use axum::http::{Method, Request};
use serde_json::{Value, json};
use server::client::Ask;

use crate::fixture::{ADDRESS, Answer, Fixture, TENANT};

pub(crate) const MODERN: &str = "2026-07-28";

/// Sends a message of the revision with a handshake.
pub(crate) async fn legacy(fixture: &Fixture, path: &str, method: &str, params: Value) -> Answer {
    let body = json!({ "jsonrpc": "2.0", "id": 7, "method": method, "params": params });
    fixture.ask("POST", path, Some(body)).await
}

/// Sends a message of the stateless revision, with the headers that must go along.
pub(crate) async fn modern(
    fixture: &Fixture,
    path: &str,
    method: &str,
    mut params: Value,
    capabilities: Value,
) -> Answer {
    params["_meta"] = json!({
        "io.modelcontextprotocol/protocolVersion": MODERN,
        "io.modelcontextprotocol/clientCapabilities": capabilities,
        "io.modelcontextprotocol/clientInfo": { "name": "modern-client", "version": "2" },
    });
    let name = params["name"].as_str().or(params["uri"].as_str()).unwrap_or_default().to_owned();
    let body = json!({ "jsonrpc": "2.0", "id": "a", "method": method, "params": params });
    let mut request = fixture.request("POST", path, Some(body));
    let headers = request.headers_mut();
    headers.insert("mcp-protocol-version", MODERN.parse().unwrap());
    headers.insert("mcp-method", method.parse().unwrap());
    headers.insert("mcp-name", name.parse().unwrap());
    fixture.send(request).await
}

pub(crate) async fn call(fixture: &Fixture, path: &str, tool: &str, arguments: Value) -> Value {
    let answer = legacy(fixture, path, "tools/call", json!({ "name": tool, "arguments": arguments })).await;
    assert_eq!(answer.status.as_u16(), 200, "{}", answer.text);
    answer.json()["result"].clone()
}

/// A fixture in which `key` speaks for Ana with Maya, and Maya's endpoint.
pub(crate) async fn anas() -> (Fixture, String) {
    let mut fixture = Fixture::new().await;
    let maya = fixture.maya().await;
    let ask = Ask::new(Method::POST, "/v1/keys").with_body(&json!({ "persona": maya, "subject": "ana" }));
    let made: Value = fixture.local(TENANT).send(ask).await.unwrap().read().unwrap();
    made["secret"].as_str().unwrap().clone_into(&mut fixture.key);
    (fixture, "/mcp/maya-chen".to_owned())
}

#[tokio::test]
async fn both_eras_are_answered_on_one_endpoint_and_neither_leaves_a_session() {
    let (fixture, path) = anas().await;
    for (asked, spoken) in [("2025-06-18", "2025-06-18"), ("1999-01-01", "2025-11-25")] {
        let params = json!({ "protocolVersion": asked, "capabilities": {}, "clientInfo": { "name": "t", "version": "1" } });
        let answer = legacy(&fixture, &path, "initialize", params).await;
        let result = &answer.json()["result"];
        assert_eq!(
            (&result["protocolVersion"], &result["serverInfo"]["name"]),
            (&json!(spoken), &json!("selfhood"))
        );
        assert!(result["instructions"].as_str().unwrap().contains("Maya Chen"), "{result}");
        assert!(answer.headers.get("mcp-session-id").is_none());
    }
    let initialized = json!({ "jsonrpc": "2.0", "method": "notifications/initialized" });
    let accepted = fixture.ask("POST", &path, Some(initialized)).await;
    assert_eq!((accepted.status.as_u16(), accepted.text.as_str()), (202, ""));
    let listed = legacy(&fixture, &path, "tools/list", json!({})).await.json();
    let discovered = modern(&fixture, &path, "server/discover", json!({}), json!({})).await.json();
    let result = &discovered["result"];
    assert_eq!(result["supportedVersions"][0], MODERN);
    assert_eq!(
        (&result["resultType"], &result["ttlMs"], &result["cacheScope"]),
        (&json!("complete"), &json!(0), &json!("private"))
    );
    let again = modern(&fixture, &path, "tools/list", json!({}), json!({})).await.json();
    assert_eq!(again["result"]["tools"], listed["result"]["tools"]);
    assert_eq!(again["result"]["cacheScope"], "public");
    let gone = modern(&fixture, &path, "initialize", json!({}), json!({})).await;
    assert_eq!((gone.status.as_u16(), &gone.json()["error"]["code"]), (404, &json!(-32601)));
    for method in ["GET", "DELETE"] {
        assert_eq!(fixture.ask(method, &path, None).await.status.as_u16(), 405, "{method}");
    }
}

#[tokio::test]
async fn a_memory_is_added_recalled_corrected_and_forgotten() {
    let (fixture, path) = anas().await;
    let added = call(&fixture, &path, "add_memory", json!({
        "gist": "Ana loves sailing in the harbour of Rijeka.", "details": ["her boat is called Mira"], "tags": ["hobby"],
    })).await;
    let id =
        added["structuredContent"]["memory"]["id"].as_str().unwrap_or_else(|| panic!("{added}")).to_owned();
    assert!(added["content"][0]["text"].as_str().unwrap().contains(&id));

    let recalled =
        call(&fixture, &path, "recall", json!({ "cue": "What do I do at weekends? I like boats." })).await;
    assert!(recalled["content"][0]["text"].as_str().unwrap().contains("sailing"), "{recalled}");
    let found = call(&fixture, &path, "search_memories", json!({ "query": "sailing" })).await;
    assert_eq!(found["structuredContent"]["memories"][0]["id"], id.as_str());
    let about = call(&fixture, &path, "about_me", json!({})).await;
    assert_eq!(
        (&about["structuredContent"]["subject"], &about["structuredContent"]["more"]),
        (&json!("ana"), &json!(false))
    );

    let updated =
        call(&fixture, &path, "update_memory", json!({ "id": id, "gist": "Ana loves rowing." })).await;
    let newer = updated["structuredContent"]["memory"]["id"].as_str().unwrap().to_owned();
    assert_ne!(newer, id);
    let shown = call(&fixture, &path, "get_memory", json!({ "id": newer })).await;
    assert_eq!(shown["structuredContent"]["memory"]["gist"], "Ana loves rowing.");
    let forgotten = call(&fixture, &path, "forget_memory", json!({ "id": newer })).await;
    assert_eq!(forgotten["structuredContent"], json!({ "id": newer, "forgotten": true }));
    let left = call(&fixture, &path, "list_memories", json!({})).await;
    assert_eq!(left["structuredContent"]["memories"], json!([]), "{left}");
}

#[tokio::test]
async fn a_refusal_is_a_tool_error_with_its_code_and_the_way_out() {
    let (fixture, path) = anas().await;
    for (tool, arguments, code) in [
        ("add_memory", json!({ "gist": "Ana has diabetes.", "sensitive": true }), "sensitive_forbidden"),
        ("add_memory", json!({ "gist": "" }), "validation_failed"),
        ("add_memory", json!({ "text": "x" }), "validation_failed"),
        ("get_memory", json!({ "id": "mem:000000000000" }), "memory_not_found"),
        ("recall", json!({}), "validation_failed"),
    ] {
        let refused = call(&fixture, &path, tool, arguments).await;
        assert_eq!(refused["isError"], true, "{tool} {refused}");
        assert_eq!(refused["_meta"]["selfhood/code"], code, "{tool} {refused}");
        assert!(refused["content"][0]["text"].as_str().unwrap().contains(code), "{refused}");
    }
    let unknown = legacy(&fixture, &path, "tools/call", json!({ "name": "dance" })).await.json();
    assert_eq!(unknown["error"]["code"], -32602);
    let unknown = legacy(&fixture, &path, "sing", json!({})).await;
    assert_eq!((unknown.status.as_u16(), &unknown.json()["error"]["code"]), (200, &json!(-32601)));
}

#[tokio::test]
async fn a_forwarded_key_names_its_speaker_in_the_message_and_the_audience_holds() {
    let mut fixture = Fixture::new().await;
    let maya = fixture.maya().await;
    fixture.key = fixture.new_key(TENANT, &["read", "write"]).await;
    let path = format!("/mcp/{maya}");
    let as_whom = |subject: &str, tool: &str, arguments: Value| {
        let params =
            json!({ "name": tool, "arguments": arguments, "_meta": { "selfhood/subject": subject } });
        legacy(&fixture, &path, "tools/call", params)
    };
    as_whom("ana", "add_memory", json!({ "gist": "Ana sails." })).await;
    as_whom("ben", "add_memory", json!({ "gist": "Ben rows." })).await;
    let anas = as_whom("ana", "list_memories", json!({})).await.text;
    assert!(anas.contains("Ana sails.") && !anas.contains("Ben rows."), "{anas}");
    let nobodys = call(&fixture, &path, "about_me", json!({})).await;
    assert_eq!(nobodys["_meta"]["selfhood/code"], "subject_required", "{nobodys}");
    let nobodys = call(&fixture, &path, "list_memories", json!({})).await;
    assert_eq!(nobodys["structuredContent"]["memories"], json!([]));
}

#[tokio::test]
async fn the_door_asks_for_a_key_a_scope_a_known_name_and_its_own_pages() {
    let (mut fixture, path) = anas().await;
    let message = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/list" }).to_string();
    let sent = |headers: &[(&'static str, &str)]| {
        let mut request =
            Request::builder().method("POST").uri(&path).header("content-type", "application/json");
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        request.body(Body::from(message.clone())).unwrap()
    };
    let bearer = format!("Bearer {}", fixture.key);
    let bearer = bearer.as_str();
    for (headers, status) in [
        (vec![("host", ADDRESS), ("authorization", bearer)], 200),
        (vec![("host", ADDRESS)], 401),
        (vec![("host", "evil.example"), ("authorization", bearer)], 421),
        (vec![("host", ADDRESS), ("authorization", bearer), ("origin", "http://evil.example")], 403),
        (vec![("host", ADDRESS), ("authorization", bearer), ("x-selfhood-subject", "ben")], 403),
    ] {
        assert_eq!(fixture.send(sent(&headers)).await.status.as_u16(), status, "{headers:?}");
    }
    fixture.key = fixture.new_key(TENANT, &["read"]).await;
    let refused = call(
        &fixture,
        &path,
        "add_memory",
        json!({ "gist": "The harbour office closes at five.", "about": "world" }),
    )
    .await;
    assert_eq!(refused["_meta"]["selfhood/code"], "forbidden", "{refused}");
    assert_eq!(
        legacy(&fixture, "/mcp/nobody", "initialize", json!({})).await.json()["error"]["data"]["code"],
        "persona_not_found"
    );
    assert_eq!(
        fixture
            .ask("POST", "/mcp/maya-chen/dance", Some(json!({ "jsonrpc": "2.0", "id": 1, "method": "ping" })))
            .await
            .status
            .as_u16(),
        404
    );
    let only = legacy(&fixture, "/mcp", "initialize", json!({})).await.json();
    assert!(only["result"]["instructions"].as_str().unwrap().contains("Maya"), "{only}");
    for body in ["[]", "{", "{\"jsonrpc\":\"2.0\",\"id\":1}"] {
        let mut request = fixture.request("POST", &path, None);
        *request.body_mut() = Body::from(body);
        let refused = fixture.send(request).await;
        assert_eq!(refused.status.as_u16(), 400, "{body}");
        assert!(refused.json()["error"]["code"].is_number(), "{}", refused.text);
    }
}

#[tokio::test]
async fn prompts_and_resources_are_given_and_kept_by_no_client() {
    let (mut fixture, path) = anas().await;
    call(&fixture, &path, "add_memory", json!({ "gist": "Ana loves sailing." })).await;
    let prompts = modern(&fixture, &path, "prompts/list", json!({}), json!({})).await.json();
    let names: Vec<&str> = prompts["result"]["prompts"]
        .as_array()
        .unwrap()
        .iter()
        .map(|prompt| prompt["name"].as_str().unwrap())
        .collect();
    assert_eq!(names, ["persona", "what_you_remember"]);
    let params = json!({ "name": "what_you_remember", "arguments": { "about": "sailing" } });
    let prompt = modern(&fixture, &path, "prompts/get", params, json!({})).await.json();
    assert!(
        prompt["result"]["messages"][0]["content"]["text"].as_str().unwrap().contains("Ana loves sailing.")
    );
    assert_eq!((&prompt["result"]["ttlMs"], &prompt["result"]["cacheScope"]), (&json!(0), &json!("private")));
    let persona =
        modern(&fixture, &path, "prompts/get", json!({ "name": "persona" }), json!({})).await.json();
    assert!(
        persona["result"]["messages"][0]["content"]["text"].as_str().unwrap().contains("Maya"),
        "{persona}"
    );
    let none = modern(&fixture, &path, "resources/list", json!({}), json!({})).await.json();
    assert_eq!(none["result"]["resources"], json!([]), "the files are the owner's");

    let ask = Ask::new(Method::POST, "/v1/keys").with_body(&json!({ "speaks": "owner" }));
    let made: Value = fixture.local(TENANT).send(ask).await.unwrap().read().unwrap();
    made["secret"].as_str().unwrap().clone_into(&mut fixture.key);
    let files = modern(&fixture, &path, "resources/list", json!({}), json!({})).await.json();
    let uri =
        files["result"]["resources"].as_array().unwrap().iter().find(|file| file["name"] == "IDENTITY.md");
    let uri = uri.unwrap()["uri"].as_str().unwrap().to_owned();
    let read = modern(&fixture, &path, "resources/read", json!({ "uri": uri }), json!({})).await.json();
    assert!(read["result"]["contents"][0]["text"].as_str().unwrap().contains("Maya"), "{read}");
    assert_eq!((&read["result"]["ttlMs"], &read["result"]["cacheScope"]), (&json!(0), &json!("private")));
    let missing = json!({ "uri": "selfhood://maya-chen/files/NOTHING.md" });
    let missing = modern(&fixture, &path, "resources/read", missing, json!({})).await.json();
    assert_eq!(
        (&missing["error"]["code"], missing["error"]["data"]["uri"].is_string()),
        (&json!(-32602), true)
    );
}

#[tokio::test]
async fn the_reference_servers_tools_keep_a_graph() {
    let (fixture, _) = anas().await;
    let path = "/mcp/maya-chen/reference";
    let long = "x".repeat(700);
    let entities = json!([
        { "name": "Ana", "entityType": "person", "observations": ["sails", "", long] },
        { "name": "Mira", "entityType": "boat", "observations": [] },
    ]);
    let made = call(&fixture, path, "create_entities", json!({ "entities": entities })).await;
    assert_eq!(made["structuredContent"]["entities"], entities, "{made}");
    let again = call(&fixture, path, "create_entities", json!({ "entities": [entities[0]] })).await;
    assert_eq!(again["content"][0]["text"], "[]");
    let relation = json!({ "from": "Ana", "to": "Nowhere", "relationType": "dreams of" });
    call(&fixture, path, "create_relations", json!({ "relations": [relation, relation] })).await;
    let added = call(&fixture, path, "add_observations", json!({
        "observations": [{ "entityName": "Mira", "contents": ["is red", "is red"] }, { "entityName": "Mira", "contents": ["is red"] }],
    })).await;
    assert_eq!(
        added["structuredContent"]["results"],
        json!([
            { "entityName": "Mira", "addedObservations": ["is red", "is red"] },
            { "entityName": "Mira", "addedObservations": [] },
        ])
    );
    let unknown = call(
        &fixture,
        path,
        "add_observations",
        json!({ "observations": [{ "entityName": "Zoe", "contents": [] }] }),
    )
    .await;
    assert_eq!(
        (&unknown["isError"], &unknown["content"][0]["text"]),
        (&json!(true), &json!("Entity with name Zoe not found"))
    );
    let graph = call(&fixture, path, "read_graph", json!({})).await;
    let expected = json!({
        "entities": [entities[0], { "name": "Mira", "entityType": "boat", "observations": ["is red", "is red"] }],
        "relations": [relation, relation],
    });
    assert_eq!(graph["structuredContent"], expected);
    assert_eq!(graph["content"][0]["text"], serde_json::to_string_pretty(&expected).unwrap());
    let found = call(&fixture, path, "search_nodes", json!({ "query": "SAILS" })).await;
    assert_eq!(
        found["structuredContent"],
        json!({ "entities": [entities[0]], "relations": [relation, relation] })
    );
    call(
        &fixture,
        path,
        "delete_observations",
        json!({ "deletions": [{ "entityName": "Ana", "observations": ["sails"] }] }),
    )
    .await;
    let gone = call(&fixture, path, "delete_entities", json!({ "entityNames": ["Mira", "Zoe"] })).await;
    assert_eq!(
        gone["structuredContent"],
        json!({ "success": true, "message": "Entities deleted successfully" })
    );
    let opened = call(&fixture, path, "open_nodes", json!({ "names": ["Ana", "Mira"] })).await;
    assert_eq!(
        opened["structuredContent"]["entities"],
        json!([{ "name": "Ana", "entityType": "person", "observations": ["", long] }])
    );
}
