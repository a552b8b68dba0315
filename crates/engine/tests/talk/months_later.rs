//! What is left of whole conversations months later: of the lasting facts that were formed, how many are recalled by a
//! natural question, and whether what changed took the place of what was known.
//!
//! The conversations are those of the crate `formation`, played through the engine: the persona's replies are the
//! written ones, and the built-in rules form the memories. Of the
//! `unread` conversations, and of `blind` ones that are put beside them, only totals are printed.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use domain::Timestamp;
use engine::converse::{Role, Roles};
use serde_json::{Value, json};
use wire::read::read_value;

use super::fixture::{Fixture, guest, in_session};
use engine_testkit::scripted_model::{role, words};

const DAY: i64 = 86_400_000;
/// When people come back.
const RETURNS: [i64; 2] = [40, 200];
/// Of a hundred lasting facts so many are recalled at least, whenever people come back; 85 are wanted.
const LEAST_PERCENT: u32 = 79;
/// The same of conversations that neither rules nor models were made with.
const LEAST_PERCENT_BLIND: u32 = 72;
const SESSION: &str = "sess:0123456789abcdef0123456789abcdef";

/// Counts over conversations.
#[derive(Debug, Default)]
struct Left {
    /// Questions about lasting facts that were formed, and those whose answer came back, after each absence.
    asked: u32,
    recalled: [u32; 2],
    /// Changes of which both the old and the new fact were formed, and those where the old one gave way.
    changes: u32,
    replaced: u32,
}

#[tokio::test]
async fn lasting_facts_of_development_conversations_are_recalled_months_later() {
    hold("development").await;
}

#[tokio::test]
async fn lasting_facts_of_unread_conversations_are_recalled_months_later() {
    hold("unread").await;
}

/// Conversations by writers who have seen nothing of formation, as long as there are some beside the others.
#[tokio::test]
async fn lasting_facts_of_blind_conversations_are_recalled_months_later() {
    if files("blind").is_empty() {
        println!("no blind conversations");
    } else {
        hold("blind").await;
    }
}

/// The conversations whose names begin with `name`.
fn files(name: &str) -> Vec<std::path::PathBuf> {
    let folder = format!("{}/../formation/tests/conversations", std::env::var("CARGO_MANIFEST_DIR").unwrap());
    let mut files: Vec<_> = std::fs::read_dir(folder).unwrap().map(|file| file.unwrap().path()).collect();
    files.retain(|path| path.file_name().unwrap().to_str().unwrap().starts_with(name));
    files.sort();
    files
}

async fn hold(name: &str) {
    let mut total = Left::default();
    for file in files(name) {
        let conversation = serde_json::from_str(&std::fs::read_to_string(file).unwrap()).unwrap();
        measure(&conversation, &mut total).await;
    }
    println!("{name}: {total:?}");
    assert!(total.asked > 40, "{total:?}");
    let least = if name == "blind" { LEAST_PERCENT_BLIND } else { LEAST_PERCENT };
    for recalled in total.recalled {
        assert!(recalled * 100 >= total.asked * least, "{total:?}");
    }
}

async fn measure(conversation: &Value, total: &mut Left) {
    let (mut fixture, after_turns) = played(conversation).await;
    let facts = conversation["facts"].as_array().unwrap();
    let memories = fixture.memories().await;
    let formed = |fact: &Value| memories.iter().find(|memory| is_in(fact, memory));
    for fact in facts.iter().filter(|fact| fact["replaces"].is_u64() && formed(fact).is_some()) {
        let old = &facts[number(&fact["replaces"]) - 1];
        // An old fact that was never formed can't give way, and one whose memory the new one was added to has not.
        let before = after_turns[..number(&fact["turn"]) - 1].iter().flatten();
        let mut olds = before.filter(|memory| is_in(old, memory)).map(|memory| &memory["id"]).peekable();
        let is_formed = olds.peek().is_some();
        total.changes += u32::from(is_formed);
        total.replaced += u32::from(is_formed && olds.all(|id| memories.iter().all(|it| it["id"] != *id)));
    }
    let is_replaced = |place: usize| {
        facts.iter().any(|fact| fact["replaces"].is_u64() && number(&fact["replaces"]) == place + 1)
    };
    let lasting: Vec<&Value> = (facts.iter().enumerate())
        .filter(|(number, fact)| fact["question"].is_string() && !is_replaced(*number))
        .map(|(_, fact)| fact)
        .filter(|fact| formed(fact).is_some())
        .collect();
    total.asked += u32::try_from(lasting.len()).unwrap();
    let (left, speaker) = (fixture.now.as_millis(), speaker(conversation));
    for (place, days) in RETURNS.into_iter().enumerate() {
        fixture.now = Timestamp::from_millis(left + days * DAY);
        for fact in &lasting {
            let asked = read_value(json!({ "cue": fact["question"], "subject": speaker, "offRecord": true }))
                .unwrap();
            let answer = fixture.engine.recall(&fixture.call(), &fixture.persona, asked).await.unwrap();
            let answer = serde_json::to_value(answer).unwrap();
            let came_back = answer["memories"].as_array().unwrap();
            assert!(came_back.len() <= 12);
            let ids: Vec<&Value> = came_back.iter().map(|memory| &memory["id"]).collect();
            let is_recalled =
                memories.iter().any(|memory| is_in(fact, memory) && ids.contains(&&memory["id"]));
            total.recalled[place] += u32::from(is_recalled);
        }
    }
}

fn number(value: &Value) -> usize {
    usize::try_from(value.as_u64().unwrap()).unwrap()
}

/// A fixture in which the conversation was held, at the end of it, and its memories after each turn.
async fn played(conversation: &Value) -> (Fixture, Vec<Vec<Value>>) {
    let reply = Arc::new(Mutex::new(String::new()));
    let said = Arc::clone(&reply);
    let (roles, _) = role(move |_| Some(words(&said.lock().unwrap()))).await;
    let chat = roles.get(Some("chat")).unwrap().clone();
    let roles = Roles::new(BTreeMap::from([
        ("chat".to_owned(), chat),
        ("formation".to_owned(), Role::offline()),
        ("cues".to_owned(), Role::offline()),
    ]));
    let mut fixture = Fixture::with(conversation["startsAt"].as_str().unwrap(), roles).await;
    let spoken = read_value(json!({ "language": conversation["language"] })).unwrap();
    fixture.engine.update_persona(&fixture.call(), &fixture.persona, spoken).await.unwrap();
    let mut after_turns = Vec::new();
    for turn in conversation["turns"].as_array().unwrap() {
        fixture.now = turn["at"].as_str().unwrap().parse().unwrap();
        turn["reply"].as_str().unwrap().clone_into(&mut reply.lock().unwrap());
        let said = guest(&speaker(conversation), turn["user"].as_str().unwrap());
        fixture.say(in_session(SESSION, said)).await;
        after_turns.push(fixture.memories().await);
    }
    fixture.engine.vectors_settled(&fixture.call(), &fixture.persona).await.unwrap();
    (fixture, after_turns)
}

fn speaker(conversation: &Value) -> String {
    let name = conversation["speaker"].as_str().unwrap().to_lowercase();
    name.chars().filter(char::is_ascii_alphanumeric).collect()
}

/// Whether a memory of the right author holds every value of a fact.
fn is_in(fact: &Value, memory: &Value) -> bool {
    let details =
        memory["details"].as_array().unwrap().iter().map(|detail| detail["content"].as_str().unwrap());
    let text: String = std::iter::once(memory["gist"].as_str().unwrap())
        .chain(details)
        .collect::<Vec<_>>()
        .join(" ")
        .to_lowercase();
    let stands = |value: &Value| match value.as_array() {
        Some(any) => any.iter().any(|word| text.contains(&word.as_str().unwrap().to_lowercase())),
        None => text.contains(&value.as_str().unwrap().to_lowercase()),
    };
    let is_persona = memory["trust"] == "persona";
    (fact["by"] == "persona") == is_persona && fact["values"].as_array().unwrap().iter().all(stands)
}
