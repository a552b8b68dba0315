//! What OpenAI's clients check: models, completions whole and in pieces, embeddings, errors, and who speaks.

use axum::http::StatusCode;
use serde_json::{Value, json};
use server::Config;
use vault::encoding::from_base64_standard;
use vault::shared_secret::SharedSecret;

use crate::fixture::{Answer, Fixture, now};
use crate::talk::fixture;

const PATH: &str = "/v1/chat/completions";

fn asking(model: &str) -> Value {
    json!({ "model": model, "messages": [{ "role": "user", "content": "Where is coffee served?" }] })
}

async fn complete(fixture: &Fixture, body: Value, headers: &[(&'static str, &str)]) -> Answer {
    let mut request = fixture.request("POST", PATH, Some(body));
    for (name, value) in headers {
        request.headers_mut().insert(*name, value.parse().unwrap());
    }
    fixture.send(request).await
}

fn words(answer: &Answer) -> String {
    assert_eq!(answer.status, StatusCode::OK, "{}", answer.text);
    answer.json()["choices"][0]["message"]["content"].as_str().unwrap().to_owned()
}

/// The chunks of a stream, without its closing line.
fn chunks(answer: &Answer) -> Vec<Value> {
    assert_eq!(answer.header("content-type"), "text/event-stream", "{}", answer.text);
    let text = answer.text.strip_suffix("data: [DONE]\n\n").unwrap();
    let data = text.split_terminator("\n\n").map(|block| block.strip_prefix("data: ").unwrap());
    data.map(|data| serde_json::from_str(data).unwrap()).collect()
}

#[tokio::test]
async fn a_completion_has_the_shape_clients_expect() {
    let (fixture, _) = fixture().await;
    let answer = complete(&fixture, asking("maya-chen"), &[("x-user-id", "ana")]).await;
    assert!(words(&answer).contains("strong coffee"), "{}", answer.text);
    let completion = answer.json();
    assert!(completion["id"].as_str().unwrap().starts_with("chatcmpl-"), "{completion}");
    assert_eq!(
        (&completion["object"], &completion["model"]),
        (&json!("chat.completion"), &json!("maya-chen"))
    );
    assert_eq!(completion["created"], now().as_millis() / 1000);
    let choice = &completion["choices"][0];
    assert_eq!((&choice["index"], &choice["finish_reason"]), (&json!(0), &json!("stop")));
    assert_eq!(choice["message"]["role"], "assistant");
    let usage = &completion["usage"];
    let part = |name: &str| usage[name].as_u64().unwrap();
    assert_eq!(part("total_tokens"), part("prompt_tokens") + part("completion_tokens"));
    let why = fixture.ask("GET", &format!("/v1/recalls/{}", answer.header("x-recall-id")), None).await;
    assert_eq!(why.status, StatusCode::OK, "{}", why.text);
}

#[tokio::test]
async fn a_completion_in_pieces_has_the_chunks_clients_expect() {
    let (fixture, _) = fixture().await;
    let mut body = asking("maya-chen");
    body["stream"] = json!(true);
    body["stream_options"] = json!({ "include_usage": true });
    let answer = complete(&fixture, body.clone(), &[]).await;
    let sent = chunks(&answer);
    assert_eq!(sent[0]["choices"][0]["delta"], json!({ "role": "assistant", "content": "" }));
    let (usage, pieces) = sent.split_last().unwrap();
    let (last, spoken) = pieces.split_last().unwrap();
    for chunk in &sent {
        for name in ["id", "created", "model"] {
            assert_eq!(chunk[name], sent[0][name]);
        }
        assert_eq!(chunk["object"], "chat.completion.chunk");
    }
    for chunk in spoken {
        assert_eq!((&chunk["choices"][0]["finish_reason"], &chunk["usage"]), (&Value::Null, &Value::Null));
    }
    assert_eq!(
        (&last["choices"][0]["finish_reason"], &last["choices"][0]["delta"]),
        (&json!("stop"), &json!({}))
    );
    assert_eq!(usage["choices"], json!([]));
    assert!(usage["usage"]["total_tokens"].as_u64().unwrap() > 0, "{usage}");
    let text: String =
        spoken.iter().map(|chunk| chunk["choices"][0]["delta"]["content"].as_str().unwrap()).collect();
    assert!(text.contains("strong coffee"), "{text}");
    assert!(!answer.header("x-recall-id").is_empty());

    body.as_object_mut().unwrap().remove("stream_options");
    let unasked = chunks(&complete(&fixture, body, &[]).await);
    assert!(unasked.iter().all(|chunk| chunk.get("usage").is_none() && chunk["choices"] != json!([])));
}

#[tokio::test]
async fn what_clients_send_besides_is_understood_or_ignored() {
    let (fixture, _) = fixture().await;
    let body = json!({
        "model": "maya-chen",
        "messages": [
            { "role": "developer", "content": "Answer briefly." },
            { "role": "user", "content": "Good morning." },
            { "role": "assistant", "content": "Good morning.", "refusal": null },
            { "role": "user", "content": [
                { "type": "text", "text": "Where is coffee" },
                { "type": "image_url", "image_url": { "url": "data:image/png;base64,AAAA" } },
                { "type": "text", "text": "served?" },
            ] },
        ],
        "logit_bias": {}, "n": 1, "seed": 7, "response_format": { "type": "text" }, "service_tier": "auto",
        "reasoning_effort": "low", "frequency_penalty": 0.5, "made_up": { "deep": [1] },
    });
    assert!(words(&complete(&fixture, body, &[("x-user-id", "ana")]).await).contains("strong coffee"));
    let sessions =
        fixture.ask("GET", "/personas/prompt/sessions?personaId=maya-chen&subject=ana", None).await.json();
    assert_eq!(sessions["sessions"][0]["turns"], 2, "only the last turn is recorded: {sessions}");
}

#[tokio::test]
async fn errors_have_openais_shape() {
    let (fixture, _) = fixture().await;
    for (body, status, kind, code) in [
        (asking("nobody"), 404, "not_found_error", "persona_not_found"),
        (asking("mallory/maya-chen"), 404, "not_found_error", "persona_not_found"),
        (json!({ "model": "maya-chen" }), 422, "invalid_request_error", "validation_failed"),
        (json!({ "model": "maya-chen", "messages": [] }), 422, "invalid_request_error", "validation_failed"),
        (
            json!({ "model": "maya-chen", "messages": [{ "role": "assistant", "content": "Hello." }] }),
            422,
            "invalid_request_error",
            "validation_failed",
        ),
    ] {
        let refused = complete(&fixture, body.clone(), &[]).await;
        assert_eq!(
            (refused.status.as_u16(), refused.header("content-type")),
            (status, "application/json"),
            "{body}"
        );
        let error = &refused.json()["error"];
        assert_eq!((&error["type"], &error["code"]), (&json!(kind), &json!(code)), "{body}");
        assert!(error["message"].is_string() && error.get("param").is_some(), "{error}");
    }
    let mut keyless = fixture.request("POST", PATH, Some(asking("maya-chen")));
    keyless.headers_mut().remove("x-api-key");
    let refused = fixture.send(keyless).await;
    assert_eq!(
        (refused.status.as_u16(), &refused.json()["error"]["type"]),
        (401, &json!("authentication_error"))
    );
}

#[tokio::test]
async fn personas_are_models_with_their_suffixes() {
    let (fixture, _) = fixture().await;
    let listed = fixture.ask("GET", "/v1/models", None).await.json();
    assert_eq!(listed["object"], "list");
    assert_eq!(
        (&listed["data"][0]["id"], &listed["data"][0]["object"]),
        (&json!("maya-chen"), &json!("model"))
    );
    for name in ["maya-chen", "scott/maya-chen", "maya-chen:private", "maya-chen@3", "maya-chen@3:private"] {
        let shown = fixture.ask("GET", &format!("/v1/models/{name}"), None).await;
        assert_eq!((shown.status, &shown.json()["id"]), (StatusCode::OK, &json!(name)), "{}", shown.text);
    }
    let gone = fixture.ask("GET", "/v1/models/nobody", None).await;
    assert_eq!((gone.status.as_u16(), &gone.json()["error"]["code"]), (404, &json!("persona_not_found")));
}

#[tokio::test]
async fn private_talk_and_chores_leave_nothing() {
    let (fixture, _) = fixture().await;
    for (model, headers) in [
        ("maya-chen:private", &[("x-user-id", "ana")][..]),
        ("maya-chen", &[("x-user-id", "ana"), ("x-off-the-record", "1")]),
        ("maya-chen", &[("x-user-id", "ana"), ("x-openwebui-task", "title_generation")]),
    ] {
        let answer = complete(&fixture, asking(model), headers).await;
        assert_eq!((answer.status, answer.header("x-recall-id")), (StatusCode::OK, ""), "{headers:?}");
    }
    let sessions =
        fixture.ask("GET", "/personas/prompt/sessions?personaId=maya-chen&subject=ana", None).await;
    assert_eq!(sessions.json()["sessions"], json!([]));
}

/// Open WebUI sends its tasks in the name of the person whose chat is open, and by default without a header.
#[tokio::test]
async fn tasks_of_open_webui_are_recognised_and_an_empty_name_of_a_task_is_talk() {
    let (fixture, _) = fixture().await;
    let task = "### Task:\nGenerate a concise title summarizing the chat history.\n### Output:\nJSON format: \
        { \"title\": \"your concise title here\" }\n### Chat History:\n<chat_history>\nUSER: My boat is the \
        Kittiwake.\n</chat_history>";
    let ana = ("x-user-id", "ana");
    for (words, headers, recorded) in [
        (task, &[ana][..], 0),
        ("### Task:\nPlease water the plants.", &[ana], 1),
        ("Do you know my boat?", &[ana, ("x-openwebui-task", "tags_generation")], 1),
        ("What is my boat called?", &[ana, ("x-openwebui-task", "")], 2),
    ] {
        let body = json!({ "model": "maya-chen", "messages": [{ "role": "user", "content": words }] });
        assert_eq!(complete(&fixture, body, headers).await.status, StatusCode::OK, "{words}");
        assert_eq!(conversations(&fixture, "ana").await.len(), recorded, "{words}");
    }
}

#[tokio::test]
async fn the_tier_is_one_of_four() {
    let (fixture, _) = fixture().await;
    assert_eq!(
        complete(&fixture, asking("maya-chen@4"), &[("x-context-tier", "1")]).await.status,
        StatusCode::OK
    );
    assert_eq!(
        complete(&fixture, asking("maya-chen"), &[("x-context-tier", "9")]).await.status.as_u16(),
        422
    );
    assert_eq!(complete(&fixture, asking("maya-chen@9"), &[]).await.status, StatusCode::NOT_FOUND);
}

/// The conversations recorded with `subject`.
async fn conversations(fixture: &Fixture, subject: &str) -> Vec<String> {
    let path = format!("/personas/prompt/sessions?personaId=maya-chen&subject={subject}");
    let listed = fixture.ask("GET", &path, None).await.json();
    listed["sessions"].as_array().unwrap().iter().map(|it| it["id"].as_str().unwrap().to_owned()).collect()
}

#[tokio::test]
async fn who_speaks_and_in_which_conversation_is_taken_in_order() {
    let (fixture, _) = fixture().await;
    let mut body = asking("maya-chen");
    body["user"] = json!("by-user");
    complete(&fixture, body.clone(), &[]).await;
    body["safety_identifier"] = json!("by-identifier");
    body["metadata"] = json!({ "session_id": "by-metadata" });
    complete(&fixture, body.clone(), &[]).await;
    complete(&fixture, body.clone(), &[("x-user-id", "by-header"), ("x-conversation-id", "by-conversation")])
        .await;
    let webui =
        [("x-user-id", "no"), ("x-openwebui-user-id", "by-webui"), ("x-openwebui-chat-id", "by-chat")];
    complete(&fixture, body, &webui).await;
    assert_eq!(conversations(&fixture, "by-user").await.len(), 1);
    assert_eq!(conversations(&fixture, "by-identifier").await, ["by-metadata"]);
    assert_eq!(conversations(&fixture, "by-header").await, ["by-conversation"]);
    assert_eq!(conversations(&fixture, "by-webui").await, ["by-chat"]);
    assert!(conversations(&fixture, "no").await.is_empty());
}

/// What Open WebUI signs with in these tests; the tokens below are made with it, at the time of the clock.
const SECRET: &str = "webui-secret";
/// `sub` is Ana, as Open WebUI writes it.
const SIGNED: &str = "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.\
    eyJzdWIiOiJhbmEiLCJlbWFpbCI6ImFuYUBleGFtcGxlLm9yZyIsIm5hbWUiOiJBbmEiLCJyb2xlIjoidXNlciIsImlzcyI6Im9wZW4td2VidWkiLCJpYXQiOjE3NzE1ODg4MDAsImV4cCI6MTc3MTU4OTEwMH0.\
    iqqw4owCUbkWUhvlFGQKDMvuzeA-Ga4-bnH3t1qiBP0";
/// `id` is Bea.
const WITH_ID: &str = "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.\
    eyJpZCI6ImJlYSIsInN1YiI6Im5vIiwiZXhwIjoxNzcxNTg5MTAwfQ.\
    vhVVsqbEALC0Ma-oKvFuwP1eOuplsvNGqL59anp4g14";
/// Held until a second ago.
const EXPIRED: &str = "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.\
    eyJzdWIiOiJhbmEiLCJleHAiOjE3NzE1ODg3OTl9.\
    8meBZIxltrCAYVoParJSuzJLtHSV2mQGZiznwE122mQ";
/// Signed with another secret.
const FORGED: &str = "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.\
    eyJzdWIiOiJhbmEiLCJleHAiOjE3NzE1ODkxMDB9.\
    6YzL5dSnDeARznt6SsHZGPOcPOzZr4F_bqGL_AdT1iY";
/// Holds for ever.
const ENDLESS: &str = "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.\
    eyJzdWIiOiJhbmEifQ.\
    ePFnbZol8Kz6EMyfAzBtGnrvNGk6XU8fP3NIuPqJwIg";
/// Names nobody.
const NOBODY: &str = "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.\
    eyJleHAiOjE3NzE1ODkxMDB9.\
    aoIQLa9Ase5PjSLAxEO7Q6xdOOhHKNOozJoAvOajgug";

#[tokio::test]
async fn a_signed_user_comes_first_and_an_unbelievable_one_is_refused() {
    let config = Config { user_secret: Some(SharedSecret::new(SECRET)), ..Config::default() };
    let fixture = Fixture::with(config).await;
    fixture.maya().await;
    let by = |token: &'static str| [("x-openwebui-user-jwt", token), ("x-openwebui-user-id", "someone-else")];
    for (token, subject) in [(SIGNED, "ana"), (WITH_ID, "bea")] {
        let answer = complete(&fixture, asking("maya-chen"), &by(token)).await;
        assert_eq!(answer.status, StatusCode::OK, "{}", answer.text);
        assert_eq!(conversations(&fixture, subject).await.len(), 1, "{subject}");
    }
    for token in [EXPIRED, FORGED, ENDLESS, NOBODY, "not.a.token", ""] {
        let refused = complete(&fixture, asking("maya-chen"), &by(token)).await;
        let error = &refused.json()["error"];
        assert_eq!(
            (refused.status.as_u16(), &error["type"]),
            (401, &json!("authentication_error")),
            "{token}"
        );
        assert!(error["message"].as_str().unwrap().starts_with("`X-OpenWebUI-User-Jwt` "), "{error}");
    }
    assert!(conversations(&fixture, "someone-else").await.is_empty());
}

#[tokio::test]
async fn a_signed_user_is_not_taken_on_trust_without_the_secret() {
    let (fixture, _) = fixture().await;
    let refused = complete(&fixture, asking("maya-chen"), &[("x-openwebui-user-jwt", SIGNED)]).await;
    assert_eq!(refused.status.as_u16(), 401);
    assert!(refused.text.contains("SELFHOOD_OPENWEBUI_JWT_SECRET"), "{}", refused.text);
}

#[tokio::test]
async fn texts_are_embedded_as_numbers_or_base64() {
    let (fixture, _) = fixture().await;
    let embed = async |more: Value| {
        let mut body = json!({ "model": "any", "input": ["coffee", "tea"] });
        body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        fixture.ask("POST", "/v1/embeddings", Some(body)).await
    };
    let numbers = embed(json!({})).await.json();
    let vector: Vec<f64> =
        numbers["data"][0]["embedding"].as_array().unwrap().iter().map(|n| n.as_f64().unwrap()).collect();
    assert_eq!((&numbers["object"], &numbers["data"][1]["index"]), (&json!("list"), &json!(1)));
    let encoded = embed(json!({ "encoding_format": "base64" })).await.json();
    let bytes = from_base64_standard(encoded["data"][0]["embedding"].as_str().unwrap()).unwrap();
    let decoded: Vec<f64> =
        bytes.chunks_exact(4).map(|four| f32::from_le_bytes(four.try_into().unwrap()).into()).collect();
    let differ = decoded.iter().zip(&vector).any(|(a, b)| (a - b).abs() > 1e-6);
    assert!(decoded.len() == vector.len() && !differ, "{} and {}", decoded.len(), vector.len());
    assert_eq!(
        embed(json!({ "input": "coffee" })).await.json()["data"][0]["embedding"],
        numbers["data"][0]["embedding"]
    );
    for wrong in [json!({ "dimensions": 3 }), json!({ "input": [] }), json!({ "encoding_format": "hex" })] {
        let refused = embed(wrong.clone()).await;
        assert_eq!(
            (refused.status.as_u16(), refused.json()["error"]["type"].as_str()),
            (422, Some("invalid_request_error")),
            "{wrong}"
        );
    }
}
