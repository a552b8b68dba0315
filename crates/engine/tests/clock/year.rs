//! A year of a persona in Berlin, minute marks and all, in seconds.

use std::collections::BTreeMap;

use domain::{Digest, Timestamp};
use jiff::tz::TimeZone;
use store::{Deployment, JobOutcome};

use crate::fixture::{Fixture, at};

const MINUTE: i64 = 60_000;

/// The next moment worth looking at: the earliest anything is due.
async fn next(fixture: &Fixture) -> Timestamp {
    let jobs = fixture.engine.list_jobs(&fixture.call()).await.unwrap().jobs;
    jobs.iter().filter_map(|job| job.next_at).min().unwrap()
}

#[tokio::test]
async fn a_year_has_its_365_short_52_mid_and_12_long_runs_each_at_its_local_minute() {
    let zone = TimeZone::get("Europe/Berlin").unwrap();
    let mut fixture = Fixture::new("2025-12-31T23:30:00Z", "Europe/Berlin").await;
    fixture.hear("owner", "We decided to open the bakery in Trier on the first of June, for good.").await;
    fixture.distill(Digest::Mid).await;
    fixture.distill(Digest::Long).await;
    fixture.engine.run_due_jobs(&|| fixture.now).await.unwrap();
    let end = at("2026-12-31T23:00:00Z");
    let mut runs: BTreeMap<String, Vec<String>> = BTreeMap::new();
    loop {
        fixture.now = next(&fixture).await;
        if fixture.now > end {
            break;
        }
        // A little late, as a process is: what counts is when it was due.
        let due = fixture.now;
        fixture.now = Timestamp::from_millis(due.as_millis() + MINUTE / 2);
        if due.to_jiff().to_zoned(zone.clone()).weekday() == jiff::civil::Weekday::Saturday {
            fixture.hear("owner", &format!("Today is the day {due}.")).await;
        }
        assert!(fixture.engine.run_due_jobs(&|| fixture.now).await.unwrap() > 0);
        assert_eq!(fixture.engine.run_due_jobs(&|| fixture.now).await.unwrap(), 0, "nothing runs twice");
        for job in fixture.engine.store().jobs(&fixture.scope.tenant).await.unwrap() {
            let last = job.last.filter(|last| last.due == due);
            if let Some(last) = last {
                assert_ne!(last.outcome, JobOutcome::Failed, "{} {}", job.key.name, last.report);
                let local = due.to_jiff().to_zoned(zone.clone()).strftime("%a %d %H:%M").to_string();
                runs.entry(job.key.name.to_string()).or_default().push(local);
            }
        }
    }
    let count = |name: &str| runs.get(name).map_or(0, Vec::len);
    assert_eq!((count("distill-short"), count("distill-mid"), count("distill-long")), (365, 52, 12));
    assert!(runs["distill-short"].iter().all(|at| at.ends_with("03:00")));
    assert!(runs["distill-mid"].iter().all(|at| at.starts_with("Sun") && at.ends_with("03:30")));
    assert!(runs["distill-long"].iter().all(|at| at.ends_with(" 01 04:00")));
    assert_eq!((count("sweep"), count("consolidate")), (365, 365));
}

#[tokio::test]
async fn what_was_missed_is_caught_up_once_and_what_was_paused_is_not_owed() {
    let mut fixture = Fixture::new("2026-05-01T10:00:00Z", "UTC").await;
    fixture.hear("owner", "Hello there.").await;
    fixture.engine.run_due_jobs(&|| fixture.now).await.unwrap();
    fixture.later(10 * 24 * 60);
    let ran = fixture.engine.run_due_jobs(&|| fixture.now).await.unwrap();
    assert_eq!(ran, 5, "short, mid, sweep, consolidation and cues, once each");
    let pause = |paused| wire::job::PauseJob { paused };
    let nora = "nora".parse().unwrap();
    fixture.engine.pause_job(&fixture.call(), &nora, "distill-short", &pause(true)).await.unwrap();
    fixture.later(24 * 60);
    fixture.engine.run_due_jobs(&|| fixture.now).await.unwrap();
    let job =
        fixture.engine.pause_job(&fixture.call(), &nora, "distill-short", &pause(false)).await.unwrap().job;
    assert_eq!(job.last.unwrap().due_at, at("2026-05-11T03:00:00Z"));
    assert_eq!(fixture.engine.run_due_jobs(&|| fixture.now).await.unwrap(), 0);
    assert!(fixture.engine.pause_job(&fixture.call(), &nora, "dance", &pause(true)).await.is_err());
}

#[tokio::test]
async fn the_first_long_digest_waits_for_somebody_to_look() {
    let mut fixture = Fixture::new("2026-04-30T10:00:00Z", "UTC").await;
    fixture.hear("owner", "We decided to open the bakery in Trier on the first of June.").await;
    fixture.distill(Digest::Mid).await;
    fixture.engine.run_due_jobs(&|| fixture.now).await.unwrap();
    fixture.now = at("2026-05-01T04:00:30Z");
    fixture.engine.run_due_jobs(&|| fixture.now).await.unwrap();
    let status = fixture.engine.distill_status(&fixture.call()).await.unwrap();
    let long = |status: &wire::distill::DistillStatus| {
        let long = status.digests.iter().find(|it| it.digest == Digest::Long).unwrap().last.clone();
        long.unwrap().outcome
    };
    assert_eq!(long(&status), "refused");
    fixture.distill(Digest::Long).await;
    fixture.now = at("2026-06-01T04:00:30Z");
    fixture.engine.run_due_jobs(&|| fixture.now).await.unwrap();
    assert_ne!(long(&fixture.engine.distill_status(&fixture.call()).await.unwrap()), "refused");
}
