//! What is forgotten or corrected leaves the digests too, by where their lines come from.

use domain::{Digest, SessionId};
use engine::TurnAddress;
use serde_json::json;
use store::DocumentName;
use wire::read::read_value;

use crate::fixture::Fixture;

async fn digests_with(fixture: &Fixture, subject: &str, word: &str) -> Vec<DocumentName> {
    let mut found = Vec::new();
    for name in DocumentName::NAMED {
        let text =
            if subject == "owner" { fixture.file(*name).await } else { fixture.sealed(subject, *name).await };
        found.extend(text.contains(word).then_some(*name));
    }
    found
}

#[tokio::test]
async fn a_deleted_conversation_leaves_every_digest_and_its_backups() {
    for subject in ["owner", "guest:ana"] {
        let mut fixture = Fixture::new("2026-05-01T10:00:00Z", "UTC").await;
        fixture
            .hear(subject, "We decided to move the wedding of Zenobia to the castle in Trier in May.")
            .await;
        for day in 0..3 {
            fixture.later(24 * 60);
            fixture
                .hear(subject, &format!("We agreed with supplier number {day}0 on the price for May."))
                .await;
            for digest in Digest::ALL {
                fixture.distill(digest).await;
            }
        }
        assert!(digests_with(&fixture, subject, "Zenobia").await.len() >= 5, "{subject}");
        let session: SessionId = "s1".parse().unwrap();
        let whose = Some(subject.parse().unwrap());
        fixture
            .engine
            .delete_session(&fixture.call(), &"nora".parse().unwrap(), &session, whose)
            .await
            .unwrap();
        assert_eq!(digests_with(&fixture, subject, "Zenobia").await, [], "{subject}");
        assert!(
            digests_with(&fixture, subject, "supplier").await.contains(&DocumentName::MemoryLong),
            "{subject}"
        );
        for digest in Digest::ALL {
            fixture.distill(digest).await;
        }
        assert_eq!(
            digests_with(&fixture, subject, "Zenobia").await,
            [],
            "and does not come back for {subject}"
        );
    }
}

#[tokio::test]
async fn what_was_corrected_or_destroyed_is_in_no_digest_again() {
    for means in ["correct", "destroy"] {
        let mut fixture = Fixture::new("2026-05-01T10:00:00Z", "UTC").await;
        let nora = "nora".parse().unwrap();
        fixture.hear("owner", "We decided to open the second bakery in Trier on the first of June.").await;
        fixture.later(60);
        fixture.hear("owner", "I signed the contract with the mill in Ostrava for the next year.").await;
        let memory = json!({
            "kind": "episodic", "gist": "The bakery opens in Trier.", "details": [], "salience": 0.6,
            "emotionalValence": 0.0, "privacyClass": "guest-pii", "consentBasis": "service-delivery",
            "subject": "owner",
            "provenance": { "sessionId": "s1", "turnIndex": 0, "deploymentDid": "did:selfhood:test" },
        });
        let kept =
            fixture.engine.remember(&fixture.call(), &nora, read_value(memory).unwrap()).await.unwrap();
        let id = kept.memory.as_value()["id"].as_str().unwrap().parse().unwrap();
        for digest in Digest::ALL {
            fixture.distill(digest).await;
        }
        assert_eq!(digests_with(&fixture, "owner", "Trier").await.len(), 3);
        if means == "correct" {
            let right = read_value(json!({ "gist": "The bakery opens in Mainz." })).unwrap();
            fixture.engine.correct_memory(&fixture.call(), &nora, id, right).await.unwrap();
        } else {
            let hard = read_value(json!({ "mode": "hard", "reason": "request" })).unwrap();
            fixture.engine.redact_memory(&fixture.call(), &nora, id, hard).await.unwrap();
        }
        assert_eq!(digests_with(&fixture, "owner", "Trier").await, [], "{means}");
        for digest in Digest::ALL {
            fixture.later(60);
            fixture.distill(digest).await;
        }
        assert_eq!(digests_with(&fixture, "owner", "Trier").await, [], "{means}: and it does not come back");
        assert!(digests_with(&fixture, "owner", "Ostrava").await.len() >= 3, "{means}");
    }
}

#[tokio::test]
async fn a_message_that_was_edited_deleted_or_kept_long_enough_leaves_the_digests() {
    // What the owner said stays unless its policy says otherwise; what a guest said goes in time.
    for (means, subject) in [("edit", "owner"), ("delete", "owner"), ("sweep", "guest:ana")] {
        let mut fixture = Fixture::new("2026-05-01T10:00:00Z", "UTC").await;
        let (nora, session) = ("nora".parse().unwrap(), "s1".parse::<SessionId>().unwrap());
        let turn = fixture.hear(subject, "We signed the lease for the bakery in Trier, ten years.").await;
        for digest in Digest::ALL {
            fixture.distill(digest).await;
        }
        assert_eq!(digests_with(&fixture, subject, "Trier").await.len(), 3, "{means}");
        let call = fixture.call();
        match means {
            "edit" => {
                let text =
                    read_value(json!({ "text": "We signed the lease for the bakery in Mainz." })).unwrap();
                fixture
                    .engine
                    .edit_turn(&call, &nora, &TurnAddress { session: session.clone(), turn }, text)
                    .await
                    .map(drop)
                    .unwrap();
            }
            "delete" => fixture
                .engine
                .delete_turn(&call, &nora, &TurnAddress { session: session.clone(), turn }, None)
                .await
                .unwrap(),
            _ => {
                fixture.later(10 * 366 * 24 * 60);
                let swept =
                    fixture.engine.sweep(&fixture.call(), wire::sweep::Sweep::default()).await.unwrap();
                assert_eq!(swept.sweep.personas[0].turns, 1);
            }
        }
        assert_eq!(digests_with(&fixture, subject, "Trier").await, [], "{means}");
        for digest in Digest::ALL {
            fixture.distill(digest).await;
        }
        assert_eq!(digests_with(&fixture, subject, "Trier").await, [], "{means}: and it does not come back");
    }
}
