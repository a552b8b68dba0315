//! Text can be recovered from vectors, so they go wherever the words go.

use domain::ErasureStatus;
use recall::sentences::SentenceVectors;
use store::residue::{Form, ScanRoots, SearchTarget, Verdict, scan};
use store::{RecordId, Records};
use vault::randomness::OsRandomness;

use engine_testkit::planted::{Planted, plant, signed};
use engine_testkit::test_home::{TestHome, call, close};

/// Every vector as it would lie in a file: packed as we pack it, and as numbers.
pub(crate) fn sought(vectors: &SentenceVectors) -> Vec<SearchTarget> {
    let packed = vectors
        .vectors()
        .iter()
        .map(|vector| SearchTarget::Codes(vector.codes.iter().map(|code| code.to_le_bytes()[0]).collect()));
    let numbers = vectors.vectors().iter().map(|vector| {
        SearchTarget::Floats(vector.codes.iter().map(|code| f32::from(*code) * vector.step).collect())
    });
    packed.chain(numbers).collect()
}

#[tokio::test]
async fn a_forgotten_persons_vectors_are_gone_from_every_place() {
    let test_home = TestHome::new();
    let engine = test_home.open("home").await;
    let Planted { persona, scope, forgotten, kept } = plant(&engine).await;
    engine.vectors_settled(&call(0), &persona).await.unwrap();
    let records = forgotten.map(RecordId::Atom);
    let before = engine.store().vectors(&scope, &records).await.unwrap();
    assert_eq!(before.len(), 3);
    let opened = before.iter().map(|(_, vectors)| SentenceVectors::from_bytes(&vectors.bytes).unwrap());
    let needles: Vec<SearchTarget> = opened.flat_map(|vectors| sought(&vectors)).collect();

    let asked = signed(&engine, &call(1)).await;
    let done = engine.execute_erasure(&call(1), asked.erasure.id).await.unwrap();
    assert_eq!(done.erasure.status, ErasureStatus::Done, "{:?}", done.erasure);
    assert_eq!(engine.store().vectors(&scope, &records).await.unwrap(), []);
    let survivors = engine.store().vectors(&scope, &[RecordId::Atom(kept)]).await.unwrap();
    assert_eq!(survivors.len(), 1, "what is kept of others opens under its new key");
    let certificate = engine.erasure_certificate(&call(2), asked.erasure.id).await.unwrap().certificate;
    for place in ["memory.db:atom_vectors", "memory.db:entry_vectors", "process:texts being encoded"] {
        assert!(certificate.to_string().contains(place), "{place} is not in the certificate");
    }
    close(engine).await;

    let grounds = ScanRoots::of_home(&test_home.at("home"), &test_home.at("keys"));
    let residue = scan(&grounds, &needles, &OsRandomness, |_| ()).unwrap();
    assert_eq!((residue.verdict(), residue.hits()), (Verdict::Clean, 0));

    let [SearchTarget::Codes(codes), ..] = needles.as_slice() else { panic!("the first needle is packed") };
    let left = test_home.at("home/marriott/persona/maya-chen/SCRATCH.md");
    std::fs::write(left, &codes[64..128]).unwrap();
    let residue = scan(&grounds, &needles, &OsRandomness, |_| ()).unwrap();
    assert_eq!(residue.verdict(), Verdict::Found, "a piece of a vector would be found");
    assert_eq!(Form::Codes.as_str(), "packed vector");
}

#[tokio::test]
async fn a_piece_of_a_vector_that_was_left_somewhere_is_found_by_the_erasure_itself() {
    let test_home = TestHome::new();
    let engine = test_home.open("home").await;
    let Planted { persona, scope, forgotten, .. } = plant(&engine).await;
    engine.vectors_settled(&call(0), &persona).await.unwrap();
    let encoded = engine.store().vectors(&scope, &forgotten.map(RecordId::Atom)).await.unwrap();
    let (_, vectors) = encoded.first().unwrap();
    let asked = signed(&engine, &call(1)).await;
    std::fs::write(test_home.at("home/marriott/left-over.bin"), &vectors.bytes).unwrap();
    let done = engine.execute_erasure(&call(1), asked.erasure.id).await.unwrap();
    assert_eq!(done.erasure.status, ErasureStatus::Partial, "{:?}", done.erasure);
    std::fs::remove_file(test_home.at("home/marriott/left-over.bin")).unwrap();
    let done = engine.execute_erasure(&call(2), asked.erasure.id).await.unwrap();
    assert_eq!(done.erasure.status, ErasureStatus::Done, "{:?}", done.erasure);
    close(engine).await;
}

#[tokio::test]
async fn a_destroyed_memory_gets_no_vectors_any_more() {
    let test_home = TestHome::new();
    let engine = test_home.open("home").await;
    let Planted { persona, scope, forgotten, .. } = plant(&engine).await;
    let asked = signed(&engine, &call(1)).await;
    engine.execute_erasure(&call(1), asked.erasure.id).await.unwrap();
    engine.vectors_settled(&call(1), &persona).await.unwrap();
    let encoded = engine.store().all_vectors(&scope).await.unwrap();
    assert!(!encoded.is_empty());
    assert!(encoded.iter().all(|(record, _)| !forgotten.map(RecordId::Atom).contains(record)));
    close(engine).await;
}
