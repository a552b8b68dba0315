//! Sixty days of talk: what was decided and undertaken is still known at their end, and small talk is not.

use domain::{Digest, Timestamp};
use serde::Deserialize;
use store::DocumentName;

use crate::fixture::{Fixture, at};

/// Something said on a day. `keep` and `drop` are words it can be found by.
#[derive(Deserialize)]
struct ScriptedMessage {
    day: i64,
    said: String,
    keep: Option<String>,
    drop: Option<String>,
}

const DAY: i64 = 24 * 60 * 60 * 1000;

/// Lives through the record with the clock, and tells what the long digest kept and what it should not have.
async fn lived(record: &str) -> (Vec<String>, Vec<String>, usize) {
    let record: Vec<ScriptedMessage> = serde_json::from_str(record).unwrap();
    let start = at("2026-01-31T12:00:00Z");
    let mut fixture = Fixture::new("2026-01-31T12:00:00Z", "Europe/London").await;
    for day in 1..=62 {
        fixture.now = Timestamp::from_millis(start.as_millis() + day * DAY - 8 * 60 * 60 * 1000 + 60_000);
        fixture.engine.run_due_jobs(&|| fixture.now).await.unwrap();
        fixture.now = Timestamp::from_millis(start.as_millis() + day * DAY);
        for said in record.iter().filter(|said| said.day == day) {
            fixture.hear("owner", &said.said).await;
            fixture.later(10);
        }
        if fixture.file(DocumentName::MemoryLong).await.is_empty() && day == 30 {
            fixture.distill(Digest::Long).await;
        }
    }
    fixture.distill(Digest::Mid).await;
    fixture.distill(Digest::Long).await;
    let long = fixture.file(DocumentName::MemoryLong).await;
    println!("{}\n{long}", fixture.file(DocumentName::MemoryMid).await);
    let missing =
        record.iter().filter_map(|said| said.keep.clone()).filter(|word| !long.contains(word.as_str()));
    let small_talk =
        record.iter().filter_map(|said| said.drop.clone()).filter(|word| long.contains(word.as_str()));
    (missing.collect(), small_talk.collect(), long.chars().count())
}

/// A record, whose life it is, how many of its 20 decisions and projects may be missing at the end, and how much of
/// its small talk may be left.
type Lived = (&'static str, &'static str, usize, usize);

/// Nobody who wrote these records had seen the examples that teach what is worth keeping, nor do the examples hold
/// any of them. The allowances are what was reached; docs/distillation.md says what stands behind them.
async fn hold(records: &[Lived]) {
    for (name, record, most_missing, most_small_talk) in records {
        let (missing, small_talk, length) = lived(record).await;
        println!(
            "{name}: {} missing {missing:?}; {} small talk {small_talk:?}",
            missing.len(),
            small_talk.len()
        );
        assert!(missing.len() <= *most_missing, "{name}: {missing:?}");
        assert!(small_talk.len() <= *most_small_talk, "{name}: {small_talk:?}");
        assert!(length <= 8000, "{name}: {length}");
    }
}

#[tokio::test]
async fn decisions_and_projects_of_sixty_days_survive_and_small_talk_does_not() {
    let records = [
        ("a guesthouse", include_str!("../data/sixty-days-plain-one.json"), 2, 0),
        ("a data analyst", include_str!("../data/sixty-days-plain-two.json"), 2, 0),
        ("a ship's engineer", include_str!("../data/sixty-days-plain-three.json"), 2, 1),
        ("a translator", include_str!("../data/sixty-days-plain-four.json"), 2, 2),
        ("a hardware shop", include_str!("../data/sixty-days-plain-five.json"), 2, 0),
        ("a junior architect", include_str!("../data/sixty-days-plain-six.json"), 2, 2),
        ("a chemistry teacher", include_str!("../data/sixty-days-plain-seven.json"), 2, 1),
        ("a chef", include_str!("../data/sixty-days-plain-eight.json"), 2, 0),
    ];
    hold(&records).await;
}

#[tokio::test]
async fn they_survive_where_special_categories_and_slips_are_among_them() {
    let records = [
        ("a bakery", include_str!("../data/sixty-days.json"), 2, 0),
        ("another life", include_str!("../data/sixty-days-further.json"), 2, 0),
        ("a third", include_str!("../data/sixty-days-third.json"), 2, 0),
        ("a country vet", include_str!("../data/sixty-days-blind-one.json"), 5, 1),
        ("a crane driver", include_str!("../data/sixty-days-blind-two.json"), 7, 0),
        ("a surveyor", include_str!("../data/sixty-days-blind-three.json"), 2, 1),
        ("a ferryman", include_str!("../data/sixty-days-blind-four.json"), 3, 0),
        ("a radio maker", include_str!("../data/sixty-days-blind-five.json"), 3, 2),
    ];
    hold(&records).await;
}

/// The writers were asked to tell decisions in passing and to dress up small talk as decisions.
#[tokio::test]
async fn most_survive_where_small_talk_is_dressed_up_as_decisions() {
    let records = [
        ("a beekeeper", include_str!("../data/sixty-days-hard-one.json"), 5, 4),
        ("a night manager", include_str!("../data/sixty-days-hard-two.json"), 5, 4),
        ("a music teacher", include_str!("../data/sixty-days-hard-three.json"), 5, 4),
        ("an illustrator", include_str!("../data/sixty-days-hard-four.json"), 5, 4),
        ("a mechanic", include_str!("../data/sixty-days-hard-five.json"), 5, 4),
        ("a grandmother", include_str!("../data/sixty-days-hard-six.json"), 5, 4),
    ];
    hold(&records).await;
}
