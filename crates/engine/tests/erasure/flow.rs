//! From the request to the certificate, and back as a new person.

use domain::{ErasureStatus, EventKind, ReasonCode, SubjectRef, Text, example};
use serde_json::{Value, json};
use store::{Deployment, DocumentName, Documents, Records, Tombstone};
use wire::doctor::Outcome;
use wire::note::NoteCode;
use wire::read::read_value;

use engine_testkit::planted::{ANA, BOGDAN, MAIL, Planted, plant, request, signed};
use engine_testkit::test_home::{TestHome, call, close, dump, operator, remember};

const TRACES_OF_ANA: [&str; 5] = ["guest:ana", "letters", "Popescu", MAIL, "shared a taxi"];

#[tokio::test]
async fn a_person_is_forgotten_everywhere_and_the_certificate_says_so() {
    let test_home = TestHome::new();
    let engine = test_home.open("home").await;
    let Planted { scope, forgotten, kept, .. } = plant(&engine).await;
    let asked = engine.request_erasure(&call(1), request()).await.unwrap();
    assert_eq!(asked.erasure.status, ErasureStatus::Gathered);
    assert_eq!((asked.erasure.counts.proposed, asked.erasure.counts.held), (10, 0));
    let preview = engine.preview_erasure(&call(1), asked.erasure.id).await.unwrap().preview;
    assert!(preview.proposals.iter().all(|proposal| proposal.telling), "{:?}", preview.proposals);
    let id = asked.erasure.id;
    engine.sign_erasure(&call(1), id, read_value(json!({})).unwrap()).await.unwrap();
    let done = engine.execute_erasure(&call(1), id).await.unwrap();
    assert_eq!(done.erasure.status, ErasureStatus::Done, "{:?}", done.erasure);
    assert_eq!((done.erasure.counts.residue, done.opening), (Some(0), None));

    let left = dump(&engine).await.to_string();
    for word in TRACES_OF_ANA {
        assert!(!left.contains(word), "{word} is left");
    }
    assert!(left.contains("The window table, please.") && left.contains("prefers the window table"));
    assert!(left.contains("Talked of [forgotten].") && left.contains("about [forgotten]"));
    let (_, tombstones) = engine.store().timeline(&scope).await.unwrap();
    let buried: Vec<_> = tombstones
        .iter()
        .map(|tombstone| match tombstone {
            Tombstone::Atom(tombstone) => (tombstone.id, tombstone.reason_code),
            Tombstone::Entry(_) => panic!("no entry named her"),
        })
        .collect();
    assert_eq!(buried.len(), 3);
    for id in forgotten {
        assert!(buried.contains(&(id, ReasonCode::RightToBeForgotten)));
    }
    assert_eq!(engine.store().atoms(&scope, &[kept]).await.unwrap().len(), 1);

    let certificate = engine.erasure_certificate(&call(2), id).await.unwrap().certificate;
    let now = example::day(2).as_millis();
    let copy = json!({ "certificate": certificate, "opening": asked.opening.unwrap() });
    let verified = vault::certificate::verify(&copy, &[operator().public_key()], now).unwrap();
    assert_eq!(verified.certificate.tombstones.ids.len(), 3);
    assert!(verified.certificate.keys.epoch_after > verified.certificate.keys.epoch_before);
    for word in TRACES_OF_ANA {
        assert!(!certificate.to_string().contains(word), "{word} stands in the certificate");
    }
    close(engine).await;
}

#[tokio::test]
async fn files_lose_the_name_and_nothing_else() {
    let test_home = TestHome::new();
    let engine = test_home.open("home").await;
    let Planted { scope, .. } = plant(&engine).await;
    let asked = signed(&engine, &call(1)).await;
    engine.execute_erasure(&call(1), asked.erasure.id).await.unwrap();
    let read = async |name| engine.store().read(&scope, name).await.unwrap().map(|found| found.content);
    for (name, text) in [
        (DocumentName::Protocols, Some("Greet everyone.\nNever write to [forgotten].\n")),
        (DocumentName::MemoryLong, Some("[forgotten] comes in spring.\nThe sauna opens at seven.\n")),
        (DocumentName::MemoryLongBackup1, None),
    ] {
        assert_eq!(read(name).await, text.map(Text::new), "{name}");
    }
    let tasks: Value = serde_json::from_str(read(DocumentName::Tasks).await.unwrap().as_str()).unwrap();
    assert_eq!(tasks["tasks"][0]["text"], "Call [forgotten]");
    assert_eq!(tasks["tasks"][1]["text"], "Buy tea");
    close(engine).await;
}

#[tokio::test]
async fn the_consents_of_a_person_go_with_the_person() {
    let test_home = TestHome::new();
    let engine = test_home.open("home").await;
    let Planted { scope, persona, .. } = plant(&engine).await;
    for (who, how) in [(ANA, "She signed the form."), (BOGDAN, "He signed the form.")] {
        let asked = read_value(json!({ "classes": ["sensitive-pii"], "how": how })).unwrap();
        engine.give_consent(&call(1), &persona, who.parse().unwrap(), asked).await.unwrap();
    }
    let asked = signed(&engine, &call(1)).await;
    engine.execute_erasure(&call(1), asked.erasure.id).await.unwrap();
    for (who, expected) in [(ANA, 0), (BOGDAN, 1)] {
        let listed = engine.list_consents(&call(2), &persona, who.parse().unwrap()).await.unwrap();
        assert_eq!(listed.data.len(), expected, "{who}");
        let subject = who.parse().unwrap();
        let stored = engine.store().subject_document(&scope, &subject, DocumentName::Consents).await.unwrap();
        assert_eq!(stored.is_some(), expected == 1, "{who}");
    }
    close(engine).await;
}

#[tokio::test]
async fn the_log_tells_each_step_and_names_nobody() {
    let test_home = TestHome::new();
    let engine = test_home.open("home").await;
    let planted = plant(&engine).await;
    let asked = signed(&engine, &call(1)).await;
    engine.execute_erasure(&call(1), asked.erasure.id).await.unwrap();
    let id = asked.erasure.id.to_string();
    let of_job = |events: Vec<store::LoggedEvent>| {
        let ours = events.into_iter().filter(|logged| logged.event.batch.as_ref() == Some(&id));
        ours.map(|logged| logged.event.kind).collect::<Vec<_>>()
    };
    let events = engine.store().deployment_events(0..u64::MAX).await.unwrap();
    assert!(
        !serde_json::to_string(&events.iter().map(|logged| &logged.event).collect::<Vec<_>>())
            .unwrap()
            .contains("ana")
    );
    assert_eq!(
        of_job(events),
        [
            EventKind::ErasureReceived,
            EventKind::ErasureAcknowledged,
            EventKind::ErasureSigned,
            EventKind::EpochRotated,
            EventKind::ErasureCompleted,
        ]
    );
    let events = engine.store().events(&planted.scope, 0..u64::MAX).await.unwrap();
    assert_eq!(of_job(events), [EventKind::MemoryRedactedHard; 3]);
    close(engine).await;
}

#[tokio::test]
async fn whoever_was_forgotten_may_come_back_but_not_by_an_import() {
    let test_home = TestHome::new();
    let engine = test_home.open("home").await;
    let planted = plant(&engine).await;
    let line = json!({
        "kind": "episodic", "gist": "She came in spring.", "salience": 0.8, "privacyClass": "guest-pii",
        "consentBasis": "service-delivery", "subject": ANA
    });
    let others = json!({ "kind": "semantic", "gist": format!("Write to <{MAIL}>."), "salience": 0.8, "privacyClass": "guest-pii", "consentBasis": "service-delivery", "subject": BOGDAN });
    let asked = signed(&engine, &call(1)).await;
    engine.execute_erasure(&call(1), asked.erasure.id).await.unwrap();
    let import = |day: i64| {
        let mut lines = [line.clone(), others.clone()];
        for line in &mut lines {
            line["createdAt"] = example::day(day).to_string().into();
        }
        read_value(json!({ "lines": lines })).unwrap()
    };
    let old = engine.import(&call(2), &planted.persona, import(0)).await.unwrap();
    let codes: Vec<&str> = old.refused.iter().map(|refused| refused.code.as_str()).collect();
    assert_eq!((codes, old.memories), (vec!["subject_erased"; 2], 0));
    let new = engine.import(&call(3), &planted.persona, import(2)).await.unwrap();
    assert_eq!((new.refused.len(), new.memories), (0, 2));
    remember(&engine, &planted.persona, "She is a guest again.", ANA).await;
    let known = engine.store().subjects(&planted.scope).await.unwrap();
    assert!(known.iter().any(|known| known.subject == ANA.parse::<SubjectRef>().unwrap()));
    close(engine).await;
}

#[tokio::test]
async fn what_the_forgotten_were_known_by_goes_with_the_sweep_after_their_tombstones() {
    let test_home = TestHome::new();
    let engine = test_home.open("home").await;
    let planted = plant(&engine).await;
    let tenant = &planted.scope.tenant;
    let asked = signed(&engine, &call(1)).await;
    engine.execute_erasure(&call(1), asked.erasure.id).await.unwrap();
    let policy = domain::MemoryPolicy::default();
    let kept = i64::from(policy.right_to_be_forgotten_sla.tombstone_retention_days);
    for (day, is_barred) in [(2, true), (kept, true), (kept + 2, false)] {
        engine.sweep(&call(day), wire::sweep::Sweep { dry_run: true, ..Default::default() }).await.unwrap();
        engine.sweep(&call(day), wire::sweep::Sweep::default()).await.unwrap();
        assert_eq!(!engine.store().erased(tenant).await.unwrap().is_empty(), is_barred, "on day {day}");
    }
    close(engine).await;
}

#[tokio::test]
async fn what_is_left_makes_it_partial_until_somebody_puts_it_right() {
    let test_home = TestHome::new();
    let engine = test_home.open("home").await;
    plant(&engine).await;
    let note = test_home.at("home/marriott/notes.txt");
    std::fs::write(&note, format!("reach her at {MAIL}")).unwrap();
    let asked = signed(&engine, &call(1)).await;
    let id = asked.erasure.id;
    let partial = engine.execute_erasure(&call(1), id).await.unwrap().erasure;
    assert_eq!((partial.status, partial.counts.residue > Some(0)), (ErasureStatus::Partial, true));
    assert!(partial.warnings.iter().any(|warning| warning.contains("notes.txt")), "{:?}", partial.warnings);
    let named = partial.notes.iter().find(|note| note.code == NoteCode::StillNamed).unwrap();
    assert!(named.what.as_ref().unwrap().ends_with("notes.txt") && named.count.is_some(), "{named:?}");
    let looked = engine.examine(&call(1)).await.unwrap();
    let alarm = looked.checks.iter().find(|check| check.check == "erasures").unwrap();
    assert_eq!(alarm.outcome, Outcome::Fail);
    let certificate = engine.erasure_certificate(&call(1), id).await.unwrap().certificate;
    assert_eq!(certificate["outcome"], "partial");
    std::fs::remove_file(&note).unwrap();
    let done = engine.execute_erasure(&call(2), id).await.unwrap().erasure;
    assert_eq!((done.status, done.counts.residue), (ErasureStatus::Done, Some(0)));
    let certificate = engine.erasure_certificate(&call(2), id).await.unwrap().certificate;
    assert_eq!(certificate["outcome"], "done");
    close(engine).await;
}

#[tokio::test]
async fn a_request_that_waits_is_heard_of_before_its_time_is_over() {
    let test_home = TestHome::new();
    let engine = test_home.open("home").await;
    plant(&engine).await;
    engine.request_erasure(&call(0), request()).await.unwrap();
    for (day, outcome) in [(1, Outcome::Ok), (15, Outcome::Warn), (27, Outcome::Fail), (40, Outcome::Fail)] {
        let looked = engine.examine(&call(day)).await.unwrap();
        let found = looked.checks.iter().find(|check| check.check == "erasures").unwrap();
        assert_eq!(found.outcome, outcome, "after {day} days: {found:?}");
    }
    let open = engine.open_erasures(example::day(15)).await.unwrap();
    assert_eq!((open.len(), open[0].alarm), (1, domain::Alarm::Half));
    for (day, overdue) in [(27, false), (40, true)] {
        let report = engine.report_audit(&call(day), wire::audit::AuditSpan::default()).await.unwrap();
        let owed = &report.open_erasures[0];
        assert_eq!((owed.complete_by, owed.overdue), (open[0].due, overdue), "after {day} days");
    }
    close(engine).await;
}

#[tokio::test]
async fn when_the_owner_is_forgotten_all_of_their_files_go_also_those_that_do_not_name_them() {
    let test_home = TestHome::new();
    let engine = test_home.open("home").await;
    let Planted { scope, .. } = plant(&engine).await;
    let crons = r#"[{"id":"c1","schedule":"daily:08:00","type":"remind","text":"take the pills"}]"#;
    for (name, text) in [(DocumentName::Crons, crons), (DocumentName::Scratch, "the pills are blue")] {
        let before = engine.store().read(&scope, name).await.unwrap().map(|found| found.hash);
        engine.store().write(&scope, name, before, Text::new(text)).await.unwrap();
    }
    let owner = json!({ "subject": "owner", "reason": "right-to-be-forgotten" });
    let asked = engine.request_erasure(&call(1), read_value(owner).unwrap()).await.unwrap();
    engine
        .sign_erasure(&call(1), asked.erasure.id, read_value(json!({ "take": "all" })).unwrap())
        .await
        .unwrap();
    let done = engine.execute_erasure(&call(1), asked.erasure.id).await.unwrap();
    assert_eq!(done.erasure.status, ErasureStatus::Done, "{:?}", done.erasure);
    for name in engine.store().list(&scope).await.unwrap() {
        assert!(!name.is_owners(), "{name} is left");
    }
    assert!(engine.store().read(&scope, DocumentName::Identity).await.unwrap().is_some());
    close(engine).await;
}
