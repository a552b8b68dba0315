//! What holds when the same record is changed by several requests at once, on a disk.

use std::sync::Arc;

use domain::Digest;
use engine::converse::Utterance;
use engine::{Engine, PersonaKey, TurnAddress};
use engine_testkit::test_home::{TestHome, call, close, maya, only_persona};
use futures_util::future::join_all;
use serde_json::json;
use store::{DocumentName, Documents, Records};
use wire::distill::Distill;
use wire::read::read_value;

const SAID: [&str; 6] = [
    "My favourite colour is blue.",
    "My sister Ines lives in Porto.",
    "My favourite food is mushroom soup.",
    "My brother Paul works as a baker.",
    "My favourite tea is oolong.",
    "My dog Rex is four years old.",
];

async fn say(engine: &Arc<Engine>, maya: &PersonaKey, text: &str) {
    let said = Utterance { session: Some("s-owner".parse().unwrap()), ..Utterance::new(text.into()) };
    engine.converse(&call(1), maya, said).await.unwrap().whole().await.unwrap();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn redactions_at_the_same_time_are_all_answered_as_done_and_leave_the_digests() {
    let home = TestHome::new();
    let engine = Arc::new(home.open("home").await);
    let maya = maya(&engine).await;
    for text in SAID {
        say(&engine, &maya, text).await;
    }
    let scope = only_persona(&engine).await.scope();
    while !engine.store().unformed_turns(&scope).await.unwrap().is_empty() {
        tokio::time::sleep(std::time::Duration::from_millis(5)).await;
    }
    engine.distill(&call(2), Digest::Short, Distill::default()).await.unwrap();
    let memories = engine.store().load(&scope).await.unwrap().atoms;
    let learnt: Vec<_> = memories.into_iter().filter(|it| it.atom.subject.is_some()).collect();
    assert!(learnt.len() >= 4, "{}", learnt.len());
    let redact = learnt.iter().map(|it| {
        let (engine, maya, id) = (Arc::clone(&engine), maya.clone(), it.atom.id);
        let asked = read_value(json!({ "mode": "soft", "reason": "request" })).unwrap();
        tokio::spawn(async move { engine.redact_memory(&call(3), &maya, id, asked).await })
    });
    let answers = join_all(redact.collect::<Vec<_>>()).await;
    let refused: Vec<String> = answers
        .into_iter()
        .filter_map(|answer| answer.unwrap().err())
        .map(|problem| format!("{} {}", problem.code.as_str(), problem.detail))
        .collect();
    assert_eq!(refused, Vec::<String>::new());
    let owner = domain::SubjectRef::owner();
    let sources = engine.store().subject_document(&scope, &owner, DocumentName::Sources(Digest::Short));
    let sources = sources.await.unwrap().unwrap();
    let omitted = sources.content.as_str().matches("omitted").count();
    assert_eq!(omitted, learnt.len(), "every such turn is left out of digests");
    close(Arc::into_inner(engine).unwrap()).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn of_two_edits_of_one_turn_at_the_same_time_one_stands() {
    let home = TestHome::new();
    let engine = Arc::new(home.open("home").await);
    let maya = maya(&engine).await;
    say(&engine, &maya, SAID[0]).await;
    let scope = only_persona(&engine).await.scope();
    let session: domain::SessionId = "s-owner".parse().unwrap();
    let turn = engine.store().turns(&scope, &session).await.unwrap()[0].id;
    let (now, key) = (call(2), &maya);
    let address = TurnAddress { session: session.clone(), turn };
    let edit = ["red", "green", "white", "black"].map(|colour| {
        let asked = read_value(json!({ "text": format!("My favourite colour is {colour}.") })).unwrap();
        engine.edit_turn(&now, key, &address, asked)
    });
    let answers = join_all(edit).await;
    let done = answers.iter().filter(|answer| answer.is_ok()).count();
    let turns = engine.store().turns(&scope, &session).await.unwrap();
    let standing = turns.iter().filter(|turn| turn.text.as_str().contains("My favourite colour is")).count();
    assert_eq!((done, standing), (1, 1), "{answers:?}");
    close(Arc::into_inner(engine).unwrap()).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn changes_of_one_day_log_wait_for_each_other() {
    const TURNS: usize = 40;
    let home = TestHome::new();
    let engine = Arc::new(home.open("home").await);
    let maya = maya(&engine).await;
    let record = |number: usize| {
        let (engine, maya) = (Arc::clone(&engine), maya.clone());
        let exchange = json!({
            "said": format!("said {number}"),
            "reply": format!("replied {number}"),
            "sessionId": format!("sess:{number}"),
        });
        let asked = read_value(exchange).unwrap();
        tokio::spawn(async move { engine.record_exchange(&call(1), &maya, asked).await })
    };
    for recorded in join_all((0..TURNS).map(record)).await {
        recorded.unwrap().unwrap();
    }
    let scope = only_persona(&engine).await.scope();
    let mut deletions = Vec::new();
    for number in 0..TURNS {
        let session: domain::SessionId = format!("sess:{number}").parse().unwrap();
        let turn = engine.store().turns(&scope, &session).await.unwrap()[0].id;
        let (engine, maya, address) = (Arc::clone(&engine), maya.clone(), TurnAddress { session, turn });
        deletions
            .push(tokio::spawn(async move { engine.delete_turn(&call(2), &maya, &address, None).await }));
    }
    let recorded_meanwhile: Vec<_> = (TURNS..2 * TURNS).map(record).collect();
    for deleted in join_all(deletions).await {
        deleted.unwrap().unwrap();
    }
    for recorded in join_all(recorded_meanwhile).await {
        recorded.unwrap().unwrap();
    }
    let names = engine.store().list(&scope).await.unwrap();
    let log = names.into_iter().find(|name| matches!(name, DocumentName::DayLog(_))).unwrap();
    let log = engine.store().read(&scope, log).await.unwrap().unwrap();
    let log: Vec<&str> = log.content.as_str().lines().collect();
    assert_eq!(log.iter().filter(|line| line.starts_with("# ")).count(), 1, "one heading");
    for number in 0..2 * TURNS {
        let said = log.contains(&format!("said {number}").as_str());
        let replied = log.contains(&format!("replied {number}").as_str());
        assert_eq!((said, replied), (number >= TURNS, true), "{number}");
    }
    close(Arc::into_inner(engine).unwrap()).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_note_that_is_written_while_its_person_is_merged_is_kept() {
    const NOTES: usize = 40;
    let home = TestHome::new();
    let engine = Arc::new(home.open("home").await);
    let maya = maya(&engine).await;
    let ana: domain::SubjectRef = "guest:ana".parse().unwrap();
    let note = |number: usize| {
        let (engine, maya) = (Arc::clone(&engine), maya.clone());
        let asked = json!({ "subject": "guest:ana", "arguments": { "text": format!("note {number}.") } });
        let asked = read_value(asked).unwrap();
        tokio::spawn(async move { engine.use_tool(&call(1), &maya, "append_scratch", asked).await })
    };
    note(0).await.unwrap().unwrap();
    let merge = {
        let (engine, asked) = (Arc::clone(&engine), read_value(json!({ "from": "guest:ana" })).unwrap());
        let owner = domain::SubjectRef::owner();
        tokio::spawn(async move { engine.merge_subjects(&call(2), &owner, asked).await })
    };
    let written = join_all((1..NOTES).map(note)).await;
    merge.await.unwrap().unwrap();
    let scope = only_persona(&engine).await.scope();
    let file = engine.store().read(&scope, DocumentName::Scratch).await.unwrap();
    // Who was found to be Ana before the merge, and wrote after it, wrote under the old reference.
    let row = engine.store().subject_document(&scope, &ana, DocumentName::Scratch).await.unwrap();
    let kept: String = [file, row].iter().flatten().map(|document| document.content.as_str()).collect();
    for (number, written) in (1..).zip(written) {
        written.unwrap().unwrap();
        assert_eq!(kept.matches(&format!("note {number}.")).count(), 1, "note {number} in {kept}");
    }
    assert_eq!(kept.matches("note 0.").count(), 1, "{kept}");
    close(Arc::into_inner(engine).unwrap()).await;
}
