//! Nobody hears what somebody else said.

use serde_json::json;
use vault::randomness::{Randomness, SeededRandomness, random_bytes};

use super::house::{House, guest};
use super::searching::search;
use super::tools::tool;
use domain::Text;
use engine::converse::Utterance;

/// How many exchanges; each plants a word that only its speaker may ever hear.
const EXCHANGES: usize = 1_000;

#[tokio::test]
async fn two_guests_and_the_owner_never_hear_each_others_words() {
    let mut house = House::on_disk("2026-05-01T09:00:00Z").await;
    let dice = SeededRandomness::new(11);
    let people = ["ana", "bob", "owner"];
    let mut planted: Vec<Vec<String>> = vec![Vec::new(); people.len()];
    let mut looked_at = 0;
    for n in 0..EXCHANGES {
        let [who, what] = random_bytes::<2>(&dice as &dyn Randomness).unwrap();
        let who = usize::from(who) % people.len();
        let canary = format!("canary{n}x{}", ["ana", "bob", "own"][who]);
        let words = match what % 4 {
            0 => format!("Remember that my locker word is {canary}."),
            1 => format!("I always order the {canary} tea for breakfast."),
            2 => "What do you remember about the locker word and the tea?".to_owned(),
            _ => format!("My sister {canary} visits me next week."),
        };
        let said = if people[who] == "owner" {
            Utterance::new(Text::new(&words))
        } else {
            guest(people[who], &words)
        };
        let answer = house.say(Utterance { tier: Some(4), ..said }).await;
        planted[who].push(canary);
        let preview = json!({ "message": "locker word, tea, sister", "tier": 4, "subject": people[who] });
        let prompt = if n % 20 == 0 {
            let preview = wire::read::read_value(preview).unwrap();
            let context = house.engine.preview_context(&house.call(), &house.persona, preview).await.unwrap();
            let papers = through_tools(&house, people[who], &planted[who]).await;
            let found = serde_json::to_string(&search(&house, people[who], "locker word tea sister").await);
            format!("{}{papers}{}", context.prompt.as_str(), found.unwrap())
        } else {
            String::new()
        };
        for (other, canaries) in planted.iter().enumerate().filter(|(other, _)| *other != who) {
            for canary in canaries {
                assert!(!answer.contains(canary.as_str()), "{} heard {}", people[who], people[other]);
                assert!(
                    !prompt.contains(canary.as_str()),
                    "{}'s prompt, search or tools have {}'s words",
                    people[who],
                    people[other]
                );
                looked_at += 1;
            }
        }
        house.later(2);
    }
    println!("{EXCHANGES} exchanges, {looked_at} comparisons, 0 foreign words");
}

/// Writes the last word planted into all papers of `who`, and gives everything their tools tell.
async fn through_tools(house: &House, who: &str, planted: &[String]) -> String {
    let word = planted.last().unwrap();
    for (name, arguments) in [
        ("add_reminder", json!({ "text": word })),
        ("append_scratch", json!({ "text": word })),
        ("add_task", json!({ "title": word })),
        ("add_cron", json!({ "schedule": "hourly", "type": "note", "text": word })),
    ] {
        tool(house, who, name, arguments).await.unwrap();
    }
    let mut told = String::new();
    for (name, arguments) in [
        ("list_reminders", json!({})),
        ("read_scratch", json!({})),
        ("list_tasks", json!({})),
        ("list_crons", json!({})),
        ("search_sessions", json!({ "q": "locker word, tea, sister" })),
        ("recall", json!({ "cue": "locker word, tea, sister" })),
    ] {
        told.push_str(&tool(house, who, name, arguments).await.unwrap());
    }
    assert!(told.contains(word.as_str()), "their own words they do hear: {told}");
    told
}
