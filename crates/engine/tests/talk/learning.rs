//! What talk leaves in memory.

use serde_json::Value;

use super::fixture::{Fixture, guest, in_session};

#[tokio::test]
async fn what_is_worth_keeping_is_learnt_and_small_talk_is_not() {
    let fixture = Fixture::new("2026-05-01T09:00:00Z").await;
    for said in ["Hello!", "How is the weather?", "Thanks, bye."] {
        fixture.say(guest("ana", said)).await;
    }
    assert_eq!(fixture.gists().await, [""; 0]);
    fixture.say(guest("ana", "I always take my coffee without sugar.")).await;
    let gists = fixture.gists().await;
    assert_eq!(gists.len(), 1, "{gists:?}");
    assert!(gists[0].contains("coffee"), "{gists:?}");
}

/// Whether `cue` brings back a memory with these words.
async fn comes_back(fixture: &Fixture, cue: &str, words: &[String]) -> bool {
    let asked = serde_json::json!({ "cue": cue, "subject": "ana", "offRecord": true });
    let (call, asked) = (fixture.call(), wire::read::read_value(asked).unwrap());
    let answer = fixture.engine.recall(&call, &fixture.persona, asked).await.unwrap();
    let rendered = answer.rendered.as_str().to_lowercase();
    words.iter().all(|word| rendered.contains(word))
}

#[tokio::test]
async fn a_long_conversation_leaves_each_fact_once_and_again_adds_none() {
    let file: Value = serde_json::from_str(include_str!("../data/long-conversation.json")).unwrap();
    let mut fixture = Fixture::new("2026-05-01T17:00:00Z").await;
    let turns = file["turns"].as_array().unwrap();
    for turn in turns {
        fixture.say(in_session("evening", guest("ana", turn["said"].as_str().unwrap()))).await;
        fixture.later(1);
    }
    let formed = fixture.gists().await.len();
    let (mut found, mut reached) = (0, 0);
    let facts = file["facts"].as_array().unwrap();
    for fact in facts {
        let words: Vec<String> = fact["words"]
            .as_array()
            .unwrap()
            .iter()
            .map(|word| word.as_str().unwrap().to_lowercase())
            .collect();
        let by_question = comes_back(&fixture, fact["ask"].as_str().unwrap(), &words).await;
        found += usize::from(by_question);
        reached += usize::from(by_question || comes_back(&fixture, &words.join(" "), &words).await);
        if !by_question {
            println!("not found by its question: {}", fact["id"]);
        }
    }
    for turn in turns {
        fixture.say(in_session("again", guest("ana", turn["said"].as_str().unwrap()))).await;
        fixture.later(1);
    }
    let added = fixture.gists().await.len() - formed;
    println!(
        "{} turns: {formed} memories, {found} of {} facts come back, {added} added by saying it all again",
        turns.len(),
        facts.len()
    );
    // One memory in four turns of a talk in which half of them say nothing worth knowing.
    assert!(formed <= 50, "{formed} memories");
    // Two questions share a single word with what they ask for; whoever names the matter is reminded of it.
    assert!(found >= 23, "{found} facts come back");
    assert_eq!(reached, facts.len());
    // The learnt models see a turn with the talk before it, and once in two hundred turns that changes what they keep.
    assert!(added <= 1, "{added} added");
}
