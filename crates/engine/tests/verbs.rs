//! The verbs from a caller's side, on the reference store and with a fixed clock.
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a test may stop where its expectation ends"
)]

use std::sync::Arc;

use domain::{Actor, MemoryId, Timestamp, example};
use engine::{Call, Caller, Engine, Parts, PersonaKey, RequestKey};
use engine_testkit::parts::{operator, parts};
use serde_json::{Value, json};
use vault::randomness::SeededRandomness;
use wire::Code;
use wire::memory::MemoryFilter;
use wire::read::read_value;
use wire::timeline::TimelineFilter;

fn engine() -> Engine {
    let randomness = Arc::new(SeededRandomness::new(7));
    let store = store::Store::Memory(store::Memory::new(operator(), randomness.clone()));
    Engine::new(Parts { randomness, ..parts(store) })
}

fn call(day: i64) -> Call {
    let caller = Caller::local("marriott".parse().unwrap(), Actor::operator("did:key:test"));
    Call { caller, now: example::day(day), request: None }
}

async fn maya(engine: &Engine) -> PersonaKey {
    let seed = json!({ "firstName": "Maya", "lastName": "Chen", "age": 34, "location": "Cluj", "baseOccupation": "concierge" });
    let asked = read_value(json!({ "tenantId": "marriott", "seed": seed })).unwrap();
    let maya = engine.create_persona(&call(0), asked).await.unwrap().persona.name.as_str().parse().unwrap();
    // These tests count with the numbers of the published design: five places, 14 days for everything.
    let earlier = domain::policy_patch::replacing(&domain::template::earlier_policy());
    let policy = json!({ "memoryPolicy": earlier, "complianceProfiles": [] });
    engine.update_persona(&call(0), &maya, read_value(policy).unwrap()).await.unwrap();
    maya
}

fn coffee() -> Value {
    json!({
        "kind": "semantic", "gist": "The lobby serves strong coffee from seven.", "salience": 0.8,
        "details": [{ "content": "the beans come from Sibiu", "brightness": 0.9 }],
        "privacyClass": "non-pii", "consentBasis": "not-applicable", "tags": ["coffee"]
    })
}

fn seafood(subject: &str) -> Value {
    json!({
        "kind": "episodic", "gist": "The guest loved the seafood at Marina.", "salience": 0.7, "emotionalValence": 0.4,
        "privacyClass": "guest-pii", "consentBasis": "service-delivery", "subject": subject
    })
}

async fn remember(engine: &Engine, persona: &PersonaKey, day: i64, memory: Value) -> MemoryId {
    let answer = engine.remember(&call(day), persona, read_value(memory).unwrap()).await.unwrap();
    answer.memory.as_value()["id"].as_str().unwrap().parse().unwrap()
}

async fn recalled(
    engine: &Engine,
    persona: &PersonaKey,
    day: i64,
    asked: Value,
) -> wire::recall::RecallAnswer {
    engine.recall(&call(day), persona, read_value(asked).unwrap()).await.unwrap()
}

#[tokio::test]
async fn a_persona_made_from_facts_is_born_signed_and_remembers() {
    let engine = engine();
    let persona = maya(&engine).await;
    let shown = engine.show_persona(&call(0), &persona).await.unwrap();
    assert_eq!(shown.persona.summary, "Maya Chen, 34, based in Cluj, works as concierge.");
    assert_eq!((shown.persona.name.as_str(), shown.timeline_entries), ("maya-chen", 1));
    assert_eq!(shown.persona.memory, wire::persona::MemoryState::On);
    let life = engine.list_timeline(&call(0), &persona, TimelineFilter::default()).await.unwrap();
    assert_eq!(life.timeline[0].event.event_label.as_str(), "Born");
    assert_eq!(life.timeline[0].event.event_at.to_string(), "1992-04-22T12:00:00.000Z");
    let twin = maya(&engine).await;
    assert_eq!(twin.to_string(), "maya-chen-2");
}

#[tokio::test]
async fn what_is_remembered_comes_back_fades_and_is_explained() {
    let engine = engine();
    let persona = maya(&engine).await;
    let id = remember(&engine, &persona, 0, coffee()).await;
    let fresh = recalled(&engine, &persona, 1, json!({ "cue": "Where can I get coffee?" })).await;
    assert!(
        fresh.rendered.as_str().contains("strong coffee from seven. The beans come from Sibiu."),
        "{}",
        fresh.rendered.as_str()
    );
    let why = engine.explain_recall(&call(1), fresh.recall_id).await.unwrap();
    assert_eq!(why.trace["candidates"][0]["id"], id.to_string());
    let later = recalled(&engine, &persona, 30, json!({ "cue": "Where can I get coffee?" })).await;
    assert!(
        later.rendered.as_str().contains("but I don't recall the details."),
        "{}",
        later.rendered.as_str()
    );
}

#[tokio::test]
async fn a_guests_memory_reaches_that_guest_only() {
    let engine = engine();
    let persona = maya(&engine).await;
    remember(&engine, &persona, 0, seafood("guest:ana")).await;
    for (subject, is_shown) in [("guest:ana", true), ("guest:bogdan", false)] {
        let answer =
            recalled(&engine, &persona, 1, json!({ "cue": "Any seafood tips?", "subject": subject })).await;
        assert_eq!(answer.rendered.as_str().contains("seafood"), is_shown, "{subject}");
    }
}

#[tokio::test]
async fn what_was_used_is_rehearsed_once_in_a_conversation() {
    let engine = engine();
    let persona = maya(&engine).await;
    let id = remember(&engine, &persona, 0, coffee()).await;
    let answer = recalled(&engine, &persona, 1, json!({ "cue": "coffee?", "sessionId": "s1" })).await;
    let used = |reply: &str| read_value(json!({ "reply": reply })).unwrap();
    let reported = engine
        .report_used(&call(1), answer.recall_id, used("Strong coffee, in the lobby, from seven."))
        .await
        .unwrap();
    assert_eq!(reported.rehearsed, [id]);
    let again = engine
        .report_used(&call(1), answer.recall_id, used("Strong coffee, in the lobby, from seven."))
        .await
        .unwrap();
    assert_eq!(again.rehearsed, []);
    let seen = engine.inspect_memory(&call(1), &persona, id, None).await.unwrap();
    assert_eq!((seen.rehearsals.len(), seen.memory.as_value()["rehearsalCount"].as_u64()), (1, Some(1)));
    let before = engine.inspect_memory(&call(1), &persona, id, Some(example::day(0))).await.unwrap();
    assert_eq!(before.memory.as_value()["rehearsalCount"], 0);
}

#[tokio::test]
async fn off_the_record_leaves_no_trace() {
    let engine = engine();
    let persona = maya(&engine).await;
    remember(&engine, &persona, 0, coffee()).await;
    let answer = recalled(&engine, &persona, 1, json!({ "cue": "coffee?", "offRecord": true })).await;
    let problem = engine.explain_recall(&call(1), answer.recall_id).await.unwrap_err();
    assert_eq!(problem.code, Code::NotFound);
}

#[tokio::test]
async fn a_memory_is_corrected_set_aside_and_restored() {
    let engine = engine();
    let persona = maya(&engine).await;
    let wrong = remember(&engine, &persona, 0, coffee()).await;
    let asked = read_value(json!({ "gist": "The lobby serves strong coffee from six." })).unwrap();
    let right = engine.correct_memory(&call(1), &persona, wrong, asked).await.unwrap();
    assert_eq!(right.memory.as_value()["revises"], wrong.to_string());
    let answer = recalled(&engine, &persona, 1, json!({ "cue": "coffee?" })).await;
    assert!(
        answer.rendered.as_str().contains("from six") && !answer.rendered.as_str().contains("from seven")
    );
    let id: MemoryId = right.memory.as_value()["id"].as_str().unwrap().parse().unwrap();
    engine.redact_memory(&call(2), &persona, id, read_value(json!({})).unwrap()).await.unwrap();
    let answer = recalled(&engine, &persona, 2, json!({ "cue": "coffee?" })).await;
    assert!(!answer.rendered.as_str().contains("coffee"), "{}", answer.rendered.as_str());
    let twice =
        engine.redact_memory(&call(2), &persona, id, read_value(json!({})).unwrap()).await.unwrap_err();
    assert_eq!(twice.code, Code::AlreadyRedacted);
    engine.restore_memory(&call(3), &persona, id).await.unwrap();
    assert!(
        recalled(&engine, &persona, 3, json!({ "cue": "coffee?" }))
            .await
            .rendered
            .as_str()
            .contains("from six")
    );
}

#[tokio::test]
async fn the_same_request_twice_is_done_once() {
    let engine = engine();
    let persona = maya(&engine).await;
    let keyed = |content: &str| Call {
        request: Some(RequestKey { key: "k1".into(), content: content.as_bytes().to_vec() }),
        ..call(0)
    };
    let first = engine.remember(&keyed("a"), &persona, read_value(coffee()).unwrap()).await.unwrap();
    let second = engine.remember(&keyed("a"), &persona, read_value(coffee()).unwrap()).await.unwrap();
    assert_eq!(first.memory.as_value()["id"], second.memory.as_value()["id"]);
    let other = engine.remember(&keyed("b"), &persona, read_value(coffee()).unwrap()).await.unwrap_err();
    assert_eq!(other.code, Code::IdempotencyMismatch);
    let page = engine.list_memories(&call(0), &persona, MemoryFilter::default()).await.unwrap();
    assert_eq!(page.data.len(), 1);
}

#[tokio::test]
async fn lists_are_paged_heaviest_first_and_narrowed() {
    let engine = engine();
    let persona = maya(&engine).await;
    for n in 0..7 {
        let mut memory = coffee();
        memory["salience"] = json!(0.3 + f64::from(n) / 10.0);
        memory["gist"] = json!(format!("Coffee number {n} is served."));
        remember(&engine, &persona, 0, memory).await;
    }
    remember(&engine, &persona, 0, seafood("guest:ana")).await;
    let mut weights = Vec::new();
    let mut cursor = Value::Null;
    loop {
        let asked = read_value(json!({ "limit": 3, "tag": "coffee", "cursor": cursor })).unwrap();
        let page = engine.list_memories(&call(5), &persona, asked).await.unwrap();
        weights.extend(page.data.iter().map(|memory| memory.as_value()["currentSalience"].as_f64().unwrap()));
        match page.next_cursor {
            Some(next) => cursor = json!(next),
            None => break,
        }
    }
    assert_eq!(weights.len(), 7);
    assert!(weights.is_sorted_by(|a, b| a >= b), "{weights:?}");
    let asked = read_value(json!({ "privacyClass": "guest-pii", "subject": "guest:ana" })).unwrap();
    assert_eq!(engine.list_memories(&call(5), &persona, asked).await.unwrap().data.len(), 1);
}

#[tokio::test]
async fn a_key_opens_its_own_tenant_until_it_is_revoked() {
    let engine = engine();
    let made = engine.new_key(&call(0), read_value(json!({})).unwrap()).await.unwrap();
    let secret = made.secret.unwrap();
    let caller = engine.authenticate(&secret, example::day(0)).await.unwrap();
    assert_eq!(caller.tenant.as_str(), "marriott");
    for wrong in ["", "sh_", "sh_x_y", &secret.replace('_', "-"), &format!("{secret}0")] {
        assert_eq!(
            engine.authenticate(wrong, example::day(0)).await.unwrap_err().code,
            Code::Unauthorized,
            "{wrong}"
        );
    }
    engine.revoke_key(&call(1), &made.key.id).await.unwrap();
    assert_eq!(engine.authenticate(&secret, example::day(1)).await.unwrap_err().code, Code::Unauthorized);
}

#[tokio::test]
async fn another_tenants_persona_is_not_there() {
    let engine = engine();
    let persona = maya(&engine).await;
    let id = engine.show_persona(&call(0), &persona).await.unwrap().persona.id;
    let stranger =
        Call { caller: Caller::local("hilton".parse().unwrap(), Actor::operator("did:key:x")), ..call(0) };
    for key in [persona, PersonaKey::Id(id)] {
        assert_eq!(engine.show_persona(&stranger, &key).await.unwrap_err().code, Code::PersonaNotFound);
    }
}

#[tokio::test]
async fn refusals_name_their_rule_and_store_nothing() {
    let engine = engine();
    let persona = maya(&engine).await;
    let mut nobody = seafood("guest:ana");
    nobody.as_object_mut().unwrap().shift_remove("subject");
    let mut light = coffee();
    light["salience"] = json!(0.1);
    for (memory, code) in [(nobody, Code::SubjectRequired), (light, Code::SalienceTooLow)] {
        let refused = engine.remember(&call(0), &persona, read_value(memory).unwrap()).await.unwrap_err();
        assert_eq!(refused.code, code);
    }
    assert_eq!(engine.show_persona(&call(0), &persona).await.unwrap().all_memories, 0);
}

#[tokio::test]
async fn the_whole_prompt_can_be_seen_before_a_model_does() {
    let engine = engine();
    let persona = maya(&engine).await;
    remember(&engine, &persona, 0, coffee()).await;
    let asked = read_value(json!({ "message": "Is there coffee?" })).unwrap();
    let shown = engine.preview_context(&call(1), &persona, asked).await.unwrap();
    let names: Vec<&str> = shown.parts.iter().map(|part| part.name.as_str()).collect();
    assert_eq!(names, ["System", "IDENTITY.md", "SOUL.md", "PROTOCOLS.md", "USER.md", "Rules", "Remembered"]);
    let prompt = shown.prompt.as_str();
    assert!(
        prompt.starts_with("--- System ---\nCurrent date and time: Thursday, 2026-04-23 at 12:00 PM UTC\n"),
        "{prompt}"
    );
    assert!(prompt.contains("strong coffee"));
    let now: Timestamp = example::day(1);
    assert_eq!(
        engine
            .inspect_memory(&call(1), &persona, listed(&engine, &persona, now).await, None)
            .await
            .unwrap()
            .rehearsals,
        []
    );
}

async fn listed(engine: &Engine, persona: &PersonaKey, now: Timestamp) -> MemoryId {
    let page =
        engine.list_memories(&Call { now, ..call(0) }, persona, MemoryFilter::default()).await.unwrap();
    page.data[0].as_value()["id"].as_str().unwrap().parse().unwrap()
}

#[tokio::test]
async fn a_key_that_was_used_until_its_end_fails_from_then_on() {
    let engine = engine();
    let asked = read_value(json!({ "scopes": ["read"], "expiresAt": example::day(2).to_string() })).unwrap();
    let key = engine.new_key(&call(0), asked).await.unwrap().secret.unwrap();
    for (day, holds) in [(0, true), (1, true), (2, false), (3, false)] {
        assert_eq!(engine.authenticate(&key, example::day(day)).await.is_ok(), holds, "on day {day}");
    }
}
