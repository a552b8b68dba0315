//! A person is forgotten while the sentence vectors of many memories are being made.

use std::fs;
use std::os::unix::fs::DirBuilderExt as _;
use std::path::Path;
use std::time::Duration;

use domain::{ErasureStatus, MemoryId};
use engine::backup::{BackupFile, Documents, Restoration, restore};
use engine::{Encoding, Engine, PersonaKey};
use recall::sentences::SentenceVectors;
use serde_json::json;
use store::residue::{ScanRoots, Verdict, scan};
use store::{RecordId, Records, Scope, Upkeep};
use vault::key_directory::KeyDirectory;
use vault::randomness::OsRandomness;
use wire::read::read_value;

use crate::vectors::sought;
use engine_testkit::planted::{ANA, BOGDAN, Planted, plant, signed};
use engine_testkit::test_home::{TestHome, call, close, encoding_engine, engine_of, only_persona, store_of};

/// How often the worker is looked at, ten milliseconds apart: it lets everything else on the machine go first.
const PATIENCE: usize = 24_000;
/// How many memories each of them gets at a time. The worker makes the vectors of 64 at once.
const EACH: usize = 60;

async fn import(engine: &Engine, persona: &PersonaKey, round: usize) {
    let line = |who: &str, n: usize| {
        json!({
            "kind": "episodic", "gist": format!("In week {n} of visit {round} the tea was too cold for {who}."),
            "salience": 0.6, "privacyClass": "guest-pii", "consentBasis": "service-delivery", "subject": who
        })
    };
    let lines: Vec<_> = (0..EACH).flat_map(|n| [line(ANA, n), line(BOGDAN, n)]).collect();
    let asked = read_value(json!({ "lines": lines })).unwrap();
    assert_eq!(engine.import(&call(0), persona, asked).await.unwrap().memories, 2 * EACH);
}

/// The memories of this person.
async fn of(engine: &Engine, scope: &Scope, who: &str) -> Vec<domain::Atom> {
    let loaded = engine.store().load(scope).await.unwrap();
    let atoms = loaded.atoms.into_iter().map(|stored| stored.atom);
    atoms.filter(|atom| atom.subject.as_ref().is_some_and(|known| known.as_str() == who)).collect()
}

/// Waits until the worker has made so many vectors, or all.
async fn made(engine: &Engine, persona: &PersonaKey, count: u64) {
    for _ in 0..PATIENCE {
        let left = engine.vector_progress(&call(0), persona).await.unwrap().left();
        if left == 0 || engine.vector_counts().1 >= count {
            return;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    panic!("the worker makes no more vectors");
}

async fn forgotten_while_encoding(before: u64) {
    let test_home = TestHome::new();
    let store = store_of(&test_home.at("home"), test_home.keys()).await.unwrap();
    let engine = encoding_engine(store, engine::built_in_encoders(), Encoding::InBackground);
    let Planted { persona, scope, forgotten, kept } = plant(&engine).await;
    import(&engine, &persona, 1).await;
    made(&engine, &persona, EACH as u64).await;
    let asked = signed(&engine, &call(1)).await;
    let backup = json!({ "to": test_home.at("old.backup") });
    engine.back_up(&call(1), read_value(backup).unwrap()).await.unwrap();
    copy_private(&test_home.at("keys"), &test_home.at("old-keys"));
    import(&engine, &persona, 2).await;
    let so_far = engine.vector_counts().1;
    made(&engine, &persona, so_far + before).await;
    let hers = of(&engine, &scope, ANA).await;
    assert_eq!(hers.len(), 2 * EACH + 1);
    assert!(engine.vector_progress(&call(1), &persona).await.unwrap().left() > 0, "the worker is at it");

    let done = engine.execute_erasure(&call(1), asked.erasure.id).await.unwrap();
    assert_eq!(done.erasure.status, ErasureStatus::Done, "{:?}", done.erasure);
    engine.vector_progress(&call(2), &persona).await.unwrap();
    made(&engine, &persona, u64::MAX).await;
    let gone: Vec<MemoryId> = hers.iter().map(|atom| atom.id).chain(forgotten).collect();
    let vectors = engine.store().all_vectors(&scope).await.unwrap();
    assert!(vectors.iter().all(|(record, _)| record.atom().is_none_or(|id| !gone.contains(&id))));
    assert_eq!(of(&engine, &scope, ANA).await, []);
    let staying = of(&engine, &scope, BOGDAN).await;
    assert_eq!(staying.len(), 2 * EACH + 1);
    for atom in &staying {
        assert!(vectors.iter().any(|(record, _)| *record == RecordId::Atom(atom.id)), "{} has none", atom.id);
    }
    assert!(staying.iter().any(|atom| atom.id == kept));
    assert!(engine.store().integrity(&scope).await.unwrap().is_whole());
    let encoders = engine.encoders().unwrap().clone();
    close(engine).await;

    let encoded = hers.iter().map(|atom| SentenceVectors::of_atom(atom, "en", &encoders));
    let needles: Vec<_> = encoded.flat_map(|vectors| sought(&vectors)).collect();
    let grounds = ScanRoots::of_home(&test_home.at("home"), &test_home.at("keys"));
    let residue = scan(&grounds, &needles, &OsRandomness, |_| ()).unwrap();
    assert_eq!((residue.verdict(), residue.hits()), (Verdict::Clean, 0));
    let left = SentenceVectors::of_atom(&hers[EACH], "en", &encoders).to_bytes();
    fs::write(test_home.at("home/marriott/left-over.bin"), left).unwrap();
    let residue = scan(&grounds, &needles, &OsRandomness, |_| ()).unwrap();
    assert_eq!(residue.verdict(), Verdict::Found, "one that was left would be found");

    let newest = test_home.at("home");
    assert_eq!(readable(&test_home, "keys", Some(&newest), &gone).await, 0, "with the keys of today");
    assert_eq!(readable(&test_home, "old-keys", None, &gone).await, EACH + 3, "with the keys of then");
}

/// How many of the memories that are `gone` can be read in the backup from before.
async fn readable(test_home: &TestHome, keys: &str, keyrings: Option<&Path>, gone: &[MemoryId]) -> usize {
    let home = test_home.at(&format!("restored-with-{keys}"));
    let keys = KeyDirectory::open(&test_home.at(keys), None).unwrap();
    let mut file = BackupFile::open(&test_home.at("old.backup")).unwrap();
    let to = Restoration { home: &home, keys: &keys, keyrings, documents: Documents::Write };
    restore(&mut file, &to, |_| ()).unwrap();
    let engine = engine_of(&home, keys).await.unwrap();
    let scope = only_persona(&engine).await.scope();
    let loaded = engine.store().load(&scope).await.unwrap();
    let readable = loaded.atoms.iter().filter(|stored| gone.contains(&stored.atom.id)).count();
    close(engine).await;
    readable
}

fn copy_private(from: &Path, to: &Path) {
    fs::DirBuilder::new().mode(0o700).create(to).unwrap();
    for entry in fs::read_dir(from).unwrap().map(Result::unwrap) {
        let copy = to.join(entry.file_name());
        if entry.path().is_dir() {
            copy_private(&entry.path(), &copy);
        } else {
            fs::copy(entry.path(), copy).unwrap();
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_person_forgotten_while_vectors_are_made_leaves_none_and_the_others_get_theirs() {
    for before in [0, 1, EACH as u64] {
        forgotten_while_encoding(before).await;
    }
}
