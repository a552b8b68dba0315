//! OpenAI's responses API: whole and in events, continued by its name, off the record, and only by whoever it is for.

use axum::http::StatusCode;
use serde_json::{Value, json};

use crate::fixture::{Answer, Fixture, TENANT, now};
use crate::talk::fixture;

const PATH: &str = "/v1/responses";

async fn respond(fixture: &Fixture, body: Value, headers: &[(&'static str, &str)]) -> Answer {
    let mut request = fixture.request("POST", PATH, Some(body));
    for (name, value) in headers {
        request.headers_mut().insert(*name, value.parse().unwrap());
    }
    fixture.send(request).await
}

fn asking(input: &str) -> Value {
    json!({ "model": "maya-chen", "input": input })
}

fn with(mut body: Value, name: &str, value: impl Into<Value>) -> Value {
    body[name] = value.into();
    body
}

fn words(answer: &Answer) -> String {
    assert_eq!(answer.status, StatusCode::OK, "{}", answer.text);
    answer.json()["output"][0]["content"][0]["text"].as_str().unwrap().to_owned()
}

fn id(answer: &Answer) -> String {
    assert_eq!(answer.status, StatusCode::OK, "{}", answer.text);
    answer.json()["id"].as_str().unwrap().to_owned()
}

async fn turns(fixture: &Fixture, subject: &str) -> Vec<u64> {
    let path = format!("/personas/prompt/sessions?personaId=maya-chen&subject={subject}");
    let listed = fixture.ask("GET", &path, None).await.json();
    listed["sessions"].as_array().unwrap().iter().map(|session| session["turns"].as_u64().unwrap()).collect()
}

#[tokio::test]
async fn a_response_has_the_shape_clients_expect() {
    let (fixture, _) = fixture().await;
    let body = with(asking("Where is coffee served?"), "instructions", "Answer briefly.");
    let answer = respond(&fixture, body, &[("x-user-id", "ana")]).await;
    assert!(words(&answer).contains("strong coffee"), "{}", answer.text);
    let response = answer.json();
    assert!(response["id"].as_str().unwrap().starts_with("resp_"), "{response}");
    for (field, expected) in [
        ("object", json!("response")),
        ("status", json!("completed")),
        ("model", json!("maya-chen")),
        ("store", json!(true)),
        ("error", Value::Null),
        ("created_at", json!(now().as_millis() / 1000)),
        ("instructions", json!("Answer briefly.")),
    ] {
        assert_eq!(response[field], expected, "{field}");
    }
    let item = &response["output"][0];
    assert_eq!((&item["type"], &item["role"]), (&json!("message"), &json!("assistant")));
    assert_eq!(item["content"][0]["type"], "output_text");
    let part = |name: &str| response["usage"][name].as_u64().unwrap();
    assert_eq!(part("total_tokens"), part("input_tokens") + part("output_tokens"));
    let why = fixture.ask("GET", &format!("/v1/recalls/{}", answer.header("x-recall-id")), None).await;
    assert_eq!(why.status, StatusCode::OK, "{}", why.text);
}

#[tokio::test]
async fn a_response_in_events_begins_speaks_and_ends_complete() {
    let (fixture, _) = fixture().await;
    let body = with(asking("Where is coffee served?"), "stream", true);
    let answer = respond(&fixture, body, &[("x-user-id", "ana")]).await;
    assert_eq!(answer.header("content-type"), "text/event-stream", "{}", answer.text);
    let events: Vec<Value> = answer
        .text
        .split_terminator("\n\n")
        .map(|block| {
            let (name, data) = block.strip_prefix("event: ").unwrap().split_once("\ndata: ").unwrap();
            let data: Value = serde_json::from_str(data).unwrap();
            assert_eq!(data["type"], name);
            data
        })
        .collect();
    let numbers: Vec<u64> = events.iter().map(|event| event["sequence_number"].as_u64().unwrap()).collect();
    assert_eq!(numbers, (0..events.len() as u64).collect::<Vec<_>>());
    let mut names: Vec<&str> = events.iter().map(|event| event["type"].as_str().unwrap()).collect();
    names.dedup();
    assert_eq!(
        names,
        [
            "response.created",
            "response.in_progress",
            "response.output_item.added",
            "response.content_part.added",
            "response.output_text.delta",
            "response.output_text.done",
            "response.content_part.done",
            "response.output_item.done",
            "response.completed",
        ]
    );
    let spoken: String = events.iter().filter_map(|event| event["delta"].as_str()).collect();
    let complete = &events.last().unwrap()["response"];
    assert_eq!(complete["output"][0]["content"][0]["text"], json!(spoken));
    assert!(spoken.contains("strong coffee"), "{spoken}");
    assert_eq!((&complete["status"], &complete["id"]), (&json!("completed"), &events[0]["response"]["id"]));
}

#[tokio::test]
async fn a_named_answer_is_continued_and_an_earlier_one_is_edited() {
    let (fixture, _) = fixture().await;
    let ana = [("x-user-id", "ana")];
    let first = respond(&fixture, asking("Good morning."), &ana).await;
    let second = with(asking("Where is coffee served?"), "previous_response_id", id(&first));
    let second = respond(&fixture, second, &ana).await;
    assert!(words(&second).contains("strong coffee"));
    assert_eq!(second.header("x-session-id"), first.header("x-session-id"));
    assert_eq!(turns(&fixture, "ana").await, [4]);
    let third = with(asking("Thank you."), "previous_response_id", id(&second));
    assert_eq!(respond(&fixture, third, &ana).await.header("x-session-id"), first.header("x-session-id"));
    assert_eq!(turns(&fixture, "ana").await, [6]);

    let other = with(asking("Is there tea?"), "previous_response_id", id(&first));
    let other = respond(&fixture, other, &ana).await;
    assert_eq!(other.header("x-session-id"), first.header("x-session-id"));
    let gone = with(asking("And now?"), "previous_response_id", id(&second));
    assert_eq!(respond(&fixture, gone, &ana).await.status, StatusCode::NOT_FOUND, "an edit left it behind");
}

#[tokio::test]
async fn nobody_continues_another_persons_conversation() {
    let (fixture, _) = fixture().await;
    let named = respond(&fixture, asking("I am allergic to nuts."), &[("x-user-id", "ana")]).await;
    let unnamed = respond(&fixture, asking("Hello."), &[]).await;
    let forged = format!("{}x", id(&named));
    for (previous, headers, status) in [
        (id(&named), &[("x-user-id", "ben")][..], 404),
        (id(&named), &[], 404),
        (id(&unnamed), &[("x-user-id", "ben")], 404),
        (forged, &[("x-user-id", "ana")], 404),
        ("resp_nonsense".to_owned(), &[("x-user-id", "ana")], 404),
        (id(&unnamed), &[], 200),
        (id(&named), &[("x-user-id", "ana")], 200),
    ] {
        let body = with(asking("What did I say?"), "previous_response_id", previous.clone());
        let answer = respond(&fixture, body, headers).await;
        assert_eq!(answer.status.as_u16(), status, "{previous} by {headers:?}: {}", answer.text);
        if status == 404 {
            let error = &answer.json()["error"];
            assert_eq!(
                (&error["type"], &error["param"]),
                (&json!("not_found_error"), &json!("previous_response_id"))
            );
        }
    }
    let another = fixture.new_key("mallory", &["read", "write"]).await;
    let body = with(asking("What did I say?"), "previous_response_id", id(&named));
    let mut request = fixture.request("POST", PATH, Some(body));
    request.headers_mut().insert("x-api-key", another.parse().unwrap());
    assert_eq!(fixture.send(request).await.status, StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn what_is_not_stored_is_off_the_record() {
    let (fixture, _) = fixture().await;
    let ana = [("x-user-id", "ana")];
    let answer = respond(&fixture, with(asking("Where is coffee served?"), "store", false), &ana).await;
    assert!(words(&answer).contains("strong coffee"));
    assert_eq!((answer.header("x-recall-id"), &answer.json()["store"]), ("", &json!(false)));
    assert!(turns(&fixture, "ana").await.is_empty());
    let next = with(asking("And tea?"), "previous_response_id", id(&answer));
    assert_eq!(respond(&fixture, next, &ana).await.status, StatusCode::NOT_FOUND);

    let kept = respond(&fixture, asking("Good morning."), &ana).await;
    let aside = with(with(asking("My secret is safe."), "previous_response_id", id(&kept)), "store", false);
    assert_eq!(respond(&fixture, aside, &ana).await.status, StatusCode::OK);
    assert_eq!(turns(&fixture, "ana").await, [2], "nothing of it is recorded");
}

#[tokio::test]
async fn items_are_history_and_references_name_our_own_answers() {
    let (fixture, _) = fixture().await;
    let ana = [("x-user-id", "ana")];
    let first = respond(&fixture, asking("Good morning."), &ana).await;
    let reference = first.json()["output"][0]["id"].clone();
    let item = |role: &str, kind: &str, text: &str| json!({ "type": "message", "role": role, "content": [{ "type": kind, "text": text }] });
    let input = json!([
        item("developer", "input_text", "Answer briefly."),
        { "role": "user", "content": "Good morning." },
        { "type": "item_reference", "id": reference },
        { "type": "reasoning", "id": "rs_1", "summary": [] },
        item("user", "input_text", "Where is coffee served?"),
    ]);
    let body = json!({ "model": "maya-chen", "input": input });
    let answer = respond(&fixture, body.clone(), &ana).await;
    assert!(words(&answer).contains("strong coffee"));
    assert_eq!(answer.header("x-session-id"), first.header("x-session-id"), "the history agrees");
    assert_eq!(respond(&fixture, body, &[("x-user-id", "ben")]).await.status, StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn what_can_not_be_answered_is_refused_in_openais_shape() {
    let (fixture, _) = fixture().await;
    let call = json!([{ "type": "function_call_output", "call_id": "call_1", "output": "sunny" }]);
    let no_user = json!([{ "role": "assistant", "content": "Hello." }]);
    for (body, status, param) in [
        (with(asking("Hi"), "model", "nobody"), 404, Value::Null),
        (json!({ "model": "maya-chen" }), 422, json!("input")),
        (with(asking("Hi"), "input", no_user), 422, json!("input")),
        (with(asking("Hi"), "input", call), 422, json!("input")),
        (with(asking("Hi"), "tools", json!([{ "type": "web_search" }])), 422, json!("tools.0")),
    ] {
        let refused = respond(&fixture, body.clone(), &[]).await;
        assert_eq!(
            (refused.status.as_u16(), refused.header("content-type")),
            (status, "application/json"),
            "{body}"
        );
        let error = &refused.json()["error"];
        assert!(error["message"].is_string() && error["code"].is_string(), "{error}");
        if param != Value::Null {
            assert_eq!(error["param"], param, "{body}");
        }
    }
    let named = with(asking("Hi"), "model", format!("{TENANT}/maya-chen@3"));
    assert_eq!(respond(&fixture, named, &[]).await.status, StatusCode::OK);
}
