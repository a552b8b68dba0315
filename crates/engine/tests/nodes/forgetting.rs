//! The right to be forgotten on a database that two nodes share: what is proven there, and by what.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::sync::Arc;

use domain::{Actor, ErasureStatus, EventKind, Text, example};
use engine::Engine;
use serde_json::{Value, json};
use store::residue::{ScanRoots, SearchTarget, Verdict, scan};
use store::{
    Batch, Change, Deployment, DocumentName, Documents, EventDraft, Records, Store, StoreError, Upkeep,
};
use vault::randomness::OsRandomness;
use wire::read::read_value;

use crate::{node, started};
use engine_testkit::planted::{ANA, MAIL, Planted, plant, request, signed};
use engine_testkit::test_home::{TestHome, call, close, dump, operator};
use testkit::cluster::{Cluster, Durability};

const CANARIES: usize = 100;
const TRACES_OF_ANA: [&str; 6] = ["guest:ana", "letters", "Popescu", MAIL, "shared a taxi", "canary-"];

fn canary(number: usize) -> String {
    format!("canary-{number:03}-zanzibar")
}

/// Canaries of Ana's in memories, an event of the persona's own life that names her, and a digest of her talk.
async fn plant_canaries(engine: &Engine, planted: &Planted) {
    let line = |number| {
        json!({
            "kind": "episodic", "gist": format!("She whispered {}.", canary(number)), "salience": 0.8,
            "privacyClass": "guest-pii", "consentBasis": "service-delivery", "subject": ANA
        })
    };
    let lines: Vec<Value> = (0..CANARIES).map(line).collect();
    let lines = read_value(json!({ "lines": lines })).unwrap();
    assert_eq!(engine.import(&call(0), &planted.persona, lines).await.unwrap().memories, CANARIES);
    let mut entry = example::entry(2, "A letter", 0);
    (entry.persona_id, entry.tenant_id) = (planted.scope.persona, planted.scope.tenant.clone());
    entry.event.facts = Text::new(format!("Somebody wrote to {MAIL}."));
    let digest = Text::new(format!("Talked of letters and {}.", canary(0)));
    let appended = EventDraft::new(EventKind::TimelineAppended, Actor::engine()).about(entry.id);
    let batch = Batch::at(example::day(0))
        .with(Change::AppendEntry(Box::new(entry)))
        .with(Change::PutDocument(ANA.parse().unwrap(), DocumentName::MemoryMid, digest))
        .with_event(appended);
    engine.store().commit(&planted.scope, batch).await.unwrap();
}

/// What a node tells Ana when she asks.
async fn rendered_memories(engine: &Engine, planted: &Planted) -> String {
    let asked = json!({ "cue": "What did she whisper about her letters?", "subject": ANA });
    let answer = engine.recall(&call(1), &planted.persona, read_value(asked).unwrap()).await.unwrap();
    answer.rendered.as_str().to_owned()
}

/// How often a canary, or anything Ana is known by, stands readable below a folder.
fn readable(folder: &Path, test_home: &TestHome) -> u64 {
    let words = (0..CANARIES).map(canary).chain([MAIL.to_owned(), "Ana Popescu".to_owned()]);
    let sought: Vec<SearchTarget> = words.map(|word| SearchTarget::Words(Text::new(word))).collect();
    let grounds = ScanRoots::of_path(folder, &test_home.at("keys")).unwrap();
    let found = scan(&grounds, &sought, &OsRandomness, |_| ()).unwrap();
    assert!(found.verdict() != Verdict::Unproven, "{:?}", (found.unread, found.self_test));
    found.hits()
}

fn copied(from: &Path, to: &Path) {
    fs::create_dir(to).unwrap();
    for entry in fs::read_dir(from).unwrap().map(Result::unwrap) {
        let target = to.join(entry.file_name());
        if entry.path().is_dir() {
            copied(&entry.path(), &target);
        } else {
            fs::copy(entry.path(), target).unwrap();
        }
    }
    fs::set_permissions(to, fs::metadata(from).unwrap().permissions()).unwrap();
}

fn check_places(certificate: &Value) {
    let listed = certificate["places"].as_array().unwrap();
    let names: BTreeSet<&str> = listed.iter().map(|place| place["place"].as_str().unwrap()).collect();
    assert_eq!(names, store::database_places().map(|place| place.name).collect());
    assert!(!certificate.to_string().contains(".db"), "no file of a home is spoken of");
    let of = |name: &str| listed.iter().find(|place| place["place"] == name).unwrap();
    for (name, count) in [
        ("postgres:payloads", CANARIES as u64 + 3),
        ("postgres:timeline", 1),
        ("postgres:turns", 2),
        ("postgres:sessions", 2),
        ("postgres:home_documents", 5),
    ] {
        assert_eq!(of(name)["count"], count, "{name}");
        assert_eq!(of(name)["method"], "key destroyed, row deleted, table vacuumed");
    }
    assert_eq!(of("postgres:payloads")["verified"], "key epoch 2: older keys are destroyed");
    assert_eq!(of("postgres:atoms")["verified"], "holds no words");
    assert!(of("postgres:home_documents")["verified"].as_str().unwrap().ends_with("opened and scanned"));
    assert!(of("keys")["verified"].as_str().unwrap().ends_with("scanned"));
    let index = of("process:indexes of open personas");
    assert_eq!(index["verified"], "removed from memory on every node before the old key was destroyed");
}

#[tokio::test]
async fn a_person_is_forgotten_on_every_node_and_no_older_backup_brings_them_back() {
    let (test_home, cluster) = (TestHome::new(), Cluster::start(Durability::Durable));
    let address = cluster.database();
    let (one, two) = (started(&address, &test_home).await, started(&address, &test_home).await);
    let planted = plant(&one).await;
    plant_canaries(&one, &planted).await;
    assert!(
        rendered_memories(&two, &planted).await.contains("canary-"),
        "the other node has her memories open"
    );
    let (backup, old_keys) = (cluster.base_backup("backup"), test_home.at("old-keys"));
    copied(&test_home.at("keys"), &old_keys);

    let asked = one.request_erasure(&call(1), request()).await.unwrap();
    let id = asked.erasure.id;
    one.sign_erasure(&call(1), id, read_value(json!({})).unwrap()).await.unwrap();
    let done = one.execute_erasure(&call(1), id).await.unwrap().erasure;
    assert_eq!((done.status, done.counts.residue), (ErasureStatus::Done, Some(0)), "{done:?}");
    for engine in [&one, &two] {
        let left = dump(engine).await.to_string();
        for word in TRACES_OF_ANA {
            assert!(!left.contains(word), "{word} is left");
        }
        assert!(left.contains("The window table, please.") && left.contains("Talked of [forgotten]."));
        assert!(engine.store().integrity(&planted.scope).await.unwrap().is_whole());
    }
    let protocols = two.store().read(&planted.scope, DocumentName::Protocols).await.unwrap().unwrap();
    assert_eq!(protocols.content.as_str(), "Greet everyone.\nNever write to [forgotten].\n");

    let certificate = two.erasure_certificate(&call(2), id).await.unwrap().certificate;
    let copy = json!({ "certificate": certificate, "opening": asked.opening.unwrap() });
    let signers = [operator().public_key()];
    let verified = vault::certificate::verify(&copy, &signers, example::day(2).as_millis()).unwrap();
    assert_eq!(verified.certificate.tombstones.ids.len(), CANARIES + 4);
    assert_eq!((verified.certificate.keys.epoch_before, verified.certificate.keys.epoch_after), (1, 2));
    check_places(&certificate);

    assert_eq!(rendered_memories(&two, &planted).await, "", "whoever comes back is somebody new");
    for engine in [one, two] {
        close(Arc::into_inner(engine).unwrap()).await;
    }
    cluster.stop("fast");
    assert_eq!(readable(&cluster.data(), &test_home), 0, "in the tables and the log of the server");
    assert_eq!(readable(&backup, &test_home), 0);
    let control = cluster.data().join("control");
    fs::write(&control, canary(7)).unwrap();
    assert_eq!(readable(&cluster.data(), &test_home), 1, "the search finds what is there");
    fs::remove_file(control).unwrap();

    cluster.restore(&backup);
    let restored = node(&address, &test_home.at("keys")).await;
    let refused = restored.load(&planted.scope).await.unwrap_err();
    assert!(matches!(refused, StoreError::Keys(_)), "{refused}");
    drop(restored);
    let with_old_keys = node(&address, &old_keys).await;
    let opened = with_old_keys.load(&planted.scope).await.unwrap();
    let whispered = opened.atoms.iter().filter(|own| own.atom.gist.as_str().contains("canary-"));
    assert_eq!(whispered.count(), CANARIES, "with the keys of then everything opens: it was the keys");
}

#[tokio::test]
async fn a_document_that_still_names_them_makes_it_partial() {
    let test_home = TestHome::new();
    let address = Cluster::shared().database();
    let engine = started(&address, &test_home).await;
    plant(&engine).await;
    let id = signed(&engine, &call(1)).await.erasure.id;
    let Store::Postgres(database) = engine.store() else { panic!("a node") };
    let (tenant, channels) = ("marriott".parse().unwrap(), |text: String| Text::new(text));
    database.put_channels(&tenant, channels(json!({ "room": MAIL }).to_string())).await.unwrap();
    let partial = engine.execute_erasure(&call(1), id).await.unwrap().erasure;
    assert_eq!((partial.status, partial.counts.residue), (ErasureStatus::Partial, Some(1)));
    assert!(partial.warnings.iter().any(|warning| warning.contains("channels.json")), "{partial:?}");
    database.put_channels(&tenant, channels(json!({ "room": "desk" }).to_string())).await.unwrap();
    let done = engine.execute_erasure(&call(2), id).await.unwrap().erasure;
    assert_eq!((done.status, done.counts.residue), (ErasureStatus::Done, Some(0)));
    assert_eq!(engine.store().personas(&tenant).await.unwrap().len(), 1);
    close(Arc::into_inner(engine).unwrap()).await;
}
