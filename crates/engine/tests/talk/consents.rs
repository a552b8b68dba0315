//! Consents of subjects: sensitive memories are kept only with one on record, and only until it is withdrawn.

use domain::{EventKind, SubjectRef};
use engine::converse::Reply;
use serde_json::{Value, json};
use store::{DocumentName, Records};
use wire::consent::GiveConsent;
use wire::read::read_value;

use super::fixture::{Fixture, guest, in_session};

const NOW: &str = "2026-05-01T09:00:00Z";
const HOW: &str = "She signed the blue form.";

/// A persona whose policy permits sensitive memories.
async fn clinic() -> Fixture {
    let fixture = Fixture::new(NOW).await;
    let policy = json!({ "safetyTier": 1, "complianceProfiles": ["healthcare"] });
    let changed = read_value(policy).unwrap();
    fixture.engine.update_persona(&fixture.call(), &fixture.persona, changed).await.unwrap();
    fixture
}

fn ana() -> SubjectRef {
    "ana".parse().unwrap()
}

async fn consent(fixture: &Fixture, subject: &str) {
    let asked = read_value(json!({ "classes": ["sensitive-pii"], "how": HOW })).unwrap();
    let subject = subject.parse().unwrap();
    fixture.engine.give_consent(&fixture.call(), &fixture.persona, subject, asked).await.unwrap();
}

async fn say(fixture: &Fixture, words: &str) -> Value {
    let conversation = fixture.begin(in_session("s1", guest("ana", words))).await.unwrap();
    let reply: Reply = conversation.whole().await.unwrap();
    serde_json::to_value(reply.formed.unwrap()).unwrap()
}

fn heart() -> Value {
    json!({ "kind": "semantic", "gist": "Ana takes pills for her heart.", "salience": 0.8, "subject": "ana",
        "privacyClass": "sensitive-pii", "consentBasis": "explicit-consent" })
}

#[tokio::test]
async fn what_is_said_of_health_is_kept_only_while_consent_is_on_record() {
    let mut fixture = clinic().await;
    let refused = say(&fixture, "Remember that I have diabetes.").await;
    assert_eq!(refused["notKept"][0]["reason"], "consent_not_on_record", "{refused}");
    let way = refused["notKept"][0]["wayOut"].as_str().unwrap();
    assert!(way.contains("selfhood consent give nora ana --class sensitive-pii"), "{way}");
    assert!(fixture.memories().await.is_empty());

    fixture.later(1);
    consent(&fixture, "ana").await;
    fixture.later(1);
    let kept = say(&fixture, "Remember that I have asthma.").await;
    assert_eq!((&kept["notKept"], kept["remembered"].as_array().unwrap().len()), (&json!([]), 1), "{kept}");
    let memory = &fixture.memories().await[0];
    assert_eq!(
        (&memory["privacyClass"], &memory["consentBasis"]),
        (&json!("sensitive-pii"), &json!("explicit-consent"))
    );

    fixture.later(1);
    let withdrawn = fixture.engine.withdraw_consents(&fixture.call(), &fixture.persona, ana()).await.unwrap();
    assert_eq!(withdrawn.memories.pending.len(), 1);
    assert!(withdrawn.data[0].withdrawn_at.is_some());
    assert!(fixture.memories().await.is_empty(), "hidden at once");
    fixture.later(1);
    let after = say(&fixture, "Remember that I have epilepsy.").await;
    assert_eq!(after["notKept"][0]["reason"], "consent_not_on_record", "{after}");
}

#[tokio::test]
async fn consent_changes_nothing_where_the_policy_forbids_it() {
    let fixture = Fixture::new(NOW).await;
    consent(&fixture, "ana").await;
    let refused = say(&fixture, "Remember that I have diabetes.").await;
    let refused = &refused["notKept"][0];
    assert_eq!((&refused["reason"], &refused["category"]), (&json!("sensitive_forbidden"), &json!("health")));
}

#[tokio::test]
async fn one_persons_consent_is_nobody_elses() {
    let fixture = clinic().await;
    consent(&fixture, "bob").await;
    let refused = say(&fixture, "Remember that I have diabetes.").await;
    assert_eq!(refused["notKept"][0]["reason"], "consent_not_on_record", "{refused}");
}

#[tokio::test]
async fn memories_that_are_written_or_imported_need_it_too() {
    let fixture = clinic().await;
    let remember = async || {
        let asked = read_value(heart()).unwrap();
        fixture
            .engine
            .remember(&fixture.call(), &fixture.persona, asked)
            .await
            .map_err(|refused| refused.code)
    };
    let import = async |gist: &str| {
        let mut line = heart();
        line["gist"] = json!(gist);
        let asked = read_value(json!({ "lines": [line] })).unwrap();
        fixture.engine.import(&fixture.call(), &fixture.persona, asked).await.unwrap()
    };
    assert_eq!(remember().await.unwrap_err(), wire::Code::ConsentNotOnRecord);
    let refused = import("Ana was in hospital.").await;
    assert_eq!((refused.memories, refused.refused[0].code.as_str()), (0, "consent_not_on_record"));
    assert!(refused.refused[0].detail.contains("selfhood consent give"));
    consent(&fixture, "ana").await;
    remember().await.unwrap();
    assert_eq!(import("Ana was in hospital.").await.memories, 1);
    fixture.engine.withdraw_consent(&fixture.call(), &ana()).await.unwrap();
    assert_eq!(
        remember().await.unwrap_err(),
        wire::Code::ConsentNotOnRecord,
        "the tenant-wide withdrawal counts"
    );
}

#[tokio::test]
async fn the_log_says_that_it_was_given_and_withdrawn_and_not_how_or_by_whom() {
    let mut fixture = clinic().await;
    consent(&fixture, "ana").await;
    consent(&fixture, "ana").await;
    fixture.later(1);
    fixture.engine.withdraw_consents(&fixture.call(), &fixture.persona, ana()).await.unwrap();
    let events = fixture.engine.store().events(&fixture.scope().await, 0..u64::MAX).await.unwrap();
    let ours = |kind: EventKind| events.iter().filter(|logged| logged.event.kind == kind).count();
    assert_eq!((ours(EventKind::ConsentGiven), ours(EventKind::ConsentWithdrawn)), (1, 1));
    for logged in events {
        let line = serde_json::to_string(&logged.event).unwrap();
        assert!(!line.contains("ana\"") && !line.contains("blue"), "{line}");
    }
}

#[tokio::test]
async fn a_consent_is_exported_and_follows_a_person_to_another_name() {
    let fixture = clinic().await;
    consent(&fixture, "anon-1").await;
    fixture
        .remember(json!({ "kind": "semantic", "gist": "Ana plays chess.", "salience": 0.8, "subject": "ana",
        "privacyClass": "guest-pii", "consentBasis": "service-delivery" }))
        .await;
    let merged = read_value(json!({ "from": "anon-1" })).unwrap();
    fixture.engine.merge_subjects(&fixture.call(), &ana(), merged).await.unwrap();
    let by_alias = "anon-1".parse().unwrap();
    let listed = fixture.engine.list_consents(&fixture.call(), &fixture.persona, by_alias).await.unwrap();
    assert_eq!(listed.data.len(), 1);
    fixture.remember(heart()).await;
    let export = fixture.engine.export_subject(&fixture.call(), &ana()).await.unwrap();
    let document = export.personas[0].documents.iter().find(|document| document.name == "CONSENTS.jsonl");
    assert!(document.unwrap().content.as_str().contains(HOW));
}

#[tokio::test]
async fn a_consent_names_a_basis_and_classes_that_can_be_consented_to() {
    let fixture = clinic().await;
    for (asked, pointer) in [
        (json!({ "classes": ["non-pii"], "how": HOW }), "/classes"),
        (json!({ "classes": ["sensitive-pii"], "how": HOW, "basis": "legal-obligation" }), "/basis"),
    ] {
        let asked = read_value(asked).unwrap();
        let refused =
            fixture.engine.give_consent(&fixture.call(), &fixture.persona, ana(), asked).await.unwrap_err();
        assert_eq!(refused.errors[0].pointer, pointer);
    }
    let blank = json!({ "classes": ["sensitive-pii"], "how": "  " });
    let refused = read_value::<GiveConsent>(blank).unwrap_err();
    assert_eq!(refused.errors[0].pointer, "/how");
    let scope = fixture.scope().await;
    let stored = fixture.engine.store().subject_document(&scope, &ana(), DocumentName::Consents).await;
    assert_eq!(stored.unwrap(), None);
}
