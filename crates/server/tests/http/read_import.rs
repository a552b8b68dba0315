//! A file of another program is read into lines, shown, imported in part, and taken back as one.

use axum::http::StatusCode;
use serde_json::{Value, json};
use vault::encoding::base64_standard;

use crate::fixture::{Fixture, TENANT};

fn chatgpt() -> Value {
    let turn = |id: &str, parent: &str, role: &str, text: &str| {
        json!({ "id": id, "parent": parent, "children": [], "message": {
            "id": id, "author": { "role": role }, "create_time": 1_735_732_800.0,
            "content": { "content_type": "text", "parts": [text] },
        } })
    };
    let mut mapping = json!({ "root": { "id": "root", "parent": null, "children": ["a"], "message": null } });
    mapping["a"] = turn("a", "root", "user", "Which tram goes to the harbour?");
    mapping["b"] = turn("b", "a", "assistant", "The number four.");
    mapping["root"]["children"] = json!(["a"]);
    mapping["a"]["children"] = json!(["b"]);
    json!([{ "title": "Trams", "id": "c1", "conversation_id": "c1", "create_time": 1_735_732_800.0,
        "update_time": 1_735_732_900.0, "current_node": "b", "mapping": mapping }])
}

#[tokio::test]
async fn a_dropped_file_is_read_without_being_stored_and_its_lines_are_imported_and_undone() {
    let fixture = Fixture::new().await;
    fixture.maya().await;
    let file = base64_standard(chatgpt().to_string().as_bytes());
    let asked = json!({ "name": "conversations.json", "file": file });
    let read = fixture.ask("POST", "/v1/personas/maya-chen/import/read", Some(asked)).await;
    assert_eq!(read.status, StatusCode::OK, "{}", read.text);
    let read = read.json();
    assert_eq!(
        (&read["formats"], read["lines"].as_array().unwrap().len()),
        (&json!(["chatgpt"]), 1),
        "{read}"
    );
    assert_eq!(read["lines"][0]["turns"][0]["text"], "Which tram goes to the harbour?");
    let found = fixture.ask("GET", "/v1/personas/maya-chen/imports", None).await.json();
    assert_eq!(found["imports"], json!([]), "reading stores nothing");

    let import = |dry: bool| json!({ "lines": read["lines"], "dryRun": dry, "subject": "guest:ilie" });
    let path = "/v1/personas/maya-chen/import";
    let preview = fixture.ask("POST", path, Some(import(true))).await.json();
    assert_eq!((&preview["conversations"], &preview["turns"]), (&json!(1), &json!(2)), "{preview}");
    let done = fixture.ask("POST", path, Some(import(false))).await.json();
    let undo = format!("{path}s/{}", done["importId"].as_str().unwrap());
    let undone = fixture.ask("DELETE", &undo, None).await.json();
    assert_eq!(undone["undone"]["turns"], 2, "{undone}");
}

#[tokio::test]
async fn what_is_no_known_file_is_refused_at_its_place() {
    let fixture = Fixture::new().await;
    fixture.maya().await;
    for (name, bytes) in [
        ("a.bin", b"\x00\x01\x02".as_slice()),
        ("card.json", br#"{"first_mes":"Hi","name":"A"}"#),
        ("a.zip", b"PK\x03\x04broken"),
    ] {
        let asked = json!({ "name": name, "file": base64_standard(bytes) });
        let refused = fixture.ask("POST", "/v1/personas/maya-chen/import/read", Some(asked)).await;
        assert_eq!(refused.problem()["errors"][0]["pointer"], "/file", "{name}: {}", refused.text);
    }
    let reader = Fixture { key: fixture.new_key(TENANT, &["read", "write"]).await, ..fixture };
    let asked = json!({ "name": "a.csv", "file": base64_standard(b"text\na\n") });
    let refused = reader.ask("POST", "/v1/personas/maya-chen/import/read", Some(asked)).await;
    assert_eq!(refused.status, StatusCode::FORBIDDEN);
}

#[tokio::test]
async fn what_cannot_be_read_says_in_which_file_where_and_the_way_out() {
    let fixture = Fixture::new().await;
    fixture.maya().await;
    let whole = chatgpt().to_string();
    for (name, text, place, way_out) in [
        (
            "conversations.json",
            &whole[..whole.len() - 1],
            "conversations.json: line 1, column",
            "export it again",
        ),
        (
            "memories.json",
            r#"{"results":[{"x":1},{"memory":"Likes tea."}]}"#,
            "memories.json: memory 1",
            "correct it",
        ),
    ] {
        let asked = json!({ "name": name, "file": base64_standard(text.as_bytes()) });
        let read = fixture.ask("POST", "/v1/personas/maya-chen/import/read", Some(asked)).await.json();
        let part = &read["unreadParts"][0];
        assert!(part["place"].as_str().unwrap().starts_with(place), "{read}");
        assert!(part["detail"].as_str().unwrap().contains(way_out), "{read}");
        assert_eq!(read["lines"].as_array().unwrap().len(), 1, "what can be read is read: {read}");
    }
}
