//! A line of a digest goes with the turn it comes from, though it names nobody.

use domain::{Digest, ErasureStatus, Text, Timestamp};
use store::{Batch, Change, DocumentName, Documents, Records, Scope};
use wire::distill::Distill;

use engine_testkit::planted::{BOGDAN, Planted, plant, session, signed, turn};
use engine_testkit::test_home::{TestHome, call, close};

const SAID: &str =
    "Did I tell you of Ana Popescu? We decided to move the wedding to the castle in Trier in May, for good.";
const OTHER: &str = "I signed the contract with the mill in Ostrava for the flour of the next year.";
const LINE: &str = "We decided to move the wedding";

/// Says something a little later than what has a smaller number.
async fn say(engine: &engine::Engine, scope: &Scope, (number, who): (u128, &str), text: &str) {
    let at = Timestamp::from_millis(call(0).now.as_millis() + i64::try_from(number).unwrap() * 1000);
    let name = format!("s-{who}");
    let session = store::Session { last_at: at, ..session(&name, who, "talk") };
    let turn = store::Turn { at, ..turn(number, &name, text) };
    let batch =
        Batch::at(at).with(Change::PutSession(Box::new(session))).with(Change::AppendTurn(Box::new(turn)));
    engine.store().commit(scope, batch).await.unwrap();
}

async fn digests(engine: &engine::Engine, scope: &Scope) -> [String; 3] {
    let bogdan = BOGDAN.parse().unwrap();
    let text = |document: Option<store::Document>| {
        document.map(|document| document.content.as_str().to_owned()).unwrap_or_default()
    };
    let store = engine.store();
    [
        text(store.read(scope, DocumentName::MemoryMid).await.unwrap()),
        text(store.read(scope, DocumentName::MemoryMidBackup1).await.unwrap()),
        text(store.subject_document(scope, &bogdan, DocumentName::MemoryMid).await.unwrap()),
    ]
}

#[tokio::test]
async fn what_was_said_of_somebody_who_is_forgotten_leaves_the_digests_of_others() {
    let test_home = TestHome::new();
    let engine = test_home.open("home").await;
    let Planted { scope, .. } = plant(&engine).await;
    for (number, who) in [(41, "owner"), (51, BOGDAN)] {
        for (place, said) in [(0, SAID), (1, OTHER)] {
            say(&engine, &scope, (number + place, who), said).await;
            engine.distill(&call(1), Digest::Mid, Distill::default()).await.unwrap();
        }
    }
    // One more line, so that there is a backup with the others.
    say(
        &engine,
        &scope,
        (60, "owner"),
        "We agreed with the council on the new bakery in Trier, it opens in June.",
    )
    .await;
    engine.distill(&call(2), Digest::Mid, Distill::default()).await.unwrap();
    let before = digests(&engine, &scope).await;
    assert!(before.iter().all(|text| text.contains(LINE)), "{before:?}");
    assert!(before[2].contains("Popescu"), "what was written by hand is kept: {before:?}");
    let asked = signed(&engine, &call(3)).await;
    let done = engine.execute_erasure(&call(3), asked.erasure.id).await.unwrap();
    assert_eq!(done.erasure.status, ErasureStatus::Done, "{:?}", done.erasure);
    let after = digests(&engine, &scope).await;
    assert!(after.iter().all(|text| !text.contains(LINE) && !text.contains("Popescu")), "{after:?}");
    assert!(after[0].contains("council") && after[0].contains("Ostrava"), "{after:?}");
    assert_eq!(Text::new(after[1].clone()), Text::default(), "backups go with the line");
    assert!(after[2].contains("Ostrava"), "{after:?}");
    engine.distill(&call(4), Digest::Mid, Distill::default()).await.unwrap();
    assert!(digests(&engine, &scope).await.iter().all(|text| !text.contains(LINE)), "and does not come back");
    close(engine).await;
}
