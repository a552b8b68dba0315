//! What is forgotten or corrected leaves the digests too, by where their lines come from.

use domain::{Digest, SessionId};
use store::DocumentName;

use crate::house::House;

async fn told(house: &House, subject: &str, word: &str) -> Vec<DocumentName> {
    let mut found = Vec::new();
    for name in DocumentName::NAMED {
        let text =
            if subject == "owner" { house.file(*name).await } else { house.sealed(subject, *name).await };
        found.extend(text.contains(word).then_some(*name));
    }
    found
}

#[tokio::test]
async fn a_deleted_conversation_leaves_every_digest_and_its_backups() {
    for subject in ["owner", "guest:ana"] {
        let mut house = House::new("2026-05-01T10:00:00Z", "UTC").await;
        house.hear(subject, "We decided to move the wedding of Zenobia to the castle in Trier in May.").await;
        for day in 0..3 {
            house.later(24 * 60);
            house
                .hear(subject, &format!("We agreed with supplier number {day}0 on the price for May."))
                .await;
            for digest in Digest::ALL {
                house.distill(digest).await;
            }
        }
        assert!(told(&house, subject, "Zenobia").await.len() >= 5, "{subject}");
        let session: SessionId = "s1".parse().unwrap();
        let whose = Some(subject.parse().unwrap());
        house.engine.delete_session(&house.call(), &"nora".parse().unwrap(), &session, whose).await.unwrap();
        assert_eq!(told(&house, subject, "Zenobia").await, [], "{subject}");
        assert!(told(&house, subject, "supplier").await.contains(&DocumentName::MemoryLong), "{subject}");
        for digest in Digest::ALL {
            house.distill(digest).await;
        }
        assert_eq!(told(&house, subject, "Zenobia").await, [], "and does not come back for {subject}");
    }
}
