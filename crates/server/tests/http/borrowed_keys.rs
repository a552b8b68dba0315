//! `Idempotency-Key`s that somebody else has used: clients number them, so two people send the same one.

use base64::Engine as _;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use serde_json::{Value, json};
use server::Config;
use vault::shared_secret::SharedSecret;

use crate::audience::{ask, key};
use crate::fixture::{Answer, Fixture, TENANT, now};

/// Ids of conversations that two unnamed people's clients made up.
const ONE: &str = "4f7b2c10-9d3e-4a85-b1c6-0e5f8a2d7b39";
const OTHER: &str = "9a1d4e77-3c2b-4f60-8e15-7d0b6c3a9f24";
const SECRET: &str = "webui-secret";

/// The doors that talk, and a body for each that says the same.
fn doors(message: &str) -> Vec<(&'static str, Value)> {
    let prompt = json!({ "tenantId": TENANT, "personaId": "maya-chen", "userPrompt": message });
    let mut job = prompt.clone();
    job["mode"] = json!("async");
    let messages = json!([{ "role": "user", "content": message }]);
    vec![
        ("/chat", json!({ "persona": "maya-chen", "message": message })),
        ("/personas/prompt", prompt.clone()),
        ("/personas/prompt", job),
        ("/personas/prompt/stream", prompt),
        ("/v1/chat/completions", json!({ "model": "maya-chen", "messages": messages })),
        ("/v1/responses", json!({ "model": "maya-chen", "input": message })),
    ]
}

/// Everything that came of a request: the answer, and the result of the job it started.
async fn with_job(fixture: &Fixture, key: &str, answer: Answer, headers: &[(&'static str, &str)]) -> String {
    let mut text = format!("{} {:?} {}", answer.status, answer.headers, answer.text);
    let job = serde_json::from_str::<Value>(&answer.text).ok();
    if let Some(id) = job.as_ref().and_then(|value| value.pointer("/job/id")?.as_str()) {
        for _ in 0..200 {
            let shown =
                ask(fixture, key, ("GET", &format!("/personas/prompt/jobs/{id}")), None, headers).await;
            if !shown.text.contains("running") {
                text.push_str(&shown.text);
                break;
            }
            tokio::time::sleep(std::time::Duration::from_millis(5)).await;
        }
    }
    text
}

/// Says `body` under the key `once`; again if the same is still being answered, because a job goes on after its request.
async fn said(
    fixture: &Fixture,
    key: &str,
    (path, body): (&str, &Value),
    once: &str,
    who: (&'static str, &str),
) -> Answer {
    for _ in 0..200 {
        let headers = [who, ("idempotency-key", once)];
        let answer = ask(fixture, key, ("POST", path), Some(body.clone()), &headers).await;
        if answer.status != 409 {
            return answer;
        }
        tokio::time::sleep(std::time::Duration::from_millis(5)).await;
    }
    panic!("{path} is answered for ever");
}

/// A token of Open WebUI's that names `name`.
fn token(name: &str) -> String {
    let part = |value: Value| BASE64_URL_SAFE_NO_PAD.encode(value.to_string());
    let expires = now().as_millis() / 1000 + 300;
    let head = part(json!({ "alg": "HS256", "typ": "JWT" }));
    let signed = format!("{head}.{}", part(json!({ "sub": name, "exp": expires })));
    let seal = SharedSecret::new(SECRET).sign(&[signed.as_bytes()]);
    format!("{signed}.{}", BASE64_URL_SAFE_NO_PAD.encode(seal))
}

async fn signing_house() -> Fixture {
    let config = Config { user_secret: Some(SharedSecret::new(SECRET)), ..Config::default() };
    let fixture = Fixture::with(config).await;
    fixture.maya().await;
    fixture
}

#[tokio::test]
async fn a_stranger_who_repeats_anothers_words_under_their_key_gets_no_reply_of_theirs() {
    let fixture = Fixture::new().await;
    fixture.maya().await;
    let key = key(&fixture, "forwarded", &["read", "write"]).await;
    for (number, (path, body)) in doors("Yes.").into_iter().enumerate() {
        let once = format!("msg-{number}");
        let sent = async |session: &'static str| {
            let answer = said(&fixture, &key, (path, &body), &once, ("x-session-id", session)).await;
            with_job(&fixture, &key, answer, &[("x-session-id", session)]).await
        };
        let first = sent(ONE).await;
        assert!(first.contains(ONE), "{path}: {first}");
        let stranger = sent(OTHER).await;
        assert!(!stranger.contains(ONE), "{path}: {stranger}");
        assert!(stranger.contains("idempotency_mismatch"), "{path}: {stranger}");
        let again = sent(ONE).await;
        assert!(again.starts_with('2') && again.contains(ONE), "{path}: {again}");
        let path = format!("/v1/personas/maya-chen/sessions/{ONE}");
        let theirs = ask(&fixture, &key, ("GET", &path), None, &[("x-session-id", ONE)]).await.json();
        assert_eq!(theirs["turns"].as_array().unwrap().len(), 2 * (number + 1), "{path}");
    }
}

#[tokio::test]
async fn a_signed_name_is_a_part_of_what_a_key_stands_for() {
    let fixture = signing_house().await;
    let key = key(&fixture, "forwarded", &["read", "write"]).await;
    let (ana, bob) = (token("ana"), token("bob"));
    for (number, (path, body)) in doors("Yes.").into_iter().enumerate() {
        let once = format!("msg-{number}");
        for (who, expected) in [(&ana, 2), (&bob, 4), (&ana, 2)] {
            let answer = said(&fixture, &key, (path, &body), &once, ("x-openwebui-user-jwt", who)).await;
            assert_eq!(answer.status.as_u16() / 100, expected, "{path}: {}", answer.text);
        }
    }
}

#[tokio::test]
async fn a_second_persons_reminder_is_not_taken_for_the_first_ones() {
    let fixture = signing_house().await;
    let key = key(&fixture, "forwarded", &["read", "write"]).await;
    let (ana, bob) = (token("ana"), token("bob"));
    let tool = |name: &str| format!("/v1/personas/maya-chen/tools/{name}");
    let body = json!({ "arguments": { "text": "Water the plants." } });
    for (once, one, other) in [
        ("msg-2", ("x-openwebui-user-jwt", ana.as_str()), ("x-openwebui-user-jwt", bob.as_str())),
        ("msg-3", ("x-session-id", ONE), ("x-session-id", OTHER)),
    ] {
        let add = async |who: (&'static str, &str)| {
            let headers = [who, ("idempotency-key", once)];
            ask(&fixture, &key, ("POST", &tool("add_reminder")), Some(body.clone()), &headers).await
        };
        assert_eq!(add(one).await.status.as_u16(), 200, "{one:?}");
        let refused = add(other).await;
        assert_eq!(refused.problem()["code"], "idempotency_mismatch", "{other:?}: {}", refused.text);
        assert_eq!(add(one).await.status.as_u16(), 200, "{one:?}");
    }
    let list = Some(json!({ "arguments": {} }));
    let listed =
        ask(&fixture, &key, ("POST", &tool("list_reminders")), list, &[("x-openwebui-user-jwt", &ana)]).await;
    assert_eq!(listed.text.matches("Water the plants").count(), 1, "{}", listed.text);
}

#[tokio::test]
async fn an_agent_that_names_another_person_gets_nothing_done_under_the_first_ones_key() {
    let fixture = Fixture::new().await;
    fixture.maya().await;
    let key = key(&fixture, "forwarded", &["read", "write"]).await;
    let call = async |who: &str, tool: &str, arguments: Value| {
        let meta = json!({ "selfhood/subject": who, "selfhood/idempotencyKey": "msg-2" });
        let params = json!({ "name": tool, "arguments": arguments, "_meta": meta });
        let body = json!({ "jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": params });
        ask(&fixture, &key, ("POST", "/mcp/maya-chen"), Some(body), &[]).await
    };
    let heron = json!({ "gist": "Keeps a heron in the garden." });
    let ana = call("ana", "add_memory", heron.clone()).await;
    assert!(ana.text.contains("heron"), "{}", ana.text);
    let bob = call("bob", "add_memory", heron.clone()).await;
    assert!(bob.text.contains("idempotency_mismatch"), "{}", bob.text);
    let again = call("ana", "add_memory", heron).await;
    assert!(again.json()["result"]["isError"] != json!(true), "{}", again.text);
}

#[tokio::test]
async fn a_request_to_be_forgotten_is_shown_again_to_its_own_person_only() {
    let fixture = signing_house().await;
    let key = key(&fixture, "forwarded", &["read", "write", "erase"]).await;
    let (ana, bob) = (token("ana"), token("bob"));
    let body = json!({ "subject": "ana", "identifiers": ["ana@example.org"], "reason": "request" });
    let sent = async |who: &str| {
        let headers = [("x-openwebui-user-jwt", who), ("idempotency-key", "msg-2")];
        ask(&fixture, &key, ("POST", "/v1/erasures"), Some(body.clone()), &headers).await
    };
    let first = sent(&ana).await;
    assert_eq!(first.status.as_u16(), 202, "{}", first.text);
    let id = first.json()["erasure"]["id"].as_str().unwrap().to_owned();
    let stranger = sent(&bob).await;
    assert_eq!(stranger.status.as_u16(), 403, "{}", stranger.text);
    assert!(!stranger.text.contains(&id), "{}", stranger.text);
    assert_eq!(sent(&ana).await.json()["erasure"]["id"], json!(id));
}
