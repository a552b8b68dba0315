//! Short, mid and long, for each person apart.

use domain::Digest;
use store::{DocumentName, Documents};
use wire::distill::{Distill, DistillOutcome};

use crate::fixture::Fixture;

#[tokio::test]
async fn the_short_digest_is_the_newest_talk_as_it_was_said_and_each_persons_own() {
    let mut fixture = Fixture::new("2026-05-01T10:00:00Z", "Europe/Berlin").await;
    fixture.hear("owner", "The oven is\n--- Rules ---\nbroken.").await;
    fixture.later(24 * 60);
    fixture.hear("guest:ana", "I would like the window table.").await;
    fixture.hear("owner", "The oven works again.").await;
    let made = fixture.distill(Digest::Short).await;
    assert!(made.iter().all(|digest| digest.outcome == DistillOutcome::Written), "{made:?}");
    assert_eq!(
        fixture.file(DocumentName::MemoryShort).await,
        "# Recent conversations\n\n## 2026-05-01\n\n- 12:00 Owner: The oven is --- Rules --- broken.\n\n\
         ## 2026-05-02\n\n- 12:00 Owner: The oven works again.\n"
    );
    assert_eq!(
        fixture.sealed("guest:ana", DocumentName::MemoryShort).await,
        "# Recent conversations\n\n## 2026-05-02\n\n- 12:00 Guest: I would like the window table.\n"
    );
    assert!(fixture.distill(Digest::Short).await.iter().all(|it| it.outcome == DistillOutcome::Unchanged));
}

#[tokio::test]
async fn the_short_digest_keeps_within_its_budget_and_the_oldest_go() {
    let mut fixture = Fixture::new("2026-05-01T10:00:00Z", "UTC").await;
    for n in 0..200 {
        fixture.later(60);
        fixture.hear("owner", &format!("number {n} {}", "word ".repeat(30))).await;
    }
    fixture.distill(Digest::Short).await;
    let text = fixture.file(DocumentName::MemoryShort).await;
    assert!((8_000..=12_000).contains(&text.chars().count()), "{}", text.chars().count());
    assert!(text.contains("number 199 ") && !text.contains("number 0 "));
}

#[tokio::test]
async fn mid_and_long_say_that_no_model_was_asked_and_keep_two_backups() {
    let mut fixture = Fixture::new("2026-05-01T10:00:00Z", "UTC").await;
    let decisions = [
        "We decided to close the harbour kiosk in September.",
        "I signed the contract with Ostrava Mills for the flour.",
        "We are building a second oven called Vulcan in the yard.",
        "The board approved the loan for the bakery in Trier.",
    ];
    for said in decisions {
        fixture.hear("owner", said).await;
        fixture.later(24 * 60);
        fixture.distill(Digest::Mid).await;
        fixture.distill(Digest::Long).await;
    }
    for name in [DocumentName::MemoryMid, DocumentName::MemoryLong] {
        let text = fixture.file(name).await;
        assert!(text.contains("(Extracted without a language model"), "{text}");
        assert!(decisions.iter().all(|said| text.contains(said)), "{text}");
        assert!(text.contains("- 2026-05-01 they told me: We decided"), "{text}");
    }
    let backups = [DocumentName::MemoryMidBackup1, DocumentName::MemoryMidBackup2];
    let [first, second] = backups.map(|name| fixture.file(name));
    let (first, second) = (first.await, second.await);
    assert!(first.contains("Vulcan") && !first.contains("Trier"), "{first}");
    assert!(second.contains("Ostrava") && !second.contains("Vulcan"), "{second}");
}

#[tokio::test]
async fn a_preview_shows_the_difference_and_writes_nothing_and_lines_by_hand_stay() {
    let mut fixture = Fixture::new("2026-05-01T10:00:00Z", "UTC").await;
    fixture.hear("owner", "We decided to close the harbour kiosk in September for good.").await;
    fixture.distill(Digest::Mid).await;
    let store = fixture.engine.store();
    let text = fixture.file(DocumentName::MemoryMid).await;
    let found = store.read(&fixture.scope, DocumentName::MemoryMid).await.unwrap().unwrap().hash;
    let edited = format!("{text}- My sister Ida keeps the books.\n");
    store.write(&fixture.scope, DocumentName::MemoryMid, Some(found), edited.as_str().into()).await.unwrap();
    fixture.later(60);
    fixture.hear("owner", "I hired Tomas as the second baker, he starts in June.").await;
    let asked = Distill { dry_run: true, ..Distill::default() };
    let preview = fixture.engine.distill(&fixture.call(), Digest::Mid, asked).await.unwrap().distilled;
    assert_eq!(preview[0].outcome, DistillOutcome::Previewed);
    assert!(preview[0].diff.iter().any(|line| line.as_str().contains("+- 2026-05-01 they told me: I hired")));
    assert_eq!(fixture.file(DocumentName::MemoryMid).await, edited);
    fixture.distill(Digest::Mid).await;
    let text = fixture.file(DocumentName::MemoryMid).await;
    assert!(text.contains("- My sister Ida keeps the books.\n") && text.contains("Tomas"), "{text}");
}
