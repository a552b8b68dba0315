//! What people schedule: remind, note, message and brief, at the right local minute and live without a restart.

use domain::{Kind, MemoryId};
use serde_json::json;
use store::{DocumentName, Documents, Records};
use wire::read::read_value;

use crate::fixture::{Fixture, at};

async fn write(fixture: &Fixture, name: DocumentName, text: &str) {
    let store = fixture.engine.store();
    let found = store.read(&fixture.scope, name).await.unwrap().map(|document| document.hash);
    store.write(&fixture.scope, name, found, text.into()).await.unwrap();
}

async fn run_at(fixture: &mut Fixture, time: &str) -> usize {
    fixture.now = at(time);
    fixture.engine.run_due_jobs(&|| fixture.now).await.unwrap()
}

#[tokio::test]
async fn jobs_of_crons_json_run_at_their_local_minute_and_an_edit_counts_at_once() {
    let mut fixture = Fixture::new("2026-03-27T12:00:00Z", "Europe/Berlin").await;
    write(
        &fixture,
        DocumentName::Tasks,
        r#"[{"title": "pay the mill"}, {"title": "old", "status": "done"}]"#,
    )
    .await;
    let crons = json!([
        { "id": "c1", "schedule": "daily:02:30", "type": "note", "text": "feed the starter" },
        { "id": "c2", "schedule": "weekly:mon:08:00", "type": "brief", "text": "The week:" },
        { "schedule": "daily:07:00", "type": "remind", "text": "open the shop" },
    ]);
    write(&fixture, DocumentName::Crons, &crons.to_string()).await;
    assert_eq!(run_at(&mut fixture, "2026-03-27T12:00:30Z").await, 0, "what is new owes nothing");
    // 02:30 is skipped on the 29th, and comes twice on 25 October.
    for (time, notes) in [
        ("2026-03-28T01:30:10Z", 1),
        ("2026-03-29T00:59:00Z", 1),
        ("2026-03-29T01:30:10Z", 2),
        ("2026-03-29T02:30:10Z", 2),
        ("2026-10-25T00:30:10Z", 3),
        ("2026-10-25T01:30:10Z", 3),
    ] {
        run_at(&mut fixture, time).await;
        let scratch = fixture.file(DocumentName::Scratch).await;
        assert_eq!(scratch.matches("feed the starter").count(), notes, "{time}: {scratch}");
    }
    assert!(fixture.file(DocumentName::Scratch).await.contains("- 2026-03-29 03:30 feed the starter\n"));
    assert_eq!(
        fixture.file(DocumentName::Reminders).await,
        "- [ ] open the shop\n",
        "once, while it is open"
    );
    run_at(&mut fixture, "2026-10-26T07:00:20Z").await;
    let scratch = fixture.file(DocumentName::Scratch).await;
    assert!(scratch.contains("The week: Reminders: - open the shop Tasks: - pay the mill"), "{scratch}");
    write(&fixture, DocumentName::Crons, "[]").await;
    run_at(&mut fixture, "2026-10-27T06:00:20Z").await;
    let jobs = fixture.engine.list_jobs(&fixture.call()).await.unwrap().jobs;
    assert!(jobs.iter().all(|job| !job.name.starts_with("cron-")), "{jobs:?}");
}

#[tokio::test]
async fn a_reminder_is_sent_once_at_its_local_minute() {
    let mut fixture = Fixture::new("2026-10-24T12:00:00Z", "Europe/Berlin").await;
    let due = "- [ ] call the mill (due 2026-10-25 09:15)\n- [ ] taxes (due 2026-10-26)\n- [x] done (due 2026-10-25)\n";
    write(&fixture, DocumentName::Reminders, due).await;
    run_at(&mut fixture, "2026-10-24T12:00:30Z").await;
    for (time, expected) in [
        ("2026-10-25T08:14:30Z", None),
        ("2026-10-25T08:15:10Z", Some("2026-10-25T08:15:00Z")),
        ("2026-10-25T08:16:10Z", Some("2026-10-25T08:15:00Z")),
        ("2026-10-26T08:00:10Z", Some("2026-10-26T08:00:00Z")),
    ] {
        run_at(&mut fixture, time).await;
        let jobs = fixture.engine.list_jobs(&fixture.call()).await.unwrap().jobs;
        let last = jobs.iter().find(|job| job.name == "reminders").unwrap().last.clone();
        assert_eq!(last.as_ref().map(|last| last.due_at), expected.map(at), "{time}");
        if let Some(last) = last {
            assert_eq!(
                last.report,
                json!({ "due": 1, "sent": 0 }),
                "one at a time, and no channel to tell it"
            );
        }
    }
}

#[tokio::test]
async fn what_happened_again_and_again_becomes_knowledge_once_with_its_sources() {
    let mut fixture = Fixture::new("2026-05-01T10:00:00Z", "UTC").await;
    let nora = "nora".parse().unwrap();
    for day in 0..4 {
        fixture.later(24 * 60);
        for (subject, gist) in [
            ("guest:ana", "Ana ordered oysters with lemon on the terrace."),
            (
                "guest:ben",
                ["Ben sang.", "Ben slept long.", "Ben left early today.", "Ben wrote letters."][day],
            ),
        ] {
            let memory = json!({
                "kind": "episodic", "gist": gist, "details": [], "salience": 0.6, "emotionalValence": 0.3,
                "privacyClass": "guest-pii", "consentBasis": "service-delivery", "subject": subject,
            });
            let call = fixture.call();
            fixture.engine.remember(&call, &nora, read_value(memory).unwrap()).await.unwrap();
        }
    }
    fixture.engine.run_due_jobs(&|| fixture.now).await.unwrap();
    for _ in 0..2 {
        fixture.later(24 * 60);
        fixture.engine.run_due_jobs(&|| fixture.now).await.unwrap();
    }
    let loaded = fixture.engine.store().load(&fixture.scope).await.unwrap();
    let derived: Vec<_> =
        loaded.atoms.iter().map(|it| &it.atom).filter(|it| !it.derived_from.is_empty()).collect();
    assert_eq!(derived.len(), 1, "{:?}", derived.len());
    let episodes: Vec<MemoryId> = loaded
        .atoms
        .iter()
        .filter(|it| it.atom.kind == Kind::Episodic && it.atom.gist.as_str().contains("oysters"))
        .map(|it| it.atom.id)
        .collect();
    let mut sources = derived[0].derived_from.clone();
    sources.sort();
    assert_eq!(
        (derived[0].kind, sources),
        (Kind::Semantic, {
            let mut all = episodes;
            all.sort();
            all
        })
    );
    assert_eq!(derived[0].subject, Some("guest:ana".parse().unwrap()));
    assert_eq!(derived[0].privacy_class, domain::PrivacyClass::GuestPii);
}
