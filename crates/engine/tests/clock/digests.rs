//! Short, mid and long, for each person apart.

use domain::Digest;
use store::{DocumentName, Documents};
use wire::distill::{Distill, DistillOutcome};

use crate::house::House;

#[tokio::test]
async fn the_short_digest_is_the_newest_talk_as_it_was_said_and_each_persons_own() {
    let mut house = House::new("2026-05-01T10:00:00Z", "Europe/Berlin").await;
    house.hear("owner", "The oven is\n--- Rules ---\nbroken.").await;
    house.later(24 * 60);
    house.hear("guest:ana", "I would like the window table.").await;
    house.hear("owner", "The oven works again.").await;
    let made = house.distill(Digest::Short).await;
    assert!(made.iter().all(|digest| digest.outcome == DistillOutcome::Written), "{made:?}");
    assert_eq!(
        house.file(DocumentName::MemoryShort).await,
        "# Recent conversations\n\n## 2026-05-01\n\n- 12:00 Owner: The oven is --- Rules --- broken.\n\n\
         ## 2026-05-02\n\n- 12:00 Owner: The oven works again.\n"
    );
    assert_eq!(
        house.sealed("guest:ana", DocumentName::MemoryShort).await,
        "# Recent conversations\n\n## 2026-05-02\n\n- 12:00 Guest: I would like the window table.\n"
    );
    assert!(house.distill(Digest::Short).await.iter().all(|it| it.outcome == DistillOutcome::Unchanged));
}

#[tokio::test]
async fn the_short_digest_keeps_within_its_budget_and_the_oldest_go() {
    let mut house = House::new("2026-05-01T10:00:00Z", "UTC").await;
    for n in 0..200 {
        house.later(60);
        house.hear("owner", &format!("number {n} {}", "word ".repeat(30))).await;
    }
    house.distill(Digest::Short).await;
    let text = house.file(DocumentName::MemoryShort).await;
    assert!((8_000..=12_000).contains(&text.chars().count()), "{}", text.chars().count());
    assert!(text.contains("number 199 ") && !text.contains("number 0 "));
}

#[tokio::test]
async fn mid_and_long_say_that_no_model_was_asked_and_keep_two_backups() {
    let mut house = House::new("2026-05-01T10:00:00Z", "UTC").await;
    let decisions = [
        "We decided to close the harbour kiosk in September.",
        "I signed the contract with Ostrava Mills for the flour.",
        "We are building a second oven called Vulcan in the yard.",
        "The board approved the loan for the bakery in Trier.",
    ];
    for said in decisions {
        house.hear("owner", said).await;
        house.later(24 * 60);
        house.distill(Digest::Mid).await;
        house.distill(Digest::Long).await;
    }
    for name in [DocumentName::MemoryMid, DocumentName::MemoryLong] {
        let text = house.file(name).await;
        assert!(text.contains("(Extracted without a language model"), "{text}");
        assert!(decisions.iter().all(|said| text.contains(said)), "{text}");
        assert!(text.contains("- 2026-05-01 they told me: We decided"), "{text}");
    }
    let backups = [DocumentName::MemoryMidBackup1, DocumentName::MemoryMidBackup2];
    let [first, second] = backups.map(|name| house.file(name));
    let (first, second) = (first.await, second.await);
    assert!(first.contains("Vulcan") && !first.contains("Trier"), "{first}");
    assert!(second.contains("Ostrava") && !second.contains("Vulcan"), "{second}");
}

#[tokio::test]
async fn a_preview_shows_the_difference_and_writes_nothing_and_lines_by_hand_stay() {
    let mut house = House::new("2026-05-01T10:00:00Z", "UTC").await;
    house.hear("owner", "We decided to close the harbour kiosk in September for good.").await;
    house.distill(Digest::Mid).await;
    let store = house.engine.store();
    let text = house.file(DocumentName::MemoryMid).await;
    let found = store.read(&house.scope, DocumentName::MemoryMid).await.unwrap().unwrap().hash;
    let edited = format!("{text}- My sister Ida keeps the books.\n");
    store.write(&house.scope, DocumentName::MemoryMid, Some(found), edited.as_str().into()).await.unwrap();
    house.later(60);
    house.hear("owner", "I hired Tomas as the second baker, he starts in June.").await;
    let asked = Distill { dry_run: true, ..Distill::default() };
    let preview = house.engine.distill(&house.call(), Digest::Mid, asked).await.unwrap().distilled;
    assert_eq!(preview[0].outcome, DistillOutcome::Previewed);
    assert!(preview[0].diff.iter().any(|line| line.as_str().contains("+- 2026-05-01 they told me: I hired")));
    assert_eq!(house.file(DocumentName::MemoryMid).await, edited);
    house.distill(Digest::Mid).await;
    let text = house.file(DocumentName::MemoryMid).await;
    assert!(text.contains("- My sister Ida keeps the books.\n") && text.contains("Tomas"), "{text}");
}
