//! Nobody hears what somebody else said.

use serde_json::json;
use vault::randomness::{Randomness, SeededRandomness, random_bytes};

use super::house::{House, guest};
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
            context.prompt.as_str().to_owned()
        } else {
            String::new()
        };
        for (other, canaries) in planted.iter().enumerate().filter(|(other, _)| *other != who) {
            for canary in canaries {
                assert!(!answer.contains(canary.as_str()), "{} heard {}", people[who], people[other]);
                assert!(
                    !prompt.contains(canary.as_str()),
                    "{}'s prompt has {}'s words",
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
