//! Made while in use, restored elsewhere, and never bringing back what was forgotten.

use std::fs;
use std::path::Path;

use domain::{Actor, Days, EventKind, ReasonCode, Text, example};
use engine::Engine;
use engine::backup::{BackupError, BackupFile, Documents, Restoration, Restored, Schedule, restore};
use store::{
    Batch, Change, Deployment as _, Destruction, DocumentName, EventDraft, ExchangeId, Formation,
    PrivateJson, Records, Remains, Session, Speaker, Target, Turn, TurnId, TurnState,
};
use vault::key_directory::KeyDirectory;
use wire::Code;
use wire::backup::BackUp;
use wire::doctor::Outcome;

use engine_testkit::test_home::{
    TestHome, call, call_by_key, close, dump, maya, only_persona, operator, remember,
};

async fn back_up(engine: &Engine, to: &Path) {
    let made = engine.back_up(&call(1), BackUp { to: to.to_str().unwrap().to_owned() }).await.unwrap();
    let tenant = &made.backup.tenants[0];
    assert_eq!((tenant.tenant.as_str(), tenant.personas), ("marriott", 1));
    assert_eq!(made.backup.bytes, fs::metadata(to).unwrap().len());
}

fn restored(test_home: &TestHome, from: &str, home: &str) -> Result<Restored, BackupError> {
    let mut file = BackupFile::open(&test_home.at(from))?;
    let home = test_home.at(home);
    let keys = test_home.keys();
    restore(
        &mut file,
        &Restoration { home: &home, keys: &keys, keyrings: None, documents: Documents::Write },
        |_| (),
    )
}

/// The code of a refusal.
fn code<T: std::fmt::Debug>(refused: Result<T, BackupError>) -> Code {
    wire::Problem::from(refused.unwrap_err()).code
}

#[tokio::test]
async fn what_was_backed_up_comes_back_the_same() {
    let test_home = TestHome::new();
    let engine = test_home.open("home").await;
    let persona = maya(&engine).await;
    remember(&engine, &persona, "The guest loved the seafood at Marina.", "ana").await;
    let encoded = engine.vectors_settled(&call(0), &persona).await.unwrap();
    let before = dump(&engine).await;
    assert_eq!((encoded.made, before["vectors"].as_array().unwrap().len()), (2, 2));
    back_up(&engine, &test_home.at("a.backup")).await;
    remember(&engine, &persona, "This came after the backup.", "ana").await;
    close(engine).await;
    let identity = fs::read(test_home.at("home/marriott/persona/maya-chen/persona.json")).unwrap();
    fs::remove_dir_all(test_home.at("home")).unwrap();

    let arrived = restored(&test_home, "a.backup", "new").unwrap();
    assert_eq!((arrived.personas, arrived.lost.len()), (1, 0));
    assert_eq!(fs::read(test_home.at("new/marriott/persona/maya-chen/persona.json")).unwrap(), identity);
    let engine = test_home.open("new").await;
    assert_eq!(dump(&engine).await, before);
    let looked = engine.check_restored(&call(2)).await.unwrap();
    assert_ne!(looked.examination.outcome(), Outcome::Fail, "{:?}", looked.examination);
}

#[tokio::test]
async fn a_backup_holds_neither_a_word_nor_a_key() {
    let test_home = TestHome::new();
    let engine = test_home.open("home").await;
    let persona = maya(&engine).await;
    remember(&engine, &persona, "The guest loved the seafood at Marina.", "ana").await;
    let folder = test_home.at("home/marriott/persona/maya-chen");
    fs::write(folder.join("USER.md"), "The owner likes tangerines.\n").unwrap();
    fs::create_dir_all(folder.join("sessions")).unwrap();
    fs::write(folder.join("sessions/2026-04-22.md"), "We talked of turnips.\n").unwrap();
    back_up(&engine, &test_home.at("a.backup")).await;
    let bytes = fs::read(test_home.at("a.backup")).unwrap();
    let kek = fs::read_to_string(test_home.at("keys/marriott/kek-1.key")).unwrap();
    let kek = kek.lines().find_map(|line| line.strip_prefix("key: ")).unwrap();
    for word in ["seafood", "tangerines", "turnips", "sessions/", kek] {
        assert!(!bytes.windows(word.len()).any(|window| window == word.as_bytes()), "{word}");
    }
    assert!(
        BackupFile::open(&test_home.at("a.backup")).unwrap().signed_by(&[operator().public_key()]).is_ok()
    );
    assert_eq!(
        fs::read_dir(test_home.at("")).unwrap().count(),
        3,
        "home, keys and one file, nothing half-written"
    );
}

#[tokio::test]
async fn an_older_backup_does_not_bring_back_what_was_destroyed() {
    let test_home = TestHome::new();
    let engine = test_home.open("home").await;
    let persona = maya(&engine).await;
    let dying = remember(&engine, &persona, "Ana is allergic to crab.", "ana").await;
    let living = remember(&engine, &persona, "Ben asked for a late checkout.", "ben").await;
    back_up(&engine, &test_home.at("old.backup")).await;
    let scope = only_persona(&engine).await.scope();
    let what = Destruction {
        now: example::day(2),
        targets: vec![Target::Atom(dying, Remains::Tombstone(ReasonCode::Request))],
        events: vec![EventDraft::new(EventKind::MemoryRedactedHard, Actor::engine()).about(dying)],
    };
    engine.store().destroy(&scope, what).await.unwrap();
    engine.rotate_keys(&call(2)).await.unwrap();
    close(engine).await;

    let refused = restored(&test_home, "old.backup", "new").unwrap_err();
    assert!(refused.to_string().contains("--keyrings"), "{refused}");
    assert!(!test_home.at("new").exists(), "a refused restore leaves nothing");
    let (old, new, keys) = (test_home.at("home"), test_home.at("new"), test_home.keys());
    let mut file = BackupFile::open(&test_home.at("old.backup")).unwrap();
    let to = Restoration { home: &new, keys: &keys, keyrings: Some(&old), documents: Documents::Write };
    let arrived = restore(&mut file, &to, |_| ()).unwrap();
    assert!(arrived.lost.contains(&"marriott/persona/maya-chen/persona.json".to_owned()), "{arrived:?}");
    assert_eq!(arrived.documents, 0, "documents of an older epoch are unreadable too");

    let engine = test_home.open("new").await;
    let loaded = engine.store().load(&scope).await.unwrap();
    let left: Vec<_> = loaded.atoms.iter().map(|stored| stored.atom.id).collect();
    assert_eq!(left, [living]);
    let looked = engine.check_restored(&call(3)).await.unwrap().examination;
    let forgotten =
        looked.checks.iter().find(|check| check.check == "forgotten" && check.outcome == Outcome::Warn);
    assert!(forgotten.unwrap().detail.contains(&dying.to_string()), "{forgotten:?}");
}

#[tokio::test]
async fn only_the_keys_of_the_home_open_its_backup() {
    let test_home = TestHome::new();
    let engine = test_home.open("home").await;
    maya(&engine).await;
    back_up(&engine, &test_home.at("a.backup")).await;
    close(engine).await;
    let stranger = TestHome::new();
    let strange = stranger.open("home").await;
    maya(&strange).await;
    close(strange).await;
    let empty = KeyDirectory::open_or_create(&test_home.at("no-keys"), None).unwrap();
    for keys in [stranger.keys(), empty] {
        let home = test_home.at("new");
        let to = Restoration { home: &home, keys: &keys, keyrings: None, documents: Documents::Write };
        let refused = restore(&mut BackupFile::open(&test_home.at("a.backup")).unwrap(), &to, |_| ());
        assert!(matches!(code(refused), Code::KeyMissing | Code::RecordDamaged));
        assert!(!home.exists());
    }
}

#[tokio::test]
async fn a_cut_or_garbled_backup_is_refused_and_leaves_nothing() {
    let test_home = TestHome::new();
    let engine = test_home.open("home").await;
    maya(&engine).await;
    back_up(&engine, &test_home.at("a.backup")).await;
    close(engine).await;
    let whole = fs::read(test_home.at("a.backup")).unwrap();
    let tries = (0..40).map(|n| whole.len() * n / 40 + 1);
    for at in tries {
        fs::write(test_home.at("cut.backup"), &whole[..at - 1]).unwrap();
        assert!(BackupFile::open(&test_home.at("cut.backup")).is_err(), "cut at {at}");
        let mut garbled = whole.clone();
        garbled[at] ^= 1;
        fs::write(test_home.at("garbled.backup"), garbled).unwrap();
        let signers = [operator().public_key()];
        let looked = BackupFile::open(&test_home.at("garbled.backup"))
            .and_then(|mut file| file.signed_by(&signers).and_then(|_| file.check(|_| ())));
        assert!(looked.is_err(), "garbled at {at}");
        assert!(restored(&test_home, "garbled.backup", "new").is_err() || at < 8192, "garbled at {at}");
        let _ = fs::remove_dir_all(test_home.at("new"));
    }
    fs::write(test_home.at("other"), "not a backup\n").unwrap();
    assert_eq!(code(BackupFile::open(&test_home.at("other"))), Code::RecordDamaged);
    fs::write(test_home.at("newer"), "selfhood-backup 2\n").unwrap();
    assert!(BackupFile::open(&test_home.at("newer")).unwrap_err().to_string().contains("newer release"));
}

#[tokio::test]
async fn a_list_of_contents_that_leads_elsewhere_is_refused() {
    let test_home = TestHome::new();
    let zeros = "0".repeat(64);
    let deployment = format!(r#"{{"bytes":0,"path":"deployment.db","sha256":"{zeros}"}}"#);
    let escape = format!(r#"{{"bytes":0,"path":"../../escape","sha256":"{zeros}"}}"#);
    let strange = format!(r#"{{"bytes":0,"path":"eve/persona/x/memory.db","sha256":"{zeros}"}}"#);
    let huge = format!(r#"{{"bytes":18446744073709551615,"path":"deployment.db","sha256":"{zeros}"}}"#);
    for parts in [
        format!("{deployment},{escape}"),
        format!("{deployment},{deployment}"),
        format!("{deployment},{strange}"),
        huge,
        String::new(),
    ] {
        let list = format!(
            "{{\"createdAt\":\"2026-04-22T12:00:00.000Z\",\"parts\":[{parts}],\"tenants\":[]}}\n\n— x y\n"
        );
        fs::write(test_home.at("made.backup"), format!("selfhood-backup 1\n{}\n{list}", list.len())).unwrap();
        assert_eq!(code(BackupFile::open(&test_home.at("made.backup"))), Code::RecordDamaged, "{parts}");
    }
}

#[tokio::test]
async fn nothing_that_is_there_is_overwritten() {
    let test_home = TestHome::new();
    let engine = test_home.open("home").await;
    maya(&engine).await;
    fs::write(test_home.at("taken"), "mine").unwrap();
    for (to, expected) in [
        (test_home.at("taken"), Code::IoFailed),
        (test_home.at("home/a.backup"), Code::ValidationFailed),
        (test_home.at("keys/a.backup"), Code::ValidationFailed),
        ("relative".into(), Code::ValidationFailed),
    ] {
        let asked = BackUp { to: to.to_str().unwrap().to_owned() };
        assert_eq!(engine.back_up(&call(1), asked).await.unwrap_err().code, expected, "{}", to.display());
    }
    assert_eq!(fs::read(test_home.at("taken")).unwrap(), b"mine");
    back_up(&engine, &test_home.at("a.backup")).await;
    let asked = BackUp { to: test_home.at("b.backup").to_str().unwrap().to_owned() };
    assert_eq!(engine.back_up(&call_by_key(1), asked).await.unwrap_err().code, Code::Forbidden);
    fs::create_dir(test_home.at("occupied")).unwrap();
    fs::write(test_home.at("occupied/note"), "mine").unwrap();
    assert_eq!(code(restored(&test_home, "a.backup", "occupied")), Code::Conflict);
    assert_eq!(fs::read(test_home.at("occupied/note")).unwrap(), b"mine");
}

#[tokio::test]
async fn day_logs_are_written_again_from_the_record() {
    let test_home = TestHome::new();
    let engine = test_home.open("home").await;
    maya(&engine).await;
    let scope = only_persona(&engine).await.scope();
    let session = |subject: &str| Session {
        id: format!("sess:{subject}").parse().unwrap(),
        subject: subject.parse().unwrap(),
        started_at: example::day(0),
        last_at: example::day(0),
        title: None,
        checkpoint: None,
        state: PrivateJson::default(),
    };
    let turn = |subject: &str, index: u32, speaker, text: &str| Turn {
        id: TurnId(uuid::Uuid::from_u128(u128::from(index) + 100 * subject.len() as u128)),
        session: format!("sess:{subject}").parse().unwrap(),
        exchange: ExchangeId(format!("{subject}{index}")),
        parent: None,
        index,
        speaker,
        at: example::day(0),
        text: Text::new(text.to_owned()),
        state: TurnState::Whole,
        formation: Formation::Done,
        recall: None,
        model: None,
        formed: None,
    };
    let said = Batch::at(example::day(0))
        .with(Change::PutSession(Box::new(session("owner"))))
        .with(Change::PutSession(Box::new(session("ana"))))
        .with(Change::AppendTurn(Box::new(turn("owner", 0, Speaker::Subject, "Is the sauna open?"))))
        .with(Change::AppendTurn(Box::new(turn("owner", 1, Speaker::Persona, "It opens at seven."))))
        .with(Change::AppendTurn(Box::new(turn("ana", 0, Speaker::Subject, "A guest's own words."))));
    engine.store().commit(&scope, said).await.unwrap();
    back_up(&engine, &test_home.at("a.backup")).await;
    close(engine).await;
    restored(&test_home, "a.backup", "new").unwrap();
    let engine = test_home.open("new").await;
    assert_eq!(engine.check_restored(&call(1)).await.unwrap().day_logs, 1);
    let day: DocumentName = "sessions/2026-04-22.md".parse().unwrap();
    let log =
        fs::read_to_string(test_home.at("new/marriott/persona/maya-chen").join(day.to_string())).unwrap();
    let (asked, answered) =
        (log.find("Is the sauna open?").unwrap(), log.find("It opens at seven.").unwrap());
    assert!(asked < answered && !log.contains("guest's own"), "{log}");
    assert_eq!(engine.check_restored(&call(1)).await.unwrap().day_logs, 0, "a log that is there stays");
}

#[tokio::test]
async fn scheduled_backups_come_when_due_and_the_oldest_go() {
    let test_home = TestHome::new();
    let engine = test_home.open("home").await;
    maya(&engine).await;
    let schedule = Schedule { every: Days(1.0), keep: 2, to: test_home.at("backups") };
    for (day, made) in [(0, true), (0, false), (1, true), (2, true)] {
        let backup = engine.back_up_if_due(&schedule, example::day(day)).await.unwrap();
        assert_eq!(backup.is_some(), made, "day {day}");
    }
    let mut left: Vec<_> =
        fs::read_dir(test_home.at("backups")).unwrap().map(|entry| entry.unwrap().path()).collect();
    left.sort();
    assert_eq!(left, [schedule.file(example::day(1)), schedule.file(example::day(2))]);
}

/// A key of the tenant, as it is stored.
async fn stored_key(engine: &Engine, id: &str) -> store::ApiKey {
    engine.store().api_key(id).await.unwrap().unwrap()
}

async fn new_key(engine: &Engine) -> (String, String) {
    let asked = wire::read::read_value(serde_json::json!({ "scopes": ["read"] })).unwrap();
    let made = engine.new_key(&call(0), asked).await.unwrap();
    (made.key.id, made.secret.unwrap())
}

#[tokio::test]
async fn a_key_revoked_after_a_backup_stays_revoked_when_it_is_restored() {
    let test_home = TestHome::new();
    let engine = test_home.open("home").await;
    maya(&engine).await;
    let ((revoked, secret), (living, other)) = (new_key(&engine).await, new_key(&engine).await);
    back_up(&engine, &test_home.at("a.backup")).await;
    engine.revoke_key(&call(2), &revoked).await.unwrap();
    close(engine).await;

    restored(&test_home, "a.backup", "new").unwrap();
    let engine = test_home.open("new").await;
    assert_eq!(stored_key(&engine, &revoked).await.revoked_at, None, "the backup is older");
    let keys = engine.check_restored(&call(3)).await.unwrap().keys;
    assert_eq!((keys.revoked_again, keys.disabled), (1, 0));
    assert!(engine.authenticate(&secret, example::day(3)).await.is_err());
    assert!(engine.authenticate(&other, example::day(3)).await.is_ok());
    assert!(stored_key(&engine, &living).await.revoked_at.is_none());
    let events = engine.store().deployment_events(0..u64::MAX).await.unwrap();
    let last = events.iter().rfind(|logged| logged.event.kind == EventKind::KeyRevoked).unwrap();
    assert_eq!(last.event.id.as_deref(), Some(Actor::key(&revoked).as_str()));
    close(engine).await;
}

#[tokio::test]
async fn without_the_register_every_key_is_restored_disabled_and_a_new_one_works() {
    for spoil in [(|register| fs::remove_file(register).unwrap()) as fn(&Path), |register| {
        let text = fs::read_to_string(register).unwrap();
        fs::write(register, text.replace("selfhood-revoked-api-keys", "nothing")).unwrap();
    }] {
        let test_home = TestHome::new();
        let engine = test_home.open("home").await;
        maya(&engine).await;
        let (_, secret) = new_key(&engine).await;
        back_up(&engine, &test_home.at("a.backup")).await;
        close(engine).await;
        spoil(&test_home.at("keys/revoked-api-keys.json"));

        restored(&test_home, "a.backup", "new").unwrap();
        let engine = test_home.open("new").await;
        let keys = engine.check_restored(&call(3)).await.unwrap().keys;
        assert_eq!((keys.revoked_again, keys.disabled), (0, 1));
        assert!(engine.authenticate(&secret, example::day(3)).await.is_err());
        let (_, fresh) = new_key(&engine).await;
        let again = engine.reconcile_revocations(example::day(4)).await.unwrap();
        assert_eq!((again.revoked_again, again.disabled), (0, 0), "only once");
        assert!(engine.authenticate(&fresh, example::day(4)).await.is_ok());
        close(engine).await;
    }
}

#[tokio::test]
async fn a_home_of_an_earlier_release_keeps_its_keys_and_gets_a_register() {
    let test_home = TestHome::new();
    let engine = test_home.open("home").await;
    maya(&engine).await;
    let ((revoked, _), (_, secret)) = (new_key(&engine).await, new_key(&engine).await);
    engine.revoke_key(&call(1), &revoked).await.unwrap();
    let register = test_home.at("keys/revoked-api-keys.json");
    fs::remove_file(&register).unwrap();
    let keys = engine.reconcile_revocations(example::day(2)).await.unwrap();
    assert_eq!((keys.revoked_again, keys.disabled), (0, 0));
    assert!(engine.authenticate(&secret, example::day(2)).await.is_ok());
    assert!(fs::read_to_string(&register).unwrap().contains(&revoked));
    close(engine).await;
}
