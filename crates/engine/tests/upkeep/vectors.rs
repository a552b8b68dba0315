//! Sentence vectors are made behind the write, by whoever has the home, and again when they no longer fit.

use std::time::Duration;

use domain::{MemoryId, example};
use engine::{Encoders, Encoding, Engine, PersonaKey};
use recall::sentences::{MAKER, SentenceVectors};
use serde_json::json;
use store::{Batch, Change, NewVectors, RecordId, Records, Store, Vector};
use wire::doctor::Outcome;
use wire::read::read_value;
use wire::recall::RecallAnswer;

use engine_testkit::test_home::{
    TestHome, call, close, encoding_engine, maya, only_persona, remember, store_of,
};

/// How often vectors are looked for, fifty milliseconds apart: the thread that makes them lets everything else on the
/// machine go first, so a busy one takes minutes.
const PATIENCE: usize = 4800;
const GIST: &str = "The guest loved the seafood at Marina.";

async fn opened(test_home: &TestHome, encoding: Encoding) -> Engine {
    encoding_engine(home(test_home).await, engine::built_in_encoders(), encoding)
}

async fn home(test_home: &TestHome) -> Store {
    store_of(&test_home.at("home"), test_home.keys()).await.unwrap()
}

async fn vectors_of(engine: &Engine, id: MemoryId) -> Option<Vector> {
    let scope = only_persona(engine).await.scope();
    let found = engine.store().vectors(&scope, &[RecordId::Atom(id)]).await.unwrap();
    found.into_iter().next().map(|(_, vectors)| vectors)
}

/// Waits until the memory has its vectors.
async fn made(engine: &Engine, id: MemoryId) -> Vector {
    for _ in 0..PATIENCE {
        if let Some(vectors) = vectors_of(engine, id).await {
            return vectors;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    panic!("no vectors were made");
}

async fn recalled(engine: &Engine, persona: &PersonaKey, cue: &str) -> RecallAnswer {
    let asked = read_value(json!({ "cue": cue, "subject": "ana" })).unwrap();
    engine.recall(&call(0), persona, asked).await.unwrap()
}

#[tokio::test]
async fn a_memory_is_kept_and_recalled_before_its_vectors_exist() {
    let test_home = TestHome::new();
    let engine = opened(&test_home, Encoding::WhenAsked).await;
    let persona = maya(&engine).await;
    let id = remember(&engine, &persona, GIST, "ana").await;
    let answer = recalled(&engine, &persona, "seafood").await;
    assert!(answer.rendered.as_str().contains("seafood"), "{answer:?}");
    assert_eq!((vectors_of(&engine, id).await, answer.degraded), (None, None));
    let progress = engine.vector_progress(&call(0), &persona).await.unwrap();
    assert_eq!((progress.made, progress.of), (0, 2), "the memory, and that she was born");

    let progress = engine.vectors_settled(&call(0), &persona).await.unwrap();
    assert_eq!((progress.made, progress.of, engine.vector_counts()), (2, 2, (0, 2)));
    let kept = vectors_of(&engine, id).await.unwrap();
    let scope = only_persona(&engine).await.scope();
    let atom = engine.store().atoms(&scope, &[id]).await.unwrap().remove(0).atom;
    assert!(SentenceVectors::from_bytes(&kept.bytes).unwrap().are_of_atom(&atom));
    assert_eq!(kept.embedder, MAKER);
    assert!(recalled(&engine, &persona, "seafood").await.rendered.as_str().contains("seafood"));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn vectors_follow_every_write_by_themselves() {
    let test_home = TestHome::new();
    let engine = opened(&test_home, Encoding::InBackground).await;
    let persona = maya(&engine).await;
    let id = remember(&engine, &persona, GIST, "ana").await;
    made(&engine, id).await;
    let lines = (0..70).map(|n| {
        json!({
            "kind": "semantic", "gist": format!("Room {n} has a view of the lake."), "salience": 0.6,
            "privacyClass": "non-pii", "consentBasis": "not-applicable"
        })
    });
    let asked = read_value(json!({ "lines": lines.collect::<Vec<_>>() })).unwrap();
    assert_eq!(engine.import(&call(0), &persona, asked).await.unwrap().memories, 70);
    for _ in 0..PATIENCE {
        if engine.vector_progress(&call(0), &persona).await.unwrap().left() == 0 {
            break;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    let scope = only_persona(&engine).await.scope();
    assert_eq!(engine.store().all_vectors(&scope).await.unwrap().len(), 72);
    assert_eq!(engine.vector_counts(), (0, 72), "each was made once");
    close(engine).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_a_crash_left_without_vectors_gets_them_when_the_persona_is_opened_again() {
    let test_home = TestHome::new();
    let engine = opened(&test_home, Encoding::WhenAsked).await;
    let persona = maya(&engine).await;
    let id = remember(&engine, &persona, GIST, "ana").await;
    assert_eq!(vectors_of(&engine, id).await, None);
    close(engine).await;
    let engine = opened(&test_home, Encoding::InBackground).await;
    recalled(&engine, &persona, "something else").await;
    made(&engine, id).await;
    tokio::time::timeout(Duration::from_secs(20), close(engine)).await.unwrap();
}

#[tokio::test]
async fn other_texts_get_other_vectors() {
    let test_home = TestHome::new();
    let engine = opened(&test_home, Encoding::WhenAsked).await;
    let persona = maya(&engine).await;
    let id = remember(&engine, &persona, GIST, "ana").await;
    engine.vectors_settled(&call(0), &persona).await.unwrap();
    let first = vectors_of(&engine, id).await.unwrap();
    let cues = read_value(json!({ "cues": ["where to eat tonight"] })).unwrap();
    engine.correct_memory(&call(0), &persona, id, cues).await.unwrap();
    assert_eq!(vectors_of(&engine, id).await, None, "those of the old texts are gone at once");
    engine.vectors_settled(&call(0), &persona).await.unwrap();
    let second = vectors_of(&engine, id).await.unwrap();
    assert!(second.bytes.len() > first.bytes.len(), "a cue has a vector of its own");
}

#[tokio::test]
async fn vectors_of_another_encoder_are_made_again() {
    let test_home = TestHome::new();
    let engine = opened(&test_home, Encoding::WhenAsked).await;
    let persona = maya(&engine).await;
    let id = remember(&engine, &persona, GIST, "ana").await;
    let vectors = Vector { embedder: "minilm-0".to_owned(), bytes: vec![1; 400] };
    let foreign = NewVectors { record: RecordId::Atom(id), read_at: u64::MAX, vectors };
    let batch = Batch::at(example::day(0)).with(Change::PutVectors(vec![foreign]));
    let scope = only_persona(&engine).await.scope();
    engine.store().commit(&scope, batch).await.unwrap();
    assert_eq!(engine.vector_progress(&call(0), &persona).await.unwrap().left(), 2);
    engine.vectors_settled(&call(0), &persona).await.unwrap();
    assert_eq!(vectors_of(&engine, id).await.unwrap().embedder, MAKER);
}

#[tokio::test]
async fn without_usable_weights_memory_goes_on_by_words_and_says_so() {
    let test_home = TestHome::new();
    let broken = Encoders::from_bytes(vec![1, 2, 3], Vec::new()).map_err(|error| error.to_string());
    assert!(broken.is_err());
    let engine = encoding_engine(home(&test_home).await, broken, Encoding::InBackground);
    let persona = maya(&engine).await;
    let id = remember(&engine, &persona, GIST, "ana").await;
    let answer = recalled(&engine, &persona, "seafood").await;
    assert!(answer.rendered.as_str().contains("seafood"));
    assert!(answer.degraded.unwrap().contains("not a weights file"));
    let progress = engine.vectors_settled(&call(0), &persona).await.unwrap();
    assert_eq!((progress.left(), vectors_of(&engine, id).await), (2, None));
    assert!(engine.encoders().is_none());
    let checks = engine.examine(&call(0)).await.unwrap().checks;
    let check = |name: &str| checks.iter().find(|check| check.check == name).unwrap();
    assert_eq!(check("encoders").outcome, Outcome::Fail);
    assert!(check("encoders").way_out.as_ref().unwrap().contains("install the program again"));
    assert!(check("vectors").detail.starts_with("0 of 2 memories and events"), "{}", check("vectors").detail);
}
