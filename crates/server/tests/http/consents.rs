//! Consents at the HTTP door: who may give, see and withdraw whose.

use serde_json::{Value, json};

use crate::audience::{ask, key};
use crate::fixture::Fixture;

const ANA: &str = "/v1/personas/maya-chen/subjects/ana/consents";
const OWNER: &str = "/v1/personas/maya-chen/subjects/owner/consents";

fn given() -> Value {
    json!({ "classes": ["sensitive-pii"], "how": "signed the blue form" })
}

#[tokio::test]
async fn a_forwarded_key_acts_only_for_the_subject_it_names() {
    let fixture = Fixture::new().await;
    fixture.maya().await;
    let plain = key(&fixture, "forwarded", &["read", "write"]).await;
    let admin = key(&fixture, "forwarded", &["read", "write", "admin"]).await;
    let ana = &[("x-user-id", "ana")][..];
    let bob = &[("x-user-id", "bob")][..];
    for (headers, status) in [(bob, 403), (&[][..], 403), (ana, 201)] {
        let answer = ask(&fixture, &plain, ("POST", ANA), Some(given()), headers).await;
        assert_eq!(answer.status, status, "{}", answer.text);
    }
    for (key, headers, status) in
        [(&plain, bob, 403), (&plain, &[][..], 403), (&plain, ana, 200), (&admin, &[][..], 200)]
    {
        let answer = ask(&fixture, key, ("GET", ANA), None, headers).await;
        assert_eq!(answer.status, status, "{}", answer.text);
        assert_eq!(answer.text.contains("blue form"), status == 200, "{}", answer.text);
    }
    let as_owner = &[("x-user-id", "owner")][..];
    for (key, headers) in [(&plain, as_owner), (&admin, &[][..])] {
        let answer = ask(&fixture, key, ("POST", OWNER), Some(given()), headers).await;
        assert_eq!(answer.status, 403, "{}", answer.text);
    }
    assert_eq!(ask(&fixture, &plain, ("DELETE", ANA), None, bob).await.status, 403);
    let withdrawn = ask(&fixture, &plain, ("DELETE", ANA), None, ana).await.json();
    assert!(withdrawn["data"][0]["withdrawnAt"].is_string(), "{withdrawn}");
    let again = ask(&fixture, &plain, ("DELETE", ANA), None, ana).await;
    assert_eq!((again.status.as_u16(), again.json()["data"].clone()), (200, withdrawn["data"].clone()));
}

#[tokio::test]
async fn a_sensitive_memory_is_refused_with_the_way_to_consent_and_taken_after_it() {
    let fixture = Fixture::new().await;
    let maya = fixture.maya().await;
    let policy = json!({ "safetyTier": 1, "complianceProfiles": ["healthcare"] });
    let changed = fixture.ask("PATCH", &format!("/personas/{maya}"), Some(policy)).await;
    assert_eq!(changed.status, 200, "{}", changed.text);
    let memory = json!({ "kind": "semantic", "gist": "Ana has asthma.", "salience": 0.8, "subject": "ana",
        "privacyClass": "sensitive-pii", "consentBasis": "explicit-consent" });
    let memories = "/v1/personas/maya-chen/memories";
    let refused = fixture.ask("POST", memories, Some(memory.clone())).await;
    assert_eq!(
        (refused.status.as_u16(), refused.json()["code"].clone()),
        (422, json!("consent_not_on_record"))
    );
    assert_eq!(fixture.ask("POST", ANA, Some(given())).await.status, 201);
    assert_eq!(fixture.ask("POST", memories, Some(memory)).await.status, 201);
    let withdrawn = fixture.ask("DELETE", ANA, None).await.json();
    assert_eq!(withdrawn["memories"]["pending"].as_array().unwrap().len(), 1, "{withdrawn}");
    let listed = fixture.ask("GET", memories, None).await.json();
    assert_eq!(listed["data"], json!([]), "{listed}");
}
