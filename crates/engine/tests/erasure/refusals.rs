//! What is refused: signatures that do not hold, holds, and reasons that name somebody.

use domain::{Actor, ErasureStatus, KeyScope};
use serde_json::{Value, json};
use store::{Batch, Change, Deployment, EventDraft, Mark, Records};
use vault::key::Secret;
use vault::signature::{ProofTerms, SigningKey, add_proof};
use wire::Code;
use wire::erasure::SignErasure;
use wire::read::read_value;

use engine_testkit::planted::{BOGDAN, plant, request};
use engine_testkit::test_home::{TestHome, call, call_by_key, close, operator};

fn sealed(mut manifest: Value, key: &SigningKey, created: i64, expires: Option<i64>) -> SignErasure {
    add_proof(&mut manifest, ProofTerms { created, expires }, key).unwrap();
    read_value(json!({ "document": manifest })).unwrap()
}

#[tokio::test]
async fn only_a_fresh_signature_of_a_valid_operator_under_this_manifest_counts() {
    let test_home = TestHome::new();
    let engine = test_home.open("home").await;
    plant(&engine).await;
    let keys = test_home.keys();
    let stranger = SigningKey::from_seed(&Secret::from_bytes([8; 32]));
    let former = SigningKey::from_seed(&Secret::from_bytes([9; 32]));
    for (key, name) in [(&operator(), "default"), (&former, "former")] {
        keys.add_signer(key.public_key(), name, 0).unwrap();
    }
    keys.revoke_signer(&former.public_key(), 1).unwrap();
    let id = engine.request_erasure(&call(1), request()).await.unwrap().erasure.id;
    let bogdan = json!({ "subject": BOGDAN, "reason": "right-to-be-forgotten" });
    let other = engine.request_erasure(&call(1), read_value(bogdan).unwrap()).await.unwrap().erasure.id;
    let manifest = engine.preview_erasure(&call(1), id).await.unwrap().preview.manifest;
    let anothers = engine.preview_erasure(&call(1), other).await.unwrap().preview.manifest;
    let now = call(1).now.as_millis();
    let with = |pointer: &str, value: Value| {
        let mut changed = manifest.clone();
        *changed.pointer_mut(pointer).unwrap() = value;
        changed
    };
    let mut short = manifest.clone();
    short["items"].as_array_mut().unwrap().retain(|item| item["claim"] == "proposed");
    for (why, asked) in [
        ("the signer", sealed(manifest.clone(), &stranger, now, None)),
        ("was revoked", sealed(manifest.clone(), &former, now, None)),
        ("expired", sealed(manifest.clone(), &operator(), now - 10, Some(now - 1))),
        ("another tenant", sealed(with("/tenant", json!("hilton")), &operator(), now, None)),
        ("another erasure", sealed(anothers, &operator(), now, None)),
        ("not the manifest", sealed(with("/reason", json!("request")), &operator(), now, None)),
        ("not gathered", sealed(with("/items/0/id", json!("mem:000000000001")), &operator(), now, None)),
        ("leaves out", sealed(short, &operator(), now, None)),
    ] {
        let refused = engine.sign_erasure(&call(1), id, asked).await.unwrap_err();
        assert_eq!(
            (refused.code, refused.detail.contains(why)),
            (Code::SignatureInvalid, true),
            "{why}: {refused}"
        );
    }
    let good = sealed(manifest, &operator(), now, Some(now + 1000));
    engine.sign_erasure(&call(1), id, good.clone()).await.unwrap();
    let replayed = engine.sign_erasure(&call(1), id, good).await.unwrap_err();
    assert_eq!(replayed.code, Code::Conflict, "{replayed}");
    let late = engine.execute_erasure(&call(2), id).await.unwrap_err();
    assert_eq!(late.code, Code::SignatureInvalid, "the signature expired before the erasure began: {late}");
    close(engine).await;
}

#[tokio::test]
async fn nothing_is_destroyed_unsigned_and_not_every_key_may_sign() {
    let test_home = TestHome::new();
    let engine = test_home.open("home").await;
    plant(&engine).await;
    let id = engine.request_erasure(&call(1), request()).await.unwrap().erasure.id;
    assert_eq!(engine.execute_erasure(&call(1), id).await.unwrap_err().code, Code::Conflict);
    let mut weak = call_by_key(1);
    weak.caller.scopes = [KeyScope::Read, KeyScope::Erase].into();
    let refused = engine.sign_erasure(&weak, id, SignErasure::default()).await.unwrap_err();
    assert_eq!(refused.code, Code::Forbidden);
    let mut foreign = call(1);
    foreign.caller.tenant = "hilton".parse().unwrap();
    assert_eq!(engine.show_erasure(&foreign, id).await.unwrap_err().code, Code::NotFound);
    assert_eq!(engine.show_erasure(&call(1), id).await.unwrap().erasure.status, ErasureStatus::Gathered);
    close(engine).await;
}

#[tokio::test]
async fn a_hold_keeps_what_it_holds() {
    let test_home = TestHome::new();
    let engine = test_home.open("home").await;
    let planted = plant(&engine).await;
    let event = EventDraft::new(domain::EventKind::MemoryHeld, Actor::engine()).about(planted.forgotten[0]);
    let batch = Batch::at(call(0).now)
        .with(Change::MarkAtom(planted.forgotten[0], Mark::Held(true)))
        .with_event(event);
    engine.store().commit(&planted.scope, batch).await.unwrap();
    let asked = engine.request_erasure(&call(1), request()).await.unwrap().erasure;
    assert_eq!(asked.counts.held, 1);
    let refused = engine.sign_erasure(&call(1), asked.id, SignErasure::default()).await.unwrap_err();
    assert_eq!(refused.code, Code::UnderHold);
    close(engine).await;
}

#[tokio::test]
async fn a_reason_that_names_the_subject_is_refused_and_looking_keeps_nothing() {
    let test_home = TestHome::new();
    let engine = test_home.open("home").await;
    plant(&engine).await;
    for reason in ["Ana Popescu asked by mail", "because of GUEST ANA"] {
        let asked = json!({ "subject": "guest:ana", "identifiers": ["Ana Popescu"], "reason": reason });
        let refused = engine.request_erasure(&call(1), read_value(asked).unwrap()).await.unwrap_err();
        assert_eq!(refused.code, Code::ValidationFailed, "{reason}");
    }
    let before = engine.store().deployment_events(0..u64::MAX).await.unwrap().len();
    let seen = engine.foresee_erasure(&call(1), request()).await.unwrap();
    assert_eq!(seen.preview.proposals.len(), 10);
    assert_eq!(engine.store().deployment_events(0..u64::MAX).await.unwrap().len(), before);
    assert!(engine.list_erasures(&call(1)).await.unwrap().erasures.is_empty());
    close(engine).await;
}

#[tokio::test]
async fn a_request_is_withdrawn_until_it_is_executed_and_names_nobody_afterwards() {
    let test_home = TestHome::new();
    let engine = test_home.open("home").await;
    plant(&engine).await;
    let id = engine.request_erasure(&call(1), request()).await.unwrap().erasure.id;
    engine.sign_erasure(&call(1), id, SignErasure::default()).await.unwrap();
    let withdrawn = engine.withdraw_erasure(&call(2), id).await.unwrap();
    assert_eq!((withdrawn.erasure.status, withdrawn.opening), (ErasureStatus::Withdrawn, None));
    assert_eq!(engine.withdraw_erasure(&call(2), id).await.unwrap().erasure.status, ErasureStatus::Withdrawn);
    assert_eq!(engine.execute_erasure(&call(2), id).await.unwrap_err().code, Code::Conflict);
    assert_eq!(engine.preview_erasure(&call(2), id).await.unwrap_err().code, Code::Conflict);
    assert!(engine.open_erasures(call(90).now).await.unwrap().is_empty(), "nothing is owed any more");

    let again = engine.request_erasure(&call(3), request()).await.unwrap().erasure;
    assert_ne!(again.id, id, "a later request is one of its own");
    engine.sign_erasure(&call(3), again.id, SignErasure::default()).await.unwrap();
    engine.execute_erasure(&call(3), again.id).await.unwrap();
    assert_eq!(engine.withdraw_erasure(&call(3), again.id).await.unwrap_err().code, Code::Conflict);
    close(engine).await;
}
